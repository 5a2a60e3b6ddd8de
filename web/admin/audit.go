package admin

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	deskadmin "hearthline/internal/desk/admin"

	view "hearthline/views/admin"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// AuditPage shows who did what, filtered by user, lead, action and date.
func (h *Handlers) AuditPage(w http.ResponseWriter, r *http.Request, a *deskadmin.Audit) error {
	f := &form.Form{Values: r.URL.Query(), Corrections: map[string]string{}}
	v := h.Viewer(r)
	query := deskadmin.AuditQuery{Person: f.Text("person"), Lead: f.Text("lead"), Action: f.Text("action")}
	query.From, query.To = page.Period(v, f)
	query.Before, _ = strconv.ParseInt(f.Text("before"), 10, 64)
	rows, err := a.Page(r.Context(), query)
	if err != nil && !page.Rejected(f, err) {
		return err
	}
	model := presentAudit(v, rows, query, f)
	model.Admin = h.layout(r, "Audit log", "User actions and denied requests. Leads appear by ID, without borrower names.")
	model.Admin.Form = ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError}
	return h.Render(w, r, page.FormStatus(f), view.Audit(model))
}

// presentAudit maps a page of the audit. The caller sets Admin.
func presentAudit(v text.Viewer, p deskadmin.AuditPage, query deskadmin.AuditQuery, f *form.Form) view.AuditView {
	people := [][2]string{{"", "All users"}, {"system", "Hearthline"}, {"nobody", "Not signed in"}}
	for _, u := range p.People {
		people = append(people, [2]string{u.UserID, u.Name + ", " + u.Email})
	}
	actions := append([][2]string{{"", "All actions"}}, text.AuditActions()...)
	formErrors := ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors), FormError: f.FormError}
	model := view.AuditView{
		Action: to.Full.Admin("audit"), ChainHeadsURL: to.AuditHeads(),
		Fields: []ui.Field{
			{Name: "person", Label: "User", Span: "c4", Options: ui.Choices(query.Person, people...)},
			{Name: "action", Label: "Action", Span: "c4", Options: ui.Choices(query.Action, actions...)},
			{Name: "lead", Label: "Lead ID", Span: "c4", Value: query.Lead, Max: "64", Error: formErrors.ErrorOf("lead")},
			{Name: "from", Label: "From", Span: "c2", Value: f.Text("from"), Placeholder: "mm/dd/yyyy", Max: "10",
				Error: formErrors.ErrorOf("from")},
			{Name: "to", Label: "To", Span: "c2", Value: f.Text("to"), Placeholder: "mm/dd/yyyy", Max: "10",
				Error: formErrors.ErrorOf("to")},
		},
		Table: view.Table{
			ID: "rows", Title: "Actions", Empty: "No actions match.",
			Columns: []ui.Column{{Label: "When"}, {Label: "User"}, {Label: "Action"}, {Label: "Object"}, {Label: "Outcome"},
				{Label: "Row", Class: "num"}},
		},
		ChainHead: ui.FactsOrDash("First row", text.AuditStart(p.Base.Seq, v.ExactTime(p.Base.TrimmedAt)),
			"Last row", strconv.FormatInt(p.Head.Seq, 10), "Hash of last row", p.Head.MAC,
			"Last row written", v.ExactTime(p.Head.At)),
	}
	for _, row := range p.Rows {
		model.Table.Rows = append(model.Table.Rows, presentAuditRow(v, row))
	}
	model.Technical = presentAuditTechnical(p.Rows)
	if n := len(p.Rows); n > 0 {
		model.Table.Pager.CountText = fmt.Sprintf("Rows %d to %d", p.Rows[n-1].Seq, p.Rows[0].Seq)
	}
	if query.Before != 0 {
		model.Table.Pager.First = to.AuditPage(f.Values, 0)
	}
	if p.Next != 0 {
		model.Table.Pager.Next = to.AuditPage(f.Values, p.Next)
	}
	return model
}

// systemActorText has the display names of actors that are not accounts.
var systemActorText = map[string]string{"system": "Hearthline", "nobody": "Not signed in"}

func presentAuditRow(v text.Viewer, a deskadmin.AuditRow) []view.Cell {
	who := view.Cell{Text: cmp.Or(a.Actor, systemActorText[a.ActorID], "Unknown account"), Sub: a.Network}
	kind, id, _ := strings.Cut(a.Object, ":")
	object := view.Cell{Text: text.Name(kind)}
	switch {
	case a.Subject != "":
		object.Text += " " + a.Subject
	case !text.IsTechnicalID(id):
		object.Text += " " + id
	}
	object.Text = text.UpperFirst(strings.TrimSpace(object.Text))
	return []view.Cell{
		{Text: text.UpperFirst(v.ExactTime(a.At))}, who,
		{Text: text.AuditAction(string(a.Action)), Sub: text.AuditDetail(a.Detail)}, object,
		{Text: text.AuditOutcome(a.Outcome), NeedsAttention: a.Outcome == "refused"},
		{Text: strconv.FormatInt(a.Seq, 10), Num: true},
	}
}

// presentAuditTechnical lists the rows as they are stored, with all ids.
func presentAuditTechnical(rows []deskadmin.AuditRow) []ui.Fact {
	var all []ui.Fact
	for _, a := range rows {
		all = append(all, ui.Fact{Label: "Row " + strconv.FormatInt(a.Seq, 10),
			Value: text.JoinNonEmpty(" ", a.ActorID, string(a.Action), a.Object, a.Outcome, a.Detail)})
	}
	return all
}

// AuditHeads lists the chain heads to store elsewhere: row, time and MAC, one per line.
func (h *Handlers) AuditHeads(w http.ResponseWriter, r *http.Request, a *deskadmin.Audit) error {
	heads, err := a.Heads(r.Context())
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="audit-heads.txt"`)
	for _, head := range heads {
		//nolint:gosec // numbers and marks of our own
		_, _ = io.WriteString(w, fmt.Sprintf("%d %s %s\n", head.Seq,
			text.TimeOfMillis(head.At).Format(time.RFC3339), head.MAC))
	}
	return nil
}
