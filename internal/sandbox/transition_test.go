package sandbox

import (
	"net/http"
	"strings"
	"testing"
)

// move is one thing done to an inquiry and where it stands afterwards.
type move struct {
	do   string // an operation of deeds, or "event:" and its name
	want string
}

// deed sends a well-formed answer of one kind and answers the status.
func (g *rig) deed(id, name string) int {
	g.t.Helper()
	switch name {
	case "ssn", "wrong ssn":
		ssn := map[string]string{"ssn": "512-44-9981", "wrong ssn": "512-44-0000"}[name]
		return g.act("PUT", id, "add-ssn", g.sealed(obj{"request": g.request(), "applicant": obj{"ssn": ssn}}))
	case "repull":
		return g.act("POST", id, "repull-credit", obj{})
	case "liens":
		known := g.app(id)["propertyLiens"].([]any)[0].(obj)
		return g.act("PUT", id, "verify-liens", obj{"liens": []obj{{
			"lienUuid": known["lienUuid"], "lenderName": "Meridian Home Loans", "originalBalance": 310000,
			"originationDate": "2019-05-01", "currentBalance": 250000,
		}}})
	case "income":
		return g.act("PUT", id, "add-income", obj{"income": obj{"employmentType": "RETIRED", "grossAnnualIncome": 96000}})
	case "assets":
		return g.act("PUT", id, "asset-depletion", obj{"income": obj{"employmentType": "RETIRED", "grossAnnualIncome": 96000, "savingsAmount": 150000}})
	case "payoff":
		return g.act("PUT", id, "asset-depletion", obj{
			"income":          obj{"employmentType": "FULL_TIME", "grossAnnualIncome": 128000},
			"liabilityPayoff": obj{"selectedAccountsToPayoff": []string{g.account(id)}},
		})
	case "value":
		return g.act("PUT", id, "add-property-estimate", obj{"propertyEstimate": obj{"borrowerEstimatedValue": 715000}})
	case "property":
		_, found := g.ask("GET", "/products/heloc/v1/inquiry/"+id+"/properties", nil)
		property := found["properties"].([]any)[1].(obj)["id"]
		return g.act("PUT", id, "select-property", obj{"property": obj{"propertyId": property}})
	case "cancel":
		return g.act("PUT", id, "cancel", obj{})
	case "offer":
		offer := g.app(id)["underwriting"].(obj)["offers"].([]any)[0].(obj)["uuid"]
		return g.act("PUT", id, "select-offer", obj{"offer": obj{
			"offerUuid": offer, "selectedOfferAmount": 50000, "selectedDiscounts": []string{}, "selectedAccountsToPayoff": []string{},
		}})
	default:
		g.t.Fatalf("no deed %q", name)
		return 0
	}
}

// account is the first debt that can be paid off.
func (g *rig) account(id string) string {
	g.t.Helper()
	existing := g.app(id)["ddpDetails"].(obj)["existingLiabilities"].(obj)
	return existing["eligible"].([]any)[0].(obj)["id"].(string)
}

