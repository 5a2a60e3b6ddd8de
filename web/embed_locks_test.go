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
	"hearthline/internal/crm"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/launch"
	"hearthline/web/page"
)

// framed puts a person into a frame of a CRM, past the pages that ask them to.
func (h *house) framed(client, first string) *frame {
	h.t.Helper()
	return h.framedAt(client, first, "51")
}

// framedAt does so beside a record.
func (h *house) framedAt(client, first, record string) *frame {
	h.t.Helper()
	ctx := h.t.Context()
	raw, err := crm.Envelope([]byte(crmSecret), "00DA", crm.Opening{Subject: "crm-" + first, Name: first, Origin: crmOrigin, RecordType: "deal", RecordID: record})
	if err != nil {
		h.t.Fatal(err)
	}
	p, err := h.embeds.Post(ctx, launch.KindCanvas, client, raw)
	if err != nil {
		h.t.Fatal(err)
	}
	if !p.Known() {
		if err := h.embeds.Connect(ctx, h.people[first].Actor, p.Launched, p.Match); err != nil {
			h.t.Fatal(err)
		}
	}
	value, hash := account.NewToken()
	in, err := h.embeds.Enter(ctx, client, embed.Entering{Code: p.Code, Session: access.Session{IDHash: hash}})
	if err != nil {
		h.t.Fatal(err)
	}
	return &frame{visitor: h.stranger(), base: "/e/" + client + "/" + in.ID, cookie: "e-" + client + "=" + value}
}

// lake is a CRM of another company.
func (h *house) lake() { h.t.Helper(); h.framer("lake", "piotr") }

// framer lets a CRM of somebody's company frame the desk, its log-in approved.
func (h *house) framer(key, first string) {
	h.t.Helper()
	setup := embed.Setup{Key: key, Name: key, Kind: launch.KindCanvas, Organization: "00DA", Secret: crmSecret, BrokerID: h.people[first].BrokerID, Origins: []string{crmOrigin}}
	if err := h.embeds.Save(h.t.Context(), access.Operator(), setup); err != nil {
		h.t.Fatal(err)
	}
	if err := h.embeds.Attest(h.t.Context(), access.Operator(), key, "Quinn"); err != nil {
		h.t.Fatal(err)
	}
}

// framedDoor says what a person meets at a route inside their frame.
func (h *house) framedDoor(f *frame, route page.Route, app string) string {
	h.t.Helper()
	h.Refused = page.Refusals{}
	base, cookie := "/e/sf/0123456789abcdef0123456789abcdef", ""
	if f != nil {
		base, cookie = f.base, f.cookie
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r := h.stranger().request(route.Method, base+addressOf(strings.TrimPrefix(route.Pattern, page.EmbedPrefix), app), url.Values{"frame.seen": {"true"}}, inFrame("Cookie", cookie))
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

// TestEveryRouteInAFrameIsLockedAsAgreed walks every route inside frames with every role.
// "unconfirmed" is the originator for whom the CRM alone vouches.
func TestEveryRouteInAFrameIsLockedAsAgreed(t *testing.T) {
	h := newHouse(t, furnished{estimate: someEstimate(), handOff: someHandOff(t)})
	a := newAcme(t, h)
	h.lake()
	olivia := h.visit("olivia")
	app := strings.TrimPrefix(olivia.start("Rivera"), "/leads/")
	olivia.awaits("/leads/"+app, `input[name="offer.offerUuid"]`)
	papers, err := h.rooms.Lender.Documents(t.Context(), heloc.AppID(app))
	if err != nil || len(papers.Value) == 0 {
		t.Fatalf("no documents to try: %v", err)
	}
	app += "/" + papers.Value[0].UUID
	h.framed("sf", "olivia") // connects her, which proves it for a while
	unconfirmed := h.framed("sf", "olivia")
	walk := func(frames map[string]*frame, columns ...string) map[string]string {
		lines := map[string]string{}
		for _, route := range h.routes() {
			if !route.Embedded || route.Class == page.Stream || strings.HasSuffix(route.Pattern, "/logout") {
				continue
			}
			for _, c := range columns {
				lines[route.Method+" "+route.Pattern] += fmt.Sprintf("%-15s", h.framedDoor(frames[c], route, app))
			}
		}
		return lines
	}
	before := walk(map[string]*frame{"unconfirmed": unconfirmed}, "nobody", "unconfirmed")
	a.attest()
	columns := []string{"originator", "colleague", "manager", "assistant", "other company"}
	after := walk(map[string]*frame{
		"originator": h.framed("sf", "olivia"), "colleague": h.framed("sf", "marcus"), "manager": h.framed("sf", "maya"), "assistant": h.framed("sf", "ada"), "other company": h.framed("lake", "piotr"),
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
		t.Errorf("the locks are not as agreed; got\n%s\nwant\n%s", got, want)
	}
}

// TestAStrangersFormIsNeverReadInAFrame sends an enormous form for somebody else's lead.
func TestAStrangersFormIsNeverReadInAFrame(t *testing.T) {
	h := newHouse(t, furnished{})
	newAcme(t, h)
	h.lake()
	app := strings.TrimPrefix(h.visit("olivia").start("Rivera"), "/leads/")
	piotr := h.framed("lake", "piotr")
	big := url.Values{"applicant.ssn": {strings.Repeat("1", 2<<20)}}
	for _, route := range h.routes() {
		if !route.Embedded || !strings.Contains(route.Pattern, "{app}") {
			continue
		}
		h.Refused = page.Refusals{}
		path := piotr.base + addressOf(strings.TrimPrefix(route.Pattern, page.EmbedPrefix), app)
		got := piotr.do(piotr.request(route.Method, path, big, inFrame("Cookie", piotr.cookie)))
		if got.status != http.StatusNotFound || strings.Contains(got.body, "Elena") {
			t.Errorf("%s %s: got %d, want 404", route.Method, route.Pattern, got.status)
		}
	}
}
