package offers_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

// TestSelectOffer_Sentence_ConfirmsWhatIsSent reviews an offer as a browser without scripts does. A sentence about
// another offer than the form selects is refused, and the sentence that was confirmed is kept with the operation.
func TestSelectOffer_Sentence_ConfirmsWhatIsSent(t *testing.T) {
	t.Parallel()
	calls := &webtest.LenderCalls{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: calls.Middleware})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead+"/offers", `input[name="offer.offerUuid"]`)
	quoted := olivia.Send(page.Form("form#quote"))
	var ids []string
	quoted.Find(`input[name="offer.offerUuid"]`).
		Each(func(_ int, s *webtest.Selection) { ids = append(ids, s.AttrOr("value", "")) })
	if quoted.Find(`.sentence`).Text() != "Choose an offer." ||
		quoted.Find(`input[name="confirm.sentence"]`).AttrOr("value", "none") != "" {
		t.Errorf("before the choice the bar says %q", quoted.Find(".sentence").Text())
	}
	reviewed := olivia.Send(payoffForm(quoted).With("offer.offerUuid", ids[1]))
	sentence := reviewed.Find(".sentence").Text()
	if !strings.HasPrefix(sentence, "5 yr fixed, ") || !strings.Contains(sentence, "%, $60,000 to the borrower, $") ||
		!strings.HasSuffix(sentence, " a month") {
		t.Fatalf("the sentence is %q", sentence)
	}
	form := reviewed.Form("form#select").With("confirm.offer", "true")
	if form.Values.Get("confirm.sentence") != sentence {
		t.Errorf("the form has the sentence %q", form.Values.Get("confirm.sentence"))
	}
	other := olivia.Send(form.With("offer.offerUuid", ids[2]))
	if other.Status != http.StatusUnprocessableEntity || len(calls.CallsTo("select-offer")) != 0 {
		t.Fatalf("another offer than the sentence: got %d", other.Status)
	}
	other.WantText("You confirmed another offer or amount.")
	again := other.Form("form#select")
	if again.Values.Get("confirm.offer") != "" || again.Values.Get("offer.offerUuid") != ids[2] ||
		again.Values.Get("confirm.sentence") == sentence {
		t.Errorf("the refused form has %v", again.Values)
	}
	if got := olivia.Send(again.With("confirm.offer", "true")); got.Path != lead {
		t.Fatalf("the other offer, confirmed: %d: %s", got.Status, got.MainText())
	}
	if body := calls.CallsTo("select-offer")[0].Body; strings.Contains(mustJSON(t, calls.CallsTo("select-offer")),
		"to the borrower") || body["offer"].(map[string]any)["offerUuid"] != ids[2] {
		t.Errorf("the lender got %v", body)
	}
	var receipt string
	olivia.WaitFor(lead, `a[href*="/operations/"]`).Find(`a[href*="/operations/"]`).
		EachWithBreak(func(_ int, s *webtest.Selection) bool {
			receipt = s.AttrOr("href", "")
			return false
		})
	olivia.Get(receipt).WantText("Confirmed", again.Values.Get("confirm.sentence"))
	if strings.Contains(h.Log.String(), "to the borrower") {
		t.Error("the sentence is in the log")
	}
}

// TestSelectOffer_VariableOfferRefused_GridOfVariableOffers sends a form that does not say which grid its offer is in.
func TestSelectOffer_VariableOfferRefused_GridOfVariableOffers(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead, `form#select input[name="offer.offerUuid"]`)
	id := page.Find(`input[name="offer.offerUuid"]`).Last().AttrOr("value", "")
	refused := olivia.Send(page.Form("form#select").With("offer.offerUuid", id))
	if got := refused.Find(`input[name="offer.offerUuid"][checked]`).
		AttrOr("value", ""); refused.Status != http.StatusUnprocessableEntity || got != id {
		t.Errorf("got %d with %q chosen, want %q", refused.Status, got, id)
	}
	refused.WantText("variable rate", "prime")
}

// TestOverview_OffersReady_LinksToThem says what there is, without the figures of the grid.
func TestOverview_OffersReady_LinksToThem(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	page := olivia.WaitFor(lead, `#step a.btn.pri`)
	if href := page.Find(`#step a.btn.pri`).AttrOr("href", ""); href != lead+"/offers" {
		t.Errorf("the primary link leads to %q", href)
	}
	if page.Find(".offers-grid, .cell, #quote").Length() != 0 ||
		page.Find(`form#select input[name="offer.offerUuid"]`).Length() != 24 {
		t.Error("the overview repeats the grid, or has not each offer once")
	}
	page.WantText("24 · fixed and variable", "5 yr to 30 yr", "Fees", "Draw")
}

