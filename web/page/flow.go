package page

import (
	"hearthline/views/ui"
	"net/http"
)

// FlowSetUp is the setup that begins when a user opens a link from an email.
const FlowSetUp Flow = "set-up"

// Flow is a kind of unfinished process that a cookie identifies. It is not a session: it signs
// nobody in.
type Flow string

func (s *Server) flowCookieName(kind Flow) string {
	if s.secure() {
		return "__Host-pre-" + string(kind)
	}
	return "pre-" + string(kind)
}

// SetFlowCookie gives the browser a token for a limited time; an empty token deletes it.
func (s *Server) SetFlowCookie(w http.ResponseWriter, kind Flow, token string) {
	age := 600
	switch {
	case token == "":
		age = -1
	case kind == FlowSetUp:
		age = 1800 // the user may have to install an authenticator app first
	case kind == FlowPendingForm:
		age = 0 // until the browser is closed
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.flowCookieName(kind), Value: token, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode,
	})
}

// FlowToken returns the token of the browser's flow cookie, or an empty string.
func (s *Server) FlowToken(r *http.Request, kind Flow) string {
	c, err := r.Cookie(s.flowCookieName(kind))
	if err != nil {
		return ""
	}
	return c.Value
}

// PublicLayout returns the layout of a page before sign-in.
func (s *Server) PublicLayout(r *http.Request, title string) ui.Page {
	return ui.Page{Title: title, Theme: appearanceCookie(r, "theme"), Density: appearanceCookie(r, "density")}
}
