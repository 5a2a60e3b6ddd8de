package page

import (
	"net/http"
	"strings"
)

// BrowserFamily names the family of a browser, for a person's list of sessions. The full
// text would tell more about people than the list needs.
func BrowserFamily(userAgent string) string {
	// In this order, because each pretends to be those after it.
	for _, b := range []struct{ mark, family string }{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"},
		{"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"curl/", "curl"},
	} {
		if strings.Contains(userAgent, b.mark) {
			return b.family
		}
	}
	return "another browser"
}

// operatingSystem names what a browser runs on; empty when it does not say.
func operatingSystem(userAgent string) string {
	for _, b := range []struct{ mark, family string }{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Mac OS X", "Mac"}, {"CrOS", "Chromebook"}, {"Linux", "Linux"},
	} {
		if strings.Contains(userAgent, b.mark) {
			return b.family
		}
	}
	return ""
}

// DeviceName is what a person would call the device in their hand.
func DeviceName(r *http.Request) string {
	name := BrowserFamily(r.UserAgent())
	if on := operatingSystem(r.UserAgent()); on != "" {
		name += " on " + on
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// TruncateOr is a text of at most so many characters, or another when it is empty.
func TruncateOr(text string, most int, otherwise string) string {
	if text == "" {
		return otherwise
	}
	letters := []rune(strings.ToValidUTF8(text, ""))
	return string(letters[:min(len(letters), most)])
}
