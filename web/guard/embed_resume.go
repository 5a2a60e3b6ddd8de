package guard

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
)

// embedPendingKey names the pending form of an embed. Each launch has its own name, so that two
// records never mix.
func embedPendingKey(launch string) string { return "frame " + launch }

// savePendingForWindow stores the form of a lead that the user must submit from a separate window.
// It omits SSNs, and confirmations, which the same clickjacking may have ticked.
func (p *PendingForms) savePendingForWindow(r *http.Request, v *page.Visit) error {
	pending := pendingFormOf(r)
	pending.Path = strings.TrimPrefix(pending.Path, strings.TrimSuffix(v.Base.Home(), "/"))
	dropConfirmations(pending.Typed)
	return p.accounts.SavePendingFormAt(r.Context(), embedPendingKey(v.Embed.ID), v.User.UserID, pending)
}

// ResumeFromEmbedPage shows a form that was filled in inside a CRM's embed on its page in the full
// desk, as the user typed it. Nothing has been sent; the user submits it here. If the launch is
// another user's or has no pending form, it redirects to the home page.
func (g *Guard) ResumeFromEmbedPage(w http.ResponseWriter, r *http.Request, d page.Desk) error {
	pending, err := g.accounts.PendingFormAt(r.Context(), embedPendingKey(chi.URLParam(r, "launch")),
		page.ActorOf(r).UserID)
	if err != nil {
		return err
	}
	app, action, ok := leadOfForm(pending.Path)
	if !ok || action == "" || strings.Contains(action, "/") {
		return page.Redirect(w, r, to.Full.Home())
	}
	l, err := d.Lead(r.Context(), app)
	if err != nil {
		return err
	}
	a := page.SubmittedForm{
		Action: action, Form: &form.Form{Values: pending.Typed, OperationID: pending.Typed.Get("operation"),
			Corrections: map[string]string{}}, Status: http.StatusOK, FromEmbed: true,
	}
	return g.redisplay(w, r, l, a)
}
