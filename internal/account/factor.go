package account

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/webauthn"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Factor is one means of authentication in addition to the password.
type Factor struct {
	ID       string
	Kind     store.CredentialKind
	Name     string
	Added    time.Time
	Used     time.Time // zero when never
	BackedUp bool      // a passkey that is synchronized to several devices
}

// IsPasskey reports whether the factor is a passkey.
func (f Factor) IsPasskey() bool { return f.Kind == store.CredentialPasskey }

// Factors are all of a user's means of authentication.
type Factors struct {
	Password      bool
	TOTP          bool
	SecondFactors []Factor // authenticator app and passkeys, oldest first
	RecoveryCodes int      // unused codes
	SSO           bool     // linked to the sign-on provider
}

// HasSecondFactor reports whether the user has a second factor.
func (f Factors) HasSecondFactor() bool { return len(f.SecondFactors) > 0 }

// HasPasskey reports whether any of the factors is a passkey.
func (f Factors) HasPasskey() bool {
	for _, one := range f.SecondFactors {
		if one.IsPasskey() {
			return true
		}
	}
	return false
}

// Factors reads a user's factors.
func (s *Service) Factors(ctx context.Context, userID string) (Factors, error) {
	hash, err := s.store.PasswordHash(ctx, userID)
	if err != nil {
		return Factors{}, err
	}
	all, err := s.store.Credentials(ctx, userID)
	if err != nil {
		return Factors{}, err
	}
	f := Factors{Password: hash != ""}
	for _, c := range all {
		f.TOTP = f.TOTP || c.Kind == store.CredentialTOTP
		one := Factor{ID: c.ID, Kind: c.Kind, Name: c.Name, Added: store.Instant(c.CreatedAt), Used: store.Instant(c.UsedAt)}
		if one.IsPasskey() {
			key, err := vault.UnsealJSON[webauthn.Credential](s.vault, vault.CredentialAAD(c.ID), c.Sealed)
			if err != nil {
				return Factors{}, err
			}
			one.BackedUp = key.Flags.BackupEligible
		}
		f.SecondFactors = append(f.SecondFactors, one)
	}
	if f.SSO, err = s.store.HasIdentity(ctx, userID); err != nil {
		return Factors{}, err
	}
	f.RecoveryCodes, err = s.store.CountRecoveryCodes(ctx, userID)
	return f, err
}

// SetUpTOTP starts adding an authenticator app in a session. Further calls return the same set-up until an
// app has been added.
func (s *Service) SetUpTOTP(ctx context.Context, session string, user access.User) (TOTPSetup, error) {
	if begun, err := readCeremony[TOTPSetup](ctx, s, session, newTOTP); !fault.Is(err, fault.Conflict) {
		return begun, err
	}
	made := newTOTPSetup(user.Email)
	return made, beginCeremony(ctx, s, ceremonyKey{session, newTOTP, user.UserID}, made)
}

// AddTOTP finishes the set-up with a code from the app, and returns new recovery codes.
func (s *Service) AddTOTP(ctx context.Context, session string, user access.User, code string) ([]string, error) {
	begun, err := readCeremony[TOTPSetup](ctx, s, session, newTOTP)
	if err != nil {
		return nil, err
	}
	return s.confirmTOTP(ctx, user, begun.Secret, code, func(tx *store.Tx) error {
		return endCeremony(ctx, tx, session, newTOTP)
	})
}

// confirmTOTP stores an app whose code is right, with recovery codes, in one transaction with the changes in
// more.
func (s *Service) confirmTOTP(ctx context.Context, user access.User, secret, code string,
	more func(tx *store.Tx) error) ([]string, error) {
	step, err := s.checkFirstCode(secret, code)
	if err != nil {
		return nil, err
	}
	codes, hashes, err := s.newRecoveryCodes(ctx, user.UserID)
	if err != nil {
		return nil, err
	}
	return codes, s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		if err := more(tx); err != nil {
			return err
		}
		return cmp.Or(
			s.addTOTP(ctx, tx, user, secret, step),
			s.NotifyChange(ctx, tx, user, "An authenticator app was added"),
			tx.ReplaceRecoveryCodes(ctx, user.UserID, hashes),
		)
	})
}

