package admin

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	deskadmin "hearthline/internal/desk/admin"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// renderOriginators shows the lender's directory to administrators: which of its changes need a
// decision, which people it removed, who is an originator, and which of them have an account here.
func (h *Handlers) renderOriginators(w http.ResponseWriter, r *http.Request, people *deskadmin.People,
	f *form.Form) error {
	review, err := people.Directory(r.Context())
	if err != nil {
		return err
	}
	v := h.Viewer(r)
	model := view.OriginatorsView{Admin: h.layout(r, "Originators",
		"The lender’s directory. Originators listed here can set up an account with their email.")}
	model.Admin.Form = ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError}
	if model.Table, err = h.directoryTable(r, people); err != nil {
		return err
	}
	if review.Unread != "" {
		model.Notes = append(model.Notes, unreadDirectory(review.Unread))
	}
	model.Changes = presentChanges(v, review.Changes, f.Text("state"))
	if review.Held.People > 0 {
		model.Changes = append(model.Changes, presentHeld(review.Held, f.Text("state")))
	}
	if f.HasErrors() && !slices.ContainsFunc(model.Changes,
		func(p view.ChangesPanel) bool { return p.Asked && p.Apply != "" }) {
		model.Admin.Form, f.FormError = ui.Form{}, deskadmin.ChangeIsOver
		model.Admin.Form.FormError = f.FormError // the form that the error belongs to is not on the page
	}
	model.Closed = presentClosed(v, review.Closed)
	return h.Render(w, r, page.FormStatus(f), view.Originators(model))
}

func (h *Handlers) directoryTable(r *http.Request, people *deskadmin.People) (view.Table, error) {
	dir, err := page.VisitOf(r).Desk.Directory()
	if err != nil {
		return view.Table{}, err
	}
	typed := strings.TrimSpace(r.URL.Query().Get("q"))
	typed = typed[:min(len(typed), 200)]
	found, err := dir.Find(r.Context(), typed)
	if err != nil {
		return view.Table{}, err
	}
	all, err := people.List(r.Context())
	if err != nil {
		return view.Table{}, err
	}
	accounts := map[string]string{}
	for _, p := range all {
		if accounts[p.OriginatorUUID] = "Active"; p.Disabled {
			accounts[p.OriginatorUUID] = "Disabled"
		}
	}
	model := page.PresentDirectory(h.Viewer(r), typed, found)
	t := view.Table{ID: "directory", Title: "Directory", Cards: true, Sub: model.ResultText + " · " + model.ReadText,
		Empty: model.Empty.Text, Columns: []ui.Column{{Label: "Name"}, {Label: "NMLS"}, {Label: "Email"}, {Label: "Company"},
			{Label: "Account"}, {Label: "Updated"}}}
	for _, p := range model.People {
		seen := view.Cell{Text: p.LastSeen}
		if p.NotInDirectory != "" {
			seen = view.Cell{Text: p.NotInDirectory, NeedsAttention: true}
		}
		t.Rows = append(t.Rows, []view.Cell{{Text: p.Name}, {Text: p.NMLS}, {Text: p.Email}, {Text: p.Company},
			{Text: accounts[p.ID]}, seen})
	}
	return t, nil
}

// unreadDirectory states that the last read of the lender's directory was incomplete.
func unreadDirectory(why string) ui.Notice {
	return ui.Notice{Kind: "fail", Icon: "cloud-off", Title: "The lender’s directory couldn’t be loaded completely.",
		Text: why, More: "Until it is, no originators are removed or moved to another company."}
}

// heldState is the state value in the form for new people.
const heldState = "new"

