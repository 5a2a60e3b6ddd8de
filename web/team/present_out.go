package team

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/lead"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// maxLeftOut is how many of those who get nothing a proposal names.
const maxLeftOut = 8

// presentOut maps a proposal. The caller sets Page and Form.
func presentOut(v text.Viewer, p deskreassign.OutProposal, req deskreassign.OutRequest) view.OutView {
	name, n := text.OrDash(p.Person.Name()), p.Movable()
	model := view.OutView{
		Originator: string(p.Person.UUID), Title: "While " + name + " is out", Name: name,
		First: cmp.Or(p.Person.FirstName, name),
		Facts: []string{text.Pluralize(p.Total, "open lead", "open leads")}, Key: req.FormKey,
		CapText: "cap " + strconv.Itoa(p.Cap) + " a person", LeftOut: leftOutText(p),
	}
	model.Request, model.Outcome = p.Fingerprints(req)
	if late := overdueLeads(p.Plan, lead.Millis(v.Now)); late > 0 {
		model.Overdue = strconv.Itoa(late) + " overdue"
	}
	for _, l := range p.Leads {
		model.Rows = append(model.Rows, presentOutRow(v, l, p))
	}
	var spread []string
	for _, t := range p.In {
		if t.Gets == 0 {
			continue
		}
		spread = append(spread, strconv.Itoa(t.Gets)+" to "+t.Name())
		after := t.Open + t.Gets
		model.Loads = append(model.Loads, view.OutLoad{
			Initials: page.Initials(t.Name()), Name: t.Name(), Licenses: loadLicenses(t), Gets: "+" + strconv.Itoa(t.Gets),
			Text: strconv.Itoa(t.Open) + " → " + strconv.Itoa(after) + " of " + strconv.Itoa(p.Cap), Cap: p.Cap, Open: t.Open,
			New: t.Gets,
		})
	}
	model.SplitTitle = "Split " + text.Pluralize(n, "lead", "leads") + " by license"
	model.SplitSub = "No one goes above " + strconv.Itoa(p.Cap) + "."
	if len(spread) > 0 {
		model.SplitSub = strings.Join(spread, ", ") + ". " + model.SplitSub
	}
	if p.Away.Absence != nil && p.Away.Absence.IsOut() {
		model.Returns = "Leads that others have go back " + v.DateTime(text.TimeOfMillis(p.Away.Absence.EndsAt)) +
			", unless someone else works on them."
	}
	if p.Away.UserID != "" && p.Away.Absence == nil {
		model.Absence = to.AbsenceFor(p.Away.UserID)
	}
	presentCoverChoice(&model, p)
	presentOutBar(v, &model, p, spread)
	return model
}

// presentOutBar says what the button does.
func presentOutBar(v text.Viewer, model *view.OutView, p deskreassign.OutProposal, spread []string) {
	n, until := p.Movable(), ""
	if !p.BackAt.IsZero() {
		model.BackAt = v.DateTime(p.BackAt)
		until = " until " + v.DayLabel(p.BackAt)
	}
	if n == 0 {
		model.Sentence, model.Hint = "No lead can be reassigned.", "Nothing has been sent."
		return
	}
	model.Button = "Split " + text.Pluralize(n, "lead", "leads")
	model.Sentence = text.Pluralize(n, "lead", "leads") + until + ": " + strings.Join(spread, ", ")
	if stay := len(p.Leads) - n; stay > 0 {
		model.Sentence += ". " + strconv.Itoa(stay) + " can’t be reassigned"
	}
	model.Hint = strconv.Itoa(p.Unlicensed()) + " to someone without a license on file, " +
		strconv.Itoa(p.WithoutAccount()) + " to someone without an account. You can undo for 15 minutes."
}

func presentCoverChoice(model *view.OutView, p deskreassign.OutProposal) {
	switch {
	case p.Deputy != nil:
		d := p.Deputy
		model.Deputy, model.CoverTitle = d.UserID, d.Name()+" covers"
		model.CoverSub = "Leads stay with " + model.First + ". " + loadLicenses(*d) + ". " + strconv.Itoa(d.Open) + " → " +
			strconv.Itoa(d.Open+len(p.Leads)) + " of " + strconv.Itoa(p.Cap) + "."
	case p.Away.Absence != nil && p.Away.Absence.IsOut():
		model.CoverTitle, model.CoverSub = model.Name+" is already out", "Other leads are waiting to go back."
	case p.Away.Absence != nil:
		model.CoverTitle = "An absence is on file"
		model.CoverSub = p.Away.Absence.Days() + ", covered by " + p.Away.Absence.DeputyName + "."
	case p.Away.UserID == "":
		model.CoverTitle, model.CoverSub = "No one can cover", model.Name+" has no active account to enter an absence for."
	default:
		model.CoverTitle, model.CoverSub = "No one can cover", "No available originator can cover all of these leads."
	}
}

