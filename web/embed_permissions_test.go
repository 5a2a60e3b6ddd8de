package web

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/internal/samplecrm"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// openFrame opens a CRM's frame for a user, without going through the connection pages.
func (h *harness) openFrame(client, first string) *embedFrame {
	h.t.Helper()
	return h.openFrameAt(client, first, "51")
}

// openFrameAt does so beside a record.
func (h *harness) openFrameAt(client, first, record string) *embedFrame {
	h.t.Helper()
	ctx := h.t.Context()
	raw, err := samplecrm.CanvasRequest([]byte(crmSecret), "00DA", samplecrm.LaunchClaims{Subject: "crm-" + first, Name: first, Origin: crmOrigin, RecordType: "deal", RecordID: record})
	if err != nil {
		h.t.Fatal(err)
	}
	p, err := h.embedService.LaunchByPost(ctx, launch.KindCanvas, client, raw)
	if err != nil {
		h.t.Fatal(err)
	}
	if !p.Connected() {
		if err := h.embedService.Connect(ctx, h.people[first].Actor, p.VerifiedLaunch, p.MatchCode); err != nil {
			h.t.Fatal(err)
		}
	}
	value, hash := account.NewToken()
	in, err := h.embedService.Enter(ctx, client, embed.EnterRequest{Code: p.Code, Session: access.Session{IDHash: hash}})
	if err != nil {
		h.t.Fatal(err)
	}
	return &embedFrame{testBrowser: h.newBrowser(), base: "/e/" + client + "/" + in.ID, cookie: "e-" + client + "=" + value}
}

// addLakesideCRM adds a CRM of another company.
func (h *harness) addLakesideCRM() { h.t.Helper(); h.addCRM("lake", "piotr") }

// addCRM adds a CRM of a user's company, with its sign-in approved.
func (h *harness) addCRM(key, first string) {
	h.t.Helper()
	setup := embed.Setup{Key: key, Name: key, Kind: launch.KindCanvas, Organization: "00DA", Secret: crmSecret, BrokerID: h.people[first].BrokerID, Origins: []string{crmOrigin}}
	if err := h.embedService.Save(h.t.Context(), access.Operator(), setup); err != nil {
		h.t.Fatal(err)
	}
	if err := h.embedService.Attest(h.t.Context(), access.Operator(), key, "Quinn"); err != nil {
		h.t.Fatal(err)
	}
}

// frameRouteOutcome describes what a user gets from a route inside their frame.
func (h *harness) frameRouteOutcome(f *embedFrame, route page.Route, app string) string {
	h.t.Helper()
	h.guard.Denials = guard.Denials{}
	base, cookie := "/e/sf/0123456789abcdef0123456789abcdef", ""
	if f != nil {
		base, cookie = f.base, f.cookie
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r := h.newBrowser().request(route.Method, base+examplePath(strings.TrimPrefix(route.Pattern, page.EmbedPrefix), app), url.Values{"frame.seen": {"true"}}, frameHeaders("Cookie", cookie))
	res, err := client.Do(r)
	if err != nil {
		h.t.Fatal(err)
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
	h := newHarness(t, harnessOptions{estimate: testEstimateAccess(), borrowerLink: testBorrowerLink(t)})
	a := newCRMFixture(t, h)
	h.addLakesideCRM()
	olivia := h.signInAs("olivia")
	app := strings.TrimPrefix(olivia.startLead("Rivera"), "/leads/")
	olivia.waitFor("/leads/"+app, `input[name="offer.offerUuid"]`)
	papers, err := h.deskDeps.Lender.Documents(t.Context(), heloc.AppID(app))
	if err != nil || len(papers.Value) == 0 {
		t.Fatalf("no documents to try: %v", err)
	}
	app += "/" + papers.Value[0].UUID
	h.openFrame("sf", "olivia") // connects her, which also counts as a step-up for a while
	unconfirmed := h.openFrame("sf", "olivia")
	walk := func(frames map[string]*embedFrame, columns ...string) map[string]string {
		lines := map[string]string{}
		for _, route := range h.routes() {
			if !route.Embedded || route.Class == page.Stream || strings.HasSuffix(route.Pattern, "/logout") {
				continue
			}
			for _, c := range columns {
				lines[route.Method+" "+route.Pattern] += fmt.Sprintf("%-15s", h.frameRouteOutcome(frames[c], route, app))
			}
		}
		return lines
	}
	before := walk(map[string]*embedFrame{"unconfirmed": unconfirmed}, "nobody", "unconfirmed")
	a.attest()
	columns := []string{"originator", "colleague", "manager", "assistant", "other company"}
	after := walk(map[string]*embedFrame{
		"originator": h.openFrame("sf", "olivia"), "colleague": h.openFrame("sf", "marcus"), "manager": h.openFrame("sf", "maya"), "assistant": h.openFrame("sf", "ada"), "other company": h.openFrame("lake", "piotr"),
	}, columns...)
	got := fmt.Sprintf("%-6s%-46s%-15s%-15s", "", "", "nobody", "unconfirmed")
	for _, c := range columns {
		got += fmt.Sprintf("%-15s", c)
	}
	got += "\n"
	for _, route := range h.routes() {
		key := route.Method + " " + route.Pattern
		if line, walked := before[key]; walked {
			got += fmt.Sprintf("%-6s%-46s%s%s\n", route.Method, strings.TrimPrefix(route.Pattern, page.EmbedPrefix), line, after[key])
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
	h := newHarness(t, harnessOptions{})
	newCRMFixture(t, h)
	h.addLakesideCRM()
	app := strings.TrimPrefix(h.signInAs("olivia").startLead("Rivera"), "/leads/")
	piotr := h.openFrame("lake", "piotr")
	big := url.Values{"applicant.ssn": {strings.Repeat("1", 2<<20)}}
	for _, route := range h.routes() {
		if !route.Embedded || !strings.Contains(route.Pattern, "{app}") {
			continue
		}
		h.guard.Denials = guard.Denials{}
		path := piotr.base + examplePath(strings.TrimPrefix(route.Pattern, page.EmbedPrefix), app)
		got := piotr.do(piotr.request(route.Method, path, big, frameHeaders("Cookie", piotr.cookie)))
		if got.status != http.StatusNotFound || strings.Contains(got.body, "Elena") {
			t.Errorf("%s %s: got %d, want 404", route.Method, route.Pattern, got.status)
		}
	}
}
