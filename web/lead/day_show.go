package lead

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
	"hearthline/web/format"
)

// showNotes maps what the team wrote down, and the forms for more.
func showNotes(v format.Viewer, f LeadFacts) views.NotesView {
	n := views.NotesView{Can: f.Can(access.AnnotateLead)}
	if a := f.attempt; a != nil && a.Act == "note" {
		n.Note = a.Form.View("")
	}
	if a := f.attempt; a != nil && a.Act == "follow-up" && !a.Form.Values.Has("thaw.liftedAt") {
		n.FollowUp = a.Form.View("")
	}
	for _, note := range f.View.Notes {
		at := format.Instant(note.At)
		row := views.NoteRow{Who: note.ActorName, When: v.Within(at), ISO: format.Iso(at), Text: note.Text}
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
	for i, up := range f.View.FollowUps {
		text, late := v.Due(format.Instant(up.DueAt))
		who := up.ActorName
		if up.ActorID == v.Who.UserID {
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
func ShowFreeze(v format.Viewer, f LeadFacts) views.FreezeView {
	var chosen []string
	w := views.FreezeView{CanNote: f.Can(access.ActOnLead), Zone: v.Zone.String()}
	if credit := f.View.Details.App.Underwriting.SoftCredit; credit != nil {
		w.Bureau = format.Said(string(credit.Provider), words.Bureau)
	}
	if a := f.attempt; a != nil && a.Act == "follow-up" && a.Form.Values.Has("thaw.liftedAt") {
		w.Lift = a.Form.View("")
		chosen = a.Form.List("thaw.bureaus")
	}
	w.Bureaus = bureausOf(chosen)
	plan := f.View.Repull
	if plan == nil {
		return w
	}
	switch plan.State {
	case desk.RepullWaiting, desk.RepullTrying:
		lifted := format.Instant(plan.LiftedAt)
		where := bureauWords(plan.Bureaus)
		w.Lifted = "Lifted " + format.Joined(" ", where, v.Within(lifted)) + ", as the borrower said"
		if lifted.After(v.Now) {
			w.Lifted = "To be lifted " + format.Joined(" ", where, dayAndClock(v, lifted)) + ", as the borrower says"
		}
		if credit := f.View.Details.App.Underwriting.SoftCredit; credit != nil && credit.Provider != "" && plan.Bureaus != "" && !slices.Contains(strings.Split(plan.Bureaus, ","), string(credit.Provider)) {
			w.Missing = w.Bureau + " could not show the report, and is not among those where the freeze is lifted."
		}
		if plan.UntilAt != 0 {
			w.Until = "until " + dayAndClock(v, format.Instant(plan.UntilAt))
		}
		w.AskAt, w.Who = dayAndClock(v, format.Instant(plan.DueAt)), f.View.RepullBy
		w.CanDrop = f.Can(access.AnnotateLead) && plan.State == desk.RepullWaiting
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
func (f LeadFacts) askedAfter(at int64) bool {
	for _, op := range f.View.Operations {
		if op.Kind == heloc.OpRepullCredit && op.CreatedAt > at {
			return true
		}
	}
	return false
}

// dayAndClock is an instant to come, "tomorrow 2:00 PM".
func dayAndClock(v format.Viewer, t time.Time) string {
	if format.SameDay(t.In(v.Zone), v.Now.In(v.Zone).AddDate(0, 0, 1)) {
		return "tomorrow " + v.Clock(t)
	}
	return v.Within(t)
}

// showChase maps the reminder of a borrower who is at move.
func showChase(v format.Viewer, f LeadFacts) views.ChaseView {
	c := views.ChaseView{Last: showContact(v, f.View.Row), Can: f.Can(access.AnnotateLead)}
	if hasLink(f.View) && f.Can(access.ContactBorrower) {
		c.Link = v.Base.LeadRead(string(f.View.Row.App), "borrower-link")
	}
	if a := f.attempt; a != nil && a.Act == "contact" {
		c.Contact = a.Form.View("")
	}
	return c
}

// hasLink says whether the lender has given the borrower a way in. The link itself
// stands on no page before it is asked for.
func hasLink(l desk.LeadView) bool { return strings.HasPrefix(l.Details.BorrowerAppLink, "https://") }

// reasonWords is a reason as it stands beside what was opened.
func reasonWords(why desk.Reason) string {
	if why.Typed != "" {
		return why.Typed
	}
	return words.RevealReason(why.Preset)
}
