package sandbox

import (
	"encoding/json"
	"testing"
)

// prequalification is a complete payload for both dialects.
func prequalification() object {
	return object{
		"affiliateId": "7e6a2f80-98d3-4c6b-9a6b-0d7ad3a8e001", "requestType": "OFFERS", "loanPurpose": "HOME_IMPROVEMENT",
		"privacyPolicyOptIn": true, "remarketingAllowed": false, "lastName": "Rivera",
		"address": object{"street1": "418 Alder Way", "city": "Golden", "state": "CO", "zip": "80401"},
		"fico":    742, "monthlyExpenses": 2100, "propertyValue": 640000, "currentMortgageBalances": 262000,
		"amountToBorrow": 80000,
	}
}

// TestPrequalify: no key is required, and the rules for the payload apply.
func TestPrequalify(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name             string
		change           func(object)
		documented, live int
		offers           bool
	}{
		{"valid", func(object) {}, 200, 200, true},
		{"no affiliate", func(p object) { delete(p, "affiliateId") }, 400, 400, false},
		{"affiliate is not a UUID", func(p object) { p["affiliateId"] = "me" }, 400, 400, false},
		{"other request type", func(p object) { p["requestType"] = "LEAD" }, 400, 400, false},
		{"both mortgage fields", func(p object) { p["monthlyMortgagePayment"] = 1600 }, 400, 400, false},
		{"no mortgage field", func(p object) { delete(p, "currentMortgageBalances") }, 400, 400, false},
		{
			"mortgage payment instead",
			func(p object) { delete(p, "currentMortgageBalances"); p["monthlyMortgagePayment"] = 1600.5 }, 200, 200, true,
		},
		{"no expenses", func(p object) { delete(p, "monthlyExpenses") }, 400, 400, false},
		{"nothing self-attested", func(p object) {
			for _, name := range []string{"fico", "monthlyExpenses", "propertyValue", "currentMortgageBalances"} {
				delete(p, name)
			}
		}, 200, 200, true},
		{"no purpose", func(p object) { delete(p, "loanPurpose") }, 200, 400, true},
		{"no privacy consent", func(p object) { delete(p, "privacyPolicyOptIn") }, 200, 400, true},
		{"no marketing choice", func(p object) { delete(p, "remarketingAllowed") }, 200, 400, true},
		{"score with a fraction", func(p object) { p["fico"] = json.Number("742.0") }, 200, 400, true},
		{"balances with a fraction", func(p object) { p["currentMortgageBalances"] = json.Number("262000.0") },
			200, 400, true},
		{"name with an accent", func(p object) { p["firstName"] = "José" }, 200, 400, true},
		{"phone with +1", func(p object) { p["phone"] = "+13035550142" }, 200, 400, true},
		{"unit with a hash", func(p object) { p["address"].(object)["street2"] = "Apt #4" }, 200, 400, true},
		{"mailing city with a period", func(p object) { p["mailingAddress"] = object{"city": "St. Louis"} }, 200, 400, true},
		{"low score", func(p object) { p["fico"] = 610 }, 200, 200, false},
		{"no equity", func(p object) { p["currentMortgageBalances"] = 600000 }, 200, 200, false},
		{"trigger None", func(p object) { p["lastName"] = "Rivera-None" }, 200, 200, false},
		{"trigger Down", func(p object) { p["lastName"] = "Rivera-Down" }, 503, 503, false},
	}
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		for _, row := range rows {
			payload := prequalification()
			row.change(payload)
			want := row.documented
			if dialect == Live {
				want = row.live
			}
			w := g.rawCall("POST", "/products/heloc/pre-qualify/v2", g.encrypted(payload), map[string]string{"apikey": ""})
			status, answer := g.call("POST", "/products/heloc/pre-qualify/v1", payload)
			if w.Code != want || status != want {
				t.Errorf("%s, %s: got %d encrypted and %d plain, want %d", dialect, row.name, w.Code, status, want)
			}
			if offers, _ := answer["offers"].([]any); status == 200 && (len(offers) == 4) != row.offers {
				t.Errorf("%s, %s: got %d offers, want offers %v", dialect, row.name, len(offers), row.offers)
			}
		}
		fraction := g.rawCall("POST", "/products/heloc/pre-qualify/v1",
			`{"affiliateId":"7e6a2f80-98d3-4c6b-9a6b-0d7ad3a8e001",
			"requestType":"OFFERS","loanPurpose":"OTHER","privacyPolicyOptIn":true,"remarketingAllowed":true,
			"amountToBorrow":250000.0}`, nil)
		if want := map[Dialect]int{Documented: 200, Live: 400}[dialect]; fraction.Code != want {
			t.Errorf("%s, 250000.0: got %d, want %d", dialect, fraction.Code, want)
		}
	}
}

// TestPrequalification_NoUserAgent_RefusedInLiveOnly: the key is not required, but in the live
// dialect every call requires a User-Agent.
func TestPrequalification_NoUserAgent_RefusedInLiveOnly(t *testing.T) {
	t.Parallel()
	for dialect, want := range map[Dialect]int{Documented: 200, Live: 401} {
		g := newHarness(t, Config{Dialect: dialect})
		for _, path := range []string{"/products/heloc/pre-qualify/v1", "/a/external/products/heloc/pre-qualify/v1"} {
			if w := g.rawCall("POST", path, prequalification(),
				map[string]string{"apikey": "", "User-Agent": ""}); w.Code != want {
				t.Errorf("%s, %s: got %d, want %d", dialect, path, w.Code, want)
			}
		}
	}
}

// TestPrequalify_KeySent_Recorded: no key is required, but the call log shows a partner
// whether its client sent one.
func TestPrequalify_KeySent_Recorded(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	g.rawCall("POST", "/products/heloc/pre-qualify/v1", prequalification(), map[string]string{"apikey": ""})
	g.rawCall("POST", "/products/heloc/pre-qualify/v1", prequalification(), nil)
	g.call("GET", "/management/v1/loan-originator", nil)
	calls := g.s.calls.list()
	if len(calls) != 3 || calls[0].HadKey == nil || *calls[0].HadKey || calls[1].HadKey == nil || !*calls[1].HadKey ||
		calls[2].HadKey != nil {
		t.Errorf("calls: got %+v, want no key, a key, and no HadKey", calls)
	}
}
