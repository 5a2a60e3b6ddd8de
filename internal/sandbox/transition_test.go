package sandbox

import (
	"net/http"
	"strings"
	"testing"
)

// transition is one operation on an inquiry and the step after it.
type transition struct {
	do   string // a name for submitAnswer, or "event:" and the event's name
	want string
}

// submitAnswer sends a valid request of one kind and returns the status.
func (g *harness) submitAnswer(id, name string) int {
	g.t.Helper()
	switch name {
	case "ssn", "wrong ssn":
		ssn := map[string]string{"ssn": "512-44-9981", "wrong ssn": "512-44-0000"}[name]
		return g.operate("PUT", id, "add-ssn", g.encrypted(object{"request": g.request(), "applicant": object{"ssn": ssn}}))
	case "repull":
		return g.operate("POST", id, "repull-credit", object{})
	case "liens":
		known := g.appData(id)["propertyLiens"].([]any)[0].(object)
		return g.operate("PUT", id, "verify-liens", object{"liens": []object{{
			"lienUuid": known["lienUuid"], "lenderName": "Meridian Home Loans", "originalBalance": 310000,
			"originationDate": "2019-05-01", "currentBalance": 250000,
		}}})
	case "income":
		return g.operate("PUT", id, "add-income",
			object{"income": object{"employmentType": "RETIRED", "grossAnnualIncome": 96000}})
	case "assets":
		return g.operate("PUT", id, "asset-depletion",
			object{"income": object{"employmentType": "RETIRED", "grossAnnualIncome": 96000, "savingsAmount": 150000}})
	case "payoff":
		return g.operate("PUT", id, "asset-depletion", object{
			"income":          object{"employmentType": "FULL_TIME", "grossAnnualIncome": 128000},
			"liabilityPayoff": object{"selectedAccountsToPayoff": []string{g.eligibleAccount(id)}},
		})
	case "value":
		return g.operate("PUT", id, "add-property-estimate",
			object{"propertyEstimate": object{"borrowerEstimatedValue": 715000}})
	case "property":
		_, found := g.call("GET", "/products/heloc/v1/inquiry/"+id+"/properties", nil)
		property := found["properties"].([]any)[1].(object)["id"]
		return g.operate("PUT", id, "select-property", object{"property": object{"propertyId": property}})
	case "cancel":
		return g.operate("PUT", id, "cancel", object{})
	case "offer":
		offer := g.appData(id)["underwriting"].(object)["offers"].([]any)[0].(object)["uuid"]
		return g.operate("PUT", id, "select-offer", object{"offer": object{
			"offerUuid": offer, "selectedOfferAmount": 50000, "selectedDiscounts": []string{},
			"selectedAccountsToPayoff": []string{},
		}})
	default:
		g.t.Fatalf("unknown request %q", name)
		return 0
	}
}

// eligibleAccount is the first debt that can be paid off.
func (g *harness) eligibleAccount(id string) string {
	g.t.Helper()
	existing := g.appData(id)["ddpDetails"].(object)["existingLiabilities"].(object)
	return existing["eligible"].([]any)[0].(object)["id"].(string)
}

