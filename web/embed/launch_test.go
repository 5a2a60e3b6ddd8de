package embed_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/samplecrm"
	"hearthline/web/webtest"
)

func TestLaunch_SetsNoCookie(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	page := a.PostLaunch(h.NewBrowser(), webtest.LaunchFor("51"))
	page.WantText("Continue as Olivia Bennett")
	if page.Status != http.StatusOK || len(page.Header.Values("Set-Cookie")) > 0 {
		t.Errorf("got %d with the cookies %v", page.Status, page.Header.Values("Set-Cookie"))
	}
	if got := page.Header.Get("Content-Security-Policy"); !strings.Contains(got,
		"frame-ancestors "+webtest.CRMOrigin+";") {
		t.Errorf("got %q, want its own origin only", got)
	}
	if page.Header.Get("X-Frame-Options") != "" {
		t.Error("X-Frame-Options forbids the frame")
	}
}

func TestLaunch_ForgedOrReplayed_Rejected(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	v := h.NewBrowser()
	other, err := samplecrm.Token(a.Key, webtest.CRMOrigin, "http://localhost/launch/jwt/other", webtest.LaunchFor("51"))
	if err != nil {
		t.Fatal(err)
	}
	valid := a.Token(webtest.LaunchFor("51"))
	parts := strings.Split(valid, ".")
	envelope, err := samplecrm.CanvasRequest([]byte("another secret of many bytes"), "00DA", webtest.LaunchFor("51"))
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]struct {
		path, control, value string
		want                 int
	}{
		"nothing":              {"/launch/jwt/acme", "launch_token", "", 403},
		"unsigned":             {"/launch/jwt/acme", "launch_token", parts[0] + "." + parts[1] + ".", 403},
		"for another audience": {"/launch/jwt/acme", "launch_token", other, 403},
		"at another client":    {"/launch/jwt/sf", "launch_token", valid, 404},
		"of another kind":      {"/launch/canvas/acme", "signed_request", valid, 404},
		"with another secret":  {"/launch/canvas/sf", "signed_request", envelope, 403},
		"of an unknown kind":   {"/launch/saml/acme", "launch_token", valid, 404},
		"at an unknown client": {"/launch/jwt/nobody", "launch_token", valid, 404},
	} {
		got := v.Post(try.path, url.Values{try.control: {try.value}}, webtest.CrossSiteHeaders()...)
		if got.Status != try.want || strings.Contains(got.Body, `name="code"`) {
			t.Errorf("%s: got %d: %s", name, got.Status, got.MainText())
		}
	}
	if got := v.Post("/launch/jwt/acme", url.Values{"launch_token": {valid}},
		webtest.CrossSiteHeaders()...); got.Status != http.StatusOK {
		t.Fatalf("the valid one: got %d", got.Status)
	}
	if got := v.Post("/launch/jwt/acme", url.Values{"launch_token": {valid}},
		webtest.CrossSiteHeaders()...); got.Status != http.StatusConflict {
		t.Errorf("posted again: got %d", got.Status)
	}
}

func TestLaunch_ContinueFromOtherSite_403(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	v := h.NewBrowser()
	press := a.PostLaunch(v, webtest.LaunchFor("51")).Form("#continue")
	if got := v.Post(press.Action, press.Values, webtest.CrossSiteHeaders()...); got.Status != http.StatusForbidden ||
		got.Header.Get("Set-Cookie") != "" {
		t.Errorf("a form from another site: got %d", got.Status)
	}
	f := &webtest.Frame{Browser: v}
	in := f.Send(press)
	f.StoreCookie(in)
	tab := in.Form(`form[target="_blank"]`)
	if got := v.Post(tab.Action, tab.Values, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate",
		"Sec-Fetch-Dest", "document"); got.Status != http.StatusForbidden {
		t.Errorf("a tab from another site: got %d", got.Status)
	}
	if got := f.Send(press); got.Status != http.StatusConflict {
		t.Errorf("the form again: got %d", got.Status)
	}
	probe, _ := in.Find("[data-probe]").Attr("data-probe")
	if got := h.NewBrowser().Get(probe, "Sec-Fetch-Site", "same-origin"); got.Status != http.StatusOK ||
		strings.Contains(got.Body, "code") {
		t.Errorf("a probe without a cookie: got %d %q", got.Status, got.Body)
	}
	if got := h.NewBrowser().Get(probe, "Cookie", f.Cookie); got.Status != http.StatusNoContent {
		t.Errorf("a probe with the cookie: got %d", got.Status)
	}
	// The tab replaces the frame where the frame cannot store cookies, and has the same access.
	own := v.Post(tab.Action, tab.Values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate",
		"Sec-Fetch-Dest", "document")
	own.WantText("Confirm it’s you")
	if got := v.Post(tab.Action, tab.Values); got.Status != http.StatusConflict {
		t.Errorf("the tab again: got %d", got.Status)
	}
	if got := h.NewBrowser().Get(probe, "Cookie", f.Cookie); got.Status != http.StatusOK {
		t.Errorf("the frame's own sign-in after the tab's: got %d", got.Status)
	}
}
