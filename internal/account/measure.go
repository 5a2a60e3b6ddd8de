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
	Device  string `json:"-"` // the browser's device cookie, as it came; empty for none
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
// wherever they come from. An attempt that is refused there costs nothing here.
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
	m := s.measure(d, from, drops)
	if drops > 0 {
		_, err := s.admit(ctx, m)
		return err
	}
	err := s.write(ctx, func(tx *store.Tx) error { return m.pour(ctx, tx, s.Now(), drops) })
	if err != nil {
		return fault.Wrap(fault.Internal, "", err)
	}
	return nil
}

// measure is the limit of an address for a deed that costs so many drops.
func (s *Service) measure(d deed, from From, drops int64) measure {
	return measure{s.vault.Digests("measure", string(d), from.Address), drops}
}

type measure struct {
	keys  []string // by the present key of digests, then by older ones
	costs int64
}

func (m measure) level(ctx context.Context, from reader, now time.Time) (int64, error) {
	found, err := measured(ctx, from, m.keys)
	return max(0, found.Level-max(0, store.Millis(now)-found.At)*runsOff/1000), err
}

func (m measure) left(ctx context.Context, from reader, now time.Time) (time.Duration, error) {
	level, err := m.level(ctx, from, now)
	return time.Duration(max(0, level+m.costs-holds)) * time.Second / runsOff, err
}

func (m measure) count(ctx context.Context, tx *store.Tx, now time.Time) (undo, error) {
	return func(ctx context.Context, tx *store.Tx) error { return m.pour(ctx, tx, now, -m.costs) }, m.pour(ctx, tx, now, m.costs)
}

func (m measure) pour(ctx context.Context, tx *store.Tx, now time.Time, drops int64) error {
	found, err := measured(ctx, tx, m.keys)
	if err != nil {
		return err
	}
	at := max(found.At, store.Millis(now))
	level := max(0, found.Level-(at-found.At)*runsOff/1000)
	return tx.SaveMeasure(ctx, m.keys[0], store.Measure{Level: max(0, level+drops), At: at})
}

// measured is a measure by the present key, or what an older key still knows of it.
func measured(ctx context.Context, from reader, keys []string) (m store.Measure, err error) {
	for _, key := range keys {
		if m, err = from.Measure(ctx, key); err != nil || m.At != 0 {
			return m, err
		}
	}
	return m, nil
}
