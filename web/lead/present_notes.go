package lead

import (
	"slices"
	"strings"
	"time"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/workspace"
)

// presentNotes maps the team's notes and follow-ups, and the forms to add more.
func presentNotes(v text.Viewer, f *workspace.Data) *view.NotesView {
	n := &view.NotesView{URLs: f.URLs(v), Can: f.Can(access.AnnotateLead)}
	if a := f.Submitted; a != nil && a.Action == "note" {
		n.Note = a.Form.View("")
	}
	if a := f.Submitted; a != nil && a.Action == "follow-up" && !a.Form.Values.Has("thaw.liftedAt") {
		n.FollowUp = a.Form.View("")
	}
	n.Notes = presentNoteRows(v, f.View.Notes)
	if f.View.OlderNotes != "" { // they are on the activity tab
		n.Pager = ui.PagerView{CountText: text.PageCount(len(n.Notes), "note", "notes", true, true),
			Next: v.Base.LeadTabLists(string(f.View.Row.App), to.Activity, notesList, f.View.OlderNotes) + "#" + notesList}
	}
	n.MoreFollowUps = f.View.MoreFollowUps
	for _, followUp := range f.View.FollowUps {
		words, overdue := v.DueTextWithTime(text.TimeOfMillis(followUp.DueAt))
		who := followUp.ActorName
		if followUp.ActorID == v.Who.UserID {
			who = "you"
		}
		n.FollowUps = append(n.FollowUps, view.FollowUpRow{ID: followUp.ID, When: words, Overdue: overdue,
			Text: followUp.Text, Who: who})
	}
	return n
}

// splitDue separates the due reminders, which come first and belong to the next step.
func splitDue(all []view.FollowUpRow) (due, later []view.FollowUpRow) {
	at := slices.IndexFunc(all, func(f view.FollowUpRow) bool { return !f.Overdue })
	if at < 0 {
		at = len(all)
	}
	return all[:at], all[at:]
}

