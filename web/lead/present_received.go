package lead

import (
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// presentReceived maps the summary that came with a reassigned lead.
func presentReceived(v text.Viewer, h *deskreassign.ReassignmentDetails,
	operationID string) view.ReceivedReassignmentView {
	b := h.Summary
	who := h.ActorName
	if h.ActorID == v.Who.UserID && !lead.IsRulesActor(who) {
		who = "you"
	}
	title := "Assigned by " + who + ", "
	if who == "you" {
		title = "Reassigned by you to " + text.OrDash(h.ToName) + ", "
	}
	r := view.ReceivedReassignmentView{
		Title: title + v.DateTimeInText(text.TimeOfMillis(h.DoneAt())), Note: b.Note,
		Expanded: v.Now.UnixMilli()-h.DoneAt() < noteExpandedMillis,
		Undo:     page.PresentUndo(v, *h, operationID),
	}
	status := text.StatusOf(string(b.StatusKey), string(b.Step)).Chip
	if b.Since != 0 {
		status += ", since " + v.SinceText(text.TimeOfMillis(b.Since))
	}
	r.Facts = ui.KnownFacts("Step when reassigned", status, "Due", v.DateTimeInText(text.TimeOfMillis(b.Due)))
	contact := "No contact yet"
	if b.ContactAt != 0 {
		contact = text.JoinNonEmpty(", ", b.Contact, v.DateTimeInText(text.TimeOfMillis(b.ContactAt)))
	}
	r.Facts = append(r.Facts, ui.Fact{Label: "Last contact", Value: contact},
		ui.Fact{Label: "Previous originator", Value: previousOriginator(v, h)})
	r.Facts = append(r.Facts, ui.KnownFacts("Expires", text.Date(b.Expires), "Notary", text.Date(b.Notary),
		"Signing", text.Date(b.Signing), rescissionLabel(v, b.Rescinds), text.Date(b.Rescinds))...)
	for _, p := range b.FollowUps {
		r.Facts = append(r.Facts, ui.Fact{Label: "Reminder",
			Value: text.JoinNonEmpty(", ", p.Text, "due "+v.DateTimeInText(text.TimeOfMillis(p.Due)), "by "+p.By)})
	}
	if b.NoteCount > 0 {
		r.Facts = append(r.Facts, ui.Fact{Label: "Also moved", Value: text.Pluralize(b.NoteCount, "note", "notes")})
	}
	for _, s := range b.Operations {
		texts := text.OperationOf(string(s.Kind))
		known := text.VerdictOf(string(s.State)).Label
		if s.State == lead.OpSucceeded {
			known += " by the lender"
		}
		r.Facts = append(r.Facts, ui.Fact{Label: texts.Subject,
			Value: known + ", " + v.DateTimeInText(text.TimeOfMillis(s.At))})
	}
	return r
}

// noteExpandedMillis is how long the summary stays expanded, in milliseconds.
const noteExpandedMillis = 3 * 24 * 60 * 60 * 1000

// previousOriginator names who had the lead, and until when if it was unassigned in between.
func previousOriginator(v text.Viewer, h *deskreassign.ReassignmentDetails) string {
	if h.FromName != "" && h.Summary.FormerUntil != 0 {
		return h.FromName + ", until " + v.DateTimeInText(text.TimeOfMillis(h.Summary.FormerUntil))
	}
	return text.OrDash(h.FromName)
}
