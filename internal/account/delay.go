package account

import (
	"context"
	"fmt"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// TooSoon is the answer to an attempt within the waiting time. It is the same
// for addresses that have no account.
type TooSoon struct{ Wait time.Duration }

func (e *TooSoon) Error() string { return fmt.Sprintf("log-in again after %v", e.Wait) }

// pace is how waiting grows: nothing for the first free failures, then a second,
// doubled with each failure up to longest.
type pace struct {
	free    int
	longest time.Duration
}

// The two counters of an attempt. One network's failures at one address slow that
// network down soon. The failures at an address from everywhere slow everyone
// down late and little, so that a stranger cannot keep its owner out.
func paces() (network, address pace) {
	return pace{free: 4, longest: 15 * time.Minute}, pace{free: 30, longest: 30 * time.Second}
}

// forgetAfter is when old failures no longer count.
const forgetAfter = 24 * time.Hour

func (p pace) wait(count int) time.Duration {
	if count <= p.free {
		return 0
	}
	wait := time.Second
	for range count - p.free - 1 {
		if wait *= 2; wait >= p.longest {
			return p.longest
		}
	}
	return wait
}

// throttled is one counter of one attempt.
type throttled struct {
	keys []string // by the present key of digests, then by older ones
	pace pace
}

// throttle is the counter of what the parts name. A renewal of keys makes nobody's
// failures forgotten: what was counted by an older key goes on by the new one.
func (s *Service) throttle(p pace, parts ...string) throttled {
	return throttled{s.vault.Digests(parts...), p}
}

func (s *Service) counters(email, from string) []throttled {
	network, address := paces()
	return []throttled{
		s.throttle(network, "log-in from", email, from), s.throttle(address, "log-in", email),
	}
}

// admit counts an attempt as failed before its password is looked at, and
// refuses it within the waiting time. Counting first, and only when the
// counter still reads what was seen, keeps many attempts at once from slipping
// through together. Refused attempts are not counted: impatience costs nothing.
func (s *Service) admit(ctx context.Context, counters []throttled) error {
	for _, c := range counters {
		if err := s.count(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// countTries bounds the races one attempt may lose while nobody has to wait.
const countTries = 8

func (s *Service) count(ctx context.Context, c throttled) error {
	for range countTries {
		seen, valid, err := s.failures(ctx, c)
		if err != nil {
			return fmt.Errorf("account: read failures: %w", err)
		}
		now := s.Now()
		if now.Sub(valid.Last) > forgetAfter {
			valid.Count = 0
		}
		wait := c.pace.wait(valid.Count)
		if left := valid.Last.Add(wait).Sub(now); wait > 0 && left > 0 {
			return tooSoon(left)
		}
		next := access.Failures{Count: valid.Count + 1, Last: now}
		counted, err := s.store.CountLogInFailure(ctx, c.keys[0], seen, next)
		if err != nil {
			return fmt.Errorf("account: count failure: %w", err)
		}
		if counted {
			return nil
		}
	}
	return tooSoon(time.Second)
}

// failures reads a counter as it stands by the present key, and what is to be counted on:
// the same, or what an older key knows while the present one knows nothing.
func (s *Service) failures(ctx context.Context, c throttled) (seen, valid access.Failures, err error) {
	for i, key := range c.keys {
		found, err := s.store.LogInFailures(ctx, key)
		if err != nil {
			return seen, valid, err
		}
		if i == 0 {
			seen = found
		}
		if found.Count > 0 {
			return seen, found, nil
		}
	}
	return seen, valid, nil
}

func tooSoon(wait time.Duration) error {
	return fault.Wrap(fault.Unavailable, "Too many attempts. Wait a moment, then try again.", &TooSoon{Wait: wait})
}

// forgive forgets the failures after a success.
func (s *Service) forgive(ctx context.Context, counters []throttled) error {
	for _, c := range counters {
		for _, key := range c.keys {
			if err := s.store.ClearLogInFailures(ctx, key); err != nil {
				return fmt.Errorf("account: clear failures: %w", err)
			}
		}
	}
	return nil
}