func presentNoteRows(v text.Viewer, notes []lead.Note) (rows []view.NoteRow) {
	for _, note := range notes {
		at := text.TimeOfMillis(note.At)
		row := view.NoteRow{Who: note.ActorName, When: v.DateTimeInText(at), ISO: text.IsoTime(at), Text: note.Text}
		if note.Contact != "" {
			row.How = text.Contact(note.Contact)
		}
		if note.FromApp != "" {
			row.From = "copied from " + note.FromShortID
			if note.FromShortID == "" {
				row.From = "copied from the previous inquiry"
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// PresentFreeze maps a frozen credit file, and the re-pull that is planned for when the freeze is
// lifted.
func PresentFreeze(v text.Viewer, f *workspace.Data) view.FreezeView {
	var chosen []string
	w := view.FreezeView{CanNote: f.Can(access.ActOnLead), Zone: text.ZoneName(v.Zone.String())}
	if credit := f.View.Details.App.Underwriting.SoftCredit; credit != nil {
		w.Bureau = text.DisplayText(string(credit.Provider), text.Bureau)
	}
	if a := f.Submitted; a != nil && a.Action == "follow-up" && a.Form.Values.Has("thaw.liftedAt") {
		w.LiftForm = a.Form.View("")
		chosen = a.Form.UniqueValues("thaw.bureaus")
	}
	f.AddRisks(&w.LiftForm, heloc.OpRepullCredit)
	w.Bureaus = bureauOptions(chosen)
	plan := f.View.Repull
	if plan == nil {
		return w
	}
	switch plan.State {
	case lead.RepullWaiting, lead.RepullTrying:
		lifted := text.TimeOfMillis(plan.LiftedAt)
		where := bureausText(plan.Bureaus)
		w.LiftPlan = "Freeze lifted " + text.JoinNonEmpty(" ", where, v.DateTimeInText(lifted)) + " (per the borrower)"
		if lifted.After(v.Now) {
			w.LiftPlan = "Freeze to be lifted " + text.JoinNonEmpty(" ", where, upcomingDateTime(v, lifted)) +
				" (per the borrower)"
		}
		if credit := f.View.Details.App.Underwriting.SoftCredit; credit != nil && credit.Provider != "" &&
			plan.Bureaus != "" && !slices.Contains(strings.Split(plan.Bureaus, ","), string(credit.Provider)) {
			w.BureauMismatch = w.Bureau + " couldn’t release the report, and the freeze isn’t recorded as lifted there."
		}
		if plan.UntilAt != 0 {
			w.LiftPlan += ", until " + upcomingDateTime(v, text.TimeOfMillis(plan.UntilAt))
		}
		w.LiftPlan += "."
		name := "your name"
		if by := f.View.RepullBy; by != "" && by != v.Who.Name {
			name = "the name of " + by
		}
		w.Repull = "We’ll re-pull credit once, " + upcomingDateTime(v, text.TimeOfMillis(plan.DueAt)) + ", in " + name + "."
		w.CanCancelPlan = f.Can(access.AnnotateLead) && plan.State == lead.RepullWaiting
	case lead.RepullSkipped:
		if !repulledAfter(f, plan.TriedAt) {
			w.SkippedReason = text.RepullSkipped(plan.Outcome)
		}
	}
	return w
}

// bureauOptions lists the bureaus to tick.
func bureauOptions(chosen []string) []ui.Option {
	var all []ui.Option
	for _, b := range desklead.Bureaus() {
		all = append(all, ui.Option{Value: b, Label: text.Bureau(b), Selected: slices.Contains(chosen, b)})
	}
	return all
}

// bureausText states where a freeze is lifted, "at Experian and TransUnion"; it is empty if nobody
// said.
func bureausText(stored string) string {
	if stored == "" {
		return ""
	}
	var names []string
	for b := range strings.SplitSeq(stored, ",") {
		names = append(names, text.Bureau(b))
	}
	last := len(names) - 1
	if last == 0 {
		return "at " + names[0]
	}
	return "at " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// repulledAfter reports whether somebody has since requested a re-pull manually.
func repulledAfter(f *workspace.Data, at int64) bool {
	return slices.ContainsFunc(f.View.Operations, func(op lead.Operation) bool {
		return op.Kind == heloc.OpRepullCredit && op.CreatedAt > at
	})
}

// upcomingDateTime formats a time in the future, "tomorrow 2:00 PM".
func upcomingDateTime(v text.Viewer, t time.Time) string {
	if v.DaysAhead(t) == 1 {
		return "tomorrow " + v.TimeOfDay(t)
	}
	return v.DateTimeInText(t)
}

// presentAccessLog maps who opened the lead, who viewed borrower details, and who exported what.
// Documents have their current names at the lender.
func presentAccessLog(v text.Viewer, o desklead.AccessLog, documents []lead.KnownDocument) view.AccessLogView {
	w := view.AccessLogView{Limit: desklead.AccessLogLimit}
	for _, p := range o.Pages {
		w.PageViews = append(w.PageViews, ui.Fact{Label: p.Name, Value: v.DateTime(text.TimeOfMillis(p.ViewedAt))})
	}
	for _, r := range o.Reveals {
		why := text.RevealReason(r.Reason)
		if r.ReasonText != "" {
			why = "“" + r.ReasonText + "”"
		}
		what := r.Fields
		if what == desklead.ByLink {
			what = "sign-in link"
		}
		w.Reveals = append(w.Reveals, view.AccessRow{Who: r.UserName, When: v.DateTimeInText(text.TimeOfMillis(r.At)),
			What: what, Why: why})
	}
	for _, t := range o.Exports {
		row := view.AccessRow{Who: t.Name, When: v.DateTimeInText(text.TimeOfMillis(t.At)),
			What: text.Exported(string(t.Kind), "")}
		at := slices.IndexFunc(documents, func(d lead.KnownDocument) bool { return d.UUID == t.About && t.About != "" })
		if at >= 0 {
			row.What = text.Exported(string(t.Kind), documents[at].FileName)
		}
		if t.N > 1 {
			row.Why = text.Pluralize(t.N, "time", "times") + " total."
		}
		w.Exports = append(w.Exports, row)
	}
	return w
}
