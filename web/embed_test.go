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
		if err := h.embeds.Save(t.Context(), "system", e); err != nil {
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
		if strings.HasPrefix(c.Name, "e-") {
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
		if err := a.h.embeds.Attest(a.h.t.Context(), "system", key, "Quinn"); err != nil {
			a.h.t.Fatal(err)
		}
	}
}

func TestALaunchSetsNoCookieAndSignsNobodyIn(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	page := a.posts(h.stranger(), opening("51"))
	page.says("Continue as Olivia Bennett")
	if page.status != http.StatusOK || len(page.header.Values("Set-Cookie")) > 0 {
		t.Errorf("got %d with the cookies %v", page.status, page.header.Values("Set-Cookie"))
	}
	if got := page.header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors "+crmOrigin+";") {
		t.Errorf("got %q, want its own origin and no other", got)
	}
	if page.header.Get("X-Frame-Options") != "" {
		t.Error("X-Frame-Options forbids the frame")
	}
}

func TestAConnectionIsMailedAndEndsWithAReset(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	email := h.people["olivia"].Email
	if m := h.mails(email); len(m) == 0 || !strings.Contains(m[0].Text, "A log-in of CRM acme was connected") {
		t.Errorf("no notice: %+v", m)
	}
	if _, err := h.known.Renew(t.Context(), email, "user-admin"); err != nil {
		t.Fatal(err)
	}
	_, code := h.code(email)
	v := h.stranger()
	setUp := v.send(v.get("/activate").form("form#code").with("token", code))
	if in := v.send(setUp.form("form#set-up").with("password", goodPassword)); in.path != "/leads" {
		t.Fatalf("got %d at %s: %s", in.status, in.path, in.text())
	}
	if page := a.posts(h.stranger(), opening("51")); !strings.Contains(page.text(), "Connect CRM acme once") {
		t.Errorf("the log-in of before goes on: %s", page.text())
	}
}

func TestAnotherCompanyLearnsNothingOfALogIn(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	outside, _ := newAcme(t, h).posts(h.stranger(), opening("51")).Find(`a[target="_blank"]`).Attr("href")
	got := h.visit("piotr").get(outside)
	if got.status != http.StatusForbidden || strings.Contains(got.body, "olivia@summit.test") {
		t.Errorf("got %d: %s", got.status, got.text())
	}
}

func TestTheFirstUseIsConnectedOutside(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	v := h.stranger()
	page := a.posts(v, opening("51"))
	page.says("belongs to no Hearthline account yet")
	if got := (&frame{visitor: v}).send(page.form("#continue")); got.status != http.StatusUnprocessableEntity || len(got.header.Values("Set-Cookie")) > 0 {
		t.Errorf("before: got %d with %v", got.status, got.header.Values("Set-Cookie"))
	}
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	if got := h.stranger().get(outside); got.path != "/login" {
		t.Errorf("a stranger outside: got %s, want the log-in", got.path)
	}
	olivia := h.visit("olivia")
	asked := olivia.get(outside)
	asked.says("Olivia B., olivia@summit.test", "CRM acme", "olivia@summit.test")
	if got := asked.header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors 'none';") {
		t.Errorf("the page outside can be framed: %q", got)
	}
	wrong := asked.form("#connecting")
	wrong.values.Set("match", "XXXXX")
	if got := olivia.send(wrong); got.status != http.StatusUnprocessableEntity {
		t.Errorf("other letters: got %d", got.status)
	}
	right := asked.form("#connecting")
	right.values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	olivia.send(right).says("Go back to CRM acme")
	// The press that waited goes on now; she has just proved who she is.
	if got := a.press(v, page).get("/"); !strings.HasSuffix(got.path, "/leads/new") {
		t.Errorf("the first use led to %s", got.path)
	}
	a.enters(opening("51")).get("/").says("No inquiry has been started for it yet", "Confirm it is you")
	if got := h.visit("piotr").get(outside); got.status != http.StatusForbidden {
		t.Errorf("a stranger to the company: got %d", got.status)
	}
}

