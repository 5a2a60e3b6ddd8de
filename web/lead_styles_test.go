package web

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"

	"hearthline/static"
)

// cssClasses returns the classes for which a stylesheet has rules that apply anywhere.
func cssClasses(css string) map[string]bool {
	w := httptest.NewRecorder()
	static.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, static.URL(css), nil))
	all := map[string]bool{}
	for _, m := range regexp.MustCompile(`[{},]\s*\.([a-z][\w-]*)`).FindAllStringSubmatch(w.Body.String(), -1) {
		all[m[1]] = true
	}
	return all
}

// checkNoLeadStyles checks that a page of lists uses no class that only the lead stylesheet defines, because such a
// page does not load it.
func (p *response) checkNoLeadStyles() {
	p.t.Helper()
	taken := cssClasses("app.css")
	maps.Copy(taken, cssClasses("desk.css"))
	lead := cssClasses("lead.css")
	if !taken["btn"] || !lead["offers-grid"] || p.Find(`link[rel="stylesheet"][href="`+static.URL("lead.css")+`"]`).Length() > 0 {
		p.t.Fatalf("%s loads the lead stylesheet, or there is none", p.path)
	}
	html, _ := p.Find("body").Html()
	for _, m := range regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		for _, class := range strings.Fields(m[1]) {
			if lead[class] && !taken[class] {
				p.t.Errorf("%s uses %q, which only the lead stylesheet defines", p.path, class)
			}
		}
	}
}
