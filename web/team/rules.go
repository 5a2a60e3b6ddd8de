package team

import (
	"net/http"
	"net/url"
	"strconv"

	deskreassign "hearthline/internal/desk/reassign"

	view "hearthline/views/team"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// RulesPage shows the rules by which unassigned leads are assigned, with what they did.
func (h *Handlers) RulesPage(w http.ResponseWriter, r *http.Request, rules *deskreassign.Rules) error {
	return h.renderRules(w, r, rules, nil)
}

// SaveRules sets the rules.
func (h *Handlers) SaveRules(w http.ResponseWriter, r *http.Request, rules *deskreassign.Rules, f *form.Form) error {
	req := deskreassign.RulesRequest{Active: f.IsChecked("active"), People: f.UniqueValues("person"),
		Limit: f.Text("limit")}
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return rules.Save(r.Context(), req) }, Redisplay: func() error {
			return h.renderRules(w, r, rules, f)
		},
		Next: to.Full.TeamPart("rules"),
	})
}

// renderRules renders the page; f is the form to show again, or nil.
func (h *Handlers) renderRules(w http.ResponseWriter, r *http.Request, rules *deskreassign.Rules, f *form.Form) error {
	q := deskreassign.RulesQuery{LogBefore: r.URL.Query().Get("after"), WaitAfter: r.URL.Query().Get("waiting")}
	found, err := rules.Page(r.Context(), q)
	if err != nil {
		return err
	}
	if f == nil {
		values := url.Values{"active": {strconv.FormatBool(found.Rules.Active)}, "person": found.Rules.People}
		if found.Rules.OpenLimit > 0 {
			values.Set("limit", strconv.Itoa(found.Rules.OpenLimit))
		}
		f = page.NewForm(r, values)
	}
	model := presentRules(h.Viewer(r), found, q, f)
	model.Page = h.Layout(r, "Assignment rules")
	return h.Render(w, r, page.FormStatus(f), view.Rules(model))
}
