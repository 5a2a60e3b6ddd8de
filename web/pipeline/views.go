package pipeline

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	deskpipeline "hearthline/internal/desk/pipeline"
	view "hearthline/views/pipeline"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// ViewsPage lists the user's saved views, and those that colleagues share.
func (h *Handlers) ViewsPage(w http.ResponseWriter, r *http.Request, views *deskpipeline.Views) error {
	return h.renderViews(w, r, views, viewsOutcome{form: &form.Form{}})
}

// viewsOutcome is a form that was rejected. Save is the list that it was to save; nil for another form.
type viewsOutcome struct {
	form *form.Form
	save *to.LeadsQuery
}

func (h *Handlers) renderViews(w http.ResponseWriter, r *http.Request, views *deskpipeline.Views,
	outcome viewsOutcome) error {
	all, err := views.List(r.Context())
	if err != nil {
		return err
	}
	model := presentViews(all, chi.URLParam(r, "id"), outcome)
	model.Page = h.Layout(r, "Saved views")
	return h.Render(w, r, page.FormStatus(outcome.form), view.Views(model))
}

// SaveView saves the list in the URL under a name, and returns to it.
func (h *Handlers) SaveView(w http.ResponseWriter, r *http.Request, views *deskpipeline.Views, f *form.Form) error {
	q := ParseLeadsQuery(r).Saved()
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return views.Save(r.Context(), f.Text("name"), q.Params()) },
		Redisplay: func() error { return h.renderViews(w, r, views, viewsOutcome{f, &q}) }, Next: to.Full.Leads(q),
	})
}

// OpenFirstView opens the user's first view, or the user's home page.
func (h *Handlers) OpenFirstView(w http.ResponseWriter, r *http.Request, views *deskpipeline.Views) error {
	query, ok, err := views.First(r.Context())
	if err != nil {
		return err
	}
	if !ok {
		return page.Redirect(w, r, h.HomeURL(page.ActorOf(r)))
	}
	return page.Redirect(w, r, to.Full.Leads(savedQuery(query)))
}

// savedQuery reads the query of a saved view as that of a URL, so it can be nothing but a list, and unknown values do
// not filter.
func savedQuery(query string) to.LeadsQuery {
	params, err := url.ParseQuery(query)
	if err != nil {
		params = nil
	}
	return page.ParseLeadsQuery(params).Saved()
}

// RenameView renames a view, or shows the form again with its errors.
func (h *Handlers) RenameView(w http.ResponseWriter, r *http.Request, views *deskpipeline.Views, f *form.Form) error {
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return views.Rename(r.Context(), chi.URLParam(r, "id"), f.Text("name")) },
		Redisplay: func() error { return h.renderViews(w, r, views, viewsOutcome{form: f}) }, Next: to.Full.Views(),
	})
}

// SetOpensFirst sets whether the first view opens when the user signs in.
func (*Handlers) SetOpensFirst(w http.ResponseWriter, r *http.Request, views *deskpipeline.Views, f *form.Form) error {
	return page.NavigateAfter(w, r, views.OpenFirst(r.Context(), f.Text("opensFirst") == "true"), to.Full.Views())
}

// onView adapts a change of one view that needs no form.
func onView(change func(views *deskpipeline.Views, ctx context.Context, id string) error) page.Handler {
	return page.WithActionOn(page.Desk.Views, change, to.Full.Views())
}

// presentViewsMenu maps the menu of saved views on a list. It marks the view whose list is shown.
func presentViewsMenu(v text.Viewer, q to.LeadsQuery, all deskpipeline.SavedViews) view.ViewsMenu {
	if v.Base.Embedded() {
		return view.ViewsMenu{}
	}
	m := view.ViewsMenu{Visible: true, Title: "Views"}
	here := to.Full.Leads(q.Saved())
	for _, one := range append(all.Own, all.Shared...) {
		item := viewRow(one)
		if item.Href == here && q.Q == "" && m.Title == "Views" {
			item.Current, m.Title = true, item.Name
		}
		m.Links = append(m.Links, item)
	}
	m.Text = listText(q)
	return m
}

// unnamedView is the name of a view whose name cannot be decrypted.
const unnamedView = "Unnamed view"

// listText says in words which leads a list contains and in which order.
func listText(q to.LeadsQuery) string {
	originator := ""
	switch q.Originator {
	case "":
	case to.NoOriginator:
		originator = "Unassigned"
	default:
		originator = "One originator"
	}
	step, state, only, sort := "", "", "", ""
	if q.Step != "" {
		step = text.StatusOf(q.Step, q.Step).Chip
	}
	if q.State != "" && q.State != to.NoState {
		state = q.State
	}
	if q.Only != "" {
		only = text.OptionText(text.Narrowings(), q.Only)
	}
	if q.Sort != "" {
		sort = "Sorted by " + text.LowerFirst(cmp.Or(text.OptionText(text.Sorts(), q.Sort), q.Sort))
	}
	return text.JoinNonEmpty(" · ", text.LaneOf(q.View).Label, step, state, originator, only,
		page.CohortText(q, nil), sort)
}

// presentViews maps the page of saved views; id is the view of a rejected form.
func presentViews(all deskpipeline.SavedViews, id string, outcome viewsOutcome) view.ViewsView {
	model := view.ViewsView{OpensFirst: all.OpensFirst}
	formView := outcome.form.View("")
	model.Form = formView
	if outcome.save != nil {
		model.Save = &view.SaveViewForm{
			Action: to.Full.SaveView(*outcome.save), Text: listText(*outcome.save),
			Name: viewNameField("view-name", "Name", outcome.form.Text("name")),
		}
		model.Save.Name.Error = formView.ErrorOf("name")
		model.Form.FieldErrors = form.LabeledErrors(outcome.form.FieldErrors, []ui.Field{model.Save.Name})
	}
	for i, one := range all.Own {
		row := viewRow(one)
		row.First, row.Rename = i == 0, viewNameField("name-"+one.ID, "Name for "+row.Name, one.Name)
		if one.ID == id && len(outcome.form.FieldErrors) > 0 {
			row.Rename.Value, row.Rename.Error = outcome.form.Text("name"), formView.ErrorOf("name")
			model.Form.FieldErrors = form.LabeledErrors(outcome.form.FieldErrors, []ui.Field{row.Rename})
		}
		model.Own = append(model.Own, row)
	}
	for _, one := range all.Shared {
		row := viewRow(one)
		row.MayUnshare = all.MayUnshare
		model.Shared = append(model.Shared, row)
	}
	return model
}

func viewNameField(id, label, value string) ui.Field {
	return ui.Field{Name: "name", ID: id, Label: label, Value: strings.TrimSpace(value), Max: "60", Required: true,
		Autocomplete: "off"}
}

func viewRow(one deskpipeline.SavedView) view.ViewRow {
	q := savedQuery(one.Query)
	return view.ViewRow{ID: one.ID, Name: cmp.Or(one.Name, unnamedView), Href: to.Full.Leads(q), Text: listText(q),
		Shared: one.Shared, Owner: one.Owner}
}