// presentHeld lists the companies of the new people whom an administrator has to approve.
func presentHeld(held lead.HeldAdditions, submitted string) view.ChangesPanel {
	people := text.Decimal(new(float64(held.People)))
	p := view.ChangesPanel{
		State: heldState, Until: held.Digest, Asked: submitted == heldState,
		Text: "The last full update of the lender’s directory listed " + people + " new people, too many to add " +
			"automatically. Once they’re added, they can set up accounts. Until then, nothing has changed in Hearthline.",
		Apply: "Add " + people + " people", Icon: "users", Confirm: "Yes, I checked with the lender that they’re originators",
		Table: view.Table{ID: heldState, Title: "New people to review", Sub: people + " people",
			Columns: []ui.Column{{Label: "Company"}, {Label: "New people"}}},
	}
	if held.Approved {
		p.Text, p.Apply = "An administrator approved this. They’ll be added after the next full update of the lender’s "+
			"directory if it lists exactly the same people.", ""
	}
	others := held.People
	for _, c := range held.Companies {
		others -= c.People
		p.Table.Rows = append(p.Table.Rows, countRow(text.OrDash(c.Name), c.People))
	}
	if others > 0 {
		p.Table.Rows = append(p.Table.Rows, countRow("Other companies", others))
	}
	return p
}

func countRow(name string, n int) []view.Cell {
	return []view.Cell{{Text: name}, {Text: text.Decimal(new(float64(n))), Num: true}}
}

// changeStates lists the states in the order of the page, each with the texts of its panel.
func changeStates() []view.ChangesPanel {
	return []view.ChangesPanel{
		{
			State: string(lead.ChangeWaiting), Table: view.Table{ID: "waiting", Title: "Changes to review"},
			Text: "The lender’s directory no longer lists these people, or lists them under another company. " +
				"The change affects too many people to apply automatically. Nothing has changed for them in Hearthline.",
			Apply: "Apply change", Icon: "user-x", Confirm: "Yes, apply it to everyone listed here who is still affected",
			Discard: "Discard change",
		},
		{
			State: string(lead.ChangeApproved), Table: view.Table{ID: "approved", Title: "Approved, not applied yet"},
			Text: "An administrator approved this. It will be applied after the next full update of the lender’s directory " +
				"if the change is still there.",
			Discard: "Discard change",
		},
		{
			State: string(lead.ChangeDisregarded), Table: view.Table{ID: "disregarded", Title: "Discarded changes"},
			Text: "The lender’s directory does not list these people, or lists them under another company. " +
				"An administrator decided to keep them as they are.",
			Apply: "Apply change", Icon: "user-x", Confirm: "Yes, apply it to everyone listed here who is still affected",
		},
	}
}

// presentChanges maps the changes to one panel for each state that has any; asked is the state
// whose form was rejected.
func presentChanges(v text.Viewer, changes []deskadmin.ReviewedChange, submitted string) []view.ChangesPanel {
	var panels []view.ChangesPanel
	for _, p := range changeStates() {
		p.Table.Columns = []ui.Column{{Label: "Name"}, {Label: "Company in Hearthline"}, {Label: "Change"}, {Label: "Effect"}}
		var until int64
		for _, c := range changes {
			if string(c.State) == p.State {
				until = max(until, c.ShownAt)
				p.Table.Rows = append(p.Table.Rows, changeRow(v, c))
			}
		}
		if n := len(p.Table.Rows); n > 0 {
			p.Asked = p.State == submitted
			p.Until, p.Table.Sub = strconv.FormatInt(until, 10), text.Pluralize(n, "person", "people")
			panels = append(panels, p)
		}
	}
	return panels
}

func changeRow(v text.Viewer, c deskadmin.ReviewedChange) []view.Cell {
	reason := view.Cell{Text: "Not in the lender’s directory",
		Sub: "since " + v.DateTime(text.TimeOfMillis(c.MissingSince))}
	if c.MissingSince == 0 {
		reason.Sub = ""
	}
	if c.ToCompany != "" {
		reason = view.Cell{Text: "Now listed under " + text.OrDash(c.ToName)}
	}
	var effects []string
	if c.Leads > 0 {
		effects = append(effects, text.Pluralize(c.Leads, "open lead becomes unassigned", "open leads become unassigned"))
	}
	if c.Closes {
		effects = append(effects, "account is disabled")
	}
	return []view.Cell{{Text: c.Name(), Sub: nmlsText(c.NMLS)}, {Text: c.Company()}, reason,
		{Text: strings.Join(effects, ", ")}}
}