// TestTransitions is the table of the manual: each trigger, the numbers, and how they
// compose. Every row begins where processing of the start has ended.
func TestTransitions(t *testing.T) {
	const (
		offers = "OFFERS_AVAILABLE"
		match  = "CREDIT_MATCH_REQUIRED"
		frozen = "UNFREEZE_CREDIT"
		liens  = "LIEN_MATCHING_REQUIRED"
		assets = "MORE_ASSETS_REQUIRED"
		payoff = "PAYOFF_REQUIRED"
		value  = "PROPERTY_VALUE_REQUIRED"
		choose = "SELECT_PROPERTY"
		none   = "NO_OFFERS"
		auth   = "BORROWER_AUTH_REQUIRED"
		docs   = "BROKER_DOC_SIGNING_REQUIRED"
		whole  = "INQUIRY_COMPLETE"
		closed = "INQUIRY_CLOSED"
		gone   = "INQUIRY_WITHDRAWN"
	)
	rows := []struct {
		lastName string
		change   func(obj) // of the start payload
		begins   string
		moves    []move
	}{
		{"Rivera", nil, offers, []move{{"offer", auth}, {"event:borrower-signs-in", docs}, {"event:documents-signed", whole}}},
		{"Rivera-Smith", nil, offers, nil},
		{"Rivera-Match", nil, match, []move{{"wrong ssn", match}, {"ssn", offers}}},
		{"Rivera-Match", set("applicant", "ssn", "512449981"), offers, nil},
		{"Rivera-Match", set("applicant", "ssn", "512-44-0000"), match, []move{{"ssn", offers}}},
		{"Rivera-Frozen", nil, frozen, []move{{"repull", frozen}, {"repull", offers}}},
		{"Rivera-Frozen", nil, frozen, []move{{"event:thaw", frozen}, {"repull", offers}}},
		{"Rivera-Liens", nil, liens, []move{{"liens", offers}}},
		{"Rivera-Assets", nil, assets, []move{{"assets", offers}}},
		{"Rivera-Assets", nil, assets, []move{{"income", offers}}},
		{"Rivera-Payoff", nil, payoff, []move{{"payoff", offers}}},
		{"Rivera-Value", nil, value, []move{{"value", offers}}},
		{"Rivera-Unit", nil, choose, []move{{"property", offers}}},
		{"Rivera-Vague", nil, choose, []move{{"cancel", closed}}},
		{"Rivera-None", nil, none, []move{{"cancel", closed}}},
		{"Rivera-Score", nil, none, nil},
		{"rivera-match", nil, match, []move{{"ssn", offers}}},

		{"Rivera-Match-Liens", nil, match, []move{{"ssn", liens}, {"liens", offers}}},
		{"Rivera-Match-Liens-Payoff", nil, match, []move{{"ssn", liens}, {"liens", payoff}, {"payoff", offers}, {"offer", auth}}},
		{"Rivera-Liens-Match", nil, liens, []move{{"liens", match}, {"wrong ssn", match}, {"ssn", offers}}},
		{"Rivera-Unit-Frozen-Value", nil, choose, []move{{"property", frozen}, {"repull", frozen}, {"repull", value}, {"value", offers}}},
		{"Rivera-Assets-None", nil, assets, []move{{"assets", none}}},
		{"Rivera-Liens-Score", nil, liens, []move{{"liens", none}}},
		{"Rivera-None-Match", nil, none, nil},
		{"Rivera-Frozen-Match", set("applicant", "ssn", "512449981"), frozen, []move{{"event:thaw", frozen}, {"repull", offers}}},

		{"Rivera", set("applicant.income", "grossAnnualIncome", 20000), assets, []move{{"assets", offers}}},
		{"Rivera", set("applicant.income", "grossAnnualIncome", 23999.99), assets, []move{{"income", offers}}},
		{"Rivera", set("property.address", "street1", "12-18 Alder Way"), choose, []move{{"property", offers}}},
		{"Rivera", set("property.address", "street1", "12-18 Alder Way Apt 4"), offers, nil},
		{"Rivera", rich, value, []move{{"value", offers}}},
		{"Rivera", set("property", "borrowerEstimatedValue", 320000), none, nil}, // 82 % before the line, no second lien
		{"Rivera", secondLien, payoff, []move{{"payoff", offers}}},
		{"Rivera", set("applicant.income", "grossAnnualIncome", 50000), payoff, []move{{"payoff", offers}}},
		{"Rivera", set("applicant.income", "grossAnnualIncome", 30000), none, nil},

		{"Rivera", nil, offers, []move{{"cancel", closed}}},
		{"Rivera-Match", nil, match, []move{{"cancel", closed}}},
		{"Rivera", nil, offers, []move{{"offer", auth}, {"event:documents-signed", whole}, {"event:convert", whole}, {"event:fund", whole}}},
		{"Rivera", nil, offers, []move{{"offer", auth}, {"event:complete", whole}, {"event:condition", whole}}},
		{"Rivera", nil, offers, []move{{"event:condition", offers}, {"event:expire", gone}}},
		{"Rivera", nil, offers, []move{{"event:decline", gone}}},
		{"Rivera", nil, offers, []move{{"offer", auth}, {"event:complete", whole}, {"event:decline", gone}}},
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := open(t, Config{Dialect: dialect})
		for _, row := range rows {
			payload := g.payload(row.lastName)
			if row.change != nil {
				row.change(payload)
			}
			id := g.start(payload)
			if got := g.step(id); got != row.begins {
				t.Errorf("%s %s after start: got %s, want %s", dialect, row.lastName, got, row.begins)
				continue
			}
			for _, m := range row.moves {
				var status int
				if event, is := strings.CutPrefix(m.do, "event:"); is {
					status = g.event(id, event)
				} else {
					status = g.deed(id, m.do)
				}
				if got := g.step(id); status != http.StatusOK || got != m.want {
					t.Errorf("%s %s after %s: got %d %s, want 200 %s", dialect, row.lastName, m.do, status, got, m.want)
				}
			}
		}
	}
}

// TestHistoryGrows checks that an answer with the same step is still an answer: the
// partner sees from the history that the lender has looked again.
func TestHistoryGrows(t *testing.T) {
	g := open(t, Config{})
	id := g.start(g.payload("Rivera-Frozen"))
	before := len(g.app(id)["statusHistory"].([]any))
	g.deed(id, "repull")
	if got := len(g.app(id)["statusHistory"].([]any)); got != before+1 {
		t.Errorf("history after a re-pull that changed nothing: got %d entries, want %d", got, before+1)
	}
}
