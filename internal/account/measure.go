package account

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// From is where an attempt comes from, as far as a request tells.
type From struct {
	Address string // the client's; of an IPv6 address its /64
	Network string // the same cut to a /24 or /48, to be shown
	Browser string // families such as "Firefox on Windows"
}

func (f From) place(userID string) store.Place {
	return store.Place{UserID: userID, Network: f.Network, Browser: f.Browser}
}

// deed is one kind of thing that anybody may try before they are signed in.
type deed string

// The deeds. Each is measured by itself: who mistypes a password in an office keeps nobody
// there from their passkey.
const (
	givePassword deed = "password"
	giveSecond   deed = "second step"
	askPasskey   deed = "challenge" // answered to every log-in page that is looked at
	givePasskey  deed = "passkey"
	signOn       deed = "sign-on"
	useLink      deed = "link" // asked for, opened, and what it leads to
)

// What one address may do of each deed. Its measure holds 120 drops and loses two a second.
// An attempt costs six, and one that succeeds is given five back. So an address fails
// twenty times at once and then twenty times a minute, and succeeds a hundred and twenty
// times: an office behind one address comes in at nine, and a program that guesses does not
// get on. Measures lie in the database, for all processes and beyond a restart. They bound
// an address whatever accounts it tries; delay.go slows down guesses at one account,
// wherever they come from.
const (
	drop      = 1000 // levels are kept in thousandths
	holds     = 120 * drop
	runsOff   = 2 * drop // a second
	tryCosts  = 6 * drop
	givenBack = 5 * drop
)

// try charges an address for an attempt, before it is looked at: many at once do not slip
// through together. Beyond the measure it is refused, which costs nothing.
func (s *Service) try(ctx context.Context, d deed, from From) error {
	return s.pour(ctx, d, from, tryCosts)
}

// ask charges for what cannot fail.
func (s *Service) ask(ctx context.Context, d deed, from From) error {
	return s.pour(ctx, d, from, tryCosts-givenBack)
}

// succeeded gives back what only a failure costs.
func (s *Service) succeeded(ctx context.Context, d deed, from From) error {
	return s.pour(ctx, d, from, -givenBack)
}

func (s *Service) pour(ctx context.Context, d deed, from From, drops int64) error {
	keys := s.vault.Digests("measure", string(d), from.Address)
	var wait time.Duration
	err := s.write(ctx, func(tx *store.Tx) error {
		m, err := measured(ctx, tx, keys)
		if err != nil {
			return err
		}
		now := store.Millis(s.Now())
		level := max(0, m.Level-max(0, now-m.At)*runsOff/1000)
		if over := level + drops - holds; over > 0 && drops > 0 {
			wait = time.Duration(over) * time.Second / runsOff
			return nil
		}
		return tx.SaveMeasure(ctx, keys[0], store.Measure{Level: max(0, level+drops), At: now})
	})
	if err != nil {
		return fault.Wrap(fault.Internal, "", err)
	}
	if wait > 0 {
		return tooSoon(wait)
	}
	return nil
}

// measured is a measure by the present key, or what an older key still knows of it.
func measured(ctx context.Context, tx *store.Tx, keys []string) (m store.Measure, err error) {
	for _, key := range keys {
		if m, err = tx.Measure(ctx, key); err != nil || m.At != 0 {
			return m, err
		}
	}
	return m, nil
}