// presentClosed maps the accounts that were closed because the directory no longer lists their
// users. Those closed by the same read can be undone together.
func presentClosed(v text.Viewer, closed []lead.Closure) view.ClosedPanel {
	p := view.ClosedPanel{
		Text: "Undo reopens the account and returns the leads that haven’t been reassigned since. " +
			"The person has to sign in again, and keeps the account even while the directory doesn’t list them.",
		Table: view.Table{
			ID: "closed", Title: "Removed because the lender’s directory no longer lists them",
			Sub:     text.Pluralize(len(closed), "person", "people"),
			Columns: []ui.Column{{Label: "Name"}, {Label: "Company"}, {Label: "Removed"}, {Label: "Status"}, {Label: "Undo"}},
		},
	}
	batchSizes := map[int64]int{}
	for _, c := range closed {
		batchSizes[c.RemovedAt]++
	}
	for _, c := range closed {
		if n := batchSizes[c.RemovedAt]; n > 1 && c.RemovedAt != 0 {
			p.Batches = append(p.Batches, ui.Action{
				Label: "Undo for all " + strconv.Itoa(n) + " removed " + v.DateTime(text.TimeOfMillis(c.RemovedAt)), Name: "goneAt",
				Value: strconv.FormatInt(c.RemovedAt, 10),
			})
			delete(batchSizes, c.RemovedAt)
		}
		var restored []string
		if c.UserID != "" {
			restored = append(restored, "account")
		}
		if c.Leads > 0 {
			restored = append(restored, text.Pluralize(c.Leads, "lead", "leads"))
		}
		when := view.Cell{Text: v.DateTime(text.TimeOfMillis(c.RemovedAt))}
		if c.RemovedAt == 0 {
			when = view.Cell{Text: "Listed again", Sub: "restored at the next full update"}
		}
		p.Table.Rows = append(p.Table.Rows, []view.Cell{
			{Text: c.Name(), Sub: nmlsText(c.NMLS)}, {Text: c.Company()}, when, {Text: strings.Join(restored, ", ")},
			{Actions: []ui.Action{{Label: "Undo", Name: "originator", Value: string(c.UUID), Form: "undo"}}},
		})
	}
	return p
}

// applyDirectory approves a change of the directory after the administrator has confirmed it.
func applyDirectory(r *http.Request, p *deskadmin.People, f *form.Form) error {
	if !f.IsChecked("confirm.apply") {
		return fault.InvalidFields(fault.Field{Name: "confirm.apply", Message: "Check this box to apply the change"})
	}
	if f.Text("state") == heldState {
		return p.AddHeld(r.Context(), f.Text("until"))
	}
	return p.DecideDirectory(r.Context(), decisionIn(f, true))
}

// discardDirectory keeps people as they are, whatever the directory lists.
func discardDirectory(r *http.Request, p *deskadmin.People, f *form.Form) error {
	return p.DecideDirectory(r.Context(), decisionIn(f, false))
}

func decisionIn(f *form.Form, apply bool) deskadmin.Decision {
	// zero if missing or malformed: no change was shown before the zero time
	until, _ := strconv.ParseInt(f.Text("until"), 10, 64)
	return deskadmin.Decision{From: lead.ChangeState(f.Text("state")), Until: until, Apply: apply}
}

// undoDirectory undoes one closure, or all closures of one read.
func undoDirectory(r *http.Request, p *deskadmin.People, f *form.Form) error {
	one := f.Text("originator")
	at, _ := strconv.ParseInt(f.Text("goneAt"), 10, 64)
	return p.UndoClosures(r.Context(), func(c lead.Closure) bool {
		return one != "" && string(c.UUID) == one || one == "" && at != 0 && c.RemovedAt == at
	})
}
