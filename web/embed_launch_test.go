package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/samplecrm"
)

func TestLaunch_SetsNoCookie(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	page := a.postLaunch(h.newBrowser(), launchFor("51"))
	page.wantText("Continue as Olivia Bennett")
	if page.status != http.StatusOK || len(page.header.Values("Set-Cookie")) > 0 {
		t.Errorf("got %d with the cookies %v", page.status, page.header.Values("Set-Cookie"))
	}
	if got := page.header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors "+crmOrigin+";") {
		t.Errorf("got %q, want its own origin only", got)
	}
	if page.header.Get("X-Frame-Options") != "" {
		t.Error("X-Frame-Options forbids the frame")
	}
}

func TestLaunch_ForgedOrReplayed_Rejected(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	v := h.newBrowser()
	other, err := samplecrm.Token(a.key, crmOrigin, "http://localhost/launch/jwt/other", launchFor("51"))
	if err != nil {
		t.Fatal(err)
	}
	valid := a.token(launchFor("51"))
	parts := strings.Split(valid, ".")
	envelope, err := samplecrm.CanvasRequest([]byte("another secret of many bytes"), "00DA", launchFor("51"))
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]struct {
		path, control, value string
		want                 int
	}{
		"nothing": {"/launch/jwt/acme", "launch_token", "", 403}, "unsigned": {"/launch/jwt/acme", "launch_token", parts[0] + "." + parts[1] + ".", 403},
		"for another audience": {"/launch/jwt/acme", "launch_token", other, 403}, "at another client": {"/launch/jwt/sf", "launch_token", valid, 404},
		"of another kind": {"/launch/canvas/acme", "signed_request", valid, 404}, "with another secret": {"/launch/canvas/sf", "signed_request", envelope, 403},
		"of an unknown kind": {"/launch/saml/acme", "launch_token", valid, 404}, "at an unknown client": {"/launch/jwt/nobody", "launch_token", valid, 404},
	} {
		got := v.post(try.path, url.Values{try.control: {try.value}}, crossSiteHeaders()...)
		if got.status != try.want || strings.Contains(got.body, `name="code"`) {
			t.Errorf("%s: got %d: %s", name, got.status, got.text())
		}
	}
	if got := v.post("/launch/jwt/acme", url.Values{"launch_token": {valid}}, crossSiteHeaders()...); got.status != http.StatusOK {
		t.Fatalf("the valid one: got %d", got.status)
	}
	if got := v.post("/launch/jwt/acme", url.Values{"launch_token": {valid}}, crossSiteHeaders()...); got.status != http.StatusConflict {
		t.Errorf("posted again: got %d", got.status)
	}
}

func TestLaunch_ContinueFromOtherSite_403(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	v := h.newBrowser()
	press := a.postLaunch(v, launchFor("51")).form("#continue")
	if got := v.post(press.action, press.values, crossSiteHeaders()...); got.status != http.StatusForbidden || got.header.Get("Set-Cookie") != "" {
		t.Errorf("a form from another site: got %d", got.status)
	}
	f := &embedFrame{testBrowser: v}
	in := f.send(press)
	f.storeCookie(in)
	tab := in.form(`form[target="_blank"]`)
	if got := v.post(tab.action, tab.values, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); got.status != http.StatusForbidden {
		t.Errorf("a tab from another site: got %d", got.status)
	}
	if got := f.send(press); got.status != http.StatusConflict {
		t.Errorf("the form again: got %d", got.status)
	}
	probe, _ := in.Find("[data-probe]").Attr("data-probe")
	if got := h.newBrowser().get(probe, "Sec-Fetch-Site", "same-origin"); got.status != http.StatusOK || strings.Contains(got.body, "code") {
		t.Errorf("a probe without a cookie: got %d %q", got.status, got.body)
	}
	if got := h.newBrowser().get(probe, "Cookie", f.cookie); got.status != http.StatusNoContent {
		t.Errorf("a probe with the cookie: got %d", got.status)
	}
	// The tab replaces the frame where the frame cannot store cookies, and has the same access.
	own := v.post(tab.action, tab.values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
	own.wantText("Confirm it’s you")
	if got := v.post(tab.action, tab.values); got.status != http.StatusConflict {
		t.Errorf("the tab again: got %d", got.status)
	}
	if got := h.newBrowser().get(probe, "Cookie", f.cookie); got.status != http.StatusOK {
		t.Errorf("the frame's own sign-in after the tab's: got %d", got.status)
	}
}
