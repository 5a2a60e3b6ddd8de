package text

import (
	"cmp"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TodayWords says why a lead is in Today, since when, and what to do.
type TodayWords struct {
	Why    string       // "The inquiry expires tomorrow"
	Note   string       // what is lost by waiting, or what helps
	When   RelativeTime // "due in 6 min"
	Since  string       // "since today 9:03 AM"
	Action string       // of the button
	Chip   string       // instead of that of the status; "" keeps it
	Icon   string       // of Chip
}

// TodaySection returns the heading of a section of Today, and what its leads have in common; team is true for the leads
// of several originators.
func TodaySection(s lead.TodaySection, team bool) (title, text string) {
	switch {
	case s == lead.TodayLost:
		return "Lost if it waits", "Something is about to expire, and that part would have to start over."
	case s == lead.TodayFollowUp:
		return "Follow up", "Check in on these when nothing above is waiting."
	case team:
		return "Waiting for an originator", "The borrower or the lender can’t proceed until the originator acts."
	default:
		return "Waiting for you", "The borrower or the lender can’t proceed until you act."
	}
}

// todayMoves are the words for a move, short enough for a row: why it is the originator's, what helps, and what the
// button says.
var todayMoves = map[heloc.StatusKey][3]string{
	heloc.StatusChooseProperty: {"The address matches several properties",
		"Ask which unit is theirs, as shown on the tax bill.", "Choose property"},
	heloc.StatusSSNNeeded: {"The bureau couldn’t find the borrower",
		"Ask for the SSN. It won’t affect the credit score.", "Enter SSN"},
	heloc.StatusCreditFrozen: {"The borrower’s credit is frozen",
		"Ask the borrower to lift the freeze.", "Tell the borrower"},
	heloc.StatusStillFrozen: {"The freeze was still in place",
		"Ask the borrower to confirm the lift with each bureau.", "Tell the borrower"},
	heloc.StatusRepullDue: {"The borrower says the freeze is lifted",
		"The re-pull is a soft inquiry.", "Re-pull credit"},
	heloc.StatusVerifyLiens: {"The loans on the home need to be confirmed",
		"Ask for each loan’s current balance.", "Verify liens"},
	heloc.StatusMoreAssets: {"The lender needs more income or assets",
		"Ask about anything that wasn’t counted.", "Add income"},
	heloc.StatusPayoff: {"The line has to pay off some debts",
		"Ask which ones the borrower wants to pay off.", "Choose debts"},
	heloc.StatusPropertyValue: {"The lender has no value for this home",
		"Ask for the borrower’s estimate.", "Enter value"},
	heloc.StatusOffers: {"Offers are ready",
		"", "Review offers"},
	heloc.StatusNoOffers: {"No offers for this information",
		"Correct any errors in a new inquiry, or close the lead.", "See options"},
	heloc.StatusFollowUpSignIn: {"",
		"", "Follow up"},
	heloc.StatusFollowUpDocs: {"",
		"", "Follow up"},
	heloc.StatusRefinance: {"The lender has a refinance offer",
		"Contact your account executive.", openLead},
	heloc.StatusOther: {"Hearthline doesn’t recognize the lender’s step",
		"Contact the lender.", openLead},
}

const openLead = "Open lead"

// TodayOf returns the words for a lead's place in Today.
func (v Viewer) TodayOf(l *lead.Row, e lead.TodayEntry) TodayWords {
	at := TimeOfMillis(e.Fact.At)
	w := v.todayMove(l)
	switch e.Reason {
	case lead.TodayLift:
		w.Why, w.Note = "The freeze lift ends "+v.soonText(at), "After that, the borrower has to lift the freeze again."
	case lead.TodayExpires:
		w.Why, w.Note = "The inquiry expires "+v.dayText(e.Fact.Day), "After that, a new inquiry is needed."
	case lead.TodayLink:
		w.Why, w.Note = "The shared quote’s link expires "+v.soonText(at), "After that, you have to share the quote again."
		w.Action = "Open offers"
	case lead.TodayUnconfirmed:
		w.Why, w.Note, w.Action = "The lender hasn’t confirmed what was sent", "Don’t resend. Check the status first.",
			"Check status"
		w.Chip, w.Icon = "Not confirmed", "circle-help"
		w.When, w.Since = v.SinceTime(at), "sent "+v.DateTimeInText(at)
		w.When.Before = "not confirmed for "
	case lead.TodayOpened:
		w.Why, w.Note, w.Action = "The shared quote was opened", "No contact logged since.", "Open offers"
		w.Chip, w.Icon = "Quote opened", "eye"
		w.When, w.Since = v.AgeTime(at), v.DateTimeInText(at)
		w.When.Before = "opened "
	case lead.TodayReturned, lead.TodayReceived:
		w.Why, w.Chip = "This lead was assigned to you", "Assigned to you"
		if e.Reason == lead.TodayReturned {
			w.Why, w.Chip = "This lead was returned to you", "Returned to you"
		}
		w.Icon, w.Note, w.Action = "users", "Next step: "+LeadStatus(l).Chip+".", openLead
		w.When, w.Since = v.AgeTime(at), v.DateTimeInText(at)
	case lead.TodayCondition:
		w.Why, w.Note = Pluralize(l.OpenConditions, "open condition", "open conditions"), "No contact logged since."
		if l.SigningDate != "" && !v.Today().After(l.SigningDate) {
			w.Note = "Signing is " + v.dayText(l.SigningDate) + ". No contact logged since."
		}
		w.Chip, w.Icon, w.Action = "Open condition", "file-text", "Call the borrower"
		w.When, w.Since = v.SinceTime(at), "since "+v.recentText(at)
		w.When.Before = "open for "
	}
	if !v.IsMine(l) {
		w.Action = openLead
	}
	return w
}

// todayMove returns the words for the move that a lead's status asks for, or for its reminder.
func (v Viewer) todayMove(l *lead.Row) TodayWords {
	s, move := LeadStatus(l), todayMoves[l.StatusKey]
	since := TimeOfMillis(l.StepSince)
	w := TodayWords{Why: cmp.Or(move[0], strings.TrimSuffix(s.Happened, ".")), Note: move[1], Action: move[2],
		Since: "step began " + v.recentText(since)}
	if due := TimeOfMillis(l.DueAt()); l.YourMove() {
		words, overdue := v.DueTime(due)
		if overdue {
			words = FixedText("overdue since " + v.recentText(due))
		}
		w.When = words
	}
	contact := "No contact logged since."
	if l.LastContactAt >= l.StepSince {
		contact = "Last contact " + v.DateTimeInText(TimeOfMillis(l.LastContactAt)) + "."
	}
	switch {
	case l.FollowUpAt != 0 && l.FollowUpAt == l.DueAt():
		w.Why, w.Note, w.Since = "A reminder is due", s.Title+".", ""
	case l.StatusKey == heloc.StatusOffers:
		w.Note = contact
	case l.StatusKey == heloc.StatusFollowUpSignIn:
		w.Why, w.Note = "No sign-in for "+LongDuration(v.Now.Sub(since)), contact
	case l.StatusKey == heloc.StatusFollowUpDocs:
		w.Why, w.Note = "Broker documents unsigned for "+LongDuration(v.Now.Sub(since)), contact
	case l.Lane == heloc.LaneBorrower && l.YourMove(): // a freeze that the borrower knows about
		w.Why, w.Note, w.Action = "No lift reported yet", contact, "Follow up"
	}
	if w.Action == "" || !l.YourMove() {
		w.Action = openLead
	}
	return w
}

// recentText formats a past instant for a narrow column: the time if today, the weekday and time within the six days
// before, and otherwise the day.
func (v Viewer) recentText(t time.Time) string {
	switch days := v.DaysAhead(t); {
	case days == 0:
		return v.TimeOfDay(t)
	case days > -7:
		return t.In(v.Zone).Format("Mon 3:04 PM")
	default:
		return v.DayLabel(t)
	}
}

// soonText formats an instant of the next days within a sentence, "tomorrow 9:15 AM".
func (v Viewer) soonText(t time.Time) string {
	if v.DaysAhead(t) == 1 {
		return "tomorrow " + v.TimeOfDay(t)
	}
	return v.DateTimeInText(t)
}

// dayText formats a day within a sentence: "today", "tomorrow", "Tue, Nov 24".
func (v Viewer) dayText(d heloc.Date) string {
	switch tomorrow := heloc.DateOf(v.Now.In(v.Zone).AddDate(0, 0, 1)); d {
	case v.Today():
		return "today"
	case tomorrow:
		return "tomorrow"
	default:
		return Weekday(d)
	}
}
