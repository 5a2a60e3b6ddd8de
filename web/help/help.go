// Package help serves the help pages.
package help

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	view "hearthline/views/help"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// RedirectToFirstPage opens the help at its first page.
func (h *Handlers) RedirectToFirstPage(w http.ResponseWriter, r *http.Request) error {
	return page.Redirect(w, r, page.BaseOf(r).Help("start"))
}

// HelpPage shows a page of the documentation.
func (h *Handlers) HelpPage(w http.ResponseWriter, r *http.Request) error {
	key := chi.URLParam(r, "page")
	model, ok := view.Page(page.BaseOf(r), key)
	if !ok {
		return h.NotFound(w, r)
	}
	model = model.At(h.origin)
	if key == view.KeyboardPage {
		model.Keys = h.shortcuts(r)
		if page.IsFragment(r) {
			return h.Render(w, r, http.StatusOK, ui.ShortcutList(model.Keys))
		}
	}
	model.Page = h.Layout(r, model.Title)
	return h.Render(w, r, http.StatusOK, view.Help(model))
}

// shortcuts returns the list of shortcuts that work for the user.
func (h *Handlers) shortcuts(r *http.Request) ui.ShortcutsView {
	list := ui.ShortcutsView{Groups: h.Shortcuts(r), On: !page.ActorOf(r).ShortcutsOff}
	if !page.BaseOf(r).Embedded() {
		list.SettingURL = to.ShortcutSetting()
	}
	return list
}

func (h *Handlers) publicHelpPage(key string) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		model, _ := view.Page(to.Full, key)
		model = model.At(h.origin)
		if model.Page = h.BasicLayout(r, model.Title); page.VisitOf(r) == nil {
			model = model.Public()
		}
		return h.Render(w, r, http.StatusOK, view.Help(model))
	}
}

// DownloadSample sends a code sample as a file.
func (h *Handlers) DownloadSample(w http.ResponseWriter, r *http.Request) error {
	name := chi.URLParam(r, "file")
	body, ok := view.Download(name, h.origin)
	if !ok {
		return h.NotFound(w, r)
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = w.Write(body) // an error means that the client has disconnected
	return nil
}

// Handlers answer the routes of the help area.
type Handlers struct {
	*page.Responder
	origin string // of the portal, as browsers see it
}

// New creates the handlers.
func New(r *page.Responder, origin string) *Handlers { return &Handlers{r, origin} }

// Routes returns the routes of this area. The pages for administrators of CRMs are public, because they may not have
// an account: these pages explain how to integrate the portal and contain no data.
func (h *Handlers) Routes() []page.Route {
	routes := page.InEmbeds(page.WithPermission(access.UseAccount, []page.Route{
		page.Get("/help", "help start", h.RedirectToFirstPage),
		page.Get("/help/{page}", "help", h.HelpPage),
	}))
	for _, key := range view.PublicPages() {
		routes = append(routes, page.Route{Method: http.MethodGet, Pattern: to.Full.Help(key), Name: "help for CRMs",
			Public: true, OptionalUser: true, Handler: h.publicHelpPage(key)})
	}
	return append(routes, page.WithoutSignIn([]page.Route{
		page.Get(to.HelpFile("")+"{file}", "samples for CRMs", h.DownloadSample)})...)
}
