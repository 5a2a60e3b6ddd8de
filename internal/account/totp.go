package account

import (
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

// What every authenticator app can do: six digits of SHA-1, anew every 30 seconds. A
// clock may be one step ahead or behind, as RFC 6238 (5.2) advises: phones are some seconds
// off, and codes are typed across the turn of one. That is longer than ASVS 6.5.5 allows, and
// is written down there as a deviation; no step is accepted twice, nor one before the last
// accepted, and wrong codes make one wait.
const (
	totpStep   = 30 * time.Second
	totpDigits = otp.DigitsSix
	totpSkew   = 1
	secretSize = 20
	issuer     = "Hearthline"
)

// TOTPSetup is an authenticator app about to be added.
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

// totpStepOf finds the step of time that a code belongs to; 0 when it belongs to none that
// is near.
func totpStepOf(secret, code string, now time.Time) (int64, error) {
	present := now.Unix() / int64(totpStep/time.Second)
	for _, step := range []int64{present, present - totpSkew, present + totpSkew} {
		want, err := hotp.GenerateCodeCustom(secret, uint64(step), hotp.ValidateOpts{Digits: totpDigits, Algorithm: otp.AlgorithmSHA1})
		if err != nil {
			return 0, fault.Wrap(fault.Internal, "", fmt.Errorf("account: authenticator code: %w", err))
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			return step, nil
		}
	}
	return 0, nil
}

// isTOTP says whether a folded code looks like an authenticator's.
func isTOTP(code string) bool {
	return len(code) == totpDigits.Length() && strings.Trim(code, "0123456789") == ""
}

func credentialAAD(id string) vault.AAD {
	return vault.AAD{Table: "credentials", Row: id, Column: "sealed"}
}

// addTOTP keeps an authenticator app, which has just shown a code of this step.
func (s *Service) addTOTP(ctx context.Context, tx *store.Tx, user access.User, secret string, step int64) error {
	id := uuid.Must(uuid.NewV7()).String()
	sealed, err := s.vault.Seal(credentialAAD(id), []byte(secret))
	if err != nil {
		return err
	}
	at := store.Millis(s.Now())
	err = tx.AddCredential(ctx, store.Credential{
		ID: id, UserID: user.UserID, Kind: store.CredentialTOTP, Handle: "totp:" + user.UserID, Name: "Authenticator app",
		Sealed: sealed, LastStep: step, CreatedAt: at, UsedAt: at,
	})
	if err != nil {
		return err
	}
	return tx.AuditOwn(ctx, user.UserID, store.ActionFactorAdd, string(store.CredentialTOTP))
}

// acceptTOTP accepts a code of a person's app once.
func (s *Service) acceptTOTP(ctx context.Context, user access.User, c store.Credential, code string) (bool, error) {
	secret, err := s.vault.Unseal(credentialAAD(c.ID), c.Sealed)
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
