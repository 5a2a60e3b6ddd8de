package offers_test

import (
	"strings"
	"testing"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

func pricedLead(method heloc.FeeMethod, priced ...heloc.Offer) desklead.Snapshot {
	model := desklead.Snapshot{Payments: heloc.PaymentModel{Fee: method, Term: heloc.TermMonths}}
	model.Row = webtest.SampleLeadRow("offers", "you", "offers")
	model.Row.Step, model.Row.RequestedAmount = heloc.StepOffersAvailable, heloc.Dollars(145_000)
	model.Details.App.Underwriting.Offers = priced
	return model
}

// The total beside the payment is the sum of the schedule below it.
func TestQuoteStrip_TotalInterest_IsThatOfTheSchedule(t *testing.T) {
	t.Parallel()
	model := pricedLead(heloc.FeeAdded, webtest.SampleOffer("a", 120, 2.99, 15_000, 220_000),
		webtest.SampleOffer("b", 360, 2.99, 15_000, 220_000))
	for _, id := range []string{"a", "b"} {
		got := offers.PresentOffers(webtest.DenverViewer(t), model,
			offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Chosen: id, Pins: []string{"a", "b"}}))
		var total string
		for _, g := range got.Compare.Groups {
			for _, row := range g.Rows {
				if row.Label == "Total interest" {
					total = row.Values[0]
				}
			}
		}
		if total == "" || got.Balance.Lines[0].TotalInterest != total {
			t.Errorf("%s: the total is %q, and the schedule adds up to %q", id, total, got.Balance.Lines[0].TotalInterest)
		}
	}
}

// The table of all offers has a column for a figure only if one of the offers has it.
func TestOffersTable_FigureOfNoOffer_NoColumn(t *testing.T) {
	t.Parallel()
	prime := heloc.Rate(67_500)
	for kind, want := range map[heloc.OfferRateType]string{
		heloc.RateFixed: "Estimated monthly payment, Rate, Fee, Loan amount, Total interest, " +
			"Break-even (payments plus balance owed), Prime rate",
		heloc.RateFloating: "Estimated monthly payment, After the draw period, Draw period, Rate, Fee, " +
			"Loan amount, Total interest, Break-even (payments plus balance owed), Prime rate, " +
			"With prime 1 point higher, With prime 2 points higher",
	} {
		lower, higher := webtest.SampleOffer("a", 120, 1.5, 15_000, 220_000),
			webtest.SampleOffer("b", 120, 2.99, 15_000, 220_000)
		lower.RateType, higher.RateType, lower.PrimeRate, higher.PrimeRate = kind, kind, &prime, &prime
		model := pricedLead(heloc.FeeAdded, lower, higher)
		model.Payments.DrawYears = map[int]int{120: 3}
		got := offers.PresentOffers(webtest.DenverViewer(t), model,
			offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{}))
		var shown []string
		for _, f := range got.AllFigures {
			shown = append(shown, f.Label)
		}
		if text := strings.Join(shown, ", "); text != want || len(got.AllOffers) != 2 {
			t.Errorf("%s: got %d offers with %s, want %s", kind, len(got.AllOffers), text, want)
		}
	}
}

// Prime is part of a variable rate only, although the lender gives it for all offers.
func TestComparison_PrimeRate_OnlyOfVariableOffers(t *testing.T) {
	t.Parallel()
	prime := heloc.Rate(675)
	fixed, variable := webtest.SampleOffer("a", 120, 2.99, 15_000, 220_000),
		webtest.SampleOffer("b", 120, 2.99, 15_000, 220_000)
	fixed.RateType, variable.RateType = heloc.RateFixed, heloc.RateFloating
	fixed.PrimeRate, variable.PrimeRate = &prime, &prime
	model := pricedLead(heloc.FeeAdded, fixed, variable)
	primeOf := func(pins ...string) []string {
		got := offers.PresentOffers(webtest.DenverViewer(t), model,
			offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Pins: pins}))
		for _, same := range got.Compare.Same {
			if strings.HasPrefix(same, "Prime rate") {
				return []string{same}
			}
		}
		for _, g := range got.Compare.Groups {
			for _, row := range g.Rows {
				if row.Label == "Prime rate" {
					return row.Values
				}
			}
		}
		return nil
	}
	if got := primeOf("a"); got != nil {
		t.Errorf("a fixed offer: got %q, want no row", got)
	}
	if got := primeOf("b"); len(got) != 1 || got[0] == "—" {
		t.Errorf("a variable offer: got %q, want its prime rate", got)
	}
	if got := primeOf("a", "b"); len(got) != 2 || got[0] != "—" || got[1] == "—" {
		t.Errorf("both: got %q, want a dash and the prime rate", got)
	}
}