func TestWhatACRMsWordAloneOpens(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	app := h.visit("olivia").start("Rivera")
	f := a.enters(opening("51"))
	list := f.get("/leads?view=all")
	if body := list.body; strings.Contains(body, "Rivera") || strings.Contains(body, "Elena") || !strings.Contains(body, "R•••") {
		t.Errorf("the list does not mask: %s", list.text())
	}
	if rows := f.get("/leads?view=all&q=nobody").Find("table.leads tbody tr").Length(); rows != 1 {
		t.Errorf("a search told names apart: %d rows", rows)
	}
	for _, path := range []string{app, "/leads/new", "/drafts", app + "/documents.zip"} {
		if got := f.get(path); got.path != f.base+"/" || strings.Contains(got.body, "Rivera") {
			t.Errorf("%s led to %s (%d)", path, got.path, got.status)
		}
	}
	// Proved outside, in a window of her own, by the same person and nobody else.
	outside, _ := f.get("/").Find(`a[target="_blank"].pri`).Attr("href")
	if got := h.visit("marcus").get(outside); got.status != http.StatusForbidden {
		t.Errorf("another person: got %d", got.status)
	}
	poll := postedForm{action: f.base + "/confirmed"}
	if got := f.send(poll, "HX-Request", "true", "Sec-Fetch-Mode", "same-origin", "Sec-Fetch-Dest", "empty"); got.status != http.StatusNoContent || got.header.Get("Set-Cookie") != "" {
		t.Errorf("before: got %d", got.status)
	}
	olivia := h.visit("olivia")
	olivia.send(olivia.get(outside).form("#connecting")).says("Done")
	was := f.cookie
	r := f.request(http.MethodPost, poll.action, nil, inFrame("Cookie", f.cookie))
	f.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	f.keeps(f.do(r))
	f.client.CheckRedirect = nil
	if f.cookie == was {
		t.Fatal("the token is the same as before")
	}
	f.get(app).says("Rivera")
	f.cookie = was
	if got := f.get(app); got.status != http.StatusUnauthorized {
		t.Errorf("the old token: got %d, want 401", got.status)
	}
}

func TestTheRecordsWorkInAFrame(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	f := a.enters(opening("51"))
	intake := f.get("/")
	if intake.path != f.base+"/leads/new" {
		t.Fatalf("got %s, want the intake", intake.path)
	}
	form := intake.form(`form#intake`)
	if got := form.values.Get("applicant.name.lastName"); got != "Rivera" {
		t.Errorf("the name: got %q", got)
	}
	if got := form.values.Get("partnerDataRequest.externalReferenceId"); got != "51" {
		t.Errorf("the record's id: got %q", got)
	}
	if nav := intake.Find(".bar").Length(); nav != 0 {
		t.Error("the full desk's bar stands in the frame")
	}
	filled := h.visit("olivia").rivera("Rivera")
	for name, values := range filled.values {
		if form.values.Get(name) == "" && name != "draft" && name != "operation" {
			form.values[name] = values
		}
	}
	sent := f.send(form)
	if !strings.HasPrefix(sent.path, f.base+"/leads/") {
		t.Fatalf("the start led to %s (%d): %s", sent.path, sent.status, sent.text())
	}
	sent.Find("a[href], form[action]").Each(func(_ int, s *selection) {
		for _, name := range []string{"href", "action"} {
			if to, ok := s.Attr(name); ok && strings.HasPrefix(to, "/leads") && s.AttrOr("target", "") == "" {
				t.Errorf("%s leads out of the frame", to)
			}
		}
	})
	// The record has its lead from now on, also for another launch; another record has none.
	if got := a.enters(opening("51")).get("/"); got.path != "" && !strings.HasSuffix(got.path, strings.TrimPrefix(sent.path, f.base)) {
		t.Errorf("the record opens %s, want its lead", got.path)
	}
	if got := a.enters(opening("52")).get("/"); !strings.HasSuffix(got.path, "/leads/new") {
		t.Errorf("another record opens %s", got.path)
	}
}

func TestADangerousPressMustBeSeen(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	app := h.visit("olivia").start("Rivera")
	f := a.enters(opening("51"))
	cancel := postedForm{action: f.base + app + "/cancel", values: url.Values{"confirm.cancel": {"true"}}}
	if got := f.send(cancel); got.status != http.StatusForbidden || !strings.Contains(got.text(), "window of its own") {
		t.Errorf("unseen: got %d: %s", got.status, got.text())
	}
	if q := h.inquiries("Rivera"); len(q) != 1 || q[0].NextInquiryStep == "INQUIRY_CLOSED" {
		t.Error("the inquiry was cancelled unseen")
	}
	cancel.values.Set("frame.seen", "true")
	if got := f.send(cancel); got.status == http.StatusForbidden {
		t.Errorf("seen: got %d", got.status)
	}
}

