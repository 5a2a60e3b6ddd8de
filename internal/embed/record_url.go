package embed

import (
	"net/url"
	"slices"
	"strings"
)

// The placeholders of the URL of a record in a CRM.
const (
	recordPlaceholder = "{record}"
	typePlaceholder   = "{type}"
)

// RecordURL returns the URL at which the CRM shows a record to the users of a company; "" if there is none within the
// client's origins, or if the client is disabled or of another company.
func (c Client) RecordURL(brokerID, kind, id string) string {
	if c.Disabled || c.BrokerID != brokerID || onlyDots(id) ||
		strings.Contains(c.RecordLink, typePlaceholder) && onlyDots(kind) {
		return ""
	}
	to := strings.NewReplacer(recordPlaceholder, escapeValue(id), typePlaceholder,
		escapeValue(kind)).Replace(c.RecordLink)
	if !withinOrigins(to, c.Origins) {
		return ""
	}
	return to
}

// onlyDots reports whether a text is empty or would name another folder in a path, where escaping it is no help.
func onlyDots(text string) bool { return strings.Trim(text, ". ") == "" }

// escapeValue escapes a text so that it is one segment of a path, or one value of a query.
func escapeValue(text string) string {
	return strings.ReplaceAll(url.QueryEscape(strings.TrimSpace(text)), "+", "%20")
}

// withinOrigins reports whether a URL is of one of some origins, which are as browsers write them.
func withinOrigins(to string, origins []string) bool {
	return slices.ContainsFunc(origins, func(origin string) bool { return strings.HasPrefix(to, origin+"/") })
}

// recordURLProblem returns what is wrong with the URL of records; "" if it can be used, or if there is none.
func recordURLProblem(template string, origins []string) string {
	rest := strings.NewReplacer(recordPlaceholder, "", typePlaceholder, "").Replace(template)
	switch {
	case template == "":
		return ""
	case len(template) > maxURL:
		return "This is too long"
	case !withinOrigins(template, origins):
		return "Begin with one of the origins of its pages and a slash"
	case !strings.Contains(template, recordPlaceholder):
		return "Include {record}, in place of the record’s ID"
	case strings.ContainsFunc(rest, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`{}\"<>`, r) }):
		return "Use a URL with {record} and, if needed, {type}, without spaces or other braces"
	default:
		return ""
	}
}
