package web

import (
	"net/http"
	"strings"
	"testing"
)

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
	sent := f.send(form.with("frame.seen", "true"))
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
