package web

import (
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// showNotes maps what the team wrote down, and the forms for more.
func (v viewer) showNotes(f leadFacts) views.NotesView {
	n := views.NotesView{Can: f.can(access.AnnotateLead)}
	if a := f.attempt; a != nil && a.act == "note" {
		n.Note = a.form.view("")
	}
	if a := f.attempt; a != nil && a.act == "follow-up" && !a.form.values.Has("thaw.liftedAt") {
		n.FollowUp = a.form.view("")
	}
	for _, note := range f.view.Notes {
		at := instant(note.At)
		row := views.NoteRow{Who: note.ActorName, When: v.within(at), ISO: iso(at), Text: note.Text}
		if note.Contact != "" {
			row.How = words.Contact(note.Contact)
		}
		if note.FromApp != "" {
			row.From = "carried over from " + note.FromShort
			if note.FromShort == "" {
				row.From = "carried over from the inquiry before"
			}
		}
		n.Notes = append(n.Notes, row)
	}
	for i, up := range f.view.FollowUps {
		text, late := v.due(instant(up.DueAt))
		who := up.ActorName
		if up.ActorID == v.who.UserID {
			who = "you"
		}
		n.FollowUps = append(n.FollowUps, views.FollowUpRow{ID: up.ID, When: text, Late: late, Text: up.Text, Who: who})
		if i == 0 {
			n.Due = "follow-up " + text
		}
	}
	return n
}

// showFreeze maps a frozen credit file and what is planned for its lift.
func (v viewer) showFreeze(f leadFacts) views.FreezeView {
	var chosen []string
	w := views.FreezeView{CanNote: f.can(access.ActOnLead), Zone: v.zone.String()}
	if credit := f.view.Details.App.Underwriting.SoftCredit; credit != nil {
		w.Bureau = said(string(credit.Provider), words.Bureau)
	}
	if a := f.attempt; a != nil && a.act == "follow-up" && a.form.values.Has("thaw.liftedAt") {
		w.Lift = a.form.view("")
		chosen = a.form.list("thaw.bureaus")
	}
	w.Bureaus = bureausOf(chosen)
	plan := f.view.Repull
	if plan == nil {
		return w
	}
	switch plan.State {
	case desk.RepullWaiting, desk.RepullTrying:
		lifted := instant(plan.LiftedAt)
		where := bureauWords(plan.Bureaus)
		w.Lifted = "Lifted " + joined(" ", where, v.within(lifted)) + ", as the borrower said"
		if lifted.After(v.now) {
			w.Lifted = "To be lifted " + joined(" ", where, v.dayAndClock(lifted)) + ", as the borrower says"
		}
		if credit := f.view.Details.App.Underwriting.SoftCredit; credit != nil && credit.Provider != "" && plan.Bureaus != "" && !slices.Contains(strings.Split(plan.Bureaus, ","), string(credit.Provider)) {
			w.Missing = w.Bureau + " could not show the report, and is not among those where the freeze is lifted."
		}
		if plan.UntilAt != 0 {
			w.Until = "until " + v.dayAndClock(instant(plan.UntilAt))
		}
		w.AskAt, w.Who = v.dayAndClock(instant(plan.DueAt)), f.view.RepullBy
		w.CanDrop = f.can(access.AnnotateLead) && plan.State == desk.RepullWaiting
	case desk.RepullMissed:
		if !f.askedAfter(plan.TriedAt) {
			w.Missed = words.NotAsked(plan.Outcome)
		}
	}
	return w
}

// bureausOf are the bureaus to tick.
func bureausOf(chosen []string) []ui.Option {
	var all []ui.Option
	for _, b := range desk.Bureaus() {
		all = append(all, ui.Option{Value: b, Label: words.Bureau(b), Selected: slices.Contains(chosen, b)})
	}
	return all
}

// bureauWords says where a freeze is lifted, "at Experian and TransUnion"; empty when
// nobody said.
func bureauWords(kept string) string {
	if kept == "" {
		return ""
	}
	var names []string
	for b := range strings.SplitSeq(kept, ",") {
		names = append(names, words.Bureau(b))
	}
	last := len(names) - 1
	if last == 0 {
		return "at " + names[0]
	}
	return "at " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// askedAfter says whether somebody has asked for credit by hand since.
func (f leadFacts) askedAfter(at int64) bool {
	for _, op := range f.view.Operations {
		if op.Kind == heloc.OpRepullCredit && op.CreatedAt > at {
			return true
		}
	}
	return false
}

// dayAndClock is an instant to come, "tomorrow 2:00 PM".
func (v viewer) dayAndClock(t time.Time) string {
	if sameDay(t.In(v.zone), v.now.In(v.zone).AddDate(0, 0, 1)) {
		return "tomorrow " + v.clock(t)
	}
	return v.within(t)
}

// showChase maps the reminder of a borrower who is at move.
func (v viewer) showChase(f leadFacts) views.ChaseView {
	c := views.ChaseView{Last: v.showContact(f.view.Row), Can: f.can(access.AnnotateLead)}
	if hasLink(f.view) && f.can(access.ContactBorrower) {
		c.Link = v.base.LeadRead(string(f.view.Row.App), "borrower-link")
	}
	if a := f.attempt; a != nil && a.act == "contact" {
		c.Contact = a.form.view("")
	}
	return c
}

// hasLink says whether the lender has given the borrower a way in. The link itself
// stands on no page before it is asked for.
func hasLink(l desk.LeadView) bool { return strings.HasPrefix(l.Details.BorrowerAppLink, "https://") }

// showDatesAhead maps what is coming up, and what is getting old.
func (v viewer) showDatesAhead(all []desk.ComingDate) views.DatesView {
	d := views.DatesView{Calendar: v.base.LeadsICS()}
	for _, one := range all {
		d.Rows = append(d.Rows, views.DateRow{
			Day: weekday(one.On), Left: v.left(one), Kind: words.DateKind(string(one.Kind)), Name: words.Or(nameOf(one.Name)),
			Short: one.ShortID, Href: v.base.Lead(string(one.App)),
		})
	}
	return d
}

// left is how far a date is away in days, or how old it is.
func (v viewer) left(d desk.ComingDate) string {
	on, _ := d.On.Time()
	today, _ := v.today().Time()
	switch days := int(on.Sub(today) / (24 * time.Hour)); {
	case !d.Ahead:
		return counted(-days, "day old", "days old")
	case days < 0:
		return "yesterday"
	case days == 0:
		return "today"
	case days == 1:
		return "tomorrow"
	default:
		return "in " + counted(days, "day", "days")
	}
}

// reasonWords is a reason as it stands beside what was opened.
func reasonWords(why desk.Reason) string {
	if why.Typed != "" {
		return why.Typed
	}
	return words.RevealReason(why.Preset)
}
