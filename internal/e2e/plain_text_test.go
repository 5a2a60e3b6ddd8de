package e2e

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
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
func (pg *page) visibleText() string {
	body := pg.Find("body").Clone()
	body.Find("script, style, template, pre, .technical").Remove() // a pre is sample code of the help
	body.Find("*").AfterHtml(" ")
	return strings.Join(strings.Fields(body.Text()), " ")
}

// links returns the pages of this site that a page links to, without downloads and without a second order of a list.
func (pg *page) links() []string {
	var all []string
	pg.Find("a[href]").Each(func(_ int, s *goquery.Selection) {
		to, err := url.Parse(s.AttrOr("href", ""))
		if err != nil || to.Host != "" || to.Scheme != "" || !strings.HasPrefix(to.Path, "/") {
			return
		}
		_, download := s.Attr("download")
		q := to.Query()
		if download || q.Has("sort") || q.Has("after") || q.Has("quote") || strings.Contains(to.Path, "/documents/") || strings.HasSuffix(to.Path, ".zip") || strings.HasSuffix(to.Path, ".csv") ||
			strings.HasPrefix(to.Path, "/outbox") || strings.HasPrefix(to.Path, "/ui") || strings.HasPrefix(to.Path, "/static") {
			return
		}
		to.Fragment = ""
		all = append(all, to.String())
	})
	return all
}

// TestPages_NoTechnicalText follows every link of the demo as each role, and reads every page.
func TestPages_NoTechnicalText(t *testing.T) {
	t.Parallel()
	d := startSeeded(t)
	for _, who := range []string{"olivia@summit.test", "maya@summit.test", "admin@hearthline.test"} {
		t.Run(who, func(t *testing.T) {
			user := d.signIn(t, who)
			read := map[string]bool{}
			shown := map[string]string{}
			queue := []string{"/leads?view=all", "/account"}
			for len(queue) > 0 && len(read) < 900 {
				path := queue[0]
				queue = queue[1:]
				if read[path] {
					continue
				}
				read[path] = true
				pg := user.get(path)
				if pg.status != http.StatusOK || !strings.HasPrefix(pg.header.Get("Content-Type"), "text/html") {
					continue
				}
				text := settingName.ReplaceAllString(pg.visibleText(), "")
				for name, pattern := range technicalPatterns {
					if found := pattern.FindString(text); found != "" {
						at := strings.Index(text, found)
						shown[name+" "+found[:min(len(found), 24)]+" "+regexp.MustCompile(`[0-9a-f-]{36}`).ReplaceAllString(path, "…")] = path + ": " + text[max(0, at-60):min(len(text), at+80)]
					}
				}
				queue = append(queue, pg.links()...)
			}
			for what, where := range shown {
				t.Errorf("%s\n   %s", what, where)
			}
			if len(read) < 40 {
				t.Errorf("only %d pages were read", len(read))
			}
			t.Logf("%d pages", len(read))
		})
	}
}
