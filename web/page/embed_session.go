package page

import (
	"net/http"

	"hearthline/internal/account"
	"hearthline/internal/embed"
)

// Embeds have their own cookies, one name for each CRM, so that a session in an iframe and one in a
// tab are never mixed up.

// IframeCookieName names the cookie of sessions inside the CRM's iframe. The cookie is partitioned:
// the browser sends it only within that CRM's pages. That requires Secure, which browsers also
// allow on localhost without TLS.
func (s *Server) IframeCookieName(client string) string { return s.cookiePrefix() + "e-" + client }

// TabCookieName names the cookie of sessions in a separate tab.
func (s *Server) TabCookieName(client string) string { return s.cookiePrefix() + "t-" + client }

func (s *Server) cookiePrefix() string {
	if s.secure() {
		return "__Host-"
	}
	return ""
}

// SetIframeCookie sets the session cookie of an iframe; an empty value deletes it.
func (s *Server) SetIframeCookie(w http.ResponseWriter, client, value string) {
	s.setEmbedCookie(w, &http.Cookie{Name: s.IframeCookieName(client), Value: value, Secure: true, SameSite: http.SameSiteNoneMode, Partitioned: true})
}

// SetTabCookie sets the session cookie of a separate tab; an empty value deletes it.
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

// EmbedVisit is one request inside an embed, or in the tab that replaces one.
type EmbedVisit struct {
	embed.Visit
	InTab bool
}

// FindEmbedVisit finds the session of a launch by the iframe's cookie, or else by the tab's.
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

// CookieTokenHash returns the hash of the token in the browser's cookie, whether or not the token
// is valid.
func CookieTokenHash(r *http.Request, name string) string {
	if c, err := r.Cookie(name); err == nil {
		return account.HashToken(embed.ParseBoundToken(c.Value))
	}
	return ""
}
