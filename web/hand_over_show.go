package web

import (
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// showFind maps whom a search found: each with the NMLS number, by which two people of
// one name are told.
func showFind(typed string, f desk.Found) views.FindView {
	v := views.FindView{Query: typed, Found: foundWords(typed, f)}
	for _, o := range f.People {
		v.People = append(v.People, ui.Option{Value: string(o.UUID), Label: o.Name(), Note: joined(" · ", nmlsOf(o.NMLS), o.BrokerName, o.Email, licenceWords(f.Licences[o.UUID]))})
	}
	return v
}

// licenceWords say what is known of somebody's licences where the properties lie. Not known is
// no reason to refuse, but to ask before they have the borrower.
func licenceWords(known []desk.InState) string {
	said := map[desk.Licensed]string{desk.LicenceHeld: "licensed in ", desk.LicenceUnknown: "not known to be licensed in ", desk.LicenceMissing: "not licensed in "}
	var all []string
	for _, held := range []desk.Licensed{desk.LicenceMissing, desk.LicenceUnknown, desk.LicenceHeld} {
		var names []string
		for _, in := range known {
			if in.Licensed == held {
				names = append(names, words.State(in.State))
			}
		}
		if len(names) > 0 {
			all = append(all, said[held]+strings.Join(names, ", "))
		}
	}
	return strings.Join(all, ", ")
}

func nmlsOf(number string) string {
	if number == "" {
		return "no NMLS number known"
	}
	return "NMLS " + number
}

// foundWords says how many were found, or why nobody was.
func foundWords(typed string, f desk.Found) string {
	switch {
	case f.All > len(f.People):
		return "The first " + strconv.Itoa(len(f.People)) + " of " + strconv.Itoa(f.All) + "; type more of the name"
	case f.All > 0:
		return counted(f.All, "person", "people")
	case f.Silent:
		return "Nobody here has this e-mail, and the lender does not answer. Try again in a moment."
	case f.Asked:
		return "Nobody of this company has this e-mail, neither here nor at the lender."
	case typed != "":
		return "Nobody fits. Type the full e-mail, and the lender is asked."
	default:
		return "Nobody else is known here yet."
	}
}

// receivedFor is how long a brief stands unfolded.
const receivedFor = 3 * 24 * 60 * 60 * 1000

// showReceived maps what came along with a lead.
func (v viewer) showReceived(h *desk.Handed, ticket string) views.ReceivedView {
	b := h.Brief
	who := h.ActorName
	if h.ActorID == v.who.UserID {
		who = "you"
	}
	r := views.ReceivedView{
		Title: "Handed over by " + who + ", " + v.within(instant(h.DoneAt())), Line: b.Line, Open: v.now.UnixMilli()-h.DoneAt() < receivedFor,
		Undo: v.showUndo(*h, ticket),
	}
	stood := words.StandingOf(string(b.Stand), string(b.Step)).Chip
	if b.Since != 0 {
		stood += ", since " + v.since(instant(b.Since))
	}
	r.Facts = append(r.Facts, ui.Fact{Label: "Stood at", Value: stood})
	if b.Due != 0 {
		r.Facts = append(r.Facts, ui.Fact{Label: "Due", Value: v.within(instant(b.Due))})
	}
	contact := "Not yet"
	if b.ContactAt != 0 {
		contact = joined(", ", b.Contact, v.within(instant(b.ContactAt)))
	}
	r.Facts = append(r.Facts, ui.Fact{Label: "Last contact", Value: contact}, ui.Fact{Label: "Before with", Value: words.Or(h.FromName)})
	for _, d := range []struct {
		label string
		day   heloc.Date
	}{{"Expires", b.Expires}, {"Notary", b.Notary}, {"Signing", b.Signing}, {"Rescission ends", b.Rescinds}} {
		if d.day != "" {
			r.Facts = append(r.Facts, ui.Fact{Label: d.label, Value: calendar(d.day)})
		}
	}
	for _, p := range b.Promised {
		r.Facts = append(r.Facts, ui.Fact{Label: "Promised", Value: joined(", ", p.Text, "due "+v.within(instant(p.Due)), "by "+p.By)})
	}
	if b.Notes > 0 {
		r.Facts = append(r.Facts, ui.Fact{Label: "With it", Value: counted(b.Notes, "note", "notes")})
	}
	for _, s := range b.Sent {
		deed := words.DeedOf(string(s.Kind))
		r.Facts = append(r.Facts, ui.Fact{Label: deed.Title, Value: words.VerdictOf(string(s.State)).Label + ", " + v.within(instant(s.At))})
	}
	return r
}

// showUndo offers to take a hand-over back, to who did it, while that is possible.
func (v viewer) showUndo(h desk.Handed, ticket string) views.UndoView {
	until := h.UndoUntil()
	if h.ActorID != v.who.UserID || until.IsZero() || !v.now.Before(until) {
		return views.UndoView{}
	}
	return views.UndoView{ID: h.OpID, Ticket: ticket, Until: "until " + v.clock(until)}
}

// showHanded maps what a person handed on lately: no word of the borrower, for the lead
// may be another's now.
func (v viewer) showHanded(all []desk.Handed, runs []desk.RunStub, ticket func(heloc.AppID) string) views.HandedView {
	var h views.HandedView
	for _, run := range runs {
		h.Items = append(h.Items, views.HandedItem{
			Text: counted(run.Leads, "lead", "leads") + " to " + words.Or(run.ToName) + ", " + v.within(instant(run.At)),
			Href: v.base.Reassignment(run.ID),
		})
	}
	for _, one := range all {
		item := views.HandedItem{
			Text: "Handed to " + words.Or(one.ToName) + ", " + v.within(instant(one.DoneAt())), Href: v.base.Operation(one.OpID),
			Undo: v.showUndo(one, ticket(one.App)),
		}
		if one.State == desk.OpUnknown {
			item.Text = "Sent to " + words.Or(one.ToName) + ", " + v.within(instant(one.At)) + ": not known yet whether it arrived"
		}
		h.Items = append(h.Items, item)
	}
	return h
}
