package guard

import (
	"net/http"

	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/web/page"
)

// Embeds have their own cookies, one name for each CRM, so that a session in an iframe and one in a
// tab are never mixed up.

// IframeCookieName names the cookie of sessions inside the CRM's iframe. The cookie is partitioned:
// the browser sends it only within that CRM's pages. That requires Secure, which browsers also
// allow on localhost without TLS.
func (c Cookies) IframeCookieName(client string) string { return c.name("e-" + client) }

// TabCookieName names the cookie of sessions in a separate tab.
func (c Cookies) TabCookieName(client string) string { return c.name("t-" + client) }

// SetIframeCookie sets the session cookie of an iframe; an empty value deletes it.
func (c Cookies) SetIframeCookie(w http.ResponseWriter, client, value string) {
	setEmbedCookie(w, &http.Cookie{Name: c.IframeCookieName(client), Value: value, Secure: true,
		SameSite: http.SameSiteNoneMode, Partitioned: true})
}

// SetTabCookie sets the session cookie of a separate tab; an empty value deletes it.
func (c Cookies) SetTabCookie(w http.ResponseWriter, client, value string) {
	setEmbedCookie(w, &http.Cookie{Name: c.TabCookieName(client), Value: value, Secure: c.Secure,
		SameSite: http.SameSiteLaxMode})
}

func setEmbedCookie(w http.ResponseWriter, c *http.Cookie) {
	c.Path, c.HttpOnly = "/", true
	if c.Value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// SetVisitCookie sets the session cookie of a visit in an embed, whether it is in an iframe or in a tab.
func (c Cookies) SetVisitCookie(w http.ResponseWriter, v *page.EmbedVisit, value string) {
	if v.InTab {
		c.SetTabCookie(w, v.Client.Key, value)
	} else {
		c.SetIframeCookie(w, v.Client.Key, value)
	}
}

// Frames finds the sessions of embeds, and sets their cookies.
type Frames struct {
	Cookies
	embeds *embed.Service // nil if nobody may frame the desk
}

// FindEmbedVisit finds the session of a launch by the iframe's cookie, or else by the tab's.
func (f *Frames) FindEmbedVisit(r *http.Request, client, launch string) (page.EmbedVisit, error) {
	var last page.EmbedVisit
	for _, name := range []string{f.IframeCookieName(client), f.TabCookieName(client)} {
		v, err := f.embeds.Visit(r.Context(), client, launch, CookieTokenHash(r, name))
		if last = (page.EmbedVisit{Visit: v, InTab: name == f.TabCookieName(client)}); err != nil || v.SignedIn() {
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
