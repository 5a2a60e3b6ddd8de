package account

import (
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func TestNobodyTakesTheirOnlyWayInAway(t *testing.T) {
	for _, required := range []bool{false, true} {
		s, p, user := signOns(t)
		s.Required = required
		ctx := t.Context()
		without := func() {
			t.Helper()
			if err := s.write(ctx, func(tx *store.Tx) error { return tx.SetPassword(ctx, user.UserID, "") }); err != nil {
				t.Fatal(err)
			}
		}
		ids := func(passkey bool) (ids []string) {
			t.Helper()
			f, err := s.Factors(ctx, user.UserID)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range f.Second {
				if one.Passkey() == passkey {
					ids = append(ids, one.ID)
				}
			}
			return ids
		}
		addKey(t, s, user)
		setup, err := s.SetUpTOTP(ctx, "session", user)
		if err != nil {
			t.Fatal(err)
		}
		code, _ := totp.GenerateCode(setup.Secret, s.Now())
		if _, err := s.AddTOTP(ctx, "session", user, code); err != nil {
			t.Fatal(err)
		}
		without()
		if err := s.RemoveFactor(ctx, user, ids(true)[0]); fault.KindOf(err) != fault.Conflict || len(ids(true)) != 1 {
			t.Errorf("required %v, the last passkey beside an app: got %v, want a refusal", required, err)
		}
		addKey(t, s, user)
		if err := s.RemoveFactor(ctx, user, ids(true)[0]); err != nil {
			t.Errorf("required %v, one passkey of two: got %v", required, err)
		}
		if _, err := there(t, s, p); err != nil {
			t.Fatal(err)
		}
		if err := s.RemoveFactor(ctx, user, ids(true)[0]); err != nil {
			t.Errorf("required %v, the last passkey beside single sign-on: got %v", required, err)
		}
		if err := s.UnlinkSSO(ctx, user); fault.KindOf(err) != fault.Conflict {
			t.Errorf("required %v, single sign-on as the only way: got %v, want a refusal", required, err)
		}
		if f, err := s.Factors(ctx, user.UserID); err != nil || !f.SSO {
			t.Errorf("required %v: got %+v, %v, want it linked still", required, f, err)
		}
	}
}

// addKey adds another passkey.
func addKey(t *testing.T, s *Service, user access.User) *softKey {
	t.Helper()
	key := newSoftKey(t)
	options, err := s.BeginPasskey(t.Context(), "session", user)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddPasskey(t.Context(), "session", user, Made{Answer: key.create(options), Name: "Key"}); err != nil {
		t.Fatal(err)
	}
	return key
}

// TestAMailboxGoesAroundNoProvidersFactor: she has a second factor at the provider alone.
func TestAMailboxGoesAroundNoProvidersFactor(t *testing.T) {
	s, p, user := signOns(t)
	s.Required = true
	ctx := t.Context()
	if _, err := there(t, s, p); err != nil { // the provider has seen one factor
		t.Fatal(err)
	}
	if need, err := s.Needs(ctx, user.UserID); err != nil || need != NeedEnrolment {
		t.Fatalf("no second factor anywhere: got %v, %v, want one added here", need, err)
	}
	thief, err := s.AwaitSecond(ctx, user, NeedEnrolment, here) // begun before she comes in by two
	if err != nil {
		t.Fatal(err)
	}
	begun, err := s.Awaited(ctx, thief)
	if err != nil {
		t.Fatal(err)
	}
	p.spoil = func(c map[string]any) { c["amr"] = []string{"pwd", "mfa"} }
	if on, err := there(t, s, p); err != nil || on.Proof != access.ByStrongSSO {
		t.Fatalf("got %q, %v, want two factors", on.Proof, err)
	}
	code, _ := totp.GenerateCode(begun.Setup.Secret, s.Now())
	if _, err := s.Second(ctx, thief, Given{Code: code}, here); fault.KindOf(err) != fault.Conflict {
		t.Errorf("what was begun before: got %v, want that it is over", err)
	}
	ask(t, s, LinkReset, user.Email)
	if err := setsUp(t, s, posted(t, s, user.Email)[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LogIn(ctx, user.Email, goodPassword, here); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Needs(ctx, user.UserID); fault.KindOf(err) != fault.Invalid || !strings.Contains(fault.Public(err), "single sign-on") {
		t.Errorf("mailbox and password: got %v, want to be sent to the provider", err)
	}
	if _, err := s.Renew(ctx, access.Operator(), user.Email, false); err != nil {
		t.Fatal(err)
	}
	if err := setsUp(t, s, posted(t, s, user.Email)[0]); fault.KindOf(err) != fault.Invalid {
		t.Errorf("beginning anew without a code: got %v, want one asked for", err)
	}
}

func TestBeginningAnewUnlinksTheProvider(t *testing.T) {
	s, p, user := signOns(t)
	if _, err := there(t, s, p); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Renew(t.Context(), access.Operator(), user.Email, false); err != nil {
		t.Fatal(err)
	}
	if f, _ := s.Factors(t.Context(), user.UserID); !f.SSO {
		t.Error("unlinked before the link was used")
	}
	if err := setsUp(t, s, posted(t, s, user.Email)[0]); err != nil {
		t.Fatal(err)
	}
	if f, err := s.Factors(t.Context(), user.UserID); err != nil || f.SSO {
		t.Errorf("got %+v, %v, want nobody at the provider to open it", f, err)
	}
}

func TestAShutAccountOpensByItsLinkAlone(t *testing.T) {
	s, p, user := signOns(t)
	ctx := t.Context()
	key := addKey(t, s, user)
	if _, err := there(t, s, p); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Renew(ctx, access.Operator(), user.Email, true); err != nil {
		t.Fatal(err)
	}
	letter := posted(t, s, user.Email)[0]
	closed := func() {
		t.Helper()
		if _, err := s.LogIn(ctx, user.Email, goodPassword, here); fault.KindOf(err) != fault.Invalid {
			t.Errorf("by password: got %v, want a refusal", err)
		}
		token, options := askIn(t, s)
		if _, err := s.PasskeyLogIn(ctx, token, key.get(options), here); fault.KindOf(err) != fault.Invalid {
			t.Errorf("by passkey: got %v, want a refusal", err)
		}
		if _, err := there(t, s, p); fault.KindOf(err) != fault.Invalid {
			t.Errorf("by the provider: got %v, want a refusal", err)
		}
	}
	closed()
	ask(t, s, LinkReset, user.Email)
	if got := posted(t, s, user.Email)[0]; got.Text != letter.Text {
		t.Errorf("a reset was mailed: %q", got.Subject)
	}
	if err := setsUp(t, s, letter); err != nil {
		t.Fatal(err)
	}
	if _, err := s.LogIn(ctx, user.Email, goodPassword, here); err != nil {
		t.Errorf("after the link: got %v", err)
	}
	if _, err := there(t, s, p); err != nil {
		t.Errorf("the provider, linked anew: got %v", err)
	}
}

func TestAClosedAccountAwaitsNoSecondStep(t *testing.T) {
	s, _, user, _, _ := enrolled(t, Options{})
	if err := s.Disable(t.Context(), user.Email); err != nil {
		t.Fatal(err)
	}
	token, err := s.AwaitSecond(t.Context(), user, NeedSecond, here) // begun by a log-in that was under way
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Awaited(t.Context(), token); fault.KindOf(err) != fault.Conflict {
		t.Errorf("got %v, want that it is over", err)
	}
}
