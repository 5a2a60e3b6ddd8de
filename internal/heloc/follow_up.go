package heloc

import "time"

// followUpDelays are the delays after which following up with a silent borrower is the originator's move.
var followUpDelays = [...]time.Duration{1 * day, 3 * day, 7 * day}

// FollowUpsAfter returns the delays after the start of a borrower's step at which to follow up: those of the first
// week, then every week until now, and the next one.
func FollowUpsAfter(since, now time.Time) (all []time.Duration) {
	all = append(all, followUpDelays[:]...)
	for week := followUpDelays[len(followUpDelays)-1]; !since.Add(all[len(all)-1]).After(now); {
		all = append(all, all[len(all)-1]+week)
	}
	return all
}

// followUpTimes returns the last follow-up time that has passed and the next one; weekly after the third.
func followUpTimes(since, now time.Time) (last, next time.Time) {
	for _, after := range followUpDelays {
		at := since.Add(after)
		if at.After(now) {
			return last, at
		}
		last = at
	}
	weeks := now.Sub(last) / (7 * day)
	last = last.Add(weeks * 7 * day)
	return last, last.Add(7 * day)
}

// borrowerStatus is the borrower's move until a follow-up is due and no contact was logged
// since; then it is the originator's move, due from that time.
func borrowerStatus(f StatusFacts, now time.Time, quiet, followUp StatusKey) Status {
	last, next := followUpTimes(f.StepSince, now)
	if !last.IsZero() && f.LastContact.Before(last) {
		return Status{Key: followUp, Lane: LaneBorrower, Mover: MoverYou, Due: last}
	}
	return Status{Key: quiet, Lane: LaneBorrower, Mover: MoverBorrower, Due: next, ChangesAt: next}
}
