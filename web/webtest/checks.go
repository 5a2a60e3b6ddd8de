package webtest

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"hearthline/static"
)

// Cells returns the payments and rates of a grid, in page order.
func (r *Response) Cells() []string {
	var all []string
	r.Find(".offers-grid .cell").Each(func(_ int, s *Selection) {
		var parts []string
		s.Find("b").Each(func(_ int, b *Selection) { parts = append(parts, strings.TrimSpace(b.Text())) })
		all = append(all, strings.Join(append(parts, strings.TrimSpace(s.ChildrenFiltered("span:not(.pp)").Text())), " "))
	})
	slices.Sort(all)
	return all
}

// BorrowerSecrets is what the intake fixture contains and no page of a lead shows without a reveal.
var BorrowerSecrets = []string{"05/17/1979", "1979-05-17", "555-0147", "elena@borrower.test", "124,600"}

// WantNoText fails when the page contains one of the secrets.
func (r *Response) WantNoText(secrets []string) {
	r.T.Helper()
	for _, secret := range secrets {
		if strings.Contains(r.Body, secret) {
			r.T.Errorf("%s (%d) shows %q", r.Path, r.Status, secret)
		}
	}
}

// HasDigits reports whether a text has digits, such as the last four of an SSN. Those within an ID, a hash or a token
// do not count: any four digits turn up in some random text.
func HasDigits(text, digits string) bool {
	return regexp.MustCompile(`(^|[^0-9A-Za-z_]|\d{5})` + digits + `($|[^0-9A-Za-z_-])`).MatchString(text)
}

// checkFieldErrors checks that a redisplayed form is accessible to a user who cannot see the whole form: each link of
// the error summary leads to a control on the page, and each invalid control is marked as invalid and described by
// its error, which is beside it. Every Browser makes this check on every such page.
func (r *Response) checkFieldErrors() {
	r.T.Helper()
	marked := map[string]bool{}
	r.Find("[aria-invalid]").Each(func(_ int, s *Selection) {
		id := s.AttrOr("id", "")
		if s.AttrOr("aria-invalid", "") != "true" || id == "" {
			r.T.Errorf("%s: %s is marked as %q, want an id and true", r.Path, controlName(s), s.AttrOr("aria-invalid", ""))
		}
		marked[id] = true
		text := ""
		for about := range strings.FieldsSeq(s.AttrOr("aria-describedby", "")) {
			found := r.byID(about)
			if found.Length() != 1 {
				r.T.Errorf("%s: %s is described by %q, of which there are %d", r.Path, controlName(s), about, found.Length())
			}
			if found.HasClass("err") {
				text += strings.TrimSpace(found.Text())
			}
		}
		if text == "" {
			r.T.Errorf("%s: %s is marked as invalid without an error beside it", r.Path, controlName(s))
		}
	})
	r.Find("#complaints a").Each(func(_ int, s *Selection) {
		id, within := strings.CutPrefix(s.AttrOr("href", ""), "#")
		if found := r.byID(id); !within || found.Length() != 1 {
			r.T.Errorf("%s: the summary links to %q, of which there are %d", r.Path, s.AttrOr("href", ""), found.Length())
		} else if !marked[id] {
			r.T.Errorf("%s: the summary links to %q, which is not marked as invalid", r.Path, id)
		}
	})
	r.Find(".err[id]").Each(func(_ int, s *Selection) {
		id := s.AttrOr("id", "")
		if r.Find(`[aria-invalid]`).FilterFunction(func(_ int, c *Selection) bool {
			return strings.Contains(" "+c.AttrOr("aria-describedby", "")+" ", " "+id+" ")
		}).Length() == 0 {
			r.T.Errorf("%s: no control is described by the error %q: %s", r.Path, id, strings.TrimSpace(s.Text()))
		}
	})
}

// byID finds elements by an id that may contain dots.
func (r *Response) byID(id string) *Selection {
	return r.Find("[id]").FilterFunction(func(_ int, s *Selection) bool { return s.AttrOr("id", "") == id })
}

func controlName(s *Selection) string {
	return goquery.NodeName(s) + " " + s.AttrOr("name", s.AttrOr("id", "without a name"))
}

// cssClasses returns the classes for which a stylesheet has rules that apply anywhere.
func cssClasses(css string) map[string]bool {
	w := httptest.NewRecorder()
	static.Handler(nil).ServeHTTP(w, httptest.NewRequest(http.MethodGet, static.URL(css), nil))
	all := map[string]bool{}
	for _, m := range regexp.MustCompile(`[{},]\s*\.([a-z][\w-]*)`).FindAllStringSubmatch(w.Body.String(), -1) {
		all[m[1]] = true
	}
	return all
}

// CheckNoLeadStyles checks that a page of lists uses no class that only the lead stylesheet defines, because such a
// page does not load it.
func (r *Response) CheckNoLeadStyles() {
	r.T.Helper()
	taken := cssClasses("app.css")
	maps.Copy(taken, cssClasses("desk.css"))
	lead := cssClasses("lead.css")
	if !taken["btn"] || !lead["offers-grid"] ||
		r.Find(`link[rel="stylesheet"][href="`+static.URL("lead.css")+`"]`).Length() > 0 {
		r.T.Fatalf("%s loads the lead stylesheet, or there is none", r.Path)
	}
	html, _ := r.Find("body").Html()
	for _, m := range regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		for _, class := range strings.Fields(m[1]) {
			if lead[class] && !taken[class] {
				r.T.Errorf("%s uses %q, which only the lead stylesheet defines", r.Path, class)
			}
		}
	}
}

// NotificationTitles returns the titles in an inbox, newest first.
func (b *Browser) NotificationTitles() []string {
	b.H.T.Helper()
	var all []string
	b.Get("/notifications").Find("table.notices .chip").
		Each(func(_ int, s *Selection) { all = append(all, strings.TrimSpace(s.Text())) })
	return all
}

// CSPNonce checks the complete policy of a response and returns its nonce.
func CSPNonce(t testing.TB, h http.Header) string {
	t.Helper()
	policy := regexp.MustCompile(`^default-src 'none'; script-src 'nonce-([A-Z2-7]{26})'; style-src 'self'; ` +
		`img-src 'self'; font-src 'self'; manifest-src 'self'; ` +
		`connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; ` +
		`require-trusted-types-for 'script'; trusted-types htmx; report-to csp$`)
	m := policy.FindStringSubmatch(h.Get("Content-Security-Policy"))
	if m == nil {
		t.Fatalf("got policy %q", h.Get("Content-Security-Policy"))
	}
	return m[1]
}
