package page

import (
	"net/http"
	"time"

	"hearthline/internal/account"
)

// deviceCookie names the cookie that a browser stores after a user has signed in with it. It
// neither signs anybody in nor identifies anybody; see account.RememberDevice.
func (s *Server) deviceCookie() string {
	if s.secure() {
		return "__Host-device"
	}
	return "device"
}

const deviceAge = 180 * 24 * time.Hour

// KeepDevice remembers that the user has signed in with this browser. Signing out does not remove
// it.
func (s *Server) KeepDevice(w http.ResponseWriter, r *http.Request, userID string) {
	http.SetCookie(w, &http.Cookie{
		Name: s.deviceCookie(), Value: s.Accounts.RememberDevice(userID, s.deviceOf(r)), Path: "/", MaxAge: int(deviceAge.Seconds()),
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

// FromDevice describes the client of a sign-in attempt, including the browser's device cookie.
func (s *Server) FromDevice(r *http.Request) account.ClientInfo {
	client := ClientOf(r)
	client.Device = s.deviceOf(r)
	return client
}