func TestAFrameOpensForItsOwnAlone(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	one, two := a.enters(opening("51")), a.enters(opening("52"))
	app := h.visit("piotr").start("Nowak")
	if got := one.get(app); got.status != http.StatusNotFound {
		t.Errorf("another company's lead: got %d", got.status)
	}
	for name, try := range map[string]func() *answerPage{
		"without a cookie":      func() *answerPage { return h.stranger().get(one.base+"/leads", inFrame()...) },
		"with the portal's own": func() *answerPage { return h.visit("olivia").get(one.base+"/leads", inFrame()...) },
		"under another client": func() *answerPage {
			return h.stranger().get(strings.Replace(one.base, "/acme/", "/sf/", 1)+"/leads", inFrame("Cookie", one.cookie)...)
		},
		"under a made-up launch": func() *answerPage {
			return h.stranger().get("/e/acme/0123456789abcdef0123456789abcdef/leads", inFrame("Cookie", one.cookie)...)
		},
	} {
		if got := try(); got.status != http.StatusUnauthorized && got.status != http.StatusNotFound {
			t.Errorf("%s: got %d", name, got.status)
		}
	}
	token := strings.TrimPrefix(one.cookie, "e-acme=")
	if got := h.stranger().get("/leads", "Cookie", "sid="+token); got.path != "/login" {
		t.Errorf("a frame's token opened the full desk: %s", got.path)
	}
	// Two records in two tabs of one browser: each address keeps its record.
	if got := two.get("/leads/new").form("form#intake").values.Get("partnerDataRequest.externalReferenceId"); got != "52" {
		t.Errorf("the second record: got %q", got)
	}
	if got := one.get("/leads/new").form("form#intake").values.Get("partnerDataRequest.externalReferenceId"); got != "51" {
		t.Errorf("the first record: got %q", got)
	}
	if got := one.send(postedForm{action: one.base + "/logout"}); got.status != http.StatusOK {
		t.Errorf("log-out: got %d", got.status)
	}
	if got := one.get("/leads"); got.status != http.StatusUnauthorized {
		t.Errorf("after the log-out: got %d", got.status)
	}
}

func TestWhoMayFrameWhat(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	newAcme(t, h)
	v := h.stranger()
	for path, want := range map[string]string{
		"/e/acme/x/leads": crmOrigin, "/e/acme/nowhere/at/all": crmOrigin, "/launch/jwt/acme": crmOrigin, "/launch/jwt/acme/x": crmOrigin,
		"/e/nobody/x/leads": "'none'", "/launch/jwt/nobody": "'none'", "/leads": "'none'", "/login": "'none'", "/e/": "'none'", "/connect/acme/x": "'none'",
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			got := v.do(v.request(method, path, nil, crossSite())).header.Get("Content-Security-Policy")
			if !strings.Contains(got, "frame-ancestors "+want+";") {
				t.Errorf("%s %s: got %q, want %s", method, path, got, want)
			}
		}
	}
}

func TestForgedLaunchesAreRefused(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	v := h.stranger()
	other, err := crm.Token(a.key, crmOrigin, "http://localhost/launch/jwt/other", opening("51"))
	if err != nil {
		t.Fatal(err)
	}
	whole := a.token(opening("51"))
	parts := strings.Split(whole, ".")
	envelope, err := crm.Envelope([]byte("another secret of many bytes"), "00DA", opening("51"))
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]struct {
		path, control, value string
		want                 int
	}{
		"nothing": {"/launch/jwt/acme", "launch_token", "", 403}, "unsigned": {"/launch/jwt/acme", "launch_token", parts[0] + "." + parts[1] + ".", 403},
		"for another audience": {"/launch/jwt/acme", "launch_token", other, 403}, "at another client": {"/launch/jwt/sf", "launch_token", whole, 404},
		"of another kind": {"/launch/canvas/acme", "signed_request", whole, 404}, "under another secret": {"/launch/canvas/sf", "signed_request", envelope, 403},
		"of no kind": {"/launch/saml/acme", "launch_token", whole, 404}, "at nobody": {"/launch/jwt/nobody", "launch_token", whole, 404},
	} {
		got := v.post(try.path, url.Values{try.control: {try.value}}, crossSite()...)
		if got.status != try.want || strings.Contains(got.body, `name="code"`) {
			t.Errorf("%s: got %d: %s", name, got.status, got.text())
		}
	}
	if got := v.post("/launch/jwt/acme", url.Values{"launch_token": {whole}}, crossSite()...); got.status != http.StatusOK {
		t.Fatalf("the true one: got %d", got.status)
	}
	if got := v.post("/launch/jwt/acme", url.Values{"launch_token": {whole}}, crossSite()...); got.status != http.StatusConflict {
		t.Errorf("posted again: got %d", got.status)
	}
}