// presentOutCover says what the button does while the form asks for cover.
func presentOutCover(model *view.OutView, p deskreassign.OutProposal) {
	model.Cover, model.Button = true, "Have "+p.Deputy.Name()+" cover"
	model.Sentence = p.Deputy.Name() + " covers from today"
	if p.Until != "" {
		model.Sentence += " through " + text.Date(p.Until)
	}
	model.Hint = "The leads stay with " + model.First + ". Nothing is sent to the lender."
}

// loadLicenses says where somebody is licensed, of the states of the leads.
func loadLicenses(t deskreassign.Target) string {
	switch {
	case len(t.Unknown)+len(t.Missing) > 0:
		return page.MissingLicensesText(t.Candidate)
	case len(t.Held) == 1:
		return "Licensed in " + t.Held[0]
	case len(t.Held) > 1:
		return "Licensed in all " + strconv.Itoa(len(t.Held)) + " states"
	default:
		return ""
	}
}

// leftOutText names who gets nothing, and why.
func leftOutText(p deskreassign.OutProposal) string {
	var all []string
	for _, t := range p.In {
		why := "not needed"
		switch {
		case t.Gets > 0:
			continue
		case t.Open >= p.Cap:
			why = strconv.Itoa(t.Open) + " of " + strconv.Itoa(p.Cap)
		case len(t.Held) == 0 && len(t.Unknown)+len(t.Missing) > 0:
			why = "no license on file in these states"
		}
		all = append(all, t.Name()+" ("+why+")")
	}
	for _, t := range p.Absent {
		all = append(all, t.Name()+" (absent through "+text.Date(t.Absence.LastDay)+")")
	}
	if more := len(all) - maxLeftOut; more > 0 {
		all = append(all[:maxLeftOut], strconv.Itoa(more)+" more")
	}
	if p.Without > 0 {
		all = append(all, strconv.Itoa(p.Without)+" without an account that works on leads")
	}
	return strings.Join(all, ", ")
}

func presentOutRow(v text.Viewer, l deskreassign.PlannedLead, p deskreassign.OutProposal) view.OutRow {
	shown := page.PresentRow(v, &l.PipelineRow, nil)
	row := view.OutRow{App: string(l.App), Name: shown.Name, ShortID: shown.ShortID, Place: shown.CityState,
		Step: shown.Chip.Label, Timing: shown.Timing, Late: shown.Overdue, Mine: shown.YourMove}
	if l.To == "" {
		row.Why = cmp.Or(l.Problem, "No available originator can take it")
		return row
	}
	row.Why = outWhy(l, p)
	bySplit := ui.Option{Label: l.ToName, Selected: !l.Chosen}
	if l.Chosen {
		bySplit.Label = "As proposed"
	}
	row.Choices = append(row.Choices, bySplit)
	for _, t := range p.In {
		if t.UUID == l.To && !l.Chosen || t.Open >= p.Cap || slices.Contains(t.Missing, l.State) {
			continue
		}
		row.Choices = append(row.Choices,
			ui.Option{Value: string(t.UUID), Label: t.Name(), Selected: l.Chosen && t.UUID == l.To})
	}
	return row
}

// outWhy says why somebody gets a lead: their license and load, and who is licensed too but at the cap.
func outWhy(l deskreassign.PlannedLead, p deskreassign.OutProposal) string {
	open, full := 0, ""
	licensed := p.Licensed(l.State)
	for _, t := range p.In {
		if t.UUID == l.To {
			open = t.Open
		}
	}
	for _, t := range licensed {
		if t.Open >= p.Cap && full == "" {
			full = t.Name() + " is licensed, at " + strconv.Itoa(t.Open) + " of " + strconv.Itoa(p.Cap)
		}
	}
	var why string
	switch {
	case l.State == "":
		why = "Property state unknown, " + strconv.Itoa(open) + " open"
	case l.License != lead.LicenseHeld:
		why = text.JoinNonEmpty(". ", "No license on file: "+l.State, full)
	case len(licensed) == 1:
		why = "Only available originator with a license on file: " + l.State
	default:
		why = text.JoinNonEmpty(". ", "Licensed in "+l.State+", "+text.Pluralize(open, "open lead", "open leads"), full)
	}
	if l.Chosen {
		why = "Your choice. " + why
	}
	return why
}

