package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/internal/samplecrm"
)

// getCard sends a request with a token for exactly that URL.
func (a *crmFixture) getCard(path string) *response {
	a.h.t.Helper()
	raw, err := samplecrm.Token(a.key, crmOrigin, "http://localhost"+path, launchFor(""))
	if err != nil {
		a.h.t.Fatal(err)
	}
	return a.h.newBrowser().get(path, "Authorization", "Bearer "+raw)
}

// getSignedCard sends a call that the CRM's server signed some time ago.
func (a *crmFixture) getSignedCard(path string, ago time.Duration) *response {
	at := strconv.FormatInt(time.Now().Add(-ago).UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(crmSecret))
	mac.Write([]byte("GET" + "http://localhost" + path + at))
	signature := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return a.h.newBrowser().get(path, "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature)
}

func TestCRMCard_ShowsStepWithoutPII(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	a.openFrame(launchFor("51")).startLead("Rivera")
	h.openFrameAt("sf", "olivia", "77").startLead("Nowak")
	got := a.getCard("/api/embed/acme/records/51")
	var card map[string]any
	if err := json.Unmarshal([]byte(got.body), &card); err != nil || card["found"] != true || card["shortId"] == "" || card["step"] == "" || len(card) != 4 || strings.Contains(got.body, "Rivera") {
		t.Errorf("got %d %s, want the step as text, the short id and no borrower data", got.status, got.body)
	}
	if cc, tag := got.header.Get("Cache-Control"), got.header.Get("ETag"); cc != "no-store" || tag != "" {
		t.Errorf("got Cache-Control %q and ETag %q, want it not cached", cc, tag)
	}
	if got := a.getSignedCard("/api/embed/sf/records/77", 4*time.Minute); !strings.Contains(got.body, `"shortId"`) {
		t.Errorf("a call that the CRM's server signs for itself: got %d %s", got.status, got.body)
	}
	if got := a.getSignedCard("/api/embed/sf/records/77", 6*time.Minute); got.status != http.StatusForbidden {
		t.Errorf("the same call six minutes later: got %d %s", got.status, got.body)
	}
}

// A missing record and a record of another user get the same answer.
func TestCRMCard_MissingOrForeign_SameResponse(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	h.addLakesideCRM()
	h.openFrameAt("sf", "olivia", "77").startLead("Rivera")
	h.openFrameAt("lake", "piotr", "78").startLead("Nowak")
	h.signInAs("olivia").startLead("Quill", "partnerDataRequest.externalReferenceId", "79")
	for what, path := range map[string]string{"no such record": "52", "another CRM's record": "77", "another company's record": "78", "a record that only has the number": "79", "no token": "%20"} {
		got := a.getCard("/api/embed/acme/records/" + path)
		if got.status != http.StatusNotFound || got.body != `{"found":false}` {
			t.Errorf("%s: got %d %s", what, got.status, got.body)
		}
	}
	token := a.token(launchFor("51"))
	var first string
	for what, try := range map[string]struct {
		path    string
		headers []string
	}{
		"unsigned": {"acme/records/51", nil}, "with an invalid token": {"acme/records/51", []string{"Authorization", "Bearer x"}},
		"with a launch token":  {"acme/records/51", []string{"Authorization", "Bearer " + token}},
		"at an unknown client": {"nobody/records/51", []string{"Authorization", "Bearer " + token}},
	} {
		got := h.newBrowser().get("/api/embed/"+try.path, try.headers...)
		message := jsonErrorText(t, got)
		if first == "" {
			first = message
		}
		if got.status != http.StatusForbidden || message != first {
			t.Errorf("%s: got %d %s, want the same 403 for all", what, got.status, got.body)
		}
	}
}

// Anybody in the company's HubSpot can write a card that asks for any record.
func TestCRMCard_HubSpot_ScopedToUser(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	card := func(by samplecrm.HubSpotUser) string {
		return a.sendSignedCall(http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/records/51", by), "").body
	}
	if got := card(hers); got != `{"found":false,"connected":false}` {
		t.Errorf("before her sign-in is connected: got %s", got)
	}
	a.connectHubUser("olivia", hers)
	a.connectHubUser("marcus", his)
	a.attest()
	v, page := a.hubLaunch(hers, launchFor("51"))
	a.continueLaunch(v, page).startLead("Rivera")
	if got := card(hers); !strings.Contains(got, `"shortId"`) || strings.Contains(got, "Rivera") {
		t.Errorf("her own lead: got %s", got)
	}
	if got := card(his); got != `{"found":false}` {
		t.Errorf("a colleague's lead: got %s", got)
	}
	at, signature := samplecrm.CallHeaders([]byte(crmSecret), "GET", "http://localhost/api/embed/hs/records/51", nil)
	if got := h.newBrowser().get("/api/embed/hs/records/51", "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature); got.status != http.StatusForbidden {
		t.Errorf("without a user: got %d", got.status)
	}
}
