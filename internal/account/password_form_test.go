package account

import (
	"testing"

	"hearthline/internal/access"
)

// The same password as two keyboards type it: composed, and as letters with separate accents.
const (
	composedPassword   = "caf\u00e9 lantern orch\u00e4rd"
	decomposedPassword = "cafe\u0301 lantern orcha\u0308rd"
	mixedPassword      = "caf\u00e9 lantern orcha\u0308rd"
)

func TestSignIn_PasswordInOtherUnicodeForm_Accepted(t *testing.T) {
	t.Parallel()
	for what, password := range map[string][2]string{"set composed": {composedPassword, decomposedPassword},
		"set decomposed": {decomposedPassword, composedPassword}} {
		s, _, _ := newTestService(t)
		user, err := s.Add(t.Context(),
			access.User{Actor: access.Actor{Email: "jose@summit.test", Name: "José Núñez", Role: access.Admin}}, password[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, typed := range password {
			if _, err := s.SignIn(t.Context(), user.Email, typed, hereClient); err != nil {
				t.Errorf("%s, typed %+q: got %v", what, typed, err)
			}
		}
		if _, err := s.SignIn(t.Context(), user.Email, "cafe lantern orchard", hereClient); err == nil {
			t.Errorf("%s: accepted without the accents", what)
		}
		session := signIn(t, s, user, access.ByPassword)
		if err := s.ChangePassword(t.Context(), user, session.IDHash, passwords(password[1], nextPassword)); err != nil {
			t.Errorf("%s: as the current password: got %v", what, err)
		}
	}
}

// TestSignIn_WrongPassword_SameWorkForUnknownEmail counts the hashes of a password that can be typed in several ways.
func TestSignIn_WrongPassword_SameWorkForUnknownEmail(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	work := func(email string) int64 {
		before := s.hasher.started.Load()
		_, _ = s.SignIn(t.Context(), email, mixedPassword, hereClient)
		return s.hasher.started.Load() - before
	}
	if known, unknown := work("olivia@summit.test"), work("nobody@summit.test"); known != unknown || known != 1 {
		t.Errorf("got %d hashes for an account, %d without one; want 1", known, unknown)
	}
}

func TestSignIn_EmailAsPasted_Cleaned(t *testing.T) {
	t.Parallel()
	s, _, _ := newTestService(t)
	for _, email := range []string{
		"olivia@summit.test\u200b", "\ufeffOlivia@Summit.test", "olivia\u00ad@summit.test", "\u200eolivia@summit.test\u00a0",
		"mailto:olivia@summit.test", "“olivia@summit.test”", "<olivia@summit.test>",
	} {
		if _, err := s.SignIn(t.Context(), email, goodPassword, hereClient); err != nil {
			t.Errorf("%+q: got %v", email, err)
		}
	}
}

// TestFoldEmail_InvisibleCharacter_OtherAddress: what a provider states about a user is not cleaned, because its
// address could then be that of somebody else.
func TestFoldEmail_InvisibleCharacter_OtherAddress(t *testing.T) {
	t.Parallel()
	if got := FoldEmail(" Olivia@Summit.test\u200b"); got != "olivia@summit.test\u200b" {
		t.Errorf("got %+q", got)
	}
}
