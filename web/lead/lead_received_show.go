package lead

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// showReceived maps what came along with a lead.
func showReceived(v format.Viewer, h *desk.Handed, ticket string) views.ReceivedView {
	b := h.Brief
	who := h.ActorName
	if h.ActorID == v.Who.UserID {
		who = "you"
	}
	r := views.ReceivedView{
		Title: "Handed over by " + who + ", " + v.Within(format.Instant(h.DoneAt())), Line: b.Line, Open: v.Now.UnixMilli()-h.DoneAt() < receivedFor,
		Undo: page.ShowUndo(v, *h, ticket),
	}
	stood := words.StandingOf(string(b.Stand), string(b.Step)).Chip
	if b.Since != 0 {
		stood += ", since " + v.Since(format.Instant(b.Since))
	}
	r.Facts = append(r.Facts, ui.Fact{Label: "Stood at", Value: stood})
	if b.Due != 0 {
		r.Facts = append(r.Facts, ui.Fact{Label: "Due", Value: v.Within(format.Instant(b.Due))})
	}
	contact := "Not yet"
	if b.ContactAt != 0 {
		contact = format.Joined(", ", b.Contact, v.Within(format.Instant(b.ContactAt)))
	}
	r.Facts = append(r.Facts, ui.Fact{Label: "Last contact", Value: contact}, ui.Fact{Label: "Before with", Value: words.Or(h.FromName)})
	for _, d := range []struct {
		label string
		day   heloc.Date
	}{{"Expires", b.Expires}, {"Notary", b.Notary}, {"Signing", b.Signing}, {"Rescission ends", b.Rescinds}} {
		if d.day != "" {
			r.Facts = append(r.Facts, ui.Fact{Label: d.label, Value: format.Calendar(d.day)})
		}
	}
	for _, p := range b.Promised {
		r.Facts = append(r.Facts, ui.Fact{Label: "Promised", Value: format.Joined(", ", p.Text, "due "+v.Within(format.Instant(p.Due)), "by "+p.By)})
	}
	if b.Notes > 0 {
		r.Facts = append(r.Facts, ui.Fact{Label: "With it", Value: format.Counted(b.Notes, "note", "notes")})
	}
	for _, s := range b.Sent {
		deed := words.DeedOf(string(s.Kind))
		r.Facts = append(r.Facts, ui.Fact{Label: deed.Title, Value: words.VerdictOf(string(s.State)).Label + ", " + v.Within(format.Instant(s.At))})
	}
	return r
}

// receivedFor is how long a brief stands unfolded.
const receivedFor = 3 * 24 * 60 * 60 * 1000
