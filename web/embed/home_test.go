package embed_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

func TestEmbed_RecordIntakeToLead(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	intake := f.Get("/")
	if intake.Path != f.Base+"/leads/new" {
		t.Fatalf("got %s, want the intake", intake.Path)
	}
	form := intake.Form(`form#intake`)
	if got := form.Values.Get("applicant.name.lastName"); got != "Rivera" {
		t.Errorf("the name: got %q", got)
	}
	if got := form.Values.Get("partnerDataRequest.externalReferenceId"); got != "51" {
		t.Errorf("the record's id: got %q", got)
	}
	if nav := intake.Find(".bar").Length(); nav != 0 {
		t.Error("the full desk's header bar is in the frame")
	}
	filled := h.SignInAs("olivia").IntakeForm("Rivera")
	for name, values := range filled.Values {
		if form.Values.Get(name) == "" && name != "draft" && name != "operation" {
			form.Values[name] = values
		}
	}
	sent := f.Send(form.With("frame.seen", "true"))
	if !strings.HasPrefix(sent.Path, f.Base+"/leads/") {
		t.Fatalf("the start led to %s (%d): %s", sent.Path, sent.Status, sent.MainText())
	}
	sent.Find("a[href], form[action]").Each(func(_ int, s *webtest.Selection) {
		for _, name := range []string{"href", "action"} {
			if to, ok := s.Attr(name); ok && strings.HasPrefix(to, "/leads") && s.AttrOr("target", "") == "" {
				t.Errorf("%s links out of the frame", to)
			}
		}
	})
	// From now on the record has its lead, also for another launch; another record has none.
	if got := a.OpenFrame(webtest.LaunchFor("51")).Get("/"); got.Path != "" &&
		!strings.HasSuffix(got.Path, strings.TrimPrefix(sent.Path, f.Base)) {
		t.Errorf("the record opens %s, want its lead", got.Path)
	}
	if got := a.OpenFrame(webtest.LaunchFor("52")).Get("/"); !strings.HasSuffix(got.Path, "/leads/new") {
		t.Errorf("another record opens %s", got.Path)
	}
}

func TestEmbed_ForeignCookieOrLead_Denied(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	one, two := a.OpenFrame(webtest.LaunchFor("51")), a.OpenFrame(webtest.LaunchFor("52"))
	app := h.SignInAs("piotr").StartLead("Nowak")
	if got := one.Get(app); got.Status != http.StatusNotFound {
		t.Errorf("another company's lead: got %d", got.Status)
	}
	for name, try := range map[string]func() *webtest.Response{
		"without a cookie": func() *webtest.Response {
			return h.NewBrowser().Get(one.Base+"/leads", webtest.FrameHeaders()...)
		},
		"with the portal's own cookie": func() *webtest.Response {
			return h.SignInAs("olivia").Get(one.Base+"/leads", webtest.FrameHeaders()...)
		},
		"under another client": func() *webtest.Response {
			return h.NewBrowser().Get(strings.Replace(one.Base, "/acme/", "/sf/", 1)+"/leads",
				webtest.FrameHeaders("Cookie", one.Cookie)...)
		},
		"under an unknown launch": func() *webtest.Response {
			return h.NewBrowser().Get("/e/acme/0123456789abcdef0123456789abcdef/leads",
				webtest.FrameHeaders("Cookie", one.Cookie)...)
		},
	} {
		if got := try(); got.Status != http.StatusUnauthorized && got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d", name, got.Status)
		}
	}
	token := strings.TrimPrefix(one.Cookie, "e-acme=")
	if got := h.NewBrowser().Get("/leads", "Cookie", "sid="+token); got.Path != "/login" {
		t.Errorf("a frame's token opens the full desk: %s", got.Path)
	}
	// Two records in two tabs of one browser: each URL belongs to its record.
	if got := two.Get("/leads/new").Form("form#intake").Values.Get("partnerDataRequest.externalReferenceId"); got != "52" {
		t.Errorf("the second record: got %q", got)
	}
	if got := one.Get("/leads/new").Form("form#intake").Values.Get("partnerDataRequest.externalReferenceId"); got != "51" {
		t.Errorf("the first record: got %q", got)
	}
	if got := one.Send(webtest.Form{Action: one.Base + "/logout"}); got.Status != http.StatusOK {
		t.Errorf("sign-out: got %d", got.Status)
	}
	if got := one.Get("/leads"); got.Status != http.StatusUnauthorized {
		t.Errorf("after signing out: got %d", got.Status)
	}
}

func TestEmbedCookie_Attributes(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	v := h.NewBrowser()
	in := (&webtest.Frame{Browser: v}).Send(a.PostLaunch(v, webtest.LaunchFor("51")).Form("#continue"))
	for _, want := range []string{"e-acme=", "Path=/", "HttpOnly", "Secure", "SameSite=None", "Partitioned"} {
		if got := in.Header.Get("Set-Cookie"); !strings.Contains(got, want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}
