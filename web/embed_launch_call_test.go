package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/samplecrm"
)

func hubUser(id int64, email string) samplecrm.HubSpotUser {
	return samplecrm.HubSpotUser{Portal: 777, User: id, Email: email}
}

// sendSignedCall sends what HubSpot's server sends for a card.
func (a *crmFixture) sendSignedCall(method, address, body string) *response {
	a.h.t.Helper()
	at, signature := samplecrm.CallHeaders([]byte(crmSecret), method, "http://localhost"+address, []byte(body))
	return a.sendCall(method, address, body, "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature)
}

func (a *crmFixture) sendCall(method, address, body string, headers ...string) *response {
	a.h.t.Helper()
	v := a.h.newBrowser()
	r := v.request(method, address, nil, append(headers, "Content-Type", "application/json"))
	again, err := http.NewRequestWithContext(a.h.t.Context(), method, r.URL.String(), strings.NewReader(body))
	if err != nil {
		a.h.t.Fatal(err)
	}
	again.Header = r.Header
	return v.do(again)
}

func callBody(t testing.TB, o samplecrm.LaunchClaims) string {
	t.Helper()
	body, err := samplecrm.CallBody(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// launchURL returns the one-time URL in a response.
func launchURL(t testing.TB, got *response) string {
	t.Helper()
	var answer struct{ URL string }
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil || got.status != http.StatusOK {
		t.Fatalf("got %d %q, want a URL", got.status, got.body)
	}
	return strings.TrimPrefix(answer.URL, "http://localhost")
}

// modalHeaders returns the headers with which a browser opens a URL in another site's frame.
func modalHeaders() []string {
	return []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}
}

func (a *crmFixture) hubLaunch(by samplecrm.HubSpotUser, o samplecrm.LaunchClaims) (*testBrowser, *response) {
	a.h.t.Helper()
	door := launchURL(a.h.t, a.sendSignedCall(http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", by), callBody(a.h.t, o)))
	v := a.h.newBrowser()
	return v, v.get(door, modalHeaders()...)
}

// connectHubUser connects a HubSpot sign-in to a user, outside the frame.
func (a *crmFixture) connectHubUser(who string, by samplecrm.HubSpotUser) {
	a.h.t.Helper()
	_, page := a.hubLaunch(by, launchFor("0"))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	f := a.h.signInAs(who).get(outside).form("#connecting")
	f.values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := a.h.signInAs(who).send(f); got.status != http.StatusOK {
		a.h.t.Fatalf("connecting: got %d: %s", got.status, got.text())
	}
}

func TestSignedCall_ReturnsOneTimeURL(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	address, body := samplecrm.HubSpotURL("/launch/hubspot/hs", hubUser(12, "olivia@summit.test")), callBody(t, launchFor("51"))
	at, signature := samplecrm.CallHeaders([]byte(crmSecret), http.MethodPost, "http://localhost"+address, []byte(body))
	ask := func(signature string) *response {
		return a.sendCall(http.MethodPost, address, body, "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature)
	}
	if got := ask("AAAA"); got.status != http.StatusForbidden {
		t.Errorf("a wrong signature: got %d", got.status)
	}
	launchURL(t, ask(signature))
	door := launchURL(t, ask(signature)) // repeated after a lost response
	v := h.newBrowser()
	if got := v.do(v.request(http.MethodHead, door, nil, modalHeaders())); got.status != http.StatusMethodNotAllowed {
		t.Errorf("a scanner requests the URL: got %d, want 405", got.status)
	}
	v.get(door, modalHeaders()...).wantText("Connect CRM hs", "olivia@summit.test")
	if got := v.get(door); got.status != http.StatusConflict {
		t.Errorf("the URL again: got %d", got.status)
	}
}

// A card's code runs in its user's browser, and HubSpot signs whatever it sends.
func TestSignedCall_ForgedUser_Rejected(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	a.connectHubUser("olivia", hers)
	forged := `{"portalId":777,"userId":12,"userEmail":"olivia@summit.test","userName":"Olivia","record":{"type":"deal","id":"51"}}`
	door := launchURL(t, a.sendSignedCall(http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", his), forged))
	if page := h.newBrowser().get(door, modalHeaders()...); strings.Contains(page.text(), "Olivia") || !strings.Contains(page.text(), "marcus@summit.test") {
		t.Errorf("a body that names her opens: %s", page.text())
	}
	for _, address := range []string{"/launch/hubspot/hs?userId=12", "/launch/hubspot/hs?userId=12&portalId=777&userEmail=olivia%40summit.test"} {
		if got := a.sendSignedCall(http.MethodPost, samplecrm.HubSpotURL(address, his), callBody(t, launchFor("51"))); got.status != http.StatusForbidden {
			t.Errorf("%s: got %d, want it rejected", address, got.status)
		}
	}
	if _, page := a.hubLaunch(hers, launchFor("51")); !strings.Contains(page.text(), "Continue as Olivia Bennett") {
		t.Errorf("her own call: %s", page.text())
	}
}
