package offers_test

import (
	"slices"
	"strings"
	"testing"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
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

// A debt whose balance the lender leaves open is not a debt of nothing.
func TestPresentOffers_UnknownBalance_NoCashNoTotal(t *testing.T) {
	t.Parallel()
	balance := heloc.Dollars(12_000)
	for _, tt := range []struct{ paysOff, want string }{
		{"a", "10 yr fixed, 8.20%, $88,000 to the borrower, $12,000 in payoffs, $1,260.46 a month"},
		{"a b", "10 yr fixed, 8.20%, $100,000 net draw, $12,000 and unknown balances in payoffs, $1,260.46 a month"},
		{"b", "10 yr fixed, 8.20%, $100,000 net draw, unknown balances in payoffs, $1,260.46 a month"},
	} {
		model := pricedLead(heloc.FeeAdded, webtest.SampleOffer("o", 120, 2.99, 15_000, 220_000))
		model.Details.App.Payoff.Existing = &heloc.ExistingLiabilities{
			Eligible: []heloc.Liability{{ID: "a", Balance: &balance}, {ID: "b"}},
		}
		got := offers.PresentOffers(webtest.DenverViewer(t), model, offers.NewOfferGrid(model, offers.QuoteSet{},
			offers.GridQuery{Draw: heloc.Dollars(100_000), Chosen: "o", Payoff: strings.Fields(tt.paysOff)}))
		if got.Sentence != tt.want {
			t.Errorf("%s: got %q, want %q", tt.paysOff, got.Sentence, tt.want)
		}
		cash := "—"
		if tt.paysOff == "a" {
			cash = "$88,000"
		}
		if s := got.Chosen; s.ToBorrower != cash || got.Planner.ToBorrower != cash || (s.Bar.Total == "") != (cash == "—") ||
			s.PaysOff != got.Planner.Total || s.MismatchReason != "" {
			t.Errorf("%s: got %+v, %+v", tt.paysOff, s, got.Planner)
		}
	}
}

// An offer whose fee the lender leaves open is not free, and not one whose fee takes all of the cash.
func TestPresentOffers_NoFee_NothingThatContainsIt(t *testing.T) {
	t.Parallel()
	balance := heloc.Dollars(9_000)
	for method, want := range map[heloc.FeeMethod]struct{ sentence, cash, loan, payment string }{
		heloc.FeeAdded: {"10 yr fixed, 8.20%, $136,000 to the borrower, $9,000 in payoffs", "$136,000", "—", ""},
		heloc.FeeDeducted: {"10 yr fixed, 8.20%, $145,000 draw, $9,000 in payoffs, $1,774.61 a month", "—", "$145,000",
			"$1,774.61"},
	} {
		unknown := webtest.SampleOffer("u", 120, 0, 15_000, 220_000)
		unknown.OriginationFeePercent = nil
		model := pricedLead(method, webtest.SampleOffer("a", 120, 2.99, 15_000, 220_000), unknown)
		model.Details.App.Payoff.Existing = &heloc.ExistingLiabilities{
			Eligible: []heloc.Liability{{ID: "d", Balance: &balance}},
		}
		got := offers.PresentOffers(webtest.DenverViewer(t), model,
			offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{Chosen: "u", Payoff: []string{"d"}}))
		if got.Sentence != want.sentence {
			t.Errorf("%s: got %q, want %q", method, got.Sentence, want.sentence)
		}
		if f := got.Fees; len(f) != 2 || f[0] != (view.FeeTier{Percent: "unknown"}) || f[1].Percent != "2.99%" ||
			!slices.Equal(got.Quote.Fees, []string{"2.99"}) {
			t.Errorf("%s: got the fees %+v, %q", method, f, got.Quote.Fees)
		}
		if cell := got.Rows[0].Cells[0]; cell.UUID != "u" || cell.Payment != want.payment {
			t.Errorf("%s: got %+v, want the payment %q", method, cell, want.payment)
		}
		if s := got.Chosen; s.Fee != "—" || s.Loan != want.loan || s.ToBorrower != want.cash || s.Bar.Total != "" ||
			s.MismatchReason != "" {
			t.Errorf("%s: got %+v", method, s)
		}
		if p := got.Planner; p.Fee != "" || p.ToBorrower != want.cash {
			t.Errorf("%s: got %+v", method, p)
		}
	}
}

// The range of the draws begins with a minimum only if there is one.
func TestQuoteForm_Range_OnlyKnownLimits(t *testing.T) {
	t.Parallel()
	known := webtest.SampleOffer("a", 120, 2.99, 15_000, 220_000)
	noMinimum, noLimits := known, known
	noMinimum.MinAmount, noLimits.MinAmount, noLimits.MaxAmount = nil, nil, nil
	for want, offer := range map[string]heloc.Offer{"$15,000 to $220,000": known, "up to $220,000": noMinimum,
		"": noLimits} {
		model := pricedLead(heloc.FeeAdded, offer)
		got := offers.PresentOffers(webtest.DenverViewer(t), model,
			offers.NewOfferGrid(model, offers.QuoteSet{}, offers.GridQuery{}))
		if got.Quote.Range != want {
			t.Errorf("got %q, want %q", got.Quote.Range, want)
		}
	}
}
