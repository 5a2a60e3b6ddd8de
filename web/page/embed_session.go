package page

import (
	"net/http"

	"hearthline/internal/account"
	"hearthline/internal/embed"
)

// A frame has cookies of its own names, one for each CRM: what is kept in a frame and what
// is kept in a tab are never read for each other by accident. The first goes with
// requests out of that CRM's pages alone (partitioned) and needs Secure, which browsers
// allow on this machine without TLS.

func (s *Server) FrameCookie(client string) string { return s.hostPrefix() + "e-" + client }

func (s *Server) TabCookie(client string) string { return s.hostPrefix() + "t-" + client }

func (s *Server) hostPrefix() string {
	if s.secure() {
		return "__Host-"
	}
	return ""
}

// keepInFrame is the one place that writes the cookies of embedded sessions; an empty
// value takes them away.
func (s *Server) KeepInFrame(w http.ResponseWriter, client, value string) {
	s.setEmbedCookie(w, &http.Cookie{Name: s.FrameCookie(client), Value: value, Secure: true, SameSite: http.SameSiteNoneMode, Partitioned: true})
}

func (s *Server) KeepInTab(w http.ResponseWriter, client, value string) {
	s.setEmbedCookie(w, &http.Cookie{Name: s.TabCookie(client), Value: value, Secure: s.secure(), SameSite: http.SameSiteLaxMode})
}

func (s *Server) setEmbedCookie(w http.ResponseWriter, c *http.Cookie) {
	c.Path, c.HttpOnly = "/", true
	if c.Value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// framed is one request inside a frame, or in the tab that stands for one.
type framed struct {
	embed.Visit
	Tab bool
}

// cameBy finds who is in the frame of a launch, by the frame's cookie or else by the tab's.
func (s *Server) CameBy(r *http.Request, client, launch string) (framed, error) {
	var last framed
	for _, name := range []string{s.FrameCookie(client), s.TabCookie(client)} {
		v, err := s.Embeds.Visit(r.Context(), client, launch, Before(r, name))
		if last = (framed{Visit: v, Tab: name == s.TabCookie(client)}); err != nil || v.Signed() {
			return last, err
		}
	}
	return last, nil
}

// before is the hash of the token that the browser came with, whatever it is worth.
func Before(r *http.Request, name string) string {
	if c, err := r.Cookie(name); err == nil {
		return account.HashToken(embed.TokenOf(c.Value))
	}
	return ""
}
