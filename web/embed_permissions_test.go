package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/guard"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// openFrame opens a CRM's frame for a user, without going through the connection pages.
func openFrame(h *webtest.Harness, client, first string) *webtest.Frame {
	h.T.Helper()
	return h.OpenFrameAt(client, first, "51")
}

// frameRouteOutcome describes what a user gets from a route inside their frame.
func frameRouteOutcome(h *webtest.Harness, f *webtest.Frame, route page.Route, app string) string {
	h.T.Helper()
	h.Guard().Denials = guard.Denials{}
	base, cookie := "/e/sf/0123456789abcdef0123456789abcdef", ""
	if f != nil {
		base, cookie = f.Base, f.Cookie
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r := h.NewBrowser().Request(route.Method, base+examplePath(strings.TrimPrefix(route.Pattern, page.EmbedPrefix), app),
		url.Values{"frame.seen": {"true"}}, webtest.FrameHeaders("Cookie", cookie))
	res, err := client.Do(r)
	if err != nil {
		h.T.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	switch at := res.Header.Get("Location"); {
	case res.StatusCode == http.StatusUnauthorized || f == nil && res.StatusCode == http.StatusNotFound:
		return "not signed in"
	case res.StatusCode == http.StatusSeeOther && at == base+"/" && route.Pattern != page.EmbedPrefix+"/confirmed":
		return "who is it?"
	case res.StatusCode == http.StatusForbidden:
		return "forbidden"
	case res.StatusCode == http.StatusNotFound && strings.Contains(route.Pattern, "{app}"):
		return "not there"
	case res.StatusCode == http.StatusInternalServerError:
		return "broken"
	default:
		return "ok"
	}
}

// TestEmbedRoutes_PermissionsMatchGoldenTable requests every route inside frames with every role. "unconfirmed" is
// the originator vouched for only by the CRM.
func TestEmbedRoutes_PermissionsMatchGoldenTable(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Estimate: webtest.EstimateAccess(), BorrowerLink: webtest.BorrowerLink(t)})
	a := webtest.NewCRM(t, h)
	h.AddLakesideCRM()
	olivia := h.SignInAs("olivia")
	app := strings.TrimPrefix(olivia.StartLead("Rivera"), "/leads/")
	olivia.WaitFor("/leads/"+app, `input[name="offer.offerUuid"]`)
	papers, err := h.DeskDeps.Lender.Documents(t.Context(), heloc.AppID(app))
	if err != nil || len(papers.Value) == 0 {
		t.Fatalf("no documents to try: %v", err)
	}
	app += "/" + papers.Value[0].UUID
	openFrame(h, "sf", "olivia") // connects her, which also counts as a step-up for a while
	unconfirmed := openFrame(h, "sf", "olivia")
	walk := func(frames map[string]*webtest.Frame, columns ...string) map[string]string {
		lines := map[string]string{}
		for _, route := range h.Routes() {
			if !route.Embedded || route.Class == page.Stream || strings.HasSuffix(route.Pattern, "/logout") {
				continue
			}
			for _, c := range columns {
				lines[route.Method+" "+route.Pattern] += fmt.Sprintf("%-15s", frameRouteOutcome(h, frames[c], route, app))
			}
		}
		return lines
	}
	before := walk(map[string]*webtest.Frame{"unconfirmed": unconfirmed}, "nobody", "unconfirmed")
	a.Attest()
	columns := []string{"originator", "colleague", "manager", "assistant", "other company"}
	after := walk(map[string]*webtest.Frame{
		"originator": openFrame(h, "sf", "olivia"), "colleague": openFrame(h, "sf", "marcus"),
		"manager": openFrame(h, "sf", "maya"), "assistant": openFrame(h, "sf", "ada"),
		"other company": openFrame(h, "lake", "piotr"),
	}, columns...)
	got := fmt.Sprintf("%-6s%-46s%-15s%-15s", "", "", "nobody", "unconfirmed")
	for _, c := range columns {
		got += fmt.Sprintf("%-15s", c)
	}
	got += "\n"
	for _, route := range h.Routes() {
		key := route.Method + " " + route.Pattern
		if line, walked := before[key]; walked {
			got += fmt.Sprintf("%-6s%-46s%s%s\n", route.Method, strings.TrimPrefix(route.Pattern, page.EmbedPrefix),
				line, after[key])
		}
	}
	file := filepath.Join("testdata", "locks_framed.txt")
	want, _ := os.ReadFile(file)
	if os.Getenv("PORTAL_TEST_RENEW") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if trimLines(got) != trimLines(string(want)) {
		t.Errorf("the permissions differ from the golden table; got\n%s\nwant\n%s", got, want)
	}
}

// TestForeignLead_HugeFormInFrame_404 posts a very large form for another user's lead.
func TestForeignLead_HugeFormInFrame_404(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	webtest.NewCRM(t, h)
	h.AddLakesideCRM()
	app := strings.TrimPrefix(h.SignInAs("olivia").StartLead("Rivera"), "/leads/")
	piotr := openFrame(h, "lake", "piotr")
	big := url.Values{"applicant.ssn": {strings.Repeat("1", 2<<20)}}
	for _, route := range h.Routes() {
		if !route.Embedded || !strings.Contains(route.Pattern, "{app}") {
			continue
		}
		h.Guard().Denials = guard.Denials{}
		path := piotr.Base + examplePath(strings.TrimPrefix(route.Pattern, page.EmbedPrefix), app)
		got := piotr.Do(piotr.Request(route.Method, path, big, webtest.FrameHeaders("Cookie", piotr.Cookie)))
		if got.Status != http.StatusNotFound || strings.Contains(got.Body, "Elena") {
			t.Errorf("%s %s: got %d, want 404", route.Method, route.Pattern, got.Status)
		}
	}
}
