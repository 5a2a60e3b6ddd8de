package page

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// IsEmbedScriptPost reports whether our script sent a form inside an embed. The script follows the
// redirect that we name, and shows any other response in place of its page.
func IsEmbedScriptPost(r *http.Request) bool {
	v := VisitOf(r)
	return r.Method == http.MethodPost && r.Header.Get("HX-Request") == "true" && v != nil && v.Embed != nil
}

// embedPendingKey names the pending form of an embed. Each launch has its own name, so that two
// records never mix.
func embedPendingKey(launch string) string { return "frame " + launch }

// savePendingForWindow stores the form of a lead that the user must submit from a separate window.
// It omits SSNs, and confirmations, which the same clickjacking may have ticked.
func (s *Server) savePendingForWindow(r *http.Request, v *Visit) error {
	pending := pendingFormOf(r)
	pending.Path = strings.TrimPrefix(pending.Path, strings.TrimSuffix(v.Base.Home(), "/"))
	dropConfirmations(pending.Typed)
	return s.Accounts.SavePendingFormAt(r.Context(), embedPendingKey(v.Embed.ID), v.User.UserID, pending)
}

// ResumeFromEmbedPage shows a form that was filled in inside a CRM's embed on its page in the full
// desk, as the user typed it. Nothing has been sent; the user submits it here. If the launch is
// another user's or has no pending form, it redirects to the home page.
func (s *Server) ResumeFromEmbedPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	pending, err := s.Accounts.PendingFormAt(r.Context(), embedPendingKey(chi.URLParam(r, "launch")), ActorOf(r).UserID)
	if err != nil {
		return err
	}
	app, action, ok := parseLeadAction(pending.Path)
	if !ok {
		return Redirect(w, r, to.Full.Home())
	}
	l, err := d.Lead(r.Context(), app)
	if err != nil {
		return err
	}
	a := SubmittedForm{
		Action: action, Form: &form.Form{Values: pending.Typed, OperationID: pending.Typed.Get("operation"), Corrections: map[string]string{}}, Status: http.StatusOK, FromEmbed: true,
	}
	return s.Redisplay(w, r, l, a)
}

// parseLeadAction splits the URL of an action on a lead: /leads/{app}/{action}.
func parseLeadAction(address string) (app, action string, ok bool) {
	rest, ok := strings.CutPrefix(address, "/leads/")
	if !ok {
		return "", "", false
	}
	app, action, ok = strings.Cut(rest, "/")
	return app, action, ok && action != "" && !strings.Contains(action, "/")
}

// FromEmbedNotice is the notice above a form that came from an embed.
func FromEmbedNotice() ui.Notice {
	return ui.Notice{
		Kind: "yours", Icon: "arrow-right", Title: "Continued from your CRM.",
		Text: "Nothing has been sent yet. Review it, confirm, and submit it here. The page in your CRM updates automatically.",
	}
}
