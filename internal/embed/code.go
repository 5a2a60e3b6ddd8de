package embed

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// The steps that a code is good for, and for how long. The press stands beside a record
// that may stay open for long, and at first use a person goes away to connect: it may wait as
// long as a session would that nobody uses. Nobody reads before the other two.
const (
	forLaunchURL = "door"  // a one-time address that a CRM's server was given
	forContinue  = "press" // "Continue as …"
	forTab       = "tab"   // the same desk in a tab of its own

	launchURLTime = time.Minute
	continueTime  = Idle
	tabTime       = 2 * time.Minute
)

// newCode makes a code for one step of a launch.
func (s *Service) newCode(ctx context.Context, c store.LaunchCode, good time.Duration) (string, error) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	code := base64.RawURLEncoding.EncodeToString(raw[:])
	c.Hash, c.ExpiresAt = hashCode(code), store.Millis(s.Now().Add(good))
	return code, s.write(ctx, func(tx *store.Tx) error { return tx.AddLaunchCode(ctx, c) })
}

// codeFor is the code that somebody came with, for one step.
func codeFor(code, purpose string) store.LaunchCode {
	return store.LaunchCode{Hash: hashCode(code), Purpose: purpose}
}

// launchOfCode finds the launch of a client that a code leads on, without using it; ErrCodeExpired where it
// leads on no more.
func (s *Service) launchOfCode(ctx context.Context, c Client, by store.LaunchCode) (store.Launch, error) {
	row, err := s.store.LaunchOfCode(ctx, by, s.Now())
	if fault.KindOf(err) == fault.NotFound || err == nil && row.Client != c.Key {
		return row, ErrCodeExpired
	}
	return row, err
}

// consumeCode uses a code up; ErrCodeExpired where somebody was quicker.
func (s *Service) consumeCode(ctx context.Context, tx *store.Tx, by store.LaunchCode) error {
	first, err := tx.ConsumeLaunchCode(ctx, by, s.Now())
	if err == nil && !first {
		return ErrCodeExpired
	}
	return err
}

func hashCode(code string) string {
	sum := sha256.Sum256([]byte(code))
	return hex.EncodeToString(sum[:])
}
