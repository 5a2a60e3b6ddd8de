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
	secondStep ceremony = "second-step" // a password was right; the second factor is awaited
	newTOTP    ceremony = "totp"        // an authenticator app that has not shown a code yet
	heldForm   ceremony = "held-form"   // what was asked for before the person was to confirm

	heldOver   ceremony = "held-over"   // the same, beyond the end of a session
	ssoIn      ceremony = "sso-in"      // away at the sign-on provider
	newAccount ceremony = "new-account" // a mailed link was opened
	newAddress ceremony = "new-address" // one was, to another address of an account

	passkeyIn    ceremony = "passkey-in"    // any passkey, to sign in with
	passkeyNew   ceremony = "passkey-new"   // one about to be made
	passkeyProof ceremony = "passkey-proof" // one of a known person
)

// ceremonyTime is how long a person may take.
const ceremonyTime = 10 * time.Minute

// time is longer for who must find an app first, or has gone to lunch.
func (c ceremony) time() time.Duration {
	switch c {
	case newAccount, newAddress:
		return 3 * ceremonyTime
	case heldOver:
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

func placeOfCeremony(hash string, kind ceremony) vault.Place {
	return vault.Place{Table: "ceremonies", Row: hash, Column: string(kind)}
}

// mostBegun is how many of one kind a person has under way at once, in as many browsers:
// the oldest goes.
const mostBegun = 5

// begun is whose a ceremony is, and under which hash of a browser's token it lies.
type begun struct {
	hash string
	kind ceremony
	user string // id; "" where nobody is known yet
}

// begin keeps a ceremony.
func begin[T any](ctx context.Context, s *Service, b begun, value T) error {
	sealed, err := vault.SealJSON(s.vault, placeOfCeremony(b.hash, b.kind), value)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *store.Tx) error {
		return tx.SaveCeremony(ctx, store.Ceremony{
			IDHash: b.hash, Kind: string(b.kind), UserID: b.user, Sealed: sealed, ExpiresAt: store.Millis(s.Now().Add(b.kind.time())),
		}, mostBegun)
	})
}

// look reads a ceremony that is still open; errOver when there is none.
func look[T any](ctx context.Context, s *Service, hash string, kind ceremony) (T, error) {
	c, err := s.store.Ceremony(ctx, hash, string(kind), s.Now())
	if err != nil {
		var none T
		if fault.KindOf(err) == fault.NotFound {
			err = errOver()
		}
		return none, err
	}
	return open[T](s, c)
}

// open reads what was sealed.
func open[T any](s *Service, c store.Ceremony) (T, error) {
	return vault.UnsealJSON[T](s.vault, placeOfCeremony(c.IDHash, ceremony(c.Kind)), c.Sealed)
}

// end finishes a ceremony in the transaction of what it was for, once.
func end(ctx context.Context, tx *store.Tx, hash string, kind ceremony) error {
	first, err := tx.EndCeremony(ctx, hash, string(kind))
	if err == nil && !first {
		err = errOver()
	}
	return err
}

// Carry gives the factor that somebody is about to add to the token that their session has
// from now on, because they have proved who they are: what is sealed is sealed to a token. A
// form that was held until then goes.
func (s *Service) Carry(ctx context.Context, from, to string) error {
	return s.write(ctx, func(tx *store.Tx) error {
		for _, kind := range []ceremony{newTOTP, passkeyNew} {
			c, err := tx.Ceremony(ctx, from, string(kind), s.Now())
			if fault.KindOf(err) == fault.NotFound && err != nil {
				continue
			}
			if err != nil {
				return err
			}
			begun, err := s.vault.Unseal(placeOfCeremony(from, kind), c.Sealed)
			if err != nil {
				return err
			}
			if c.Sealed, err = s.vault.Seal(placeOfCeremony(to, kind), begun); err != nil {
				return err
			}
			c.IDHash = to
			if err := tx.SaveCeremony(ctx, c, mostBegun); err != nil {
				return err
			}
		}
		return tx.EndCeremonies(ctx, from)
	})
}

// errOver is the answer to whoever took too long, or finishes twice.
func errOver() error {
	return fault.New(fault.Conflict, "This took too long, or was finished before. Begin once more.")
}
