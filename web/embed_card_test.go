package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/crm"
)

func TestTheCardOfARecord(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	olivia := h.visit("olivia")
	f := olivia.rivera("Rivera")
	f.values.Set("partnerDataRequest.externalReferenceId", "51")
	if got := olivia.send(f); !strings.HasPrefix(got.path, "/leads/") {
		t.Fatalf("the start led to %s", got.path)
	}
	ask := func(path string) *answerPage {
		raw, err := crm.Token(a.key, crmOrigin, "http://localhost"+path, opening(""))
		if err != nil {
			t.Fatal(err)
		}
		return h.stranger().get(path, "Authorization", "Bearer "+raw)
	}
	var card struct {
		Found         bool
		ShortID, Step string
	}
	got := ask("/api/embed/acme/records/51")
	if err := json.Unmarshal([]byte(got.body), &card); err != nil || !card.Found || card.ShortID == "" || card.Step == "" || strings.Contains(got.body, "Rivera") {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if got := ask("/api/embed/acme/records/52"); got.status != http.StatusOK || strings.Contains(got.body, "shortId") {
		t.Errorf("another record: got %d %s", got.status, got.body)
	}
	server, signature := crm.CallHeaders([]byte(crmSecret), "GET", "http://localhost/api/embed/sf/records/51", nil)
	if got := h.stranger().get("/api/embed/sf/records/51", "X-HubSpot-Request-Timestamp", server, "X-HubSpot-Signature-v3", signature); !strings.Contains(got.body, card.ShortID) {
		t.Errorf("by a call that the CRM's server signs for itself: got %d %s", got.status, got.body)
	}
	for _, headers := range [][]string{nil, {"Authorization", "Bearer x"}, {"Authorization", "Bearer " + a.token(opening("51"))}} {
		if got := h.stranger().get("/api/embed/acme/records/51", headers...); got.status != http.StatusForbidden {
			t.Errorf("%v: got %d", headers, got.status)
		}
	}
}

// Anybody in the company's HubSpot can have a card of their own code ask for any record.
func TestACardThroughHubSpotShowsWhatItsPersonMaySee(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	olivia := h.visit("olivia")
	f := olivia.rivera("Rivera")
	f.values.Set("partnerDataRequest.externalReferenceId", "51")
	olivia.send(f)
	hers, his := hubUser(12, "olivia@summit.test"), hubUser(13, "marcus@summit.test")
	told := func(by crm.HubUser) string {
		return a.calls(http.MethodGet, crm.Asked("/api/embed/hs/records/51", by), "").body
	}
	if got := told(hers); got != `{"connected":false,"found":false}` {
		t.Errorf("before her log-in is connected: got %s", got)
	}
	a.connectsHub("olivia", hers)
	a.connectsHub("marcus", his)
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
