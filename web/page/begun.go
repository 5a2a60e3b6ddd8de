package page

import (
	"hearthline/views/ui"
	"net/http"
)

// begunSetUp is a mailed link that was opened.
const BegunSetUp Begun = "set-up"

// begun is the cookie of what a browser has begun and not finished, by its kind. It is
// not a session: nobody is signed in by it.
type Begun string

func (s *Server) begunName(kind Begun) string {
	if s.secure() {
		return "__Host-pre-" + string(kind)
	}
	return "pre-" + string(kind)
}

// keepBegun gives the browser a token for a while; an empty one takes it back.
func (s *Server) KeepBegun(w http.ResponseWriter, kind Begun, token string) {
	age := 600
	switch {
	case token == "":
		age = -1
	case kind == BegunSetUp:
		age = 1800 // an app may have to be found first
	case kind == BegunHeld:
		age = 0 // as long as the browser
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.begunName(kind), Value: token, Path: "/", MaxAge: age, HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode,
	})
}

func (s *Server) BegunToken(r *http.Request, kind Begun) string {
	c, err := r.Cookie(s.begunName(kind))
	if err != nil {
		return ""
	}
	return c.Value
}

// doorPage is the frame of a page before somebody is signed in.
func (s *Server) DoorPage(r *http.Request, title string) ui.Page {
	return ui.Page{Title: title, Theme: look(r, "theme"), Density: look(r, "density")}
}
