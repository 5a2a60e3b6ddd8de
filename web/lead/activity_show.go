package lead

import (
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showActivity maps what happened, newest first, with the receipts of operations.
func showActivity(v format.Viewer, l desk.LeadView) []views.ActivityItem {
	states := map[string]string{}
	for _, op := range l.Operations {
		states[op.ID] = words.OutcomeOf(string(op.Kind), string(op.State), format.SinceOf(op)).Label
	}
	var items []views.ActivityItem
	day := ""
	for _, e := range l.Events {
		at := format.Instant(e.At)
		item := views.ActivityItem{Event: showEvent(v, e), Receipt: e.OpID, State: states[e.OpID]}
		item.Time, item.ISO = v.Clock(at), format.Iso(at)
		if e.Kind == desk.EventStarted {
			item.Text = format.Joined(" ", item.Text, preparedWords(l.Prepared))
		}
		if d := v.DayOf(at); d != day {
			item.Day, day = d, d
		}
		items = append(items, item)
	}
	return items
}

// preparedWords say who typed an inquiry that another sent.
func preparedWords(p desk.Prepared) string {
	switch {
	case p.By == "":
		return ""
	case p.ChangedBy == p.By:
		return "Prepared by " + p.By + "."
	default:
		return "Prepared by " + p.By + ", changed by " + p.ChangedBy + " before it was sent."
	}
}

// showEvent says one event in words, without its time.
func showEvent(v format.Viewer, e desk.Event) ui.Event {
	deed := words.DeedOf(string(e.Operation))
	title, icon := eventTitle(e, deed)
	out := ui.Event{Icon: icon, Title: title}
	switch {
	case e.ActorName != "" && e.ActorID == v.Who.UserID:
		out.Text = "By you."
	case e.ActorName != "":
		out.Text = "By " + e.ActorName + "."
	}
	switch e.Kind {
	case desk.EventRefused:
		if e.Detail != "" {
			out.Text = "“" + e.Detail + "” " + out.Text
		}
	case desk.EventNotAsked:
		out.Text, out.Tone = words.NotAsked(e.Detail), "yours"
	case desk.EventStep, desk.EventAgain:
		out.Raw = "nextInquiryStep: " + string(e.From) + " → " + string(e.To)
		if s := words.StandingOf(string(e.Stand), string(e.To)); s.Tone == "yours" {
			out.Tone = "yours"
		}
		if e.TookMillis > 0 {
			out.Text = "The lender took " + format.Spell(time.Duration(e.TookMillis)*time.Millisecond) + "."
		}
	}
	return out
}

func eventTitle(e desk.Event, deed words.Deed) (title, icon string) {
	switch e.Kind {
	case desk.EventStarted:
		return "Inquiry started", "plus"
	case desk.EventAdopted:
		return "Added by its id", "plus"
	case desk.EventStep:
		s := words.StandingOf(stepStand(e), string(e.To))
		return s.Chip, s.Icon
	case desk.EventAgain:
		s := words.StandingOf(stepStand(e), string(e.To))
		return "Asked again: " + format.Lowered(s.Chip), s.Icon
	case desk.EventStatus:
		return "The lender’s status changed", "info"
	case desk.EventConverted:
		return "The inquiry became an application", "file-text"
	case desk.EventFunded:
		return "Funded", "check"
	case desk.EventDocuments:
		return "New documents at the lender", "file-text"
	case desk.EventCondition:
		return "The conditions changed", "list-filter"
	case desk.EventSent:
		return deed.Done, "send"
	case desk.EventRefused:
		return deed.Title + ": not accepted", "octagon-alert"
	case desk.EventUnknown:
		return deed.Title + ": not known yet whether it arrived", "circle-help"
	case desk.EventSettled:
		return deed.Title + ": its receipt has an outcome", "file-text"
	case desk.EventMoved:
		return "Handed over", "users"
	case desk.EventSetAside:
		if e.Detail == "taken back" {
			return "No longer set aside", "undo-2"
		}
		return "Set aside as without offers", "circle-dashed"
	case desk.EventNothing:
		return "Nothing has changed since, after twice the usual wait", "hourglass"
	default:
		return ourTitle(e)
	}
}

// ourTitle says what the team did, which the lender knows nothing of.
func ourTitle(e desk.Event) (title, icon string) {
	switch e.Kind {
	case desk.EventRevealed:
		return "Borrower details shown: " + e.Detail, "eye"
	case desk.EventContact:
		return "Contact with the borrower: " + format.Lowered(words.Contact(e.Detail)), "phone"
	case desk.EventNote:
		return "Note written", "sticky-note"
	case desk.EventFollowUp:
		return "Follow-up set", "bell"
	case desk.EventFollowed:
		return "Follow-up done", "check"
	case desk.EventPlanned:
		return "Credit re-pull planned", "clock"
	case desk.EventUnplanned:
		return "Planned re-pull taken back", "undo-2"
	case desk.EventNotAsked:
		return "Planned re-pull not asked for", "clock-alert"
	default:
		return words.Name(string(e.Kind)), "info"
	}
}

// stepStand is where a lead came to stand with an event; an event without it is said
// by its step.
func stepStand(e desk.Event) string {
	if e.Stand != "" {
		return string(e.Stand)
	}
	return string(heloc.StandingAt(heloc.Facts{Step: e.To, Since: format.Instant(e.At)}, format.Instant(e.At)).Stand)
}

// showReceipt is the way of one operation: sent, seen by the lender, step changed.
func ShowReceipt(v format.Viewer, op desk.Operation, wait desk.Wait) []ui.ReceiptStep {
	deed := words.DeedOf(string(op.Kind))
	sent := ui.ReceiptStep{Label: "Sent", Text: v.Exact(op.SentAt), Done: op.SentAt != 0}
	if op.SentAt == 0 {
		sent.Text = "not sent"
		sent.Fail = op.State == desk.OpNotSent
	}
	seen := ui.ReceiptStep{Label: "Seen by the lender"}
	switch op.State {
	case desk.OpSucceeded:
		seen.Done, seen.Text = true, v.Exact(op.AnsweredAt)
	case desk.OpConfirmed:
		outcome := words.OutcomeOf(string(op.Kind), string(op.State), "")
		seen.Done, seen.Text = outcome.Kind == "ready", format.Lowered(outcome.Label)+", "+v.Exact(op.SettledAt)
	case desk.OpRejected:
		seen.Done, seen.Fail, seen.Text = true, true, "and not accepted, "+v.Exact(op.AnsweredAt)
	case desk.OpNotSent:
		sent.Fail, sent.Done, sent.Text = true, false, "not sent"
		seen.Text = "no"
	case desk.OpAbsent:
		seen.Text = "no sign of it, " + v.Exact(op.SettledAt)
	case desk.OpAbandoned:
		seen.Text = "not known, and given up"
	case desk.OpUnknown:
		seen.Text = "not known yet, we keep looking"
		if op.MovedAt != 0 {
			seen.Text = "not known"
		}
	default:
		seen.Text = "not known yet"
	}
	steps := []ui.ReceiptStep{sent, seen}
	if !op.Kind.MovesStep() || seen.Fail || op.State == desk.OpNotSent || op.State == desk.OpAbsent {
		return steps
	}
	if op.State != desk.OpSucceeded && op.MovedAt != 0 {
		label := "Lead moved on"
		if format.SinceOf(op) == words.SinceChanged {
			label = "Lead’s history changed"
		}
		return append(steps, ui.ReceiptStep{Label: label, Text: format.Lowered(standingOfStep(op.MovedTo)) + ", " + v.Exact(op.MovedAt)})
	}
	moved := ui.ReceiptStep{Label: "Next step", Text: "the lender’s move after " + deed.Noun}
	if wait.Known {
		moved.Text = "usually " + format.Spell(wait.Usual) + " after " + deed.Noun
	}
	if op.MovedAt != 0 {
		moved.Done, moved.Text = true, format.Lowered(standingOfStep(op.MovedTo))+", "+v.Exact(op.MovedAt)
	}
	return append(steps, moved)
}
