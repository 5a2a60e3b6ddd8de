package e2e

import (
	"regexp"
	"strings"
)

// technicalPatterns match what only support needs: pages show it in their technical details, and nowhere else.
var technicalPatterns = map[string]*regexp.Regexp{
	"UUID":       regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`),
	"ULID":       regexp.MustCompile(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`),
	"enum value": regexp.MustCompile(`\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b|\b(?:UNKNOWN|FLOATING|UNSPECIFIED)\b`),
	"coordinate": regexp.MustCompile(`\b\d{1,3}\.\d+°? ?[NS]\b|-?\b\d{1,3}\.\d{4,}, ?-?\d{1,3}\.\d+`),
	"field name": regexp.MustCompile(`\b(?:nextInquiryStep|loanOriginatorUuid)\b`),
	"same twice": regexp.MustCompile(`\b(Inquiry|Application)\s*/?\s*(?:Inquiry|Application)\b`),
}

// settingName matches the names of the portal's own settings, which administrators type.
var settingName = regexp.MustCompile(`\b(?:PORTAL|PARTNER|SANDBOX|OTEL)_[A-Z0-9_]+\b`)

// visibleText returns the text of a page that users see or hear, without its technical details.
func (p *page) visibleText() string {
	body := p.Find("body").Clone()
	body.Find("script, style, template, pre, .technical").Remove() // a pre is sample code of the help
	body.Find("*").AfterHtml(" ")
	return strings.Join(strings.Fields(body.Text()), " ")
}

// shownURL matches a full link, which a message to the borrower contains.
var shownURL = regexp.MustCompile(`https?://\S+`)

// technicalText returns what only support needs and a page shows to everybody, each with its surroundings.
func (p *page) technicalText() (shown []string) {
	text := shownURL.ReplaceAllString(settingName.ReplaceAllString(p.visibleText(), ""), "")
	for name, pattern := range technicalPatterns {
		if at := pattern.FindStringIndex(text); at != nil {
			shown = append(shown, name+": "+text[max(0, at[0]-60):min(len(text), at[1]+60)])
		}
	}
	return shown
}
