package sandbox

import (
	"net/http"
	"testing"
)

// TestLifecycle_StartToFunded runs the whole process in both dialects: start, offers, selection, the
// borrower's part, conversion, funding.
func TestLifecycle_StartToFunded(t *testing.T) {
	t.Parallel()
	for _, dialect := range []Dialect{Documented, Live} {
		t.Run(string(dialect), func(t *testing.T) {
			g := newHarness(t, Config{Dialect: dialect})
			id := g.start(g.payload("Rivera"))
			if got := g.step(id); got != "OFFERS_AVAILABLE" {
				t.Fatalf("after start: got %s, want OFFERS_AVAILABLE", got)
			}
			offers := g.appData(id)["underwriting"].(object)["offers"].([]any)
			if len(offers) != 24 {
				t.Fatalf("offers: got %d, want 24", len(offers))
			}
			offer := offers[0].(object)["uuid"]
			status := g.operate("PUT", id, "select-offer", object{"offer": object{
				"offerUuid": offer, "selectedOfferAmount": 60000, "selectedDiscounts": []string{"AUTOPAY", "NO_SUCH"},
				"selectedAccountsToPayoff": []string{},
			}})
			if status != http.StatusOK {
				t.Fatalf("select-offer: got %d, want 200", status)
			}
			for _, move := range []struct{ event, want string }{
				{"", "BORROWER_AUTH_REQUIRED"},
				{"borrower-signs-in", "BROKER_DOC_SIGNING_REQUIRED"},
				{"documents-signed", "INQUIRY_COMPLETE"},
				{"convert", "INQUIRY_COMPLETE"},
				{"condition", "INQUIRY_COMPLETE"},
				{"fund", "INQUIRY_COMPLETE"},
			} {
				if move.event != "" {
					if status := g.playEvent(id, move.event); status != http.StatusOK {
						t.Fatalf("%s: got %d, want 200", move.event, status)
					}
				}
				if got := g.step(id); got != move.want {
					t.Fatalf("after %q: got %s, want %s", move.event, got, move.want)
				}
			}
			if got := g.appData(id)["isInquiry"]; got != false {
				t.Errorf("isInquiry: got %v, want false", got)
			}
			if got := g.operate("PUT", id, "cancel", object{}); got != http.StatusConflict {
				t.Errorf("cancel after conversion: got %d, want 409", got)
			}
			_, listed := g.call("GET", "/products/heloc/v1/document/"+id+"/list", nil)
			if got := len(listed["documents"].([]any)); got != 7 {
				t.Errorf("documents: got %d, want 7", got)
			}
		})
	}
}
