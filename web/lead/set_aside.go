package lead

import (
	"net/http"

	"hearthline/web/form"
	"hearthline/web/page"
)

// SetAside marks the lead as ended without offers, here only, or undoes that.
func (h *Handlers) SetAside(w http.ResponseWriter, r *http.Request, l page.Lead, f *form.Form) error {
	undo := f.IsChecked("undo")
	if !undo && !f.IsChecked("confirm.set-aside") {
		f.AddError("confirm.set-aside", "Check this box to close the lead")
	}
	return h.runLocal(w, r, l, page.SubmittedForm{Action: "set-aside", Form: f},
		func() error { return l.SetAside(r.Context(), !undo) })
}

// RefreshLead requests the lead from the lender again. A live event notifies the page when it has
// arrived.
func (h *Handlers) RefreshLead(w http.ResponseWriter, r *http.Request, l page.Lead) error {
	return page.NavigateAfter(w, r, l.Refresh(r.Context()), page.BaseOf(r).Lead(string(l.App())))
}
