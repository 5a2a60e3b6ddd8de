package web

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/internal/samplecrm"
)

const (
	crmOrigin = "https://crm.example"
	crmSecret = "a secret of twenty-four bytes and more"
)

// crmFixture is a CRM of olivia's company that signs in each way: "acme" with tokens, "sf" with envelopes, "hs" with
// calls.
type crmFixture struct {
	h   *harness
	key ed25519.PrivateKey
}

func newCRMFixture(t *testing.T, h *harness) *crmFixture {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}})
	if err != nil {
		t.Fatal(err)
	}
	company := h.people["olivia"].BrokerID
	for _, e := range []embed.Setup{
		{Key: "acme", Kind: launch.KindToken, Issuer: crmOrigin, Keys: string(keys)},
		{Key: "sf", Kind: launch.KindCanvas, Organization: "00DA", Secret: crmSecret},
		{Key: "hs", Kind: launch.KindCall, Organization: "777", Secret: crmSecret},
	} {
		e.Name, e.BrokerID, e.Origins = "CRM "+e.Key, company, []string{crmOrigin}
		if err := h.embedService.Save(t.Context(), access.Operator(), e); err != nil {
			t.Fatal(err)
		}
	}
	return &crmFixture{h, key}
}

// launchFor returns a launch by olivia beside a record.
func launchFor(record string) samplecrm.LaunchClaims {
	return samplecrm.LaunchClaims{
		Subject: "u-7", Name: "Olivia B.", Email: "olivia@summit.test", Origin: crmOrigin, RecordType: "deal", RecordID: record,
		Prefill: map[string]string{"applicant.name.firstName": "Elena", "applicant.name.lastName": "Rivera", "property.address.zip": "83702"},
	}
}

func (a *crmFixture) token(o samplecrm.LaunchClaims) string {
	a.h.t.Helper()
	raw, err := samplecrm.Token(a.key, crmOrigin, "http://localhost/launch/jwt/acme", o)
	if err != nil {
		a.h.t.Fatal(err)
	}
	return raw
}

// crossSiteHeaders returns the headers with which a browser posts a CRM's form into a frame.
func crossSiteHeaders() []string {
	return []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Origin", crmOrigin}
}

// frameHeaders returns the headers of a request by the portal's own page in the frame.
func frameHeaders(more ...string) []string {
	return append([]string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Origin", "http://localhost"}, more...)
}

func (a *crmFixture) postLaunch(v *testBrowser, o samplecrm.LaunchClaims) *response {
	return v.post("/launch/jwt/acme", url.Values{"launch_token": {a.token(o)}}, crossSiteHeaders()...)
}

// embedFrame is the desk inside the CRM's page.
type embedFrame struct {
	*testBrowser
	base   string
	cookie string
}

func (f *embedFrame) get(path string) *response {
	return f.testBrowser.get(f.base+path, frameHeaders("Cookie", f.cookie)...)
}

func (f *embedFrame) send(p postedForm, more ...string) *response {
	return f.testBrowser.post(p.action, p.values, frameHeaders(append(more, "Cookie", f.cookie)...)...)
}

// storeCookie stores the frame's cookie from a response, as a browser that allows it does. The cookie jar itself
// stores no Secure cookies from a site without TLS.
func (f *embedFrame) storeCookie(p *response) {
	f.h.t.Helper()
	for _, c := range (&http.Response{Header: p.header}).Cookies() {
		if strings.HasPrefix(c.Name, "e-") || strings.HasPrefix(c.Name, "t-") {
			f.cookie = c.Name + "=" + c.Value
		}
	}
}

// connectUser connects the CRM's sign-in to olivia's account, outside the frame.
func (a *crmFixture) connectUser(who string) {
	a.h.t.Helper()
	page := a.postLaunch(a.h.newBrowser(), launchFor("0"))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	f := a.h.signInAs(who).get(outside).form("#connecting")
	f.values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := a.h.signInAs(who).send(f); got.status != http.StatusOK {
		a.h.t.Fatalf("connecting: got %d: %s", got.status, got.text())
	}
}

// openFrame launches the desk and returns the open frame.
func (a *crmFixture) openFrame(o samplecrm.LaunchClaims) *embedFrame {
	a.h.t.Helper()
	v := a.h.newBrowser()
	return a.continueLaunch(v, a.postLaunch(v, o))
}

func (a *crmFixture) continueLaunch(v *testBrowser, page *response) *embedFrame {
	a.h.t.Helper()
	f := &embedFrame{testBrowser: v}
	in := f.send(page.form("#continue"))
	if in.status != http.StatusOK {
		a.h.t.Fatalf("continuing: got %d: %s", in.status, in.text())
	}
	f.storeCookie(in)
	home, _ := in.Find("[data-go]").Attr("data-go")
	f.base = strings.TrimSuffix(home, "/")
	return f
}

// attest approves a CRM's sign-in as two factors.
func (a *crmFixture) attest() {
	a.h.t.Helper()
	for _, key := range []string{"acme", "sf", "hs"} {
		if err := a.h.embedService.Attest(a.h.t.Context(), access.Operator(), key, "Quinn"); err != nil {
			a.h.t.Fatal(err)
		}
	}
}

// openTab launches the desk in a tab, as browsers need that store nothing in frames.
func (a *crmFixture) openTab(o samplecrm.LaunchClaims) *embedFrame {
	a.h.t.Helper()
	v := a.h.newBrowser()
	in := (&embedFrame{testBrowser: v}).send(a.postLaunch(v, o).form("#continue"))
	tab := in.form(`form[target="_blank"]`)
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := v.post(tab.action, tab.values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	v.client.CheckRedirect = nil
	f := &embedFrame{testBrowser: v, base: strings.TrimSuffix(got.header.Get("Location"), "/")}
	f.storeCookie(got)
	if f.cookie == "" {
		a.h.t.Fatalf("the tab: got %d: %s", got.status, got.text())
	}
	return f
}
