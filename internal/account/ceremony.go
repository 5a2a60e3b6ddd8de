package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// ceremony is a kind of procedure that a browser starts here and finishes later.
type ceremony string

// The ceremonies.
const (
	secondFactorStep ceremony = "second-step" // the password was right; the second factor is pending
	newTOTP          ceremony = "totp"        // an authenticator app that has not confirmed a code yet
	pendingForm      ceremony = "held-form"   // a form that waits for a step-up

	pendingAfterExpiry ceremony = "held-over"   // a form that was submitted after the session had ended
	ssoSignIn          ceremony = "sso-in"      // the browser is at the sign-on provider
	newAccount         ceremony = "new-account" // an emailed link was opened
	emailChange        ceremony = "new-address" // an emailed link to a new address of an account was opened

	passkeySignIn ceremony = "passkey-in"    // any passkey, to sign in with
	passkeyCreate ceremony = "passkey-new"   // a passkey about to be created
	passkeyFactor ceremony = "passkey-proof" // a passkey of a known user
)

// ceremonyTime is how long a ceremony is valid by default.
const ceremonyTime = 10 * time.Minute

// lifetime returns how long a ceremony is valid: longer than ceremonyTime where the user must install an app
// first, or may be away.
func (c ceremony) lifetime() time.Duration {
	switch c {
	case newAccount, emailChange:
		return 3 * ceremonyTime
	case pendingAfterExpiry:
		return 12 * time.Hour // over lunch, or until the evening
	default:
		return ceremonyTime
	}
}

// NewToken returns 32 random bytes for a browser or an email, and the hash under which the portal stores
// them.
func NewToken() (token, hash string) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	token = base64.RawURLEncoding.EncodeToString(raw[:])
	return token, HashToken(token)
}

// HashToken returns the hash under which the portal stores a token.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// maxCeremonies limits how many ceremonies of one kind a user can have in progress at the same time, in as
// many browsers; a further one replaces the oldest.
const maxCeremonies = 5

// ceremonyKey identifies a ceremony: the hash of the browser's token, the kind and the user.
type ceremonyKey struct {
	hash string
	kind ceremony
	user string // id; "" while the user is unknown
}

// beginCeremony stores a ceremony.
func beginCeremony[T any](ctx context.Context, s *Service, b ceremonyKey, value T) error {
	return s.store.Write(ctx, func(tx *store.Tx) error { return saveCeremony(ctx, s, tx, b, value) })
}

// saveCeremony stores a ceremony in a transaction.
func saveCeremony[T any](ctx context.Context, s *Service, tx *store.Tx, b ceremonyKey, value T) error {
	sealed, err := vault.SealJSON(s.vault, vault.CeremonyAAD(b.hash, string(b.kind)), value)
	if err != nil {
		return err
	}
	return tx.SaveCeremony(ctx, store.Ceremony{
		IDHash: b.hash, Kind: string(b.kind), UserID: b.user, Sealed: sealed,
		ExpiresAt: store.Millis(s.Now().Add(b.kind.lifetime())),
	}, maxCeremonies)
}

// readCeremony reads a ceremony that has not expired; errCeremonyExpired when there is none.
func readCeremony[T any](ctx context.Context, s *Service, hash string, kind ceremony) (T, error) {
	c, err := s.store.Ceremony(ctx, hash, string(kind), s.Now())
	if err != nil {
		var none T
		if fault.Is(err, fault.NotFound) {
			err = errCeremonyExpired()
		}
		return none, err
	}
	return decryptCeremony[T](s, c)
}

// decryptCeremony decrypts the value of a ceremony.
func decryptCeremony[T any](s *Service, c store.Ceremony) (T, error) {
	return vault.UnsealJSON[T](s.vault, vault.CeremonyAAD(c.IDHash, c.Kind), c.Sealed)
}

// endCeremony ends a ceremony in the transaction that completes it, so that it succeeds only once.
func endCeremony(ctx context.Context, tx *store.Tx, hash string, kind ceremony) error {
	first, err := tx.EndCeremony(ctx, hash, string(kind))
	if err == nil && !first {
		err = errCeremonyExpired()
	}
	return err
}

