package lead

import (
	"slices"
	"time"

	"hearthline/internal/heloc"
)

// FollowUpState is what became of one time to follow up with a borrower.
type FollowUpState string

// The states.
const (
	FollowUpAhead     FollowUpState = "ahead"
	FollowUpDue       FollowUpState = "due"       // its time came, no contact was logged since: the originator's move
	FollowUpContacted FollowUpState = "contacted" // a contact was logged between it and the next one
	FollowUpPassed    FollowUpState = "passed"    // the next one came first
)

// BorrowerFollowUp is one time to follow up with a borrower who is to sign in or to sign documents.
type BorrowerFollowUp struct {
	Number  int // 1 for the first
	Days    int // after the step began
	At      time.Time
	State   FollowUpState
	Contact Event // the first contact after it; zero without one
}

// maxFollowUps is how many follow-ups are listed: those of the first week, or the latest ones and the next.
const maxFollowUps = 3

// AwaitsBorrower reports whether the borrower is to sign in or to sign documents.
func (r *Row) AwaitsBorrower() bool {
	return !r.Converted && (r.Step == heloc.StepBorrowerAuth || r.Step == heloc.StepBrokerDocSigning)
}

// BorrowerFollowUps lists when to follow up with a silent borrower: one, three and seven days after the step began
// (the selection, or the sign-in), and then every week. Any contact logged after such a time counts as the
// follow-up; one logged before it does not. The due follow-up agrees with heloc.StatusAt. The events are the lead's,
// newest first.
func (r *Row) BorrowerFollowUps(events []Event, now time.Time) []BorrowerFollowUp {
	if !r.AwaitsBorrower() {
		return nil
	}
	since := Instant(r.StepSince)
	var all []BorrowerFollowUp
	delays := heloc.FollowUpsAfter(since, now)
	for i, after := range delays {
		f := BorrowerFollowUp{Number: i + 1, Days: int(after / (24 * time.Hour)), At: since.Add(after), State: FollowUpAhead}
		if !f.At.After(now) {
			f.State, f.Contact = FollowUpPassed, firstContact(events, f.At)
			isLast := i+1 == len(delays) || since.Add(delays[i+1]).After(now)
			switch {
			case isLast && Instant(r.LastContactAt).Before(f.At):
				f.State = FollowUpDue
			case isLast || f.Contact.At != 0 && f.Contact.At < Millis(since.Add(delays[i+1])):
				f.State = FollowUpContacted
			default:
				f.Contact = Event{}
			}
		}
		all = append(all, f)
	}
	return all[max(0, len(all)-maxFollowUps):]
}

// firstContact returns the first contact since a time.
func firstContact(newestFirst []Event, since time.Time) Event {
	return FirstEvent(newestFirst, since, func(e Event) bool { return e.Kind == EventContact })
}

// FirstEvent returns the first event since a time for which is() returns true, or the zero Event.
func FirstEvent(newestFirst []Event, since time.Time, is func(Event) bool) Event {
	for _, e := range slices.Backward(newestFirst) {
		if e.At >= Millis(since) && is(e) {
			return e
		}
	}
	return Event{}
}
