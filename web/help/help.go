package help

import (
	"net/http"

	"github.com/go-chi/chi/v5"

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
		if model.Page = h.BasicLayout(r, model.Title); page.VisitOf(r) == nil {
			model = model.Public()
		}
		return h.Render(w, r, http.StatusOK, view.Help(model))
	}
}
