package account

import (
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"hearthline/internal/access"
)

// TestCredentialChange_NotifiesByMail makes each change in turn, and reads the newest email.
func TestCredentialChange_NotifiesByMail(t *testing.T) {
	t.Parallel()
	s, p, user := newServiceWithSSO(t)
	ctx, at := t.Context(), time.Now()
	s.Now = func() time.Time { return at }
	message := func(want string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		at = at.Add(time.Minute)
		newest := mailsTo(t, s, user.Email)[0]
		if said, _, _ := strings.Cut(strings.Split(newest.Text, "\n\n")[1], ", on "); said != want {
			t.Errorf("got an email that %q, want %q", said, want)
		}
	}
	code := func(secret string) string {
		t.Helper()
		c, err := totp.GenerateCode(secret, at)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	setup, err := s.SetUpTOTP(ctx, "session", user)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.AddTOTP(ctx, "session", user, code(setup.Secret))
	message("An authenticator app was added", err)

	key := newSoftKey(t)
	options, err := s.BeginPasskey(ctx, "session", user)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.AddPasskey(ctx, "session", user, CreatedPasskey{Response: key.create(options), Name: "Phone"})
	message("A passkey was added", err)

	codes, err := s.ReplaceRecoveryCodes(ctx, user)
	message("New recovery codes were created", err)
	_, err = s.verifyCode(ctx, user, codes[0])
	message("A recovery code was used to sign in", err)

	all, err := s.Factors(ctx, user.UserID)
	if err != nil {
		t.Fatal(err)
	}
	message("A second factor was removed", s.RemoveFactor(ctx, user, all.SecondFactors[0].ID))

	_, err = signInBySSO(t, s, p)
	message("Your account was linked to single sign-on", err)
	message("Your account was unlinked from single sign-on", s.UnlinkSSO(ctx, user))

	message("Your password was changed", s.ChangePassword(ctx, user, "",
		passwords(goodPassword, "another lantern in the orchard")))
	requestLink(t, s, LinkReset, user.Email)
	message("Your password was reset", finishSetUp(t, s, mailsTo(t, s, user.Email)[0]))
	if _, err = s.ResetAccount(ctx, access.Operator(), user.Email, false); err != nil {
		t.Fatal(err)
	}
	message("Your password and second factors were reset", finishSetUp(t, s, mailsTo(t, s, user.Email)[0]))

	s.SecondFactorRequired = true
	token, err := s.BeginSecondFactor(ctx, olivia(t, s), NeedEnrollment, hereClient)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.PendingSignIn(ctx, token)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.FinishSecondFactor(ctx, token, FactorResponse{Code: code(w.Setup.Secret)}, hereClient)
	message("An authenticator app was added", err)
}
