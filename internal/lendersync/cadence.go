package lendersync

import (
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

const (
	minPollInterval   = 2 * time.Second
	maxPollInterval   = 30 * time.Second
	pollEndedFor      = 30 * 24 * time.Hour // an ended lead is polled no longer than this
	firstFailurePause = 2 * minPollInterval
	maxFailurePause   = 6 * time.Hour
	neverAgain        = 100 * 365 * 24 * time.Hour

	// fastPollFor is how long a lead is polled twice a minute while it is the lender's move. A lead that never leaves
	// processing is not worth thousands of requests a day.
	fastPollFor = 30 * time.Minute
)

// nextRefresh returns how long to wait before a lead is read again without a request. Webhooks are optional: polling
// alone must find every change, only later.
func nextRefresh(l *lead.Row, now time.Time) time.Duration {
	inStep := now.Sub(store.Instant(l.StepSince))
	switch {
	case l.Lane == heloc.LaneEnded:
		if now.Sub(store.Instant(l.ChangedAt)) > pollEndedFor {
			return neverAgain
		}
		return 24 * time.Hour
	case (l.Lane == heloc.LaneLender || l.StatusKey == heloc.StatusInProgress) &&
		(inStep < fastPollFor || l.PendingUntil > store.Millis(now)):
		// Also decide by the status: a follow-up may have moved the lead to the Today lane.
		return backOff(now.Sub(store.Instant(max(l.StepSince, l.ChangedAt, l.WebhookAt))))
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

// backOff doubles from the shortest to the longest interval while nothing happens: 2, 4, 8, 16, 30 s. What happens far
// in the future happened before the clock was set back, and nobody knows when.
func backOff(quiet time.Duration) time.Duration {
	if quiet < -2*time.Minute {
		return maxPollInterval
	}
	return min(minPollInterval+max(quiet, 0), maxPollInterval)
}

// afterFailure returns the pause after a lead could not be read: short while the lender is down, because that ends
// for all leads at once, and growing for a lead that the lender refuses to return.
func afterFailure(failures int, cause error) time.Duration {
	pause := firstFailurePause << min(max(failures-1, 0), 20)
	if fault.Is(cause, fault.Unavailable) {
		return min(pause, time.Minute)
	}
	return min(pause, maxFailurePause)
}
