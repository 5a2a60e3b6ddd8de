package embed

import (
	"context"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// The purposes of a code, and how long it is valid. The "Continue as …" button is shown next to a
// CRM record that may stay open for long, and at first use the user leaves to connect, so its
// code lasts as long as an idle session. The other two are used at once.
const (
	forLaunchURL = "door"  // a one-time URL that a CRM's server received
	forContinue  = "press" // "Continue as …"
	forTab       = "tab"   // the same embedded portal in a separate tab

	launchURLTime = time.Minute
	continueTime  = Idle
	tabTime       = 2 * time.Minute
)

// newCode creates a code for one purpose of a launch.
func (s *Service) newCode(ctx context.Context, c store.LaunchCode, lifetime time.Duration) (string, error) {
	code, hash := account.NewToken()
	c.Hash, c.ExpiresAt = hash, store.Millis(s.Now().Add(lifetime))
	return code, s.store.Write(ctx, func(tx *store.Tx) error { return tx.AddLaunchCode(ctx, c) })
}

// codeFor is a code received from a browser, for one purpose.
func codeFor(code, purpose string) store.LaunchCode {
	return store.LaunchCode{Hash: account.HashToken(code), Purpose: purpose}
}

// launchOfCode finds the launch of a client that a code belongs to, without consuming it; ErrCodeExpired if
// the code is no longer valid.
func (s *Service) launchOfCode(ctx context.Context, c Client, by store.LaunchCode) (store.Launch, error) {
	row, err := s.store.LaunchOfCode(ctx, by, s.Now())
	if fault.Is(err, fault.NotFound) || err == nil && row.Client != c.Key {
		return row, ErrCodeExpired
	}
	return row, err
}

// launchByCode is launchOfCode for the key of a client, decrypted.
func (s *Service) launchByCode(ctx context.Context, key string, by store.LaunchCode) (VerifiedLaunch, error) {
	c, err := s.Client(ctx, key)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	row, err := s.launchOfCode(ctx, c, by)
	if err != nil {
		return VerifiedLaunch{}, err
	}
	return s.decryptLaunch(ctx, c, row)
}

// consumeCode consumes a code; ErrCodeExpired if it was consumed already.
func (s *Service) consumeCode(ctx context.Context, tx *store.Tx, by store.LaunchCode) error {
	first, err := tx.ConsumeLaunchCode(ctx, by, s.Now())
	if err == nil && !first {
		return ErrCodeExpired
	}
	return err
}
