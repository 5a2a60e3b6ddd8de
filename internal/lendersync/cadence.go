package lendersync

import (
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

const (
	minPollInterval = 2 * time.Second
	maxPollInterval = 30 * time.Second
	pollEndedFor    = 30 * 24 * time.Hour // an ended lead is looked at no longer than this
	neverAgain      = 100 * 365 * 24 * time.Hour

	// fastPollFor is how long a lead that is the lender's move is looked at twice a minute;
	// one that stays in processing for ever is not worth thousands of looks a day.
	fastPollFor = 30 * time.Minute
)

// nextRefresh says how long to wait before a lead is read anew although nothing asked for
// it. Webhooks are optional: this alone must bring every change, only later.
func nextRefresh(l *store.Lead, now time.Time) time.Duration {
	inStep := now.Sub(store.Instant(l.StepSince))
	switch {
	case l.Lane == heloc.LaneEnded:
		if now.Sub(store.Instant(l.ChangedAt)) > pollEndedFor {
			return neverAgain
		}
		return 24 * time.Hour
	case (l.Lane == heloc.LaneLender || l.StatusKey == heloc.StatusInProgress) && (inStep < fastPollFor || l.PendingUntil > store.Millis(now)):
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
	return min(minPollInterval<<min(max(tries, 0), 10), maxPollInterval)
}

// afterFailure spaces the looks at a lead that could not be read: closely while the
// lender does not answer, which ends for all leads at once, and ever more widely for a
// lead that the lender refuses to show.
func afterFailure(failures int, cause error) time.Duration {
	pause := 2 * minPollInterval << min(max(failures-1, 0), 20)
	if fault.KindOf(cause) == fault.Unavailable {
		return min(pause, time.Minute)
	}
	return min(pause, 6*time.Hour)
}
