package embed_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/samplecrm"
	"hearthline/web/webtest"
)

func hubUser(id int64, email string) samplecrm.HubSpotUser {
	return samplecrm.HubSpotUser{Portal: 777, User: id, Email: email}
}

// sendSignedCall sends what HubSpot's server sends for a card.
func sendSignedCall(a *webtest.CRM, method, address, body string) *webtest.Response {
	a.H.T.Helper()
	at, signature := samplecrm.CallHeaders([]byte(webtest.CRMSecret), method, "http://localhost"+address, []byte(body))
	return sendCall(a, method, address, body, "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature)
}

func sendCall(a *webtest.CRM, method, address, body string, headers ...string) *webtest.Response {
	a.H.T.Helper()
	v := a.H.NewBrowser()
	r := v.Request(method, address, nil, append(headers, "Content-Type", "application/json"))
	again, err := http.NewRequestWithContext(a.H.T.Context(), method, r.URL.String(), strings.NewReader(body))
	if err != nil {
		a.H.T.Fatal(err)
	}
	again.Header = r.Header
	return v.Do(again)
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
func launchURL(t testing.TB, got *webtest.Response) string {
	t.Helper()
	var answer struct{ URL string }
	if err := json.Unmarshal([]byte(got.Body), &answer); err != nil || got.Status != http.StatusOK {
		t.Fatalf("got %d %q, want a URL", got.Status, got.Body)
	}
	return strings.TrimPrefix(answer.URL, "http://localhost")
}

// modalHeaders returns the headers with which a browser opens a URL in another site's frame.
func modalHeaders() []string {
	return []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}
}

func hubLaunch(a *webtest.CRM, by samplecrm.HubSpotUser,
	o samplecrm.LaunchClaims) (*webtest.Browser, *webtest.Response) {
	a.H.T.Helper()
	door := launchURL(a.H.T, sendSignedCall(a, http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", by),
		callBody(a.H.T, o)))
	v := a.H.NewBrowser()
	return v, v.Get(door, modalHeaders()...)
}

// connectHubUser connects a HubSpot sign-in to a user, outside the frame.
func connectHubUser(a *webtest.CRM, who string, by samplecrm.HubSpotUser) {
	a.H.T.Helper()
	_, page := hubLaunch(a, by, webtest.LaunchFor("0"))
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	f := a.H.SignInAs(who).Get(outside).Form("#connecting")
	f.Values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	if got := a.H.SignInAs(who).Send(f); got.Status != http.StatusOK {
		a.H.T.Fatalf("connecting: got %d: %s", got.Status, got.MainText())
	}
}

func TestSignedCall_ReturnsOneTimeURL(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	address, body := samplecrm.HubSpotURL("/launch/hubspot/hs", hubUser(12, "olivia@summit.test")),
		callBody(t, webtest.LaunchFor("51"))
	at, signature := samplecrm.CallHeaders([]byte(webtest.CRMSecret), http.MethodPost, "http://localhost"+address,
		[]byte(body))
	ask := func(signature string) *webtest.Response {
		return sendCall(a, http.MethodPost, address, body, "X-HubSpot-Request-Timestamp", at,
			"X-HubSpot-Signature-v3", signature)
	}
	if got := ask("AAAA"); got.Status != http.StatusForbidden {
		t.Errorf("a wrong signature: got %d", got.Status)
	}
	launchURL(t, ask(signature))
	door := launchURL(t, ask(signature)) // repeated after a lost response
	v := h.NewBrowser()
	if got := v.Do(v.Request(http.MethodHead, door, nil, modalHeaders())); got.Status != http.StatusMethodNotAllowed {
		t.Errorf("a scanner requests the URL: got %d, want 405", got.Status)
	}
	v.Get(door, modalHeaders()...).WantText("Connect CRM hs", "olivia@summit.test")
	if got := v.Get(door); got.Status != http.StatusConflict {
		t.Errorf("the URL again: got %d", got.Status)
	}
}

// A card's code runs in its user's browser, and HubSpot signs whatever it sends.
func TestSignedCall_ForgedUser_Rejected(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	connectHubUser(a, "olivia", hers)
	forged := `{"portalId":777,"userId":12,"userEmail":"olivia@summit.test","userName":"Olivia",` +
		`"record":{"type":"deal","id":"51"}}`
	door := launchURL(t, sendSignedCall(a, http.MethodPost, samplecrm.HubSpotURL("/launch/hubspot/hs", his), forged))
	if page := h.NewBrowser().Get(door, modalHeaders()...); strings.Contains(page.MainText(), "Olivia") ||
		!strings.Contains(page.MainText(), "marcus@summit.test") {
		t.Errorf("a body that names her opens: %s", page.MainText())
	}
	for _, address := range []string{"/launch/hubspot/hs?userId=12",
		"/launch/hubspot/hs?userId=12&portalId=777&userEmail=olivia%40summit.test"} {
		if got := sendSignedCall(a, http.MethodPost, samplecrm.HubSpotURL(address, his),
			callBody(t, webtest.LaunchFor("51"))); got.Status != http.StatusForbidden {
			t.Errorf("%s: got %d, want it rejected", address, got.Status)
		}
	}
	if _, page := hubLaunch(a, hers, webtest.LaunchFor("51")); !strings.Contains(page.MainText(),
		"Continue as Olivia Bennett") {
		t.Errorf("her own call: %s", page.MainText())
	}
}
