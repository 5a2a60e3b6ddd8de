package offers_test

import (
	"strings"
	"testing"

	desklead "hearthline/internal/desk/lead"
	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/heloc"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

func TestPresentOffers_Grid(t *testing.T) {
	t.Parallel()
	model := desklead.Snapshot{Payments: heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths}}
	model.Row = webtest.SampleLeadRow("offers", "you", "offers")
	model.Row.Step = heloc.StepOffersAvailable
	model.Details.App.Underwriting.Offers = []heloc.Offer{
		webtest.SampleOffer("c", 120, 4.99, 15_000, 120_000), webtest.SampleOffer("b", 120, 2.99, 15_000, 220_000),
		webtest.SampleOffer("a", 60, 2.99, 15_000, 220_000),
	}
	for _, tt := range []struct {
		what   string
		wanted int64
		ask    offers.GridQuery
		draw   string
		out    string // reason of the offer with a maximum of 120,000
	}{
		{"as requested", 60_000, offers.GridQuery{}, "$60,000", ""},
		{"more than some offers allow", 150_000, offers.GridQuery{}, "$150,000", "Maximum $120,000"},
		{"more than all offers allow", 900_000, offers.GridQuery{}, "$120,000", ""},
		{"no requested amount", 0, offers.GridQuery{}, "$120,000", ""},
		{"a small draw", 0, offers.GridQuery{Draw: heloc.Dollars(9_000)}, "$9,000", "Minimum $15,000"},
	} {
		model.Row.RequestedAmount = heloc.Dollars(tt.wanted)
		got := offers.PresentOffers(webtest.DenverViewer(t), model, offers.NewOfferGrid(model, offers.QuoteSet{}, tt.ask))
		if got.Draw != tt.draw {
			t.Errorf("%s: the draw is %q, want %q", tt.what, got.Draw, tt.draw)
		}
		if len(got.Rows) != 2 || got.Rows[0].Term != "5 yr" || got.Rows[1].LongTerm != "10 years" || len(got.Fees) != 2 ||
			got.Fees[0].Percent != "2.99%" {
			t.Fatalf("%s: got %+v", tt.what, got.Rows)
		}
		if empty := got.Rows[0].Cells[1]; empty.UUID != "" {
			t.Errorf("%s: there is an offer where there should be none: %+v", tt.what, empty)
		}
		if cell := got.Rows[1].Cells[1]; cell.Reason != tt.out {
			t.Errorf("%s: got reason %q, want %q", tt.what, cell.Reason, tt.out)
		}
	}
	model.Row.RequestedAmount = heloc.Dollars(145_000)
	got := offers.PresentOffers(webtest.DenverViewer(t), model,
		offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Chosen: "b"}))
	// 145,000 with 2.99% financed is 149,335.50; repaid over 120 months at 8.2%.
	if cell := got.Rows[1].Cells[0]; cell.Payment != "$1,827.67" || cell.Rate != "8.20%" {
		t.Errorf("the payment is %+v, want $1,827.67", cell)
	}
	if s := got.Chosen; s.Title != "10 years fixed at 8.20%, fee 2.99%" || s.ToBorrower != "$145,000" ||
		s.Fee != "$4,335.50" || s.Loan != "$149,335.50" ||
		got.Sentence != "10 yr fixed, 8.20%, $145,000 to the borrower, $1,827.67 a month" {
		t.Errorf("got %+v", s)
	}
}

func TestOfferGrid_MatchingQuoteReplacesDetails(t *testing.T) {
	t.Parallel()
	var model desklead.Snapshot
	model.Details.App.Underwriting.Offers = []heloc.Offer{webtest.SampleOffer("old", 120, 2.99, 15_000, 220_000)}
	draw := heloc.Dollars(45_000)
	saved := deskoffers.SavedQuote{
		QuoteSummary: deskoffers.QuoteSummary{ID: "q", Offers: 1, Request: heloc.QuoteRequest{Amount: &draw}},
		Answer:       heloc.Quote{Offers: []heloc.Offer{webtest.SampleOffer("new", 120, 2.99, 15_000, 220_000)}},
	}
	for _, tt := range []struct {
		ask  offers.GridQuery
		want string
	}{
		{offers.GridQuery{Draw: draw}, "new"},
		{offers.GridQuery{Draw: draw + 1}, "old"},
		{offers.GridQuery{Draw: draw, Autopay: true}, "old"},
		{offers.GridQuery{Draw: draw, Payoff: []string{"a"}}, "old"},
	} {
		var quotes offers.QuoteSet
		if tt.ask.NewestAnswer([]deskoffers.QuoteSummary{saved.QuoteSummary}) == "q" {
			quotes.Current = &saved
		}
		if p := offers.NewOfferGrid(model, quotes, tt.ask); len(p.Offers) != 1 || p.Offers[0].UUID != tt.want {
			t.Errorf("%+v: got %+v, want %s", tt.ask, p.Offers, tt.want)
		}
	}
}