// A draw from which the fee is deducted is not the net draw.
func TestPresentOffers_FeeDeducted_LabelsSaySo(t *testing.T) {
	t.Parallel()
	for method, want := range map[heloc.FeeMethod]struct{ toBorrower, source, cash string }{
		heloc.FeeAdded: {"Cash to the borrower", "a net draw of $145,000", "Cash to the borrower"},
		heloc.FeeDeducted: {"Cash to the borrower, after the fee", "a draw of $145,000",
			"Cash to the borrower, after the fee"},
	} {
		model := pricedLead(method, webtest.SampleOffer("a", 120, 2.99, 15_000, 220_000))
		balance := heloc.Dollars(9_000)
		model.Details.App.Payoff.Existing = &heloc.ExistingLiabilities{
			Eligible: []heloc.Liability{{ID: "d", Balance: &balance}},
		}
		got := offers.PresentOffers(webtest.DenverViewer(t), model,
			offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Chosen: "a", Payoff: []string{"d"}}))
		if got.Chosen.ToBorrowerName != want.toBorrower || !strings.Contains(got.CannotText, want.source) ||
			got.Planner.ToBorrowerName != want.cash || got.FeeDeducted != (method == heloc.FeeDeducted) {
			t.Errorf("%s: got %q, %q, %q, deducted %v", method, got.Chosen.ToBorrowerName, got.CannotText,
				got.Planner.ToBorrowerName, got.FeeDeducted)
		}
		if strings.Contains(got.Chosen.Method, "net draw") != (method == heloc.FeeAdded) {
			t.Errorf("%s: the estimate is for %q", method, got.Chosen.Method)
		}
	}
}

// A rate type that we do not know has its own name, and its offers are neither fixed nor variable.
func TestPresentOffers_UnknownRateType_HasItsOwnName(t *testing.T) {
	t.Parallel()
	fixed, stepped, unnamed := webtest.SampleOffer("f", 120, 2.99, 15_000, 220_000),
		webtest.SampleOffer("s", 120, 2.99, 15_000, 220_000), webtest.SampleOffer("n", 120, 2.99, 15_000, 220_000)
	stepped.RateType, unnamed.RateType = "STEPPED_RATE", ""
	for _, tt := range []struct {
		priced              []heloc.Offer
		asked               heloc.OfferRateType
		kind, title, choice string
	}{
		{[]heloc.Offer{stepped, fixed}, "", "fixed rate", "10 years fixed at 8.20%, fee 2.99%", "Fixed, Stepped rate"},
		{[]heloc.Offer{stepped, fixed}, "STEPPED_RATE", "stepped rate", "10 years stepped rate at 8.20%, fee 2.99%",
			"Fixed, Stepped rate"},
		{[]heloc.Offer{stepped}, "", "stepped rate", "10 years stepped rate at 8.20%, fee 2.99%", "Stepped rate"},
		{[]heloc.Offer{unnamed}, "FIXED", "", "10 years at 8.20%, fee 2.99%", "Not known"},
	} {
		model := pricedLead(heloc.FeeAdded, tt.priced...)
		query := offers.ParseGridQuery(map[string][]string{"rateType": {string(tt.asked)}})
		query.Chosen = tt.priced[0].UUID
		if tt.kind == "fixed rate" {
			query.Chosen = "f"
		}
		got := offers.PresentOffers(webtest.DenverViewer(t), model, offers.NewOfferGrid(model, offers.QuoteSet{}, query))
		var choices []string
		for _, c := range got.Quote.RateTypes {
			choices = append(choices, c[1])
		}
		if got.Kind != tt.kind || got.Chosen.Title != tt.title || strings.Join(choices, ", ") != tt.choice {
			t.Errorf("%q of %s: got %q, %q, %q", tt.asked, tt.choice, got.Kind, got.Chosen.Title, choices)
		}
	}
}

// A draw that an offer does not allow has no figures, and so no month from which its fee pays back.
func TestCompare_DrawBelowMinimum_NoBreakEven(t *testing.T) {
	t.Parallel()
	lower, higher := webtest.SampleOffer("a", 120, 0.99, 15_000, 220_000),
		webtest.SampleOffer("b", 120, 2.99, 15_000, 220_000)
	*lower.Rate, *higher.Rate = 900, 700
	for _, tt := range []struct {
		draw heloc.Money
		want bool
	}{{heloc.Dollars(5), false}, {heloc.Dollars(60_000), true}} {
		model := pricedLead(heloc.FeeAdded, lower, higher)
		got := offers.PresentOffers(webtest.DenverViewer(t), model,
			offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Draw: tt.draw, Pins: []string{"a", "b"}}))
		for _, g := range got.Compare.Groups {
			for _, row := range g.Rows {
				if strings.HasPrefix(row.Label, "Break-even") && strings.Contains(strings.Join(row.Values, " "), "vs.") != tt.want {
					t.Errorf("draw %s: got %q", tt.draw, row.Values)
				}
			}
		}
	}
}
