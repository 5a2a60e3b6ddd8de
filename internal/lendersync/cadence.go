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
	pollEndedFor      = 30 * 24 * time.Hour // an ended lead is polled for this long at most
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
		if l.OpenConditions > 0 || closingSoon(l, now) {
			if inWorkingHours(now) {
				return 20 * time.Minute
			}
		}
		return time.Hour
	case inStep < time.Hour:
		return 2 * time.Minute
	case inStep < 24*time.Hour:
		return 15 * time.Minute
	default:
		return 2 * time.Hour
	}
}

// closingSoon reports whether the lead is at most two days from its notary appointment, its signing, the end of its
// rescission period or its funding. Around those dates a borrower, a notary or a bank acts, and an originator wants
// to hear about problems while there is time to help.
func closingSoon(l *lead.Row, now time.Time) bool {
	from, to := heloc.DateOf(now.AddDate(0, 0, -2)), heloc.DateOf(now.AddDate(0, 0, 2))
	for _, day := range []heloc.Date{l.NotaryDate, l.SigningDate, l.RescissionDate, l.FundedDate} {
		if day != "" && !from.After(day) && !day.After(to) {
			return true
		}
	}
	return false
}

// inWorkingHours reports whether it is working hours for lenders, notaries and title companies somewhere in the
// contiguous United States: weekdays from 7 AM in New York (6 AM in winter) to 8 PM in Los Angeles (9 PM in summer).
// In UTC-8, that is 3:00 to 20:00 all year. An hour more or less costs a few calls, so neither the lead's time zone
// nor holidays matter.
func inWorkingHours(now time.Time) bool {
	t := now.In(time.FixedZone("", -8*60*60))
	weekend := t.Weekday() == time.Saturday || t.Weekday() == time.Sunday
	return !weekend && t.Hour() >= 3 && t.Hour() < 20
}

// backOff doubles from the shortest to the longest interval while nothing happens: 2, 4, 8, 16, 30 s. An event far
// in the future was recorded before the clock was set back, so its true time is unknown.
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
