package webtest

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
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/internal/samplecrm"
)

// The site of the CRMs, and the secret that they share with the portal.
const (
	CRMOrigin = "https://crm.example"
	CRMSecret = "a secret of twenty-four bytes and more"
)

// CRM is a CRM of olivia's company that signs in each way: "acme" with tokens, "sf" with envelopes, "hs" with
// calls.
type CRM struct {
	H   *Harness
	Key ed25519.PrivateKey
}

// NewCRM adds the CRM to the portal.
func NewCRM(t testing.TB, h *Harness) *CRM {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}})
	if err != nil {
		t.Fatal(err)
	}
	company := h.People["olivia"].BrokerID
	for _, e := range []embed.Setup{
		{Key: "acme", Kind: launch.KindToken, Issuer: CRMOrigin, Keys: string(keys)},
		{Key: "sf", Kind: launch.KindCanvas, Organization: "00DA", Secret: CRMSecret},
		{Key: "hs", Kind: launch.KindCall, Organization: "777", Secret: CRMSecret},
	} {
		e.Name, e.BrokerID, e.Origins = "CRM "+e.Key, company, []string{CRMOrigin}
		if err := h.EmbedService.Save(t.Context(), access.Operator(), e); err != nil {
			t.Fatal(err)
		}
	}
	return &CRM{h, key}
}

// LaunchFor returns a launch by olivia beside a record.
func LaunchFor(record string) samplecrm.LaunchClaims {
	return samplecrm.LaunchClaims{
		Subject: "u-7", Name: "Olivia B.", Email: "olivia@summit.test", Origin: CRMOrigin, RecordType: "deal",
		RecordID: record,
		Prefill: map[string]string{"applicant.name.firstName": "Elena", "applicant.name.lastName": "Rivera",
			"property.address.zip": "83702"},
	}
}

// Token signs a launch.
func (c *CRM) Token(o samplecrm.LaunchClaims) string {
	c.H.T.Helper()
	raw, err := samplecrm.Token(c.Key, CRMOrigin, "http://localhost/launch/jwt/acme", o)
	if err != nil {
		c.H.T.Fatal(err)
	}
	return raw
}

// CrossSiteHeaders returns the headers with which a browser posts a CRM's form into a frame.
func CrossSiteHeaders() []string {
	return []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe",
		"Origin", CRMOrigin}
}

// FrameHeaders returns the headers of a request by the portal's own page in the frame.
func FrameHeaders(more ...string) []string {
	return append([]string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe",
		"Origin", "http://localhost"}, more...)
}

// PostLaunch launches the desk as the CRM's page does, and returns the first page in the frame.
func (c *CRM) PostLaunch(v *Browser, o samplecrm.LaunchClaims) *Response {
	return v.Post("/launch/jwt/acme", url.Values{"launch_token": {c.Token(o)}}, CrossSiteHeaders()...)
}

// Frame is the desk inside the CRM's page.
type Frame struct {
	*Browser
	Base   string
	Cookie string
}

// Get fetches a page of the desk in the frame.
func (f *Frame) Get(path string) *Response {
	return f.Browser.Get(f.Base+path, FrameHeaders("Cookie", f.Cookie)...)
}

// Send submits a form in the frame.
func (f *Frame) Send(p Form, more ...string) *Response {
	return f.Browser.Post(p.Action, p.Values, FrameHeaders(append(more, "Cookie", f.Cookie)...)...)
}

// StoreCookie stores the frame's cookie from a response, as a browser that allows it does. The cookie jar itself
// stores no Secure cookies from a site without TLS.
func (f *Frame) StoreCookie(p *Response) {
	f.H.T.Helper()
	for _, c := range (&http.Response{Header: p.Header}).Cookies() {
		if strings.HasPrefix(c.Name, "e-") || strings.HasPrefix(c.Name, "t-") {
			f.Cookie = c.Name + "=" + c.Value
		}
	}
}

// ConnectUser connects the CRM's sign-in to olivia's account, outside the frame.
func (c *CRM) ConnectUser(who string) {
	c.H.T.Helper()
	page := c.PostLaunch(c.H.NewBrowser(), LaunchFor("0"))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	f := c.H.SignInAs(who).Get(outside).Form("#connecting")
	f.Values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := c.H.SignInAs(who).Send(f); got.Status != http.StatusOK {
		c.H.T.Fatalf("connecting: got %d: %s", got.Status, got.MainText())
	}
}

// OpenFrame launches the desk and returns the open frame.
func (c *CRM) OpenFrame(o samplecrm.LaunchClaims) *Frame {
	c.H.T.Helper()
	v := c.H.NewBrowser()
	return c.ContinueLaunch(v, c.PostLaunch(v, o))
}

