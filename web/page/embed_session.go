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

func (s *Server) IframeCookieName(client string) string { return s.cookiePrefix() + "e-" + client }

func (s *Server) TabCookieName(client string) string { return s.cookiePrefix() + "t-" + client }

func (s *Server) cookiePrefix() string {
	if s.secure() {
		return "__Host-"
	}
	return ""
}

// SetIframeCookie is the one place that writes the cookies of embedded sessions; an empty
// value takes them away.
func (s *Server) SetIframeCookie(w http.ResponseWriter, client, value string) {
	s.setEmbedCookie(w, &http.Cookie{Name: s.IframeCookieName(client), Value: value, Secure: true, SameSite: http.SameSiteNoneMode, Partitioned: true})
}

func (s *Server) SetTabCookie(w http.ResponseWriter, client, value string) {
	s.setEmbedCookie(w, &http.Cookie{Name: s.TabCookieName(client), Value: value, Secure: s.secure(), SameSite: http.SameSiteLaxMode})
}

func (s *Server) setEmbedCookie(w http.ResponseWriter, c *http.Cookie) {
	c.Path, c.HttpOnly = "/", true
	if c.Value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// EmbedVisit is one request inside a frame, or in the tab that stands for one.
type EmbedVisit struct {
	embed.Visit
	InTab bool
}

// FindEmbedVisit finds who is in the frame of a launch, by the frame's cookie or else by the tab's.
func (s *Server) FindEmbedVisit(r *http.Request, client, launch string) (EmbedVisit, error) {
	var last EmbedVisit
	for _, name := range []string{s.IframeCookieName(client), s.TabCookieName(client)} {
		v, err := s.Embeds.Visit(r.Context(), client, launch, CookieTokenHash(r, name))
		if last = (EmbedVisit{Visit: v, InTab: name == s.TabCookieName(client)}); err != nil || v.SignedIn() {
			return last, err
		}
	}
	return last, nil
}

// CookieTokenHash is the hash of the token that the browser came with, whatever it is worth.
func CookieTokenHash(r *http.Request, name string) string {
	if c, err := r.Cookie(name); err == nil {
		return account.HashToken(embed.ParseBoundToken(c.Value))
	}
	return ""
}
