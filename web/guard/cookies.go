package guard

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"hearthline/internal/account"
	"hearthline/web/page"
)

// Cookies sets and reads cookies.
type Cookies struct {
	Secure bool // browsers reach the portal over https
}

// set sets a cookie; an empty value deletes it.
func (c Cookies) set(w http.ResponseWriter, cookie http.Cookie) {
	cookie.Path, cookie.HttpOnly, cookie.Secure = "/", true, cookie.Secure || c.Secure
	if cookie.Value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, &cookie)
}

// cookieValue returns the value of a request's cookie, or an empty string.
func cookieValue(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// name returns a cookie's name. On https it has the __Host- prefix, so that no other host and no plain http page can set
// the cookie. Plain http, which is served on loopback only, cannot use the prefix.
func (c Cookies) name(name string) string {
	if c.Secure {
		return "__Host-" + name
	}
	return name
}

// FlowSetUp is the setup that begins when a user opens a link from an email.
const FlowSetUp Flow = "set-up"

// Flow is a kind of unfinished process that a cookie identifies. It is not a session: it signs
// nobody in.
type Flow string

func (c Cookies) flowCookieName(kind Flow) string { return c.name("pre-" + string(kind)) }

// SetFlowCookie gives the browser a token for a limited time; an empty token deletes it.
func (c Cookies) SetFlowCookie(w http.ResponseWriter, kind Flow, token string) {
	age := 600
	switch kind {
	case FlowSetUp:
		age = 1800 // the user may have to install an authenticator app first
	case FlowPendingForm:
		age = 0 // until the browser is closed
	}
	c.set(w, http.Cookie{Name: c.flowCookieName(kind), Value: token, MaxAge: age, SameSite: http.SameSiteLaxMode})
}

// FlowToken returns the token of the browser's flow cookie, or an empty string.
func (c Cookies) FlowToken(r *http.Request, kind Flow) string {
	return cookieValue(r, c.flowCookieName(kind))
}

// deviceCookie names the cookie that a browser keeps once somebody has signed in with it. It signs
// nobody in and names nobody; see account.RememberDevice.
const deviceCookie = "device"

const deviceAge = 180 * 24 * time.Hour

// SetDeviceCookie remembers that a user has signed in with this browser. Logging out leaves it.
func (c Cookies) SetDeviceCookie(w http.ResponseWriter, value string) {
	c.set(w, http.Cookie{
		Name: c.name(deviceCookie), Value: value, MaxAge: int(deviceAge.Seconds()), SameSite: http.SameSiteStrictMode,
	})
}

// DeviceCookie returns the value of the device cookie, or an empty string.
func (c Cookies) DeviceCookie(r *http.Request) string { return cookieValue(r, c.name(deviceCookie)) }

// ClientWithDevice describes where an attempt to sign in comes from, with the browser's device cookie.
func (c Cookies) ClientWithDevice(r *http.Request) account.ClientInfo {
	client := ClientOf(r)
	client.Device = c.DeviceCookie(r)
	return client
}

// ClientOf describes the client of a request for sign-in checks and records.
func ClientOf(r *http.Request) account.ClientInfo {
	return account.ClientInfo{
		Address: page.ClientAddress(r), Network: page.NetworkPrefix(middleware.GetClientIPAddr(r.Context())), Browser: page.DeviceName(r),
	}
}
