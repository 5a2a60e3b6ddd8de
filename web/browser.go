package web

import "strings"

// browser names the family of a browser, for a person's list of sessions. The full
// text would tell more about people than the list needs.
func browser(userAgent string) string {
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
