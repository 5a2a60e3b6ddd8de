package sandbox

import (
	"testing"

	"hearthline/internal/heloc"
)

// TestSelectedOffer: the fee is financed, and the payment amortizes the loan including the fee.
func TestSelectedOffer(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera"))
	_, quoted := g.call("POST", "/products/heloc/v1/inquiry/"+id+"/calculate-offers",
		object{"amount": 60000, "originationFee": 2.5, "autoPayDiscountEnabled": true})
	offers := quoted["underwriting"].(object)["offers"].([]any)
	if len(offers) != 8 {
		t.Fatalf("offers at one fee: got %d, want 8", len(offers))
	}
	offer := offers[0].(object)
	g.operate("PUT", id, "select-offer", object{"offer": object{
		"offerUuid": offer["uuid"], "selectedOfferAmount": 60000, "selectedDiscounts": []string{"AUTOPAY", "CREDIT_UNION"},
	}})
	got := g.appData(id)["underwriting"].(object)["selectedOffer"].(object)
	if got["loanAmount"] != 61500.0 || got["drawAmount"] != 60000.0 {
		t.Errorf("loan and draw: got %v and %v, want 61500 and 60000", got["loanAmount"], got["drawAmount"])
	}
	// The quote already includes autopay, so only the credit union discount is subtracted.
	if want := offer["rate"].(float64) - 0.5; got["rate"] != want {
		t.Errorf("rate: got %v, want %v", got["rate"], want)
	}
	want := heloc.Payment(61_500_00, heloc.Percent(got["rate"].(float64)), 60)
	if m := heloc.Money(got["estimatedMonthlyPayment"].(float64)*100 + 0.5); m != want {
		t.Errorf("payment: got %s, want %s", m, want)
	}
}

// TestQuotes: the same request gives the same offers, a given fee gives only that fee, and a
// request that no offer can satisfy is rejected.
func TestQuotes(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera"))
	path := "/products/heloc/v1/inquiry/" + id + "/calculate-offers"
	first := func(body object) any {
		status, answer := g.call("POST", path, body)
		if status != 200 {
			t.Fatalf("calculate-offers %v: got %d %v, want 200", body, status, answer)
		}
		return answer["underwriting"].(object)["offers"].([]any)[0].(object)["uuid"]
	}
	if first(object{"amount": 40000}) != first(object{"amount": 40000}) ||
		first(object{"amount": 40000}) == first(object{"amount": 41000}) {
		t.Error("offer ids do not depend only on the request")
	}
	for _, bad := range []object{
		{"amount": 100}, {"amount": 5_000_000}, {"amount": "much"}, {"originationFee": 7}, {"originationFee": -1},
		{"amount": 40000, "accountIds": []string{"none"}}, {"accountIds": "one"}, {"autoPayDiscountEnabled": "yes"},
	} {
		if status, _ := g.call("POST", path, bad); status != 400 {
			t.Errorf("calculate-offers %v: got %d, want 400", bad, status)
		}
	}
	blocked := g.start(g.payload("Rivera-Match"))
	if status, _ := g.call("POST", "/products/heloc/v1/inquiry/"+blocked+"/calculate-offers",
		object{"amount": 40000}); status != 409 {
		t.Errorf("calculate-offers without offers: got %d, want 409", status)
	}
}

// TestPayoffOffers_OtherAccounts_Empty: accounts other than those selected give an empty list.
func TestPayoffOffers_OtherAccounts_Empty(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.start(g.payload("Rivera-Payoff"))
	existing := g.appData(id)["ddpDetails"].(object)["existingLiabilities"].(object)["eligible"].([]any)
	marked, other := existing[0].(object)["id"].(string), existing[1].(object)["id"].(string)
	g.submitAnswer(id, "payoff")
	for accounts, want := range map[string]int{marked: 24, other: 0, marked + "," + other: 0} {
		_, answer := g.call("GET", "/products/heloc/v1/inquiry/"+id+"/direct-debt-payoff-offers?accountId="+accounts, nil)
		if got := len(answer["data"].(object)["offers"].([]any)); got != want {
			t.Errorf("offers for %s: got %d, want %d", accounts, got, want)
		}
	}
}
