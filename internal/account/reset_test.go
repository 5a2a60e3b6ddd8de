package account

import (
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func TestRemoveFactor_OnlySignIn_Refused(t *testing.T) {
	t.Parallel()
	for _, required := range []bool{false, true} {
		s, p, user := newServiceWithSSO(t)
		s.SecondFactorRequired = required
		ctx := t.Context()
		without := func() {
			t.Helper()
			if err := s.store.Write(ctx, func(tx *store.Tx) error { return tx.SetPassword(ctx, user.UserID, "") }); err != nil {
				t.Fatal(err)
			}
		}
		ids := func(passkey bool) (ids []string) {
			t.Helper()
			f, err := s.Factors(ctx, user.UserID)
			if err != nil {
				t.Fatal(err)
			}
			for _, one := range f.SecondFactors {
				if one.IsPasskey() == passkey {
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
		if err := s.RemoveFactor(ctx, user, ids(true)[0]); !fault.Is(err, fault.Conflict) || len(ids(true)) != 1 {
			t.Errorf("required %v, the last passkey beside an app: got %v, want a rejection", required, err)
		}
		addKey(t, s, user)
		if err := s.RemoveFactor(ctx, user, ids(true)[0]); err != nil {
			t.Errorf("required %v, one passkey of two: got %v", required, err)
		}
		if _, err := signInBySSO(t, s, p); err != nil {
			t.Fatal(err)
		}
		if err := s.RemoveFactor(ctx, user, ids(true)[0]); err != nil {
			t.Errorf("required %v, the last passkey beside single sign-on: got %v", required, err)
		}
		if err := s.UnlinkSSO(ctx, user); !fault.Is(err, fault.Conflict) {
			t.Errorf("required %v, single sign-on as the only way: got %v, want a rejection", required, err)
		}
		if f, err := s.Factors(ctx, user.UserID); err != nil || !f.SSO {
			t.Errorf("required %v: got %+v, %v, want it still linked", required, f, err)
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
	if _, err := s.AddPasskey(t.Context(), "session", user,
		CreatedPasskey{Response: key.create(options), Name: "Key"}); err != nil {
		t.Fatal(err)
	}
	return key
}

// TestReset_FactorAtProvider_NotBypassed has a user with a second factor only at the provider.
func TestReset_FactorAtProvider_NotBypassed(t *testing.T) {
	t.Parallel()
	s, p, user := newServiceWithSSO(t)
	s.SecondFactorRequired = true
	ctx := t.Context()
	if _, err := signInBySSO(t, s, p); err != nil { // the provider reports one factor
		t.Fatal(err)
	}
	if need := needOf(t, s, user); need != NeedEnrollment {
		t.Fatalf("no second factor anywhere: got %v, want enrollment here", need)
	}
	// begun before she signs in with two factors
	attacker, err := s.BeginSecondFactor(ctx, user, NeedEnrollment, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := s.PendingSignIn(ctx, attacker)
	if err != nil {
		t.Fatal(err)
	}
	p.alterToken = func(c map[string]any) { c["amr"] = []string{"pwd", "mfa"} }
	if on, err := signInBySSO(t, s, p); err != nil || on.Proof != access.ByStrongSSO {
		t.Fatalf("got %q, %v, want two factors", on.Proof, err)
	}
	code, _ := totp.GenerateCode(begun.Setup.Secret, s.Now())
	if _, err := s.FinishSecondFactor(ctx, attacker, FactorResponse{Code: code}, hereClient); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("what was begun before: got %v, want it expired", err)
	}
	requestLink(t, s, LinkReset, user.Email)
	if err := finishSetUp(t, s, mailsTo(t, s, user.Email)[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SignIn(ctx, user.Email, goodPassword, hereClient); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(fault.Public(err), "single sign-on") {
		t.Errorf("mailbox and password: got %v, want the user sent to the provider", err)
	}
	if _, err := s.ResetAccount(ctx, access.Operator(), user.Email, false); err != nil {
		t.Fatal(err)
	}
	if err := finishSetUp(t, s, mailsTo(t, s, user.Email)[0]); !fault.Is(err, fault.Invalid) {
		t.Errorf("a reset without a code: got %v, want a code required", err)
	}
}

func TestResetAccount_UnlinksSSO(t *testing.T) {
	t.Parallel()
	s, p, user := newServiceWithSSO(t)
	if _, err := signInBySSO(t, s, p); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ResetAccount(t.Context(), access.Operator(), user.Email, false); err != nil {
		t.Fatal(err)
	}
	if f, _ := s.Factors(t.Context(), user.UserID); !f.SSO {
		t.Error("unlinked before the link was used")
	}
	if err := finishSetUp(t, s, mailsTo(t, s, user.Email)[0]); err != nil {
		t.Fatal(err)
	}
	if f, err := s.Factors(t.Context(), user.UserID); err != nil || f.SSO {
		t.Errorf("got %+v, %v, want no identity at the provider", f, err)
	}
}

func TestResetAccount_Locked_OnlyLinkOpens(t *testing.T) {
	t.Parallel()
	s, p, user := newServiceWithSSO(t)
	ctx := t.Context()
	key := addKey(t, s, user)
	if _, err := signInBySSO(t, s, p); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ResetAccount(ctx, access.Operator(), user.Email, true); err != nil {
		t.Fatal(err)
	}
	message := mailsTo(t, s, user.Email)[0]
	closed := func() {
		t.Helper()
		if _, err := s.SignIn(ctx, user.Email, goodPassword, hereClient); !fault.Is(err, fault.Invalid) {
			t.Errorf("with a password: got %v, want a rejection", err)
		}
		token, options := beginPasskey(t, s)
		if _, err := s.PasskeySignIn(ctx, token, key.get(options), hereClient); !fault.Is(err, fault.Invalid) {
			t.Errorf("with a passkey: got %v, want a rejection", err)
		}
		if _, err := signInBySSO(t, s, p); !fault.Is(err, fault.Invalid) {
			t.Errorf("through the provider: got %v, want a rejection", err)
		}
	}
	closed()
	requestLink(t, s, LinkReset, user.Email)
	if got := mailsTo(t, s, user.Email)[0]; got.Text != message.Text {
		t.Errorf("a reset was emailed: %q", got.Subject)
	}
	if err := finishSetUp(t, s, message); err != nil {
		t.Fatal(err)
	}
	if _, err := s.SignIn(ctx, user.Email, goodPassword, hereClient); err != nil {
		t.Errorf("after the link: got %v", err)
	}
	if _, err := signInBySSO(t, s, p); err != nil {
		t.Errorf("the provider, linked again: got %v", err)
	}
}

func TestFinishSecondFactor_AccountClosed_Conflict(t *testing.T) {
	t.Parallel()
	s, _, user, _, _ := newServiceWithTOTP(t, Options{})
	if err := s.Disable(t.Context(), user.Email); err != nil {
		t.Fatal(err)
	}
	// from a sign-in that was in progress
	token, err := s.BeginSecondFactor(t.Context(), user, NeedSecondFactor, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.PendingSignIn(t.Context(), token); !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v, want it expired", err)
	}
}
