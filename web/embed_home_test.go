package web

import (
	"net/http"
	"strings"
	"testing"
)

func TestEmbed_RecordIntakeToLead(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	f := a.openFrame(launchFor("51"))
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
		t.Error("the full desk's header bar is in the frame")
	}
	filled := h.signInAs("olivia").intakeForm("Rivera")
	for name, values := range filled.values {
		if form.values.Get(name) == "" && name != "draft" && name != "operation" {
			form.values[name] = values
		}
	}
	sent := f.send(form.with("frame.seen", "true"))
	if !strings.HasPrefix(sent.path, f.base+"/leads/") {
		t.Fatalf("the start led to %s (%d): %s", sent.path, sent.status, sent.text())
	}
	sent.Find("a[href], form[action]").Each(func(_ int, s *selection) {
		for _, name := range []string{"href", "action"} {
			if to, ok := s.Attr(name); ok && strings.HasPrefix(to, "/leads") && s.AttrOr("target", "") == "" {
				t.Errorf("%s links out of the frame", to)
			}
		}
	})
	// From now on the record has its lead, also for another launch; another record has none.
	if got := a.openFrame(launchFor("51")).get("/"); got.path != "" && !strings.HasSuffix(got.path, strings.TrimPrefix(sent.path, f.base)) {
		t.Errorf("the record opens %s, want its lead", got.path)
	}
	if got := a.openFrame(launchFor("52")).get("/"); !strings.HasSuffix(got.path, "/leads/new") {
		t.Errorf("another record opens %s", got.path)
	}
}

func TestEmbed_ForeignCookieOrLead_Denied(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	one, two := a.openFrame(launchFor("51")), a.openFrame(launchFor("52"))
	app := h.signInAs("piotr").startLead("Nowak")
	if got := one.get(app); got.status != http.StatusNotFound {
		t.Errorf("another company's lead: got %d", got.status)
	}
	for name, try := range map[string]func() *response{
		"without a cookie":             func() *response { return h.newBrowser().get(one.base+"/leads", frameHeaders()...) },
		"with the portal's own cookie": func() *response { return h.signInAs("olivia").get(one.base+"/leads", frameHeaders()...) },
		"under another client": func() *response {
			return h.newBrowser().get(strings.Replace(one.base, "/acme/", "/sf/", 1)+"/leads", frameHeaders("Cookie", one.cookie)...)
		},
		"under an unknown launch": func() *response {
			return h.newBrowser().get("/e/acme/0123456789abcdef0123456789abcdef/leads", frameHeaders("Cookie", one.cookie)...)
		},
	} {
		if got := try(); got.status != http.StatusUnauthorized && got.status != http.StatusNotFound {
			t.Errorf("%s: got %d", name, got.status)
		}
	}
	token := strings.TrimPrefix(one.cookie, "e-acme=")
	if got := h.newBrowser().get("/leads", "Cookie", "sid="+token); got.path != "/login" {
		t.Errorf("a frame's token opens the full desk: %s", got.path)
	}
	// Two records in two tabs of one browser: each URL belongs to its record.
	if got := two.get("/leads/new").form("form#intake").values.Get("partnerDataRequest.externalReferenceId"); got != "52" {
		t.Errorf("the second record: got %q", got)
	}
	if got := one.get("/leads/new").form("form#intake").values.Get("partnerDataRequest.externalReferenceId"); got != "51" {
		t.Errorf("the first record: got %q", got)
	}
	if got := one.send(postedForm{action: one.base + "/logout"}); got.status != http.StatusOK {
		t.Errorf("sign-out: got %d", got.status)
	}
	if got := one.get("/leads"); got.status != http.StatusUnauthorized {
		t.Errorf("after signing out: got %d", got.status)
	}
}

func TestEmbedCookie_Attributes(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	v := h.newBrowser()
	in := (&embedFrame{testBrowser: v}).send(a.postLaunch(v, launchFor("51")).form("#continue"))
	for _, want := range []string{"e-acme=", "Path=/", "HttpOnly", "Secure", "SameSite=None", "Partitioned"} {
		if got := in.header.Get("Set-Cookie"); !strings.Contains(got, want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}
