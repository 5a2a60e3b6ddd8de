package watch

import (
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

const (
	firstPoll   = 2 * time.Second
	slowestPoll = 30 * time.Second
	keepAfter   = 30 * 24 * time.Hour // an ended lead is looked at no longer than this
	noMore      = 100 * 365 * 24 * time.Hour

	// briefly is how long a lead that is the lender's move is looked at twice a minute;
	// one that stays in processing for ever is not worth thousands of looks a day.
	briefly = 30 * time.Minute
)

// nextLook says how long to wait before a lead is read anew although nothing asked for
// it. Webhooks are optional: this alone must bring every change, only later.
func nextLook(l *store.Lead, now time.Time) time.Duration {
	inStep := now.Sub(store.Instant(l.StepSince))
	switch {
	case l.Lane == heloc.LaneEnded:
		if now.Sub(store.Instant(l.ChangedAt)) > keepAfter {
			return noMore
		}
		return 24 * time.Hour
	case (l.Lane == heloc.LaneLender || l.Stand == heloc.StandInProgress) && (inStep < briefly || l.UnderWayUntil > store.Millis(now)):
		// By its standing too: a follow-up may have called it to Today.
		return backOff(l.RefreshTries)
	case l.Lane == heloc.LaneClosing:
		return 6 * time.Hour
	case inStep < time.Hour:
		return 2 * time.Minute
	case inStep < 24*time.Hour:
		return 15 * time.Minute
	default:
		return 2 * time.Hour
	}
}

// backOff doubles from the first poll to the slowest: 2, 4, 8, 16, 30 s.
func backOff(tries int) time.Duration {
	return min(firstPoll<<min(max(tries, 0), 10), slowestPoll)
}

// afterFailure spaces the looks at a lead that could not be read: closely while the
// lender does not answer, which ends for all leads at once, and ever more widely for a
// lead that the lender refuses to show.
func afterFailure(failures int, cause error) time.Duration {
	pause := 2 * firstPoll << min(max(failures-1, 0), 20)
	if fault.KindOf(cause) == fault.Unavailable {
		return min(pause, time.Minute)
	}
	return min(pause, 6*time.Hour)
}