// MoveToSession moves a factor that the user is about to add from a session's old token to its new one, which
// the session received because the user has stepped up. Ceremonies are sealed to a token, so they must be
// sealed again. A form that was pending until the step-up is deleted.
func (s *Service) MoveToSession(ctx context.Context, from, to string) error {
	return s.store.Write(ctx, func(tx *store.Tx) error {
		for _, kind := range []ceremony{newTOTP, passkeyCreate} {
			c, err := tx.Ceremony(ctx, from, string(kind), s.Now())
			if fault.Is(err, fault.NotFound) {
				continue
			}
			if err != nil {
				return err
			}
			begun, err := s.vault.Unseal(vault.CeremonyAAD(from, string(kind)), c.Sealed)
			if err != nil {
				return err
			}
			if c.Sealed, err = s.vault.Seal(vault.CeremonyAAD(to, string(kind)), begun); err != nil {
				return err
			}
			c.IDHash = to
			if err := tx.SaveCeremony(ctx, c, maxCeremonies); err != nil {
				return err
			}
		}
		return tx.EndCeremonies(ctx, from)
	})
}

// errCeremonyExpired is the error when the user took too long, or finishes twice.
func errCeremonyExpired() error {
	return fault.New(fault.Conflict, "This step expired or was already completed. Start again.")
}

// PendingForm is a request that waits, sealed, until the user has stepped up or signed in again, so that they
// do not have to type it twice.
type PendingForm struct {
	Post   bool
	Path   string     `json:"Address"` // path and query
	Typed  url.Values // never an SSN
	Retype []string   `json:"Again"` // controls that must be typed again, because an SSN is not stored
}

// SavePendingForm stores the request of a session's user.
func (s *Service) SavePendingForm(ctx context.Context, userID, session string, form PendingForm) error {
	return beginCeremony(ctx, s, ceremonyKey{session, pendingForm, userID}, form)
}

// PendingForm reads a session's pending form; the zero value when there is none.
func (s *Service) PendingForm(ctx context.Context, session string) (PendingForm, error) {
	form, err := readCeremony[PendingForm](ctx, s, session, pendingForm)
	if fault.Is(err, fault.Conflict) {
		return PendingForm{}, nil
	}
	return form, err
}

// pendingFormRecord is a form from a session that has ended: only for the same user, in the browser that has
// the token.
type pendingFormRecord struct {
	UserID  string
	Company string      // the user's when the form was saved; it is not shown at another
	Form    PendingForm `json:"Held"`
}

// SavePendingAfterExpiry stores a user's form beyond the end of their session. At most a few such forms are
// stored; a further one replaces the oldest.
func (s *Service) SavePendingAfterExpiry(ctx context.Context, userID string,
	form PendingForm) (browser string, err error) {
	browser, _ = NewToken()
	return browser, s.SavePendingFormAt(ctx, browser, userID, form)
}

// SavePendingFormAt stores a form under a key from the caller, and replaces the previous one there.
func (s *Service) SavePendingFormAt(ctx context.Context, key, userID string, form PendingForm) error {
	company, err := s.companyOf(ctx, userID)
	if err != nil {
		return err
	}
	return beginCeremony(ctx, s, ceremonyKey{HashToken(key), pendingAfterExpiry, userID},
		pendingFormRecord{userID, company, form})
}

// PendingFormAt reads the form that is stored under a key, without deleting it; the zero value when there is
// none, or when it is another user's.
func (s *Service) PendingFormAt(ctx context.Context, key, userID string) (PendingForm, error) {
	record, err := readCeremony[pendingFormRecord](ctx, s, HashToken(key), pendingAfterExpiry)
	if fault.Is(err, fault.Conflict) {
		return PendingForm{}, nil
	}
	if err != nil || record.UserID != userID {
		return PendingForm{}, err
	}
	if company, err := s.companyOf(ctx, userID); err != nil || record.Company != company {
		return PendingForm{}, err
	}
	return record.Form, nil
}

// ClaimPendingForm moves a form to the user's next session, and reports whether there was one. Another user
// who signs in with this browser gets nothing.
func (s *Service) ClaimPendingForm(ctx context.Context, browser, userID, session string) (bool, error) {
	if browser == "" {
		return false, nil
	}
	form, err := s.PendingFormAt(ctx, browser, userID)
	if err != nil || form.Path == "" {
		return false, err
	}
	if err := s.SavePendingForm(ctx, userID, session, form); err != nil {
		return false, err
	}
	return true, s.store.Write(ctx, func(tx *store.Tx) error {
		return endCeremony(ctx, tx, HashToken(browser), pendingAfterExpiry)
	})
}

// DiscardPendingForm deletes a session's pending form once it is submitted.
func (s *Service) DiscardPendingForm(ctx context.Context, session string) error {
	return s.store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.EndCeremony(ctx, session, string(pendingForm))
		return err
	})
}

// companyOf returns the company that a user belongs to now.
func (s *Service) companyOf(ctx context.Context, userID string) (string, error) {
	user, err := s.store.User(ctx, userID)
	return access.CompanyOf(user.BrokerID, user.Organization), err
}
