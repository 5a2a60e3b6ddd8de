package workspace

import (
	"cmp"
	"time"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
	view "hearthline/views/workspace"
)

// PresentActivity maps the events, newest first, with the receipts of operations, at most as many as the limit.
func PresentActivity(v text.Viewer, l desklead.Snapshot, limit int) []view.ActivityItem {
	states := map[string]string{}
	for _, op := range l.Operations {
		states[op.ID] = text.OutcomeOf(string(op.Kind), string(op.State), text.SinceOf(op)).Label
	}
	var items []view.ActivityItem
	day := ""
	for _, e := range l.Events[:min(limit, len(l.Events))] {
		at := text.TimeOfMillis(e.At)
		item := view.ActivityItem{Event: presentEvent(v, e)}
		if e.Kind == lead.EventSettled {
			item.Title = settledTitle(e, states[e.OpID])
		}
		if e.Kind != lead.EventStep && e.Kind != lead.EventAskedAgain { // the receipt is of what was sent, not of the answer
			item.Receipt, item.State = e.OpID, states[e.OpID]
		}
		if e.Kind == lead.EventSettled {
			item.State = "" // the title says it
		}
		item.Time, item.ISO = v.TimeOfDay(at), text.IsoTime(at)
		if e.Kind == lead.EventStarted {
			item.Text = text.JoinNonEmpty(" ", item.Text, preparedText(l.Authors))
		}
		if d := v.DayLabel(at); d != day {
			item.Day, day = d, d
		}
		items = append(items, item)
	}
	return items
}

// preparedText states who prepared an inquiry that somebody else sent.
func preparedText(p desklead.DraftAuthors) string {
	switch {
	case p.PreparedBy == "":
		return ""
	case p.ChangedBy == p.PreparedBy:
		return "Prepared by " + p.PreparedBy + "."
	default:
		return "Prepared by " + p.PreparedBy + ", changed by " + p.ChangedBy + " before it was sent."
	}
}

// presentEvent maps one event, without its time.
func presentEvent(v text.Viewer, e lead.Event) ui.Event {
	texts := text.OperationOf(string(e.Operation))
	title, icon := eventTitle(e, texts)
	out := ui.Event{Icon: icon, Title: title}
	switch {
	case e.ActorName != "" && e.ActorID == v.Who.UserID && !lead.IsRulesActor(e.ActorName):
		out.Text = "By you" + coveringText(e) + "."
	case e.ActorName != "":
		out.Text = "By " + e.ActorName + coveringText(e) + "."
	}
	switch e.Kind {
	case lead.EventRejected:
		if e.Detail != "" {
			out.Text = "“" + e.Detail + "” " + out.Text
		}
	case lead.EventRepullSkipped:
		out.Text, out.Tone = text.RepullSkipped(e.Detail), "yours"
	case lead.EventStep, lead.EventAskedAgain:
		if s := text.StatusOf(string(e.StatusKey), string(e.StepAfter)); s.Tone == "yours" {
			out.Tone = "yours"
		}
		if e.TookMillis > 0 {
			out.Text = "The lender took " + text.LongDuration(time.Duration(e.TookMillis)*time.Millisecond) + "."
		}
	}
	return out
}

// coveringText says for whom the actor of an event covered; "" if for nobody.
func coveringText(e lead.Event) string {
	if e.CoveringFor == "" {
		return ""
	}
	return ", covering for " + e.CoveringFor
}

