package page

import (
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"
)

// BrowserFamily returns the browser's family for a user's list of sessions. The full user agent
// would reveal more about the user than the list needs.
func BrowserFamily(userAgent string) string {
	// The order matters, because each browser also claims to be those listed after it.
	for _, b := range []struct{ token, family string }{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"},
		{"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	} {
		if strings.Contains(userAgent, b.token) {
			return b.family
		}
	}
	return "another browser"
}

// operatingSystem names the system that the browser runs on; it is empty if the user agent does not
// name one.
func operatingSystem(userAgent string) string {
	for _, b := range []struct{ token, family string }{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "Mac"},
		{"CrOS", "Chromebook"}, {"Linux", "Linux"},
	} {
		if strings.Contains(userAgent, b.token) {
			return b.family
		}
	}
	return ""
}

// DeviceName describes the device in words that its owner would use.
func DeviceName(r *http.Request) string {
	name := BrowserFamily(r.UserAgent())
	if on := operatingSystem(r.UserAgent()); on != "" {
		name += " on " + on
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// TruncateOr returns at most maxLen characters of text, or the fallback if text is empty.
func TruncateOr(text string, maxLen int, fallback string) string {
	if text == "" {
		return fallback
	}
	letters := []rune(strings.ToValidUTF8(text, ""))
	return string(letters[:min(len(letters), maxLen)])
}

// NetworkPrefix truncates a client's address to a /24 or a /48, which shows only its rough
// location.
func NetworkPrefix(addr netip.Addr) string {
	bits := 48
	if addr.Is4() {
		bits = 24
	}
	p, err := addr.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}

// ClientAddress is the client's address as limits count it: an IPv6 address as its network.
func ClientAddress(r *http.Request) string {
	return httprate.CanonicalizeIP(middleware.GetClientIP(r.Context()))
}

// NewMinuteLimit counts requests by a key in this process, and allows a number of them in a minute.
func NewMinuteLimit(requests int) *httprate.RateLimiter {
	return httprate.NewRateLimiter(requests, time.Minute, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// MillisText formats a duration in milliseconds, as the script reads it.
func MillisText(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