// The home's figures are ours, so they are left out if the value or a balance is unknown.
func TestPresentHome_UnknownBalance_LeftOut(t *testing.T) {
	t.Parallel()
	value, owed, other := heloc.Dollars(642_000), heloc.Dollars(238_410), heloc.Dollars(41_875)
	secured, free, some := true, heloc.Rate(0), heloc.Percent(40)
	both := []heloc.Lien{{CurrentBalance: &owed}, {CurrentBalance: &other}}
	for _, tt := range []struct {
		name            string
		value           *heloc.Money
		liens           []heloc.Lien
		set             func(a *heloc.AppData)
		cltv, remaining string
	}{
		{"all known", &value, both, func(*heloc.AppData) {}, "60.4%", "$254,254.50"},
		{"no value", nil, []heloc.Lien{{CurrentBalance: &owed}}, func(*heloc.AppData) {}, "", ""},
		{"a balance unknown", &value, []heloc.Lien{{CurrentBalance: &owed}, {}}, func(*heloc.AppData) {}, "", ""},
		{"a balance to pay off unknown", &value, both, func(a *heloc.AppData) {
			a.Payoff.Existing.Eligible[0].Balance = nil
		}, "", ""},
		{"the fee unknown", &value, both, func(a *heloc.AppData) {
			a.Underwriting.Offers[0].OriginationFeePercent = nil
		}, "", ""},
		{"no liens listed", &value, nil, func(a *heloc.AppData) { a.Payoff.Existing = nil }, "", ""},
		{"no liens listed, some by the lender's CLTV", &value, nil, func(a *heloc.AppData) {
			a.Payoff.Existing, a.Value.PreLoanCLTV = nil, &some
		}, "", ""},
		{"no liens by the lender's CLTV", &value, nil, func(a *heloc.AppData) {
			a.Payoff.Existing, a.Value.PreLoanCLTV = nil, &free
		}, "23.3%", "$492,664.50"},
	} {
		model := pricedLead(heloc.FeeAdded, webtest.SampleOffer("a", 120, 2.99, 15_000, 220_000))
		model.Details.App.Value.AVM, model.Details.App.Liens = tt.value, tt.liens
		model.Details.App.Payoff.Existing = &heloc.ExistingLiabilities{
			Eligible: []heloc.Liability{{ID: "d", Balance: &other, CLTVCredit: &secured}},
		}
		tt.set(&model.Details.App)
		got := offers.PresentOffers(webtest.DenverViewer(t), model,
			offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Chosen: "a", Payoff: []string{"d"}}))
		if got.Home.CLTV != tt.cltv || got.Home.Remaining != tt.remaining {
			t.Errorf("%s: got %+v", tt.name, got.Home)
		}
	}
}

// A fixed offer is compared with the variable one of the same term and fee.
func TestPresentPrime_FixedOffer_ComparedWithVariableOne(t *testing.T) {
	t.Parallel()
	rate, prime := heloc.Percent(7.95), heloc.Percent(6.75)
	variable := webtest.SampleOffer("v", 120, 2.99, 15_000, 220_000)
	variable.RateType, variable.Rate, variable.PrimeRate = heloc.RateFloating, &rate, &prime
	model := pricedLead(heloc.FeeAdded, webtest.SampleOffer("f", 120, 2.99, 15_000, 220_000),
		webtest.SampleOffer("g", 60, 2.99, 15_000, 220_000), variable)
	present := func(query offers.GridQuery) *view.View {
		return offers.PresentOffers(webtest.DenverViewer(t), model, offers.NewOfferGrid(model, offers.QuoteSet{}, query))
	}
	for _, id := range []string{"f", "v"} {
		query := offers.ParseGridQuery(map[string][]string{
			"rateType": {map[string]string{"f": "FIXED", "v": "FLOATING"}[id]},
		})
		query.Chosen = id
		c := present(query).Prime
		if len(c.Bars) != 3 || c.Fixed != "$1,827.67" || !c.InterestOnly || c.Prime != "6.75%" {
			t.Fatalf("%s: got %+v", id, c)
		}
		for i, want := range []string{"$989.35 7.95% −$838.32", "$1,113.79 8.95% −$713.88", "$1,238.24 9.95% −$589.43"} {
			if got := c.Bars[i].Payment + " " + c.Bars[i].Rate + " " + c.Bars[i].Difference; got != want {
				t.Errorf("%s: got %q, want %q", id, got, want)
			}
		}
	}
	if got := present(offers.GridQuery{Chosen: "g"}).Prime; len(got.Bars) != 0 {
		t.Errorf("an offer without a variable one: got %+v", got)
	}
	grid := present(offers.ParseGridQuery(map[string][]string{"rateType": {"FLOATING"}}))
	if cell := grid.Rows[0].Cells[0]; cell.Margin != "prime + 1.20" || grid.PrimeText != "Prime 6.75%" ||
		cell.Sentence != "10 yr variable, 7.95% today, $145,000 to the borrower, $989.35 a month during the draw period, "+
			"more afterward" {
		t.Errorf("got %+v, %q", cell, grid.PrimeText)
	}
}
