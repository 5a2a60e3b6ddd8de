package embed_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"hearthline/internal/samplecrm"
	"hearthline/web/webtest"
)

// runConcurrently runs do n times at once and counts the responses by status.
func runConcurrently(n int, do func() *webtest.Response) map[int]int {
	got, start := make([]int, n), make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			got[i] = do().Status
		})
	}
	close(start)
	all.Wait()
	counted := map[int]int{}
	for _, status := range got {
		counted[status]++
	}
	return counted
}

// Of several concurrent uses of a single-use token, exactly one succeeds.
func TestEmbedTokens_ConcurrentUse_OneSucceeds(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	const n = 8
	token := url.Values{"launch_token": {a.Token(webtest.LaunchFor("51"))}}
	press := a.PostLaunch(h.NewBrowser(), webtest.LaunchFor("52")).Form("#continue")
	opened := (&webtest.Frame{Browser: h.NewBrowser()}).
		Send(a.PostLaunch(h.NewBrowser(), webtest.LaunchFor("53")).Form("#continue"))
	tab := opened.Form(`form[target="_blank"]`)
	door := launchURL(t, sendSignedCall(a, http.MethodPost,
		samplecrm.HubSpotURL("/launch/hubspot/hs", hubUser(12, "olivia@summit.test")), callBody(t, webtest.LaunchFor("54"))))
	for name, do := range map[string]func(v *webtest.Browser) *webtest.Response{
		"a token": func(v *webtest.Browser) *webtest.Response {
			return v.Post("/launch/jwt/acme", token, webtest.CrossSiteHeaders()...)
		},
		"a submission": func(v *webtest.Browser) *webtest.Response {
			return v.Post(press.Action, press.Values, webtest.FrameHeaders()...)
		},
		"a tab":          func(v *webtest.Browser) *webtest.Response { return v.Post(tab.Action, tab.Values) },
		"a one-time URL": func(v *webtest.Browser) *webtest.Response { return v.Get(door, modalHeaders()...) },
	} {
		browsers := make(chan *webtest.Browser, n)
		for range n {
			browsers <- h.NewBrowser()
		}
		got := runConcurrently(n, func() *webtest.Response {
			v := <-browsers
			v.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			return do(v)
		})
		success := got[http.StatusOK] + got[http.StatusSeeOther]
		if success != 1 || got[http.StatusConflict] != n-1 {
			t.Errorf("%s: got %v, want one success and %d conflicts", name, got, n-1)
		}
	}
}