// presentReturn maps what became of the leads of somebody who is back. The caller sets Page and Key.
func presentReturn(v text.Viewer, back deskreassign.Return) view.ReturnView {
	name := text.OrDash(back.Person.Name())
	model := view.ReturnView{ID: back.ID, Title: "Leads to return to " + name, First: cmp.Or(back.Person.FirstName, name),
		When: v.DateTime(text.TimeOfMillis(back.CreatedAt))}
	moved, open := 0, 0
	for _, row := range back.Rows {
		switch {
		case row.Result == lead.RowMoved:
			moved++
		case row.Result.Pending():
			open++
		case row.Result != lead.RowAsked && row.State != lead.JobRowBack:
			why := rowResultText(row)
			switch {
			case row.Result == lead.RowUndone:
				why = "The return was undone."
			case row.State == lead.JobRowKept:
				why = "A manager left it where it is."
			}
			stayed := view.StayedRow{ShortID: row.ShortID, Why: why}
			if full := text.FullName(row.Name); full != "" {
				stayed.Name, stayed.Href = full, v.Base.Lead(string(row.App))
			}
			model.Others = append(model.Others, stayed)
		}
	}
	model.Note = ui.Notice{Kind: "ready", Icon: "undo-2",
		Title: text.Pluralize(moved, "lead", "leads") + " went back to " + model.First + ".",
		Text:  "No one else had worked on them."}
	switch {
	case open > 0:
		model.Note = ui.Notice{Icon: "hourglass", Title: text.Pluralize(open, "lead is", "leads are") + " going back.",
			Text: "Reload the page to see the result."}
	case moved == 0:
		model.Note = ui.Notice{Icon: "info", Title: "No lead went back automatically."}
	case moved == 1:
		model.Note.Text = "No one else had worked on it."
	}
	if back.Mine && moved+open > 0 {
		model.Note.Links = []ui.NavLink{{Label: "Show them", Href: v.Base.Reassignment(back.ID)}}
	}
	for _, l := range back.Asked {
		if l.Reason == deskreassign.ReasonAbsent {
			model.Title = name + " is still absent"
		}
		model.Asked = append(model.Asked, presentAsked(v, l, model.First))
	}
	if n := len(back.Asked); n > 0 {
		model.Question, model.Button = "Who keeps these "+strconv.Itoa(n)+"?", "Save "+strconv.Itoa(n)+" choices"
		if n == 1 {
			model.Question, model.Button = "Who keeps this lead?", "Save choice"
		}
	}
	return model
}

func presentAsked(v text.Viewer, l deskreassign.AskedLead, first string) view.AskedRow {
	shown := page.PresentRow(v, &l.PipelineRow, nil)
	row := view.AskedRow{App: string(l.App), Name: shown.Name, ShortID: shown.ShortID, Place: shown.CityState,
		Step: shown.Chip.Label, Href: v.Base.Lead(string(l.App)), Back: "Back to " + first, Keep: "Stays",
		BackFirst: !l.Touched()}
	if holder, _, _ := strings.Cut(l.Originator, " "); holder != "" {
		row.Keep = holder + " keeps it"
	}
	row.Done = text.JoinNonEmpty(". ", workText(v, l.Work), l.Reason)
	if l.Problem != "" {
		row.Back, row.BackFirst = "", false
		row.Done = text.JoinNonEmpty(". ", row.Done, "Can’t go back: "+text.LowerFirst(l.Problem))
	}
	return row
}

// maxWork is how many things that somebody did a row names.
const maxWork = 3

// workText says who did what on a lead, each thing once, and on which days.
func workText(v text.Viewer, work []lead.Work) string {
	var people []string
	did := map[string][]string{}
	for _, w := range work {
		if !slices.Contains(people, w.Actor) {
			people = append(people, w.Actor)
		}
		if what := workOf(w); !slices.Contains(did[w.Actor], what) {
			did[w.Actor] = append(did[w.Actor], what)
		}
	}
	var parts []string
	for _, who := range people {
		all := did[who]
		if more := len(all) - maxWork; more > 0 {
			all = append(all[:maxWork:maxWork], strconv.Itoa(more)+" more")
		}
		parts = append(parts, who+": "+strings.Join(all, ", "))
	}
	if len(work) == 0 {
		return ""
	}
	first := v.ShortMoment(text.TimeOfMillis(work[0].At))
	if last := v.ShortMoment(text.TimeOfMillis(work[len(work)-1].At)); last != first {
		first += " to " + last
	}
	return strings.Join(parts, "; ") + " (" + first + ")"
}

var workDone = map[lead.EventKind]string{
	lead.EventNote: "left a note", lead.EventFollowUp: "set a reminder", lead.EventFollowUpDone: "finished a reminder",
	lead.EventShared: "shared a quote", lead.EventShareRevoked: "revoked a shared quote",
	lead.EventRevealed: "viewed borrower details", lead.EventRepullPlanned: "scheduled a credit re-pull",
	lead.EventRepullCanceled: "canceled a credit re-pull", lead.EventSetAside: "closed or reopened the lead",
	lead.WorkExported: "downloaded documents",
}

func workOf(w lead.Work) string {
	switch {
	case w.Operation != "":
		return text.LowerFirst(text.OperationOf(string(w.Operation)).Subject)
	case w.Kind == lead.EventContact:
		return text.LowerFirst(text.ContactMade(w.Detail))
	default:
		return cmp.Or(workDone[w.Kind], "worked on it")
	}
}
