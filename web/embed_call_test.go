package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/crm"
)

func hubUser(id int64, email string) crm.HubUser {
	return crm.HubUser{Portal: 777, User: id, Email: email}
}

// calls sends what HubSpot's server sends for a card.
func (a *acme) calls(method, address, body string) *answerPage {
	a.h.t.Helper()
	at, signature := crm.CallHeaders([]byte(crmSecret), method, "http://localhost"+address, []byte(body))
	return a.sends(method, address, body, "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature)
}

func (a *acme) sends(method, address, body string, headers ...string) *answerPage {
	a.h.t.Helper()
	v := a.h.stranger()
	r := v.request(method, address, nil, append(headers, "Content-Type", "application/json"))
	again, err := http.NewRequestWithContext(a.h.t.Context(), method, r.URL.String(), strings.NewReader(body))
	if err != nil {
		a.h.t.Fatal(err)
	}
	again.Header = r.Header
	return v.do(again)
}

func callBody(t testing.TB, o crm.Opening) string {
	t.Helper()
	body, err := crm.CallBody(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// doorOf is the one-time address in an answer.
func doorOf(t testing.TB, got *answerPage) string {
	t.Helper()
	var said struct{ URL string }
	if err := json.Unmarshal([]byte(got.body), &said); err != nil || got.status != http.StatusOK {
		t.Fatalf("got %d %q, want an address", got.status, got.body)
	}
	return strings.TrimPrefix(said.URL, "http://localhost")
}

// inModal are the headers with which a browser opens an address in another site's frame.
func inModal() []string {
	return []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}
}

func (a *acme) hubLaunch(by crm.HubUser, o crm.Opening) (*visitor, *answerPage) {
	a.h.t.Helper()
	door := doorOf(a.h.t, a.calls(http.MethodPost, crm.Asked("/launch/hubspot/hs", by), callBody(a.h.t, o)))
	v := a.h.stranger()
	return v, v.get(door, inModal()...)
}

// connectsHub makes a log-in of HubSpot somebody's, outside of the frame.
func (a *acme) connectsHub(who string, by crm.HubUser) {
	a.h.t.Helper()
	_, page := a.hubLaunch(by, opening("0"))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	f := a.h.visit(who).get(outside).form("#connecting")
	f.values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := a.h.visit(who).send(f); got.status != http.StatusOK {
		a.h.t.Fatalf("connecting: got %d: %s", got.status, got.text())
	}
}

func TestACallIsAnsweredWithAOneTimeAddress(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	address, body := crm.Asked("/launch/hubspot/hs", hubUser(12, "olivia@summit.test")), callBody(t, opening("51"))
	at, signature := crm.CallHeaders([]byte(crmSecret), http.MethodPost, "http://localhost"+address, []byte(body))
	ask := func(signature string) *answerPage {
		return a.sends(http.MethodPost, address, body, "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature)
	}
	if got := ask("AAAA"); got.status != http.StatusForbidden {
		t.Errorf("badly signed: got %d", got.status)
	}
	doorOf(t, ask(signature))
	door := doorOf(t, ask(signature)) // it is repeated after an answer that was lost
	v := h.stranger()
	if got := v.do(v.request(http.MethodHead, door, nil, inModal())); got.status != http.StatusMethodNotAllowed {
		t.Errorf("a scanner's look at the address: got %d, want 405", got.status)
	}
	v.get(door, inModal()...).says("Connect CRM hs once", "olivia@summit.test")
	if got := v.get(door); got.status != http.StatusConflict {
		t.Errorf("the address again: got %d", got.status)
	}
}

// The code of a card runs in the browser of whoever uses it, and HubSpot signs what it says.
func TestACardsCodeOpensNoColleaguesDesk(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	a.connectsHub("olivia", hers)
	forged := `{"portalId":777,"userId":12,"userEmail":"olivia@summit.test","userName":"Olivia","record":{"type":"deal","id":"51"}}`
	door := doorOf(t, a.calls(http.MethodPost, crm.Asked("/launch/hubspot/hs", his), forged))
	if page := h.stranger().get(door, inModal()...); strings.Contains(page.text(), "Olivia") || !strings.Contains(page.text(), "marcus@summit.test") {
		t.Errorf("a body that names her opened: %s", page.text())
	}
	for _, address := range []string{"/launch/hubspot/hs?userId=12", "/launch/hubspot/hs?userId=12&portalId=777&userEmail=olivia%40summit.test"} {
		if got := a.calls(http.MethodPost, crm.Asked(address, his), callBody(t, opening("51"))); got.status != http.StatusForbidden {
			t.Errorf("%s: got %d, want it refused", address, got.status)
		}
	}
	if _, page := a.hubLaunch(hers, opening("51")); !strings.Contains(page.text(), "Continue as Olivia Bennett") {
		t.Errorf("her own call: %s", page.text())
	}
}
