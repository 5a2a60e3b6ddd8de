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

	"hearthline/internal/crm"
)

// asksCard asks with a token for an address of its own.
func (a *acme) asksCard(path string) *answerPage {
	a.h.t.Helper()
	raw, err := crm.Token(a.key, crmOrigin, "http://localhost"+path, opening(""))
	if err != nil {
		a.h.t.Fatal(err)
	}
	return a.h.stranger().get(path, "Authorization", "Bearer "+raw)
}

// asksSigned asks with a call that the CRM's server signed some time ago.
func (a *acme) asksSigned(path string, ago time.Duration) *answerPage {
	at := strconv.FormatInt(time.Now().Add(-ago).UnixMilli(), 10)
	mac := hmac.New(sha256.New, []byte(crmSecret))
	mac.Write([]byte("GET" + "http://localhost" + path + at))
	signature := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return a.h.stranger().get(path, "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature)
}

func TestTheCardOfARecord(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	a.enters(opening("51")).starts("Rivera")
	h.framedAt("sf", "olivia", "77").starts("Nowak")
	got := a.asksCard("/api/embed/acme/records/51")
	var card map[string]any
	if err := json.Unmarshal([]byte(got.body), &card); err != nil || card["found"] != true || card["shortId"] == "" || card["step"] == "" || len(card) != 4 || strings.Contains(got.body, "Rivera") {
		t.Errorf("got %d %s, want the step in words, the short id and nothing of the borrower", got.status, got.body)
	}
	if cc, tag := got.header.Get("Cache-Control"), got.header.Get("ETag"); cc != "no-store" || tag != "" {
		t.Errorf("got Cache-Control %q and ETag %q, want it kept nowhere", cc, tag)
	}
	if got := a.asksSigned("/api/embed/sf/records/77", 4*time.Minute); !strings.Contains(got.body, `"shortId"`) {
		t.Errorf("by a call that the CRM's server signs for itself: got %d %s", got.status, got.body)
	}
	if got := a.asksSigned("/api/embed/sf/records/77", 6*time.Minute); got.status != http.StatusForbidden {
		t.Errorf("the same call six minutes later: got %d %s", got.status, got.body)
	}
}

// What is not there for who asks is the same answer, whatever it is instead.
func TestACardTellsNothingOfWhatIsNotThere(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	h.lake()
	h.framedAt("sf", "olivia", "77").starts("Rivera")
	h.framedAt("lake", "piotr", "78").starts("Nowak")
	h.visit("olivia").start("Quill", "partnerDataRequest.externalReferenceId", "79")
	for what, path := range map[string]string{"no such record": "52", "another CRM's": "77", "another company's": "78", "one that only carries the number": "79", "none at all": "%20"} {
		got := a.asksCard("/api/embed/acme/records/" + path)
		if got.status != http.StatusNotFound || got.body != `{"found":false}` {
			t.Errorf("%s: got %d %s", what, got.status, got.body)
		}
	}
	token := a.token(opening("51"))
	var first string
	for what, try := range map[string]struct {
		path    string
		headers []string
	}{
		"unsigned": {"acme/records/51", nil}, "with nonsense": {"acme/records/51", []string{"Authorization", "Bearer x"}},
		"with a token for launching": {"acme/records/51", []string{"Authorization", "Bearer " + token}},
		"at a client that is not":    {"nobody/records/51", []string{"Authorization", "Bearer " + token}},
	} {
		got := h.stranger().get("/api/embed/"+try.path, try.headers...)
		said := saidToMachine(t, got)
		if first == "" {
			first = said
		}
		if got.status != http.StatusForbidden || said != first {
			t.Errorf("%s: got %d %s, want the same 403 for all", what, got.status, got.body)
		}
	}
}

// Anybody in the company's HubSpot can have a card of their own code ask for any record.
func TestACardThroughHubSpotShowsWhatItsPersonMaySee(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	told := func(by crm.HubUser) string {
		return a.calls(http.MethodGet, crm.Asked("/api/embed/hs/records/51", by), "").body
	}
	if got := told(hers); got != `{"found":false,"connected":false}` {
		t.Errorf("before her log-in is connected: got %s", got)
	}
	a.connectsHub("olivia", hers)
	a.connectsHub("marcus", his)
	a.attest()
	v, page := a.hubLaunch(hers, opening("51"))
	a.press(v, page).starts("Rivera")
	if got := told(hers); !strings.Contains(got, `"shortId"`) || strings.Contains(got, "Rivera") {
		t.Errorf("her own lead: got %s", got)
	}
	if got := told(his); got != `{"found":false}` {
		t.Errorf("a colleague's lead: got %s", got)
	}
	at, signature := crm.CallHeaders([]byte(crmSecret), "GET", "http://localhost/api/embed/hs/records/51", nil)
	if got := h.stranger().get("/api/embed/hs/records/51", "X-HubSpot-Request-Timestamp", at, "X-HubSpot-Signature-v3", signature); got.status != http.StatusForbidden {
		t.Errorf("nobody asks: got %d", got.status)
	}
}
