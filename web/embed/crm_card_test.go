package embed_test

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
	"hearthline/web/webtest"
)

// getCard sends a request with a token for exactly that URL.
func getCard(a *webtest.CRM, path string) *webtest.Response {
	a.H.T.Helper()
	raw, err := samplecrm.Token(a.Key, webtest.CRMOrigin, "http://localhost"+path, webtest.LaunchFor(""))
	if err != nil {
		a.H.T.Fatal(err)
	}
	return a.H.NewBrowser().Get(path, "Authorization", "Bearer "+raw)
}

// getSignedCard sends a call that the CRM's server signed some time ago.
func getSignedCard(a *webtest.CRM, path string, ago time.Duration) *webtest.Response {
	at := strconv.FormatInt(time.Now().Add(-ago).UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(webtest.CRMSecret))
	mac.Write([]byte("GET" + "http://localhost" + path + at))
	signature := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return a.H.NewBrowser().Get(path, "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature)
}

func TestCRMCard_ShowsStepWithoutPII(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	a.OpenFrame(webtest.LaunchFor("51")).StartLead("Rivera")
	h.OpenFrameAt("sf", "olivia", "77").StartLead("Nowak")
	got := getCard(a, "/api/embed/acme/records/51")
	var card map[string]any
	if err := json.Unmarshal([]byte(got.Body), &card); err != nil || card["found"] != true || card["shortId"] == "" ||
		card["step"] == "" || len(card) != 4 || strings.Contains(got.Body, "Rivera") {
		t.Errorf("got %d %s, want the step as text, the short id and no borrower data", got.Status, got.Body)
	}
	if cc, tag := got.Header.Get("Cache-Control"), got.Header.Get("ETag"); cc != "no-store" || tag != "" {
		t.Errorf("got Cache-Control %q and ETag %q, want it not cached", cc, tag)
	}
	if got := getSignedCard(a, "/api/embed/sf/records/77", 4*time.Minute); !strings.Contains(got.Body, `"shortId"`) {
		t.Errorf("a call that the CRM's server signs for itself: got %d %s", got.Status, got.Body)
	}
	if got := getSignedCard(a, "/api/embed/sf/records/77", 6*time.Minute); got.Status != http.StatusForbidden {
		t.Errorf("the same call six minutes later: got %d %s", got.Status, got.Body)
	}
}

// A missing record and a record of another user get the same answer.
func TestCRMCard_MissingOrForeign_SameResponse(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	h.AddLakesideCRM()
	h.OpenFrameAt("sf", "olivia", "77").StartLead("Rivera")
	h.OpenFrameAt("lake", "piotr", "78").StartLead("Nowak")
	h.SignInAs("olivia").StartLead("Quill", "partnerDataRequest.externalReferenceId", "79")
	for what, path := range map[string]string{"no such record": "52", "another CRM's record": "77",
		"another company's record": "78", "a record that only has the number": "79", "no token": "%20"} {
		got := getCard(a, "/api/embed/acme/records/"+path)
		if got.Status != http.StatusNotFound || got.Body != `{"found":false}` {
			t.Errorf("%s: got %d %s", what, got.Status, got.Body)
		}
	}
	token := a.Token(webtest.LaunchFor("51"))
	var first string
	for what, try := range map[string]struct {
		path    string
		headers []string
	}{
		"unsigned":              {"acme/records/51", nil},
		"with an invalid token": {"acme/records/51", []string{"Authorization", "Bearer x"}},
		"with a launch token":   {"acme/records/51", []string{"Authorization", "Bearer " + token}},
		"at an unknown client":  {"nobody/records/51", []string{"Authorization", "Bearer " + token}},
	} {
		got := h.NewBrowser().Get("/api/embed/"+try.path, try.headers...)
		message := jsonErrorText(t, got)
		if first == "" {
			first = message
		}
		if got.Status != http.StatusForbidden || message != first {
			t.Errorf("%s: got %d %s, want the same 403 for all", what, got.Status, got.Body)
		}
	}
}

// Anybody in the company's HubSpot can write a card that asks for any record.
func TestCRMCard_HubSpot_ScopedToUser(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	card := func(by samplecrm.HubSpotUser) string {
		return sendSignedCall(a, http.MethodGet, samplecrm.HubSpotURL("/api/embed/hs/records/51", by), "").Body
	}
	if got := card(hers); got != `{"found":false,"connected":false}` {
		t.Errorf("before her sign-in is connected: got %s", got)
	}
	connectHubUser(a, "olivia", hers)
	connectHubUser(a, "marcus", his)
	a.Attest()
	v, page := hubLaunch(a, hers, webtest.LaunchFor("51"))
	a.ContinueLaunch(v, page).StartLead("Rivera")
	if got := card(hers); !strings.Contains(got, `"shortId"`) || strings.Contains(got, "Rivera") {
		t.Errorf("her own lead: got %s", got)
	}
	if got := card(his); got != `{"found":false}` {
		t.Errorf("a colleague's lead: got %s", got)
	}
	at, signature := samplecrm.CallHeaders([]byte(webtest.CRMSecret), "GET",
		"http://localhost/api/embed/hs/records/51", nil)
	if got := h.NewBrowser().Get("/api/embed/hs/records/51", "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3",
		signature); got.Status != http.StatusForbidden {
		t.Errorf("without a user: got %d", got.Status)
	}
}
