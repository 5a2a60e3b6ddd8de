package page

import (
	"net/http"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
)

// deviceCookie names the cookie that a browser keeps once somebody has signed in with it. It signs
// nobody in and names nobody; see account.RememberDevice.
func (s *Server) deviceCookie() string {
	if s.secure() {
		return "__Host-device"
	}
	return "device"
}

const deviceAge = 180 * 24 * time.Hour

// KeepDevice remembers that a user has signed in with this browser. Logging out leaves it.
func (s *Server) KeepDevice(w http.ResponseWriter, r *http.Request, user access.User) {
	http.SetCookie(w, &http.Cookie{
		Name: s.deviceCookie(), Value: s.Accounts.RememberDevice(user, s.deviceOf(r)), Path: "/", MaxAge: int(deviceAge.Seconds()),
		HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteStrictMode,
	})
}

func (s *Server) deviceOf(r *http.Request) string {
	c, err := r.Cookie(s.deviceCookie())
	if err != nil {
		return ""
	}
	return c.Value
}

// FromDevice is where an attempt to sign in comes from, with the browser's device cookie.
func (s *Server) FromDevice(r *http.Request) account.ClientInfo {
	f := ClientOf(r)
	f.Device = s.deviceOf(r)
	return f
}
