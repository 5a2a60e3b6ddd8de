package guard

import (
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"hearthline/internal/account"
	"hearthline/web/page"
)

// Cookies are the cookies that sign nobody in.
type Cookies struct {
	Secure bool // browsers reach the portal over https
}

// name returns a cookie's name, with the __Host- prefix on https.
func (c Cookies) name(name string) string {
	if c.Secure {
		return "__Host-" + name
	}
	return name
}

// FlowSetUp is the setup that begins when a user opens a link from an email.
const FlowSetUp Flow = "set-up"

// FlowPasskey is the challenge for any passkey, to sign in or to confirm the user of a CRM's frame.
const FlowPasskey Flow = "passkey"

// Flow is a kind of unfinished process that a cookie identifies. It is not a session: it signs
// nobody in.
type Flow string

func (c Cookies) flowCookieName(kind Flow) string { return c.name("pre-" + string(kind)) }

// SetFlowCookie gives the browser a token for a limited time; an empty token deletes it.
func (c Cookies) SetFlowCookie(w http.ResponseWriter, kind Flow, token string) {
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
		Name: c.flowCookieName(kind), Value: token, Path: "/", MaxAge: age, HttpOnly: true, Secure: c.Secure,
		SameSite: http.SameSiteLaxMode,
	})
}

// FlowToken returns the token of the browser's flow cookie, or an empty string.
func (c Cookies) FlowToken(r *http.Request, kind Flow) string {
	cookie, err := r.Cookie(c.flowCookieName(kind))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// deviceCookie names the cookie that a browser keeps once somebody has signed in with it. It signs
// nobody in and names nobody; see account.RememberDevice.
const deviceCookie = "device"

const deviceAge = 180 * 24 * time.Hour

// SetDeviceCookie remembers that a user has signed in with this browser. Logging out leaves it.
func (c Cookies) SetDeviceCookie(w http.ResponseWriter, value string) {
	http.SetCookie(w, &http.Cookie{
		Name: c.name(deviceCookie), Value: value, Path: "/", MaxAge: int(deviceAge.Seconds()),
		HttpOnly: true, Secure: c.Secure, SameSite: http.SameSiteStrictMode,
	})
}

// DeviceCookie returns the value of the device cookie, or an empty string.
func (c Cookies) DeviceCookie(r *http.Request) string {
	cookie, err := r.Cookie(c.name(deviceCookie))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// ClientWithDevice describes where an attempt to sign in comes from, with the browser's device cookie.
func (c Cookies) ClientWithDevice(r *http.Request) account.ClientInfo {
	client := ClientOf(r)
	client.Device = c.DeviceCookie(r)
	return client
}

// ClientOf describes the client of a request for sign-in checks and records.
func ClientOf(r *http.Request) account.ClientInfo {
	return account.ClientInfo{
		Address: page.ClientAddress(r), Network: page.NetworkPrefix(middleware.GetClientIPAddr(r.Context())),
		Browser: page.DeviceName(r),
	}
}