// TestOfferGrid_ChosenOfferMatchedInQuote: the offers of a quote have ids of their own.
func TestOfferGrid_ChosenOfferMatchedInQuote(t *testing.T) {
	t.Parallel()
	draw, term, fee := heloc.Dollars(50_000), heloc.Count(120), heloc.Rate(299)
	offer := func(id string, kind heloc.OfferRateType) heloc.Offer {
		return heloc.Offer{UUID: id, RateType: kind, Term: &term, OriginationFeePercent: &fee}
	}
	var model desklead.Snapshot
	model.Details.App.Underwriting.Offers = []heloc.Offer{offer("old", heloc.RateFixed),
		offer("old-variable", heloc.RateFloating)}
	quotes := offers.QuoteSet{Current: &deskoffers.SavedQuote{
		Answer: heloc.Quote{Offers: []heloc.Offer{offer("new", heloc.RateFixed), offer("new-variable", heloc.RateFloating)}},
	}}
	for chosen, want := range map[string]string{"old": "new", "new": "new", "old-variable": "", "unheard-of": "", "": ""} {
		if got := offers.NewOfferGrid(model, quotes, offers.GridQuery{Draw: draw, Chosen: chosen}).Query.Chosen; got != want {
			t.Errorf("%q chosen before: got %q, want %q", chosen, got, want)
		}
	}
	// A pin moves to the matching offer too, and one with the other rate type stays pinned beside the grid.
	p := offers.NewOfferGrid(model, quotes, offers.GridQuery{Draw: draw,
		Pins: []string{"old", "old-variable", "new", "unheard-of"}})
	if got, want := strings.Join(p.Query.Pins, " "), "new new-variable"; got != want {
		t.Errorf("pinned before: got %q, want %q", got, want)
	}
}

// TestPresentOffers_SelectedOffer_Marked marks the cell with the terms of the selected offer, whatever its id is now.
func TestPresentOffers_SelectedOffer_Marked(t *testing.T) {
	t.Parallel()
	model := desklead.Snapshot{Payments: heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths}}
	model.Row = webtest.SampleLeadRow("offers", "you", "offers")
	model.Row.Step, model.Row.RequestedAmount = heloc.StepBorrowerAuth, heloc.Dollars(60_000)
	model.Details.App.Underwriting.Offers = []heloc.Offer{
		webtest.SampleOffer("a", 120, 2.99, 15_000, 220_000), webtest.SampleOffer("b", 120, 4.99, 15_000, 220_000),
		webtest.SampleOffer("c", 180, 2.99, 15_000, 50_000),
	}
	term, longer, fee, otherFee, rate, otherRate := heloc.Count(120), heloc.Count(180), heloc.Percent(2.99),
		heloc.Percent(3.99), heloc.Percent(8.2), heloc.Percent(7.3)
	fixed := heloc.RateFixed
	for _, tt := range []struct {
		name     string
		selected *heloc.SelectedOffer
		sending  bool
		want     string // of the cells
	}{
		{"none selected", nil, false, "; ; ; "},
		{"at the same rate", &heloc.SelectedOffer{OfferUUID: "x", RateType: fixed, Term: &term,
			OriginationFeePercent: &fee, Rate: &rate}, false, "Selected; ; ; "},
		{"at another rate", &heloc.SelectedOffer{RateType: fixed, Term: &term, OriginationFeePercent: &fee,
			Rate: &otherRate}, false, "Selected at 7.30%; ; ; "},
		{"an offer that the draw excludes", &heloc.SelectedOffer{RateType: fixed, Term: &longer,
			OriginationFeePercent: &fee, Rate: &rate}, false, "; ; Selected; "},
		{"terms that are not offered", &heloc.SelectedOffer{RateType: fixed, Term: &term,
			OriginationFeePercent: &otherFee, Rate: &rate}, false, "; ; ; "},
		{"another rate type", &heloc.SelectedOffer{RateType: heloc.RateFloating, Term: &term,
			OriginationFeePercent: &fee, Rate: &rate}, false, "; ; ; "},
		{"terms unknown", &heloc.SelectedOffer{}, false, "; ; ; "},
		{"another selection is processed", &heloc.SelectedOffer{RateType: fixed, Term: &term,
			OriginationFeePercent: &fee, Rate: &rate}, true, "; ; ; "},
	} {
		model.Details.App.Underwriting.SelectedOffer, model.NewSelection = tt.selected, nil
		if tt.sending {
			model.NewSelection = &desklead.Choice{}
		}
		grid := offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Draw: heloc.Dollars(60_000)})
		var marks []string
		for _, row := range offers.PresentOffers(webtest.DenverViewer(t), model, grid).Rows {
			for _, cell := range row.Cells {
				marks = append(marks, cell.Selected)
			}
		}
		if got := strings.Join(marks, "; "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestNews_StatesLowestPayment counts all offers, and prices only those that the draw allows.
func TestNews_StatesLowestPayment(t *testing.T) {
	t.Parallel()
	fixed := []heloc.Offer{
		webtest.SampleOffer("a", 120, 2.99, 15_000, 220_000), webtest.SampleOffer("b", 180, 2.99, 15_000, 220_000),
	}
	variable, unknown := fixed[1], heloc.Offer{UUID: "u"}
	variable.RateType = heloc.RateFloating
	for _, tt := range []struct {
		name     string
		offers   []heloc.Offer
		variable heloc.VariablePayment
		want     string
	}{
		{"none", nil, "", "Offers are ready"},
		{"terms unknown", []heloc.Offer{unknown}, "", "Offers are ready: 1"},
		{"two", fixed, "", "Offers are ready: 2, from $597.69 a month for a net draw of $60,000 (estimate)"},
		{"the lower one is above the draw", []heloc.Offer{fixed[0], webtest.SampleOffer("c", 360, 2.99, 15_000, 50_000)}, "",
			"Offers are ready: 2, from $756.28 a month for a net draw of $60,000 (estimate)"},
		{"interest only", []heloc.Offer{fixed[0], variable}, heloc.VariableInterestOnly,
			"Offers are ready: 2, from $422.26 a month at first for a net draw of $60,000 (estimate)"},
	} {
		model := desklead.Snapshot{Payments: heloc.PaymentModel{Fee: heloc.FeeAdded, Term: heloc.TermMonths,
			Variable: tt.variable}}
		model.Details.App.Underwriting.Offers = tt.offers
		grid := offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Draw: heloc.Dollars(60_000)})
		if got := grid.News(); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
