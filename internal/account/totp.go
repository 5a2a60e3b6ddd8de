package account

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// The parameters that every authenticator app supports: six digits, SHA-1, 30 seconds. A code may be one step
// early or late, as RFC 6238 (5.2) advises: phone clocks are off by some seconds, and users type a code
// across a step change. That is longer than ASVS 6.5.5 allows, and is documented there as a deviation. A step
// is accepted only once, and never before the last accepted one, and wrong codes cause a wait.
const (
	totpStep   = 30 * time.Second
	totpDigits = otp.DigitsSix
	totpSkew   = 1
	secretSize = 20
	issuer     = "Hearthline"
)

// TOTPSetup is an authenticator app that is about to be added.
type TOTPSetup struct {
	Secret string // base32, to type by hand
	URI    string // otpauth://, for the QR code
}

func newTOTPSetup(email string) TOTPSetup {
	var raw [secretSize]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	secret := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw[:])
	q := url.Values{"secret": {secret}, "issuer": {issuer}}
	return TOTPSetup{Secret: secret, URI: "otpauth://totp/" + url.PathEscape(issuer+":"+email) + "?" + q.Encode()}
}

// totpStepOf finds the time step of a code; 0 when it belongs to no step nearby.
func totpStepOf(secret, code string, now time.Time) (int64, error) {
	present := now.Unix() / int64(totpStep/time.Second)
	for _, step := range []int64{present, present - totpSkew, present + totpSkew} {
		want, err := hotp.GenerateCodeCustom(secret, uint64(step),
			hotp.ValidateOpts{Digits: totpDigits, Algorithm: otp.AlgorithmSHA1})
		if err != nil {
			return 0, fault.Wrap(fault.Internal, "", fmt.Errorf("account: authenticator code: %w", err))
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return step, nil
		}
	}
	return 0, nil
}

// checkFirstCode returns the time step of the first code of an app that is about to be added.
func (s *Service) checkFirstCode(secret, code string) (step int64, err error) {
	step, err = totpStepOf(secret, foldCode(code), s.Now())
	if err == nil && step == 0 {
		err = codeError("Incorrect code. Check that your phone’s clock is right, then enter the next code.")
	}
	return step, err
}

// isTOTP reports whether a folded code has the form of an authenticator code.
func isTOTP(code string) bool {
	return len(code) == totpDigits.Length() && strings.Trim(code, "0123456789") == ""
}

// addTOTP stores an authenticator app whose code of this step was just verified.
func (s *Service) addTOTP(ctx context.Context, tx *store.Tx, user access.User, secret string, step int64) error {
	id := uuid.Must(uuid.NewV7()).String()
	sealed, err := s.vault.Seal(vault.CredentialAAD(id), []byte(secret))
	if err != nil {
		return err
	}
	at := store.Millis(s.Now())
	return cmp.Or(tx.AddCredential(ctx, store.Credential{
		ID: id, UserID: user.UserID, Kind: store.CredentialTOTP, Handle: "totp:" + user.UserID, Name: "Authenticator app",
		Sealed: sealed, LastStep: step, CreatedAt: at, UsedAt: at,
	}), tx.AuditOwn(ctx, user.UserID, store.ActionFactorAdd, string(store.CredentialTOTP)))
}

// acceptTOTP accepts a code from the user's app once.
func (s *Service) acceptTOTP(ctx context.Context, user access.User, code string) (bool, error) {
	c, err := s.store.CredentialByHandle(ctx, "totp:"+user.UserID)
	if fault.Is(err, fault.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("account: authenticator app: %w", err)
	}
	secret, err := s.vault.Unseal(vault.CredentialAAD(c.ID), c.Sealed)
	if err != nil {
		return false, err
	}
	step, err := totpStepOf(string(secret), code, s.Now())
	if err != nil || step == 0 {
		return false, err
	}
	fresh := false
	err = s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		fresh, err = tx.AcceptTOTPStep(ctx, c.ID, step, store.Millis(s.Now()))
		return err
	})
	return fresh && err == nil, err
}