// eventTitles are the titles and icons of events whose kind says everything.
var eventTitles = map[lead.EventKind][2]string{
	lead.EventStarted:        {"Inquiry started", "plus"},
	lead.EventAdopted:        {"Added by application ID", "plus"},
	lead.EventStatus:         {"The lender’s status changed", "info"},
	lead.EventConverted:      {"The inquiry became an application", "file-text"},
	lead.EventFunded:         {"Funded", "check"},
	lead.EventDocuments:      {"New documents", "file-text"},
	lead.EventCondition:      {"The conditions changed", "list-filter"},
	lead.EventNoAnswer:       {"No change after twice the usual wait", "hourglass"},
	lead.EventNote:           {"Note added", "sticky-note"},
	lead.EventFollowUp:       {"Reminder set", "bell"},
	lead.EventFollowUpDone:   {"Reminder done", "check"},
	lead.EventShared:         {"Quote shared by link", "link"},
	lead.EventShareOpened:    {"Shared quote opened for the first time", "link"},
	lead.EventShareRevoked:   {"Shared quote revoked", "link"},
	lead.EventNudged:         {"Follow-up requested", "bell"},
	lead.EventRepullPlanned:  {"Credit re-pull scheduled", "clock"},
	lead.EventRepullCanceled: {"Scheduled re-pull canceled", "undo-2"},
	lead.EventRepullSkipped:  {"Result of the scheduled re-pull", "clock-alert"},
}

func eventTitle(e lead.Event, texts text.Operation) (title, icon string) {
	switch e.Kind {
	case lead.EventStep:
		s := text.StatusOf(eventStatusKey(e), string(e.StepAfter))
		return s.Chip, s.Icon
	case lead.EventAskedAgain:
		s := text.StatusOf(eventStatusKey(e), string(e.StepAfter))
		return "Asked again: " + text.LowerFirst(s.Chip), s.Icon
	case lead.EventSent:
		if e.Operation == heloc.OpReassign {
			return reassignedTitle(e), "users"
		}
		return texts.Done, "send"
	case lead.EventRejected:
		return texts.Subject + ": not accepted", "octagon-alert"
	case lead.EventUnknown:
		return texts.Subject + " sent, response lost", "circle-help"
	case lead.EventSettled:
		return settledTitle(e, ""), "file-text"
	case lead.EventReassigned:
		return cmp.Or(map[string]string{"unassigned": "Became unassigned", "returned": "Assigned to its " +
			"originator again"}[e.Detail], reassignedTitle(e)), "users"
	case lead.EventSetAside:
		if e.Detail == "taken back" {
			return "Reopened", "undo-2"
		}
		return "Closed without offers", "circle-dashed"
	case lead.EventRevealed:
		if e.Detail == desklead.ByLink {
			return "Viewed sign-in link", "eye"
		}
		return "Viewed borrower details: " + e.Detail, "eye"
	case lead.EventContact:
		return text.ContactMade(e.Detail), "phone"
	}
	if known, ok := eventTitles[e.Kind]; ok {
		return known[0], known[1]
	}
	return text.Name(string(e.Kind)), "info"
}

// reassignedTitle is the title of an accepted reassignment, with the originators whom the user may know.
func reassignedTitle(e lead.Event) string {
	switch {
	case e.Undo && e.ToName != "":
		return "Reassignment undone, back to " + e.ToName
	case e.Undo:
		return "Reassignment undone"
	case e.FromName != "" && e.ToName != "":
		return "Reassigned from " + e.FromName + " to " + e.ToName
	case e.ToName != "":
		return "Reassigned to " + e.ToName
	default:
		return "Reassigned"
	}
}

// settledTitle is the title of the event by which an unknown outcome became known: the operation with its state, as the
// label of a verdict.
func settledTitle(e lead.Event, state string) string {
	subject := text.OperationOf(string(e.Operation)).Subject
	switch state {
	case "":
		return subject + ": checked with the lender"
	case text.VerdictOf(string(lead.OpConfirmed)).Label:
		return subject + " confirmed"
	default:
		return subject + ": " + text.LowerFirst(state)
	}
}

// eventStatusKey returns the lead's status after an event. If the event has none, the status
// follows from its step.
func eventStatusKey(e lead.Event) string {
	if e.StatusKey != "" {
		return string(e.StatusKey)
	}
	return string(heloc.StatusAt(heloc.StatusFacts{Step: e.StepAfter, StepSince: text.TimeOfMillis(e.At)},
		text.TimeOfMillis(e.At)).Key)
}