func TestLogInByAnotherSiteIsRefused(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	v := h.stranger()
	press := a.posts(v, opening("51")).form("#continue")
	if got := v.post(press.action, press.values, crossSite()...); got.status != http.StatusForbidden || got.header.Get("Set-Cookie") != "" {
		t.Errorf("a press from another site: got %d", got.status)
	}
	f := &frame{visitor: v}
	in := f.send(press)
	f.keeps(in)
	tab := in.form(`form[target="_blank"]`)
	if got := v.post(tab.action, tab.values, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); got.status != http.StatusForbidden {
		t.Errorf("a tab from another site: got %d", got.status)
	}
	if got := f.send(press); got.status != http.StatusConflict {
		t.Errorf("the press again: got %d", got.status)
	}
	// The tab stands for the frame where no cookie is kept in it, and reaches as far.
	own := v.post(tab.action, tab.values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	own.says("Confirm it is you")
	if got := v.post(tab.action, tab.values); got.status != http.StatusConflict {
		t.Errorf("the tab again: got %d", got.status)
	}
	probe, _ := in.Find("[data-probe]").Attr("data-probe")
	if got := h.stranger().get(probe, "Sec-Fetch-Site", "same-origin"); got.status != http.StatusOK || strings.Contains(got.body, "code") {
		t.Errorf("a probe without a cookie: got %d %q", got.status, got.body)
	}
	if got := h.stranger().get(probe, "Cookie", f.cookie); got.status != http.StatusNoContent {
		t.Errorf("a probe with it: got %d", got.status)
	}
}

func TestTheCookieOfAFrame(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	v := h.stranger()
	in := (&frame{visitor: v}).send(a.posts(v, opening("51")).form("#continue"))
	for _, want := range []string{"e-acme=", "Path=/", "HttpOnly", "Secure", "SameSite=None", "Partitioned"} {
		if got := in.header.Get("Set-Cookie"); !strings.Contains(got, want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}

func TestACallIsAnsweredWithAOneTimeAddress(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	body, err := crm.CallBody(777, 12, opening("51"))
	if err != nil {
		t.Fatal(err)
	}
	at, signature := crm.CallHeaders([]byte(crmSecret), "POST", "http://localhost/launch/hubspot/hs", body)
	ask := func(signature string) *http.Request {
		r := h.stranger().request(http.MethodPost, "/launch/hubspot/hs", nil, []string{"Content-Type", "application/json", "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature})
		again, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL.String(), strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		again.Header = r.Header
		return again
	}
	v := h.stranger()
	if got := v.do(ask("AAAA")); got.status != http.StatusForbidden {
		t.Errorf("badly signed: got %d", got.status)
	}
	var first, second struct{ URL string }
	for _, into := range []any{&first, &second} { // it is repeated after an answer that was lost
		got := v.do(ask(signature))
		if err := json.Unmarshal([]byte(got.body), into); err != nil || got.status != http.StatusOK {
			t.Fatalf("got %d %q", got.status, got.body)
		}
	}
	path := strings.TrimPrefix(second.URL, "http://localhost")
	page := v.get(path, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe")
	page.says("Connect CRM hs once")
	if got := v.get(path); got.status != http.StatusConflict {
		t.Errorf("the address again: got %d", got.status)
	}
}

func TestTheCardOfARecord(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	olivia := h.visit("olivia")
	f := olivia.rivera("Rivera")
	f.values.Set("partnerDataRequest.externalReferenceId", "51")
	if got := olivia.send(f); !strings.HasPrefix(got.path, "/leads/") {
		t.Fatalf("the start led to %s", got.path)
	}
	ask := func(path string) *answerPage {
		raw, err := crm.Token(a.key, crmOrigin, "http://localhost"+path, opening(""))
		if err != nil {
			t.Fatal(err)
		}
		return h.stranger().get(path, "Authorization", "Bearer "+raw)
	}
	var card struct {
		Found         bool
		ShortID, Step string
	}
	got := ask("/api/embed/acme/records/51")
	if err := json.Unmarshal([]byte(got.body), &card); err != nil || !card.Found || card.ShortID == "" || card.Step == "" || strings.Contains(got.body, "Rivera") {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if got := ask("/api/embed/acme/records/52"); got.status != http.StatusOK || strings.Contains(got.body, "shortId") {
		t.Errorf("another record: got %d %s", got.status, got.body)
	}
	at, signature := crm.CallHeaders([]byte(crmSecret), "GET", "http://localhost/api/embed/hs/records/51", nil)
	if got := h.stranger().get("/api/embed/hs/records/51", "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature); !strings.Contains(got.body, card.ShortID) {
		t.Errorf("by a signed call: got %d %s", got.status, got.body)
	}
	for _, headers := range [][]string{nil, {"Authorization", "Bearer x"}, {"Authorization", "Bearer " + a.token(opening("51"))}} {
		if got := h.stranger().get("/api/embed/acme/records/51", headers...); got.status != http.StatusForbidden {
			t.Errorf("%v: got %d", headers, got.status)
		}
	}
}