// ContinueLaunch presses the button of the first page and returns the open frame.
func (c *CRM) ContinueLaunch(v *Browser, page *Response) *Frame {
	c.H.T.Helper()
	f := &Frame{Browser: v}
	in := f.Send(page.Form("#continue"))
	if in.Status != http.StatusOK {
		c.H.T.Fatalf("continuing: got %d: %s", in.Status, in.MainText())
	}
	f.StoreCookie(in)
	home, _ := in.Find("[data-go]").Attr("data-go")
	f.Base = strings.TrimSuffix(home, "/")
	return f
}

// Attest approves a CRM's sign-in as two factors.
func (c *CRM) Attest() {
	c.H.T.Helper()
	for _, key := range []string{"acme", "sf", "hs"} {
		if err := c.H.EmbedService.Attest(c.H.T.Context(), access.Operator(), key, "Quinn"); err != nil {
			c.H.T.Fatal(err)
		}
	}
}

// OpenTab launches the desk in a tab, as browsers need that store nothing in frames.
func (c *CRM) OpenTab(o samplecrm.LaunchClaims) *Frame {
	c.H.T.Helper()
	v := c.H.NewBrowser()
	in := (&Frame{Browser: v}).Send(c.PostLaunch(v, o).Form("#continue"))
	tab := in.Form(`form[target="_blank"]`)
	v.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := v.Post(tab.Action, tab.Values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate",
		"Sec-Fetch-Dest", "document")
	v.Client.CheckRedirect = nil
	f := &Frame{Browser: v, Base: strings.TrimSuffix(got.Header.Get("Location"), "/")}
	f.StoreCookie(got)
	if f.Cookie == "" {
		c.H.T.Fatalf("the tab: got %d: %s", got.Status, got.MainText())
	}
	return f
}

// OpenFrameAt returns the frame of a canvas CRM beside a record, for a user whom it connects first where necessary.
func (h *Harness) OpenFrameAt(client, first, record string) *Frame {
	h.T.Helper()
	ctx := h.T.Context()
	raw, err := samplecrm.CanvasRequest([]byte(CRMSecret), "00DA",
		samplecrm.LaunchClaims{Subject: "crm-" + first, Name: first, Origin: CRMOrigin, RecordType: "deal", RecordID: record})
	if err != nil {
		h.T.Fatal(err)
	}
	p, err := h.EmbedService.LaunchByPost(ctx, launch.KindCanvas, client, raw)
	if err != nil {
		h.T.Fatal(err)
	}
	if !p.Connected() {
		if err := h.EmbedService.Connect(ctx, h.People[first].Actor, p.VerifiedLaunch, p.MatchCode); err != nil {
			h.T.Fatal(err)
		}
	}
	value, hash := account.NewToken()
	in, err := h.EmbedService.Enter(ctx, client, embed.EnterRequest{Code: p.Code, Session: access.Session{IDHash: hash}})
	if err != nil {
		h.T.Fatal(err)
	}
	return &Frame{Browser: h.NewBrowser(), Base: "/e/" + client + "/" + in.ID, Cookie: "e-" + client + "=" + value}
}

// AddLakesideCRM adds a CRM of another company.
func (h *Harness) AddLakesideCRM() { h.T.Helper(); h.AddCRM("lake", "piotr") }

// AddCRM adds a CRM of a user's company, with its sign-in approved.
func (h *Harness) AddCRM(key, first string) {
	h.T.Helper()
	setup := embed.Setup{Key: key, Name: key, Kind: launch.KindCanvas, Organization: "00DA", Secret: CRMSecret,
		BrokerID: h.People[first].BrokerID, Origins: []string{CRMOrigin}}
	if err := h.EmbedService.Save(h.T.Context(), access.Operator(), setup); err != nil {
		h.T.Fatal(err)
	}
	if err := h.EmbedService.Attest(h.T.Context(), access.Operator(), key, "Quinn"); err != nil {
		h.T.Fatal(err)
	}
}

// FilledIntake returns the intake of the frame's record, completed with everything that the CRM does not provide.
func (f *Frame) FilledIntake(lastName string) Form {
	f.H.T.Helper()
	form := f.Get("/leads/new").Form(`form#intake`)
	for name, values := range f.H.SignInAs("olivia").IntakeForm(lastName).Values {
		if form.Values.Get(name) == "" && name != "draft" && name != "operation" {
			form.Values[name] = values
		}
	}
	return form.With("frame.seen", "true", "applicant.name.lastName", lastName)
}

// StartLead sends the filled intake and returns the lead's path inside the frame.
func (f *Frame) StartLead(lastName string) string {
	f.H.T.Helper()
	sent := f.Send(f.FilledIntake(lastName))
	if !strings.HasPrefix(sent.Path, f.Base+"/leads/") {
		f.H.T.Fatalf("the start led to %s (%d): %s", sent.Path, sent.Status, sent.MainText())
	}
	return strings.TrimPrefix(sent.Path, f.Base)
}
