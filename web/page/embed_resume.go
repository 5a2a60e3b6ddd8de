package page

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// IsEmbedScriptPost says whether our script sent a form inside a frame. It is told where to go on, and
// shows what else is answered in the place of its page.
func IsEmbedScriptPost(r *http.Request) bool {
	v := VisitOf(r)
	return r.Method == http.MethodPost && r.Header.Get("HX-Request") == "true" && v != nil && v.Embed != nil
}

// embedPendingKey is where the form of a frame waits. Each frame has a place of its own, so that
// two records never mix.
func embedPendingKey(launch string) string { return "frame " + launch }

// savePendingForWindow keeps the form of a lead that is to be sent from a window of its own: never
// an SSN, and no confirmation, which may have been ticked by the same trick.
func (s *Server) savePendingForWindow(r *http.Request, v *Visit) error {
	held := pendingFormOf(r)
	held.Path = strings.TrimPrefix(held.Path, strings.TrimSuffix(v.Base.Home(), "/"))
	dropConfirmations(held.Typed)
	return s.Accounts.SavePendingFormAt(r.Context(), embedPendingKey(v.Embed.ID), v.User.UserID, held)
}

// ResumeFromEmbedPage shows a form that was filled inside a CRM's frame where it stands in the full
// desk, as it was typed. Nothing has been sent: the press that counts is made here. A
// launch that is another person's, or holds nothing, leads to the start.
func (s *Server) ResumeFromEmbedPage(w http.ResponseWriter, r *http.Request, d Desk) error {
	held, err := s.Accounts.PendingFormAt(r.Context(), embedPendingKey(chi.URLParam(r, "launch")), ActorOf(r).UserID)
	if err != nil {
		return err
	}
	app, act, ok := parseLeadAction(held.Path)
	if !ok {
		return Redirect(w, r, to.Full.Home())
	}
	l, err := d.Lead(r.Context(), app)
	if err != nil {
		return err
	}
	a := SubmittedForm{
		Action: act, Form: &form.Form{Values: held.Typed, OperationID: held.Typed.Get("operation"), Corrections: map[string]string{}}, Status: http.StatusOK, FromEmbed: true,
	}
	return s.Redisplay(w, r, l, a)
}

// parseLeadAction takes the address of a deed apart: /leads/{app}/{act}.
func parseLeadAction(address string) (app, act string, ok bool) {
	rest, ok := strings.CutPrefix(address, "/leads/")
	if !ok {
		return "", "", false
	}
	app, act, ok = strings.Cut(rest, "/")
	return app, act, ok && act != "" && !strings.Contains(act, "/")
}

// FromEmbedNotice stands above a form that came from a frame.
func FromEmbedNotice() ui.Notice {
	return ui.Notice{
		Kind: "yours", Icon: "arrow-right", Title: "From your CRM.",
		Text: "Nothing has been sent yet. Look it over, confirm it and press the button here; the frame follows by itself.",
	}
}
