package sandbox

import (
	"net/http"
	"testing"
)

// TestMainJob walks the whole road in both dialects: start, offers, selection, the
// borrower's part, conversion, funding.
func TestMainJob(t *testing.T) {
	for _, dialect := range []Dialect{Documented, Live} {
		t.Run(string(dialect), func(t *testing.T) {
			g := open(t, Config{Dialect: dialect})
			id := g.start(g.payload("Rivera"))
			if got := g.step(id); got != "OFFERS_AVAILABLE" {
				t.Fatalf("after start: got %s, want OFFERS_AVAILABLE", got)
			}
			offers := g.app(id)["underwriting"].(obj)["offers"].([]any)
			if len(offers) != 24 {
				t.Fatalf("offers: got %d, want 24", len(offers))
			}
			offer := offers[0].(obj)["uuid"]
			status := g.act("PUT", id, "select-offer", obj{"offer": obj{
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
					if status := g.event(id, move.event); status != http.StatusOK {
						t.Fatalf("%s: got %d, want 200", move.event, status)
					}
				}
				if got := g.step(id); got != move.want {
					t.Fatalf("after %q: got %s, want %s", move.event, got, move.want)
				}
			}
			if got := g.app(id)["isInquiry"]; got != false {
				t.Errorf("isInquiry: got %v, want false", got)
			}
			if got := g.act("PUT", id, "cancel", obj{}); got != http.StatusConflict {
				t.Errorf("cancel after conversion: got %d, want 409", got)
			}
			_, listed := g.ask("GET", "/products/heloc/v1/document/"+id+"/list", nil)
			if got := len(listed["documents"].([]any)); got != 7 {
				t.Errorf("documents: got %d, want 7", got)
			}
		})
	}
}
