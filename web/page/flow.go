package page

import (
	"hearthline/views/ui"
	"net/http"
)

// FlowSetUp is a mailed link that was opened.
const FlowSetUp Flow = "set-up"

// Flow is the cookie of what a browser has begun and not finished, by its kind. It is
// not a session: nobody is signed in by it.
type Flow string

func (s *Server) flowCookieName(kind Flow) string {
	if s.secure() {
		return "__Host-pre-" + string(kind)
	}
	return "pre-" + string(kind)
}

// SetFlowCookie gives the browser a token for a while; an empty one takes it back.
func (s *Server) SetFlowCookie(w http.ResponseWriter, kind Flow, token string) {
	age := 600
	switch {
	case token == "":
		age = -1
	case kind == FlowSetUp:
		age = 1800 // an app may have to be found first
	case kind == FlowPendingForm:
		age = 0 // as long as the browser
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.flowCookieName(kind), Value: token, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode,
	})
}

func (s *Server) FlowToken(r *http.Request, kind Flow) string {
	c, err := r.Cookie(s.flowCookieName(kind))
	if err != nil {
		return ""
	}
	return c.Value
}

// PublicLayout is the frame of a page before somebody is signed in.
func (s *Server) PublicLayout(r *http.Request, title string) ui.Page {
	return ui.Page{Title: title, Theme: appearanceCookie(r, "theme"), Density: appearanceCookie(r, "density")}
}
