package web

import (
	"net/http"
	"net/url"
	"sync"
	"testing"

	"hearthline/internal/crm"
)

// atOnce does the same several times at once, and counts the answers by their status.
func atOnce(n int, do func() *answerPage) map[int]int {
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

// Of what is good once, one of several at once succeeds.
func TestOnceIsOnceAtTheSameTime(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	const n = 8
	token := url.Values{"launch_token": {a.token(opening("51"))}}
	press := a.posts(h.stranger(), opening("52")).form("#continue")
	opened := (&frame{visitor: h.stranger()}).send(a.posts(h.stranger(), opening("53")).form("#continue"))
	tab := opened.form(`form[target="_blank"]`)
	door := doorOf(t, a.calls(http.MethodPost, crm.Asked("/launch/hubspot/hs", hubUser(12, "olivia@summit.test")), callBody(t, opening("54"))))
	for name, do := range map[string]func(v *visitor) *answerPage{
		"a token":            func(v *visitor) *answerPage { return v.post("/launch/jwt/acme", token, crossSite()...) },
		"a press":            func(v *visitor) *answerPage { return v.post(press.action, press.values, inFrame()...) },
		"a tab":              func(v *visitor) *answerPage { return v.post(tab.action, tab.values) },
		"a one-time address": func(v *visitor) *answerPage { return v.get(door, inModal()...) },
	} {
		visitors := make(chan *visitor, n)
		for range n {
			visitors <- h.stranger()
		}
		got := atOnce(n, func() *answerPage {
			v := <-visitors
			v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			return do(v)
		})
		success := got[http.StatusOK] + got[http.StatusSeeOther]
		if success != 1 || got[http.StatusConflict] != n-1 {
			t.Errorf("%s: got %v, want one success and %d conflicts", name, got, n-1)
		}
	}
}
