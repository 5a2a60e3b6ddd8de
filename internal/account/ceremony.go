package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// ceremony is a kind of thing that a browser begins here and finishes later.
type ceremony string

// The ceremonies.
const (
	secondFactorStep ceremony = "second-step" // a password was right; the second factor is awaited
	newTOTP          ceremony = "totp"        // an authenticator app that has not shown a code yet
	pendingForm      ceremony = "held-form"   // what was asked for before the person was to confirm

	pendingAfterExpiry ceremony = "held-over"   // the same, beyond the end of a session
	ssoSignIn          ceremony = "sso-in"      // away at the sign-on provider
	newAccount         ceremony = "new-account" // a mailed link was opened
	emailChange        ceremony = "new-address" // one was, to another address of an account

	passkeySignIn ceremony = "passkey-in"    // any passkey, to sign in with
	passkeyCreate ceremony = "passkey-new"   // one about to be made
	passkeyFactor ceremony = "passkey-proof" // one of a known person
)

// ceremonyTime is how long a person may take.
const ceremonyTime = 10 * time.Minute

// lifetime is longer for who must find an app first, or has gone to lunch.
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

// NewToken makes 32 random bytes for a browser or a mail to keep, and the hash under
// which we know them.
func NewToken() (token, hash string) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	token = base64.RawURLEncoding.EncodeToString(raw[:])
	return token, HashToken(token)
}

// HashToken is what we know of a token.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func ceremonyAAD(hash string, kind ceremony) vault.AAD {
	return vault.AAD{Table: "ceremonies", Row: hash, Column: string(kind)}
}

// maxCeremonies is how many of one kind a person has under way at once, in as many browsers:
// the oldest goes.
const maxCeremonies = 5

// ceremonyKey is whose a ceremony is, and under which hash of a browser's token it lies.
type ceremonyKey struct {
	hash string
	kind ceremony
	user string // id; "" where nobody is known yet
}

// beginCeremony keeps a ceremony.
func beginCeremony[T any](ctx context.Context, s *Service, b ceremonyKey, value T) error {
	sealed, err := vault.SealJSON(s.vault, ceremonyAAD(b.hash, b.kind), value)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error {
		return tx.SaveCeremony(ctx, store.Ceremony{
			IDHash: b.hash, Kind: string(b.kind), UserID: b.user, Sealed: sealed, ExpiresAt: store.Millis(s.Now().Add(b.kind.lifetime())),
		}, maxCeremonies)
	})
}

// readCeremony reads a ceremony that is still open; errCeremonyExpired when there is none.
func readCeremony[T any](ctx context.Context, s *Service, hash string, kind ceremony) (T, error) {
	c, err := s.store.Ceremony(ctx, hash, string(kind), s.Now())
	if err != nil {
		var none T
		if fault.KindOf(err) == fault.NotFound {
			err = errCeremonyExpired()
		}
		return none, err
	}
	return decryptCeremony[T](s, c)
}

// decryptCeremony reads what was sealed.
func decryptCeremony[T any](s *Service, c store.Ceremony) (T, error) {
	return vault.UnsealJSON[T](s.vault, ceremonyAAD(c.IDHash, ceremony(c.Kind)), c.Sealed)
}

// endCeremony finishes a ceremony in the transaction of what it was for, once.
func endCeremony(ctx context.Context, tx *store.Tx, hash string, kind ceremony) error {
	first, err := tx.EndCeremony(ctx, hash, string(kind))
	if err == nil && !first {
		err = errCeremonyExpired()
	}
	return err
}

// MoveToSession gives the factor that somebody is about to add to the token that their session has
// from now on, because they have proved who they are: what is sealed is sealed to a token. A
// form that was held until then goes.
func (s *Service) MoveToSession(ctx context.Context, from, to string) error {
	return s.write(ctx, func(tx *store.Tx) error {
		for _, kind := range []ceremony{newTOTP, passkeyCreate} {
			c, err := tx.Ceremony(ctx, from, string(kind), s.Now())
			if fault.KindOf(err) == fault.NotFound && err != nil {
				continue
			}
			if err != nil {
				return err
			}
			begun, err := s.vault.Unseal(ceremonyAAD(from, kind), c.Sealed)
			if err != nil {
				return err
			}
			if c.Sealed, err = s.vault.Seal(ceremonyAAD(to, kind), begun); err != nil {
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

// errCeremonyExpired is the answer to whoever took too long, or finishes twice.
func errCeremonyExpired() error {
	return fault.New(fault.Conflict, "This took too long, or was finished before. Begin once more.")
}
