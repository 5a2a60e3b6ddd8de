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
	"hearthline/internal/crm"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
)

const (
	crmOrigin = "https://crm.example"
	crmSecret = "a secret of twenty-four bytes and more"
)

// acme is a CRM of olivia's company that signs in each way: "acme" by token, "sf" by
// envelope, "hs" by call.
type acme struct {
	h   *house
	key ed25519.PrivateKey
}

func newAcme(t *testing.T, h *house) *acme {
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
		if err := h.embeds.Save(t.Context(), access.Operator(), e); err != nil {
			t.Fatal(err)
		}
	}
	return &acme{h, key}
}

// opening is olivia beside a record.
func opening(record string) crm.Opening {
	return crm.Opening{
		Subject: "u-7", Name: "Olivia B.", Email: "olivia@summit.test", Origin: crmOrigin, RecordType: "deal", RecordID: record,
		Prefill: map[string]string{"applicant.name.firstName": "Elena", "applicant.name.lastName": "Rivera", "property.address.zip": "83702"},
	}
}

func (a *acme) token(o crm.Opening) string {
	a.h.t.Helper()
	raw, err := crm.Token(a.key, crmOrigin, "http://localhost/launch/jwt/acme", o)
	if err != nil {
		a.h.t.Fatal(err)
	}
	return raw
}

// crossSite are the headers with which a browser posts a CRM's form into a frame.
func crossSite() []string {
	return []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Origin", crmOrigin}
}

// inFrame are those of our own page in the frame.
func inFrame(more ...string) []string {
	return append([]string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Origin", "http://localhost"}, more...)
}

func (a *acme) posts(v *visitor, o crm.Opening) *answerPage {
	return v.post("/launch/jwt/acme", url.Values{"launch_token": {a.token(o)}}, crossSite()...)
}

// frame is the desk inside the CRM's page.
type frame struct {
	*visitor
	base   string
	cookie string
}

func (f *frame) get(path string) *answerPage {
	return f.visitor.get(f.base+path, inFrame("Cookie", f.cookie)...)
}

func (f *frame) send(p postedForm, more ...string) *answerPage {
	return f.visitor.post(p.action, p.values, inFrame(append(more, "Cookie", f.cookie)...)...)
}

// keeps takes the frame's cookie out of an answer, as a browser does that allows it: a jar
// keeps nothing Secure of a site without TLS.
func (f *frame) keeps(p *answerPage) {
	f.h.t.Helper()
	for _, c := range (&http.Response{Header: p.header}).Cookies() {
		if strings.HasPrefix(c.Name, "e-") || strings.HasPrefix(c.Name, "t-") {
			f.cookie = c.Name + "=" + c.Value
		}
	}
}

// connects makes the log-in olivia's, outside of the frame.
func (a *acme) connects(who string) {
	a.h.t.Helper()
	page := a.posts(a.h.stranger(), opening("0"))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	f := a.h.visit(who).get(outside).form("#connecting")
	f.values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := a.h.visit(who).send(f); got.status != http.StatusOK {
		a.h.t.Fatalf("connecting: got %d: %s", got.status, got.text())
	}
}

// enters goes the whole way into a frame.
func (a *acme) enters(o crm.Opening) *frame {
	a.h.t.Helper()
	v := a.h.stranger()
	return a.press(v, a.posts(v, o))
}

func (a *acme) press(v *visitor, page *answerPage) *frame {
	a.h.t.Helper()
	f := &frame{visitor: v}
	in := f.send(page.form("#continue"))
	if in.status != http.StatusOK {
		a.h.t.Fatalf("the press: got %d: %s", in.status, in.text())
	}
	f.keeps(in)
	home, _ := in.Find("[data-go]").Attr("data-go")
	f.base = strings.TrimSuffix(home, "/")
	return f
}

// attest lets a CRM's log-in count as two factors.
func (a *acme) attest() {
	a.h.t.Helper()
	for _, key := range []string{"acme", "sf", "hs"} {
		if err := a.h.embeds.Attest(a.h.t.Context(), access.Operator(), key, "Quinn"); err != nil {
			a.h.t.Fatal(err)
		}
	}
}

// opensTab goes the whole way into the tab that stands for a frame.
func (a *acme) opensTab(o crm.Opening) *frame {
	a.h.t.Helper()
	v := a.h.stranger()
	in := (&frame{visitor: v}).send(a.posts(v, o).form("#continue"))
	tab := in.form(`form[target="_blank"]`)
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := v.post(tab.action, tab.values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	v.client.CheckRedirect = nil
	f := &frame{visitor: v, base: strings.TrimSuffix(got.header.Get("Location"), "/")}
	f.keeps(got)
	if f.cookie == "" {
		a.h.t.Fatalf("the tab: got %d: %s", got.status, got.text())
	}
	return f
}