// ReplaceRecoveryCodes replaces a user's recovery codes.
func (s *Service) ReplaceRecoveryCodes(ctx context.Context, user access.User) ([]string, error) {
	codes, hashes, err := s.newRecoveryCodes(ctx, user.UserID)
	if err != nil {
		return nil, err
	}
	return codes, s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		return cmp.Or(
			tx.ReplaceRecoveryCodes(ctx, user.UserID, hashes),
			s.record(ctx, tx, user, change{"New recovery codes were created", store.ActionRecoveryRenewed, ""}),
		)
	})
}

// canSignIn reports whether a user can start to sign in: with a password, one of these passkeys, or the
// provider. An authenticator app alone is not enough.
func (s *Service) canSignIn(ctx context.Context, tx *store.Tx, userID string,
	factors []store.Credential) (bool, error) {
	passkey := func(c store.Credential) bool { return c.Kind == store.CredentialPasskey }
	if s.relying != nil && slices.ContainsFunc(factors, passkey) {
		return true, nil
	}
	hash, err := tx.PasswordHash(ctx, userID)
	if err != nil || hash != "" || s.SSO == nil {
		return hash != "", err
	}
	return tx.HasIdentity(ctx, userID)
}

// checkSignInRemains returns an error when the change would remove the user's only way to sign in.
func (s *Service) checkSignInRemains(ctx context.Context, tx *store.Tx, userID string,
	factors []store.Credential) error {
	ok, err := s.canSignIn(ctx, tx, userID, factors)
	if err == nil && !ok {
		return fault.New(fault.Conflict, "This is your only way to sign in. Set a password or add a passkey first.")
	}
	return err
}

// RemoveFactor removes a factor. Where second factors are required, the last one cannot be removed; the
// user's only way to sign in can never be removed.
func (s *Service) RemoveFactor(ctx context.Context, user access.User, id string) error {
	return s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		all, err := tx.Credentials(ctx, user.UserID)
		if err != nil {
			return err
		}
		if s.SecondFactorRequired && len(all) == 1 && all[0].ID == id {
			return fault.New(fault.Conflict, "This is your last second factor, and one is required. Add another first.")
		}
		had, err := tx.RemoveCredential(ctx, user.UserID, id)
		if err != nil || !had {
			return cmp.Or(err, errFactorGone())
		}
		left := slices.DeleteFunc(slices.Clone(all), func(c store.Credential) bool { return c.ID == id })
		if err := s.checkSignInRemains(ctx, tx, user.UserID, left); err != nil {
			return err
		}
		if len(all) == 1 {
			if err := tx.ReplaceRecoveryCodes(ctx, user.UserID, nil); err != nil {
				return err
			}
		}
		return s.record(ctx, tx, user, change{"A second factor was removed", store.ActionFactorRemove, id})
	})
}

// UnlinkSSO unlinks a user from single sign-on. Their verified email would link them again at the next
// sign-on.
func (s *Service) UnlinkSSO(ctx context.Context, user access.User) error {
	return s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		n, err := tx.RemoveIdentities(ctx, user.UserID)
		if err != nil || n == 0 {
			return cmp.Or(err, errFactorGone())
		}
		factors, err := tx.Credentials(ctx, user.UserID)
		if err != nil {
			return err
		}
		if err := s.checkSignInRemains(ctx, tx, user.UserID, factors); err != nil {
			return err
		}
		return s.record(ctx, tx, user, change{"Your account was unlinked from single sign-on",
			store.ActionFactorRemove, "sso"})
	})
}

// RenameFactor changes the user's name for a factor.
func (s *Service) RenameFactor(ctx context.Context, user access.User, id, name string) error {
	name = strings.TrimSpace(name)
	return s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		had, err := tx.RenameCredential(ctx, user.UserID, id, name)
		if err != nil || !had {
			return cmp.Or(err, errFactorGone())
		}
		if name == "" || utf8.RuneCountInString(name) > 60 {
			return fault.InvalidFields(fault.Field{Name: "name", Message: "Enter a name of up to 60 characters"})
		}
		return tx.AuditOwn(ctx, user.UserID, store.ActionFactorRename, id)
	})
}

func errFactorGone() error {
	return fault.New(fault.NotFound, "This sign-in method was already removed.")
}

func codeError(message string) error {
	return fault.InvalidFields(fault.Field{Name: "code", Message: message})
}
