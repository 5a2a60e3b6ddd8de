package web

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"hearthline/internal/samplecrm"
)

// runConcurrently runs do n times at once and counts the responses by status.
func runConcurrently(n int, do func() *response) map[int]int {
	got, start := make([]int, n), make(chan struct{})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			<-start
			got[i] = do().status
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
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	const n = 8
	token := url.Values{"launch_token": {a.token(launchFor("51"))}}
	press := a.postLaunch(h.newBrowser(), launchFor("52")).form("#continue")
	opened := (&embedFrame{testBrowser: h.newBrowser()}).send(a.postLaunch(h.newBrowser(), launchFor("53")).form("#continue"))
	tab := opened.form(`form[target="_blank"]`)
	door := launchURL(t, a.sendSignedCall(http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", hubUser(12, "olivia@summit.test")), callBody(t, launchFor("54"))))
	for name, do := range map[string]func(v *testBrowser) *response{
		"a token":        func(v *testBrowser) *response { return v.post("/launch/jwt/acme", token, crossSiteHeaders()...) },
		"a submission":   func(v *testBrowser) *response { return v.post(press.action, press.values, frameHeaders()...) },
		"a tab":          func(v *testBrowser) *response { return v.post(tab.action, tab.values) },
		"a one-time URL": func(v *testBrowser) *response { return v.get(door, modalHeaders()...) },
	} {
		browsers := make(chan *testBrowser, n)
		for range n {
			browsers <- h.newBrowser()
		}
		got := runConcurrently(n, func() *response {
			v := <-browsers
			v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			return do(v)
		})
		success := got[http.StatusOK] + got[http.StatusSeeOther]
		if success != 1 || got[http.StatusConflict] != n-1 {
			t.Errorf("%s: got %v, want one success and %d conflicts", name, got, n-1)
		}
	}
}