// TestTransitions covers the table in README.md: each trigger, the numbers, and how they
// combine. Every row begins after the start has been processed.
func TestTransitions(t *testing.T) {
	t.Parallel()
	const (
		offers    = "OFFERS_AVAILABLE"
		match     = "CREDIT_MATCH_REQUIRED"
		frozen    = "UNFREEZE_CREDIT"
		liens     = "LIEN_MATCHING_REQUIRED"
		assets    = "MORE_ASSETS_REQUIRED"
		payoff    = "PAYOFF_REQUIRED"
		value     = "PROPERTY_VALUE_REQUIRED"
		choose    = "SELECT_PROPERTY"
		none      = "NO_OFFERS"
		auth      = "BORROWER_AUTH_REQUIRED"
		docs      = "BROKER_DOC_SIGNING_REQUIRED"
		complete  = "INQUIRY_COMPLETE"
		closed    = "INQUIRY_CLOSED"
		withdrawn = "INQUIRY_WITHDRAWN"
	)
	rows := []struct {
		lastName    string
		change      func(object) // of the start payload
		first       string
		transitions []transition
	}{
		{"Rivera", nil, offers, []transition{{"offer", auth}, {"event:borrower-signs-in", docs},
			{"event:documents-signed", complete}}},
		{"Rivera-Smith", nil, offers, nil},
		{"Rivera-Match", nil, match, []transition{{"wrong ssn", match}, {"ssn", offers}}},
		{"Rivera-Match", withField("applicant", "ssn", "512-44-9981"), offers, nil},
		{"Rivera-Match", withField("applicant", "ssn", "512-44-0000"), match, []transition{{"ssn", offers}}},
		{"Rivera-Frozen", nil, frozen, []transition{{"repull", frozen}, {"repull", offers}}},
		{"Rivera-Frozen", nil, frozen, []transition{{"event:thaw", frozen}, {"repull", offers}}},
		{"Rivera-Liens", nil, liens, []transition{{"liens", offers}}},
		{"Rivera-Assets", nil, assets, []transition{{"assets", offers}}},
		{"Rivera-Assets", nil, assets, []transition{{"income", offers}}},
		{"Rivera-Payoff", nil, payoff, []transition{{"payoff", offers}}},
		{"Rivera-Value", nil, value, []transition{{"value", offers}}},
		{"Rivera-Unit", nil, choose, []transition{{"property", offers}}},
		{"Rivera-Vague", nil, choose, []transition{{"cancel", closed}}},
		{"Rivera-None", nil, none, []transition{{"cancel", closed}}},
		{"Rivera-Score", nil, none, nil},
		{"rivera-match", nil, match, []transition{{"ssn", offers}}},

		{"Rivera-Match-Liens", nil, match, []transition{{"ssn", liens}, {"liens", offers}}},
		{"Rivera-Match-Liens-Payoff", nil, match, []transition{{"ssn", liens}, {"liens", payoff}, {"payoff", offers},
			{"offer", auth}}},
		{"Rivera-Liens-Match", nil, liens, []transition{{"liens", match}, {"wrong ssn", match}, {"ssn", offers}}},
		{"Rivera-Unit-Frozen-Value", nil, choose, []transition{{"property", frozen}, {"repull", frozen}, {"repull", value},
			{"value", offers}}},
		{"Rivera-Assets-None", nil, assets, []transition{{"assets", none}}},
		{"Rivera-Liens-Score", nil, liens, []transition{{"liens", none}}},
		{"Rivera-None-Match", nil, none, nil},
		{"Rivera-Frozen-Match", withField("applicant", "ssn", "512-44-9981"), frozen,
			[]transition{{"event:thaw", frozen}, {"repull", offers}}},

		{"Rivera", withField("applicant.income", "grossAnnualIncome", 20000), assets, []transition{{"assets", offers}}},
		{"Rivera", withField("applicant.income", "grossAnnualIncome", 23999.99), assets, []transition{{"income", offers}}},
		{"Rivera", withField("property.address", "street1", "12-18 Alder Way"), choose, []transition{{"property", offers}}},
		{"Rivera", withField("property.address", "street1", "12-18 Alder Way Apt 4"), offers, nil},
		{"Rivera", homeWithLargeLoans, value, []transition{{"value", offers}}},
		// 82 % before the line, no second lien
		{"Rivera", withField("property", "borrowerEstimatedValue", 320000), none, nil},
		{"Rivera", secondLien, payoff, []transition{{"payoff", offers}}},
		{"Rivera", withField("applicant.income", "grossAnnualIncome", 50000), payoff, []transition{{"payoff", offers}}},
		{"Rivera", withField("applicant.income", "grossAnnualIncome", 30000), none, nil},

		{"Rivera", nil, offers, []transition{{"cancel", closed}}},
		{"Rivera-Match", nil, match, []transition{{"cancel", closed}}},
		{"Rivera", nil, offers, []transition{{"offer", auth}, {"event:documents-signed", complete},
			{"event:convert", complete}, {"event:fund", complete}}},
		{"Rivera", nil, offers, []transition{{"offer", auth}, {"event:complete", complete}, {"event:condition", complete}}},
		{"Rivera", nil, offers, []transition{{"event:condition", offers}, {"event:expire", withdrawn}}},
		{"Rivera", nil, offers, []transition{{"event:decline", withdrawn}}},
		{"Rivera", nil, offers, []transition{{"offer", auth}, {"event:complete", complete}, {"event:decline", withdrawn}}},
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		for _, row := range rows {
			payload := g.payload(row.lastName)
			if row.change != nil {
				row.change(payload)
			}
			id := g.start(payload)
			if got := g.step(id); got != row.first {
				t.Errorf("%s %s after start: got %s, want %s", dialect, row.lastName, got, row.first)
				continue
			}
			for _, m := range row.transitions {
				var status int
				if event, is := strings.CutPrefix(m.do, "event:"); is {
					status = g.playEvent(id, event)
				} else {
					status = g.submitAnswer(id, m.do)
				}
				if got := g.step(id); status != http.StatusOK || got != m.want {
					t.Errorf("%s %s after %s: got %d %s, want 200 %s", dialect, row.lastName, m.do, status, got, m.want)
				}
			}
		}
	}
}

// TestHistory_SameStep_AddsEntry checks that a response with the same step adds an entry: the
// history shows the partner that the lender has looked again.
func TestHistory_SameStep_AddsEntry(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera-Frozen"))
	before := len(g.appData(id)["statusHistory"].([]any))
	g.submitAnswer(id, "repull")
	if got := len(g.appData(id)["statusHistory"].([]any)); got != before+1 {
		t.Errorf("history after a re-pull that changed nothing: got %d entries, want %d", got, before+1)
	}
}
