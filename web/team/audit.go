package team

import (
	"cmp"
	"encoding/csv"
	"io"
	"net/http"
	"strconv"
	"time"

	desklead "hearthline/internal/desk/lead"
	deskpipeline "hearthline/internal/desk/pipeline"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// AuditSearchPage asks whose audit the manager wants to see.
func (h *Handlers) AuditSearchPage(w http.ResponseWriter, r *http.Request, _ *deskpipeline.Search) error {
	return h.Render(w, r, http.StatusOK, view.AuditSearch(view.AuditSearchView{
		Page: h.Layout(r, "Who looked at a borrower")}))
}

// AuditSearch lists the leads of a borrower's name. It is a POST because the name must not be in a URL.
func (h *Handlers) AuditSearch(w http.ResponseWriter, r *http.Request, search *deskpipeline.Search) error {
	typed := page.SearchText(page.Posted(r).Get("q"))
	found, err := search.Find(r.Context(), deskpipeline.SearchRequest{Typed: typed})
	if err != nil {
		return err
	}
	model := view.AuditSearchView{Page: h.Layout(r, "Who looked at a borrower"), Query: typed, Searched: true,
		More: found.MoreLeads}
	for _, row := range found.Leads {
		model.Found = append(model.Found, view.AuditSearchRow{
			Name: text.OrDash(text.BorrowerName(row.Borrower, row.Name)),
			Sub: text.JoinNonEmpty(" · ", text.ShortID(row.Row), text.CityState(row.City, row.State),
				row.Originator, text.LeadStatus(row.Row).Chip),
			Href: to.LeadAudit(string(row.App), "", "", 0),
		})
	}
	return h.Render(w, r, http.StatusOK, view.AuditSearch(model))
}

// Rows of a page of an audit, and of a read of a file.
const (
	leadAuditPage = 50
	leadAuditFile = 500
)

// LeadAuditPage shows who did what with a borrower.
func (h *Handlers) LeadAuditPage(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f := &form.Form{Values: r.URL.Query(), Corrections: map[string]string{}}
	v := h.Viewer(r)
	query := desklead.AuditQuery{Limit: leadAuditPage}
	query.From, query.To = page.Period(v, f)
	query.Before, _ = strconv.ParseInt(f.Text("before"), 10, 64)
	rows, next, err := l.Audit(r.Context(), query)
	if err != nil {
		return err
	}
	row, app, from, through := l.Row(), string(l.App()), f.Text("from"), f.Text("to")
	form := ui.Form{FieldErrors: form.ViewErrors(f.FieldErrors)}
	model := view.LeadAuditView{
		Page: h.Layout(r, "Who looked at this borrower"), Name: text.OrDash(text.BorrowerName(row.Borrower, l.Name)),
		ShortID: text.ShortID(&row), Lead: page.BaseOf(r).Lead(app), Action: to.LeadAudit(app, "", "", 0), Form: form,
		From: ui.Field{Name: "from", Label: "From", Span: "c2", Value: from, Placeholder: "mm/dd/yyyy", Max: "10",
			Error: form.ErrorOf("from")},
		To: ui.Field{Name: "to", Label: "Through", Span: "c2", Value: through, Placeholder: "mm/dd/yyyy", Max: "10",
			Error: form.ErrorOf("to")},
		CSV:   to.LeadAuditCSV(app, from, through),
		Pager: ui.PagerView{CountText: text.PageCount(len(rows), "action", "actions", query.Before == 0, next != 0)},
	}
	model.Empty = "No actions in this period."
	if f.HasErrors() {
		rows, model.Empty = nil, "Check the dates."
	}
	for _, row := range rows {
		model.Rows = append(model.Rows, presentLeadAuditRow(v, row))
	}
	exports, err := l.ListExports(r.Context())
	if err != nil {
		return err
	}
	for _, e := range exports {
		model.Exports = append(model.Exports, ui.Fact{Label: e.Name,
			Value: text.Pluralize(e.N, "list", "lists") + ", last " + v.DateTimeInText(text.TimeOfMillis(e.At))})
	}
	if query.Before != 0 {
		model.Pager.First = to.LeadAudit(app, from, through, 0)
	}
	if next != 0 {
		model.Pager.Next = to.LeadAudit(app, from, through, next)
	}
	return h.Render(w, r, page.FormStatus(f), view.LeadAudit(model))
}

// presentLeadAuditRow maps an action. Whoever acted while the lead belonged to another company is not named.
func presentLeadAuditRow(v text.Viewer, a desklead.AuditRow) view.LeadAuditRow {
	who := cmp.Or(a.Actor, "Unknown account")
	switch {
	case a.ActorID == "system":
		who = "Hearthline"
	case a.Previous:
		who = "A user of another company"
	}
	return view.LeadAuditRow{When: text.UpperFirst(v.ExactTime(a.At)), Who: who,
		What: text.AuditAction(string(a.Action)), Detail: text.AuditDetail(a.Detail), Outcome: text.AuditOutcome(a.Outcome)}
}

// LeadAuditCSV is the audit of a period as a file, newest first. The file names the lead by its short ID only.
func (h *Handlers) LeadAuditCSV(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	f := &form.Form{Values: r.URL.Query(), Corrections: map[string]string{}}
	v := h.Viewer(r)
	query := desklead.AuditQuery{Limit: leadAuditFile}
	query.From, query.To = page.Period(v, f)
	if len(f.FieldErrors) > 0 {
		return page.Redirect(w, r, to.LeadAudit(string(l.App()), f.Text("from"), f.Text("to"), 0))
	}
	row := l.Row()
	id := text.ShortID(&row)
	file := [][]string{{"Lead", "When", "User", "Action", "Detail", "Outcome"}}
	for more := r.Method != http.MethodHead; more; more = query.Before != 0 {
		rows, next, err := l.Audit(r.Context(), query)
		if err != nil {
			return err
		}
		for _, a := range rows {
			c := presentLeadAuditRow(v, a)
			file = append(file, []string{id, text.TimeOfMillis(a.At).In(v.Zone).Format("01/02/2006 3:04:05 PM MST"), c.Who,
				c.What, c.Detail, c.Outcome})
		}
		query.Before = next
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="audit-`+v.Now.In(v.Zone).Format(time.DateOnly)+`.csv"`)
	if r.Method == http.MethodHead {
		return nil
	}
	if _, err := io.WriteString(w, text.ByteOrderMark); err != nil {
		return err
	}
	return csv.NewWriter(w).WriteAll(file)
}
