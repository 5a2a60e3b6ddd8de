package pipeline

import (
	"context"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	deskpipeline "hearthline/internal/desk/pipeline"
	view "hearthline/views/pipeline"
	"hearthline/views/to"
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
