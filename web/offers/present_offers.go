package offers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/workspace"
)

// PresentOffers maps the grid: a row for each term, a column for each fee, and payments in the
// cells. The order is neutral, and no offer is highlighted.
func PresentOffers(v text.Viewer, l desklead.Snapshot, p OfferGrid) *view.View {
	o := presentSelection(v, l, p)
	o.PricedAsOf, o.Kind, o.Excluded = text.Date(notAhead(v, l.Details.App.Underwriting.PricingAsOf)),
		rateTypeText(p.Query.rateType), p.excluded()
	o.Selected, o.PastQuote, o.SavedQuotes, o.TooManyPinned = presentSelected(l), presentPastQuote(v, p),
		PresentSavedQuotes(v, l, p), p.Query.tooManyPins
	o.Empty = emptyOffers(l.Row)
	if p.historical && p.Current.Offers == 0 {
		o.Empty = ui.EmptyView{Icon: "calculator", Title: "The lender had no offers for this quote.",
			Text: "See the lead for current offers."}
	}
	if p.Current != nil {
		o.PricedAsOf = shortDate(v, p.Current.At)
	}
	if p.Query.rateType == heloc.RateFixed || p.Query.rateType == heloc.RateFloating {
		o.Kind += " rate"
	}
	if p.Query.Draw > 0 {
		o.Draw = text.Money(p.Query.Draw)
	}
	if p.Query.rateType == heloc.RateFloating {
		o.PrimeText = p.primeText()
	}
	o.PaymentNote, o.PaymentsOff, o.DrawUnknown = p.paymentNote(), p.paymentsOff(), p.drawPeriodUnknown()
	fees, terms := distinct(p.Offers, feeOf), distinct(p.Offers, termOf)
	for _, fee := range fees {
		tier := view.FeeTier{Percent: "unknown"}
		if fee != feeUnknown {
			tier = view.FeeTier{Percent: fee.String() + "%", Dollars: text.MoneyOrEmpty(heloc.FeeAmount(p.Query.Draw, fee))}
		}
		o.Fees = append(o.Fees, tier)
	}
	for _, term := range terms {
		short, long := text.TermWords(p.Payments.Term, term)
		row := view.TermRow{Term: short, LongTerm: long, Draw: p.drawPeriodOf(term)}
		for _, fee := range fees {
			row.Cells = append(row.Cells, p.cell(term, fee))
		}
		o.Rows = append(o.Rows, row)
	}
	o.CanPrintSheet, o.SheetQuery = len(p.All) > 0 && !l.Row.StatusKey.Ended(), p.sheetQuery()
	chosen, ok := p.find(p.Query.Chosen)
	p.addTable(o)
	o.Compare, o.Home = p.presentComparison(l), p.presentHome(l, nil)
	if ok {
		o.Chosen, o.Sentence, o.Home = p.quoteStrip(chosen), p.sentence(chosen), p.presentHome(l, &chosen)
		o.PaymentChart, o.Balance, o.Prime = p.paymentChart(chosen), p.balances(chosen), p.presentPrime(chosen)
		if p.costsAvailable && v.Who.Can(access.ActOnLead) {
			o.CostsQuery = costsQuery(p.Query)
		}
	}
	return o
}

// presentSelection maps what the form that selects an offer says, without the figures of any offer.
func presentSelection(v text.Viewer, l desklead.Snapshot, p OfferGrid) *view.View {
	return &view.View{
		Source: text.JoinNonEmpty(" ", endedText(l.Row, len(p.All)), p.source()), CannotText: p.cannotSelectText(),
		CanSelect:   v.Who.Can(access.SelectOffer) && workspace.CanSelectOffer(l.Row),
		FeeDeducted: p.Payments.Fee == heloc.FeeDeducted, Quote: presentQuoteForm(p),
		Planner: p.presentPlanner(l.Details.App.Payoff), Discounts: p.presentDiscounts(),
	}
}

// endedText says that the offers below belong to a lead that has ended; empty if it has not.
func endedText(l lead.Row, offers int) string {
	switch {
	case offers == 0 || !l.StatusKey.Ended():
		return ""
	case l.StatusKey == heloc.StatusFunded:
		return "The line has funded. These were its offers."
	case l.Converted:
		return "The application has ended. These are its earlier offers."
	default:
		return "The inquiry has ended. Its offers can no longer be selected."
	}
}

// emptyOffers says why there are no offers.
func emptyOffers(l lead.Row) ui.EmptyView {
	switch empty := (ui.EmptyView{Icon: "calculator", Title: "No offers."}); {
	case l.StatusKey == heloc.StatusNoOffers && l.Step == heloc.StepNoOffers:
		empty.Text = "The lender has no offers for this information."
		return empty
	case l.StatusKey.Ended() || l.StatusKey == heloc.StatusNoOffers || l.Converted:
		return empty
	default:
		return ui.EmptyView{Icon: "calculator", Title: "No offers yet.",
			Text: "They appear here when the lender has priced the line."}
	}
}

// presentReady maps what the overview says about the offers: what there is, without the figures that the offers tab
// has.
func (g OfferGrid) presentReady(q view.QuoteForm) view.ReadyView {
	var kinds []string
	for _, kind := range g.rateTypes() {
		if words := rateTypeText(kind); words != "" {
			kinds = append(kinds, words)
		}
	}
	var periods, percents string
	if terms := distinct(g.All, termOf); len(terms) > 0 && terms[0] > 0 {
		shortest, _ := text.TermWords(g.Payments.Term, terms[0])
		longest, _ := text.TermWords(g.Payments.Term, terms[len(terms)-1])
		periods = fromTo(shortest, longest)
	}
	if fees := knownFees(g.All); len(fees) > 0 {
		percents = fromTo(text.Percent(&fees[0]), text.Percent(&fees[len(fees)-1]))
	}
	count := text.JoinNonEmpty(" · ", strconv.Itoa(len(g.All)), strings.Join(kinds, " and "))
	v := view.ReadyView{Facts: ui.KnownFacts("Offers", count, "Terms", periods, "Fees", percents, "Draw", q.Range)}
	for _, o := range g.inOrder() {
		if o.UUID == "" || outOfRangeText(o, g.Query.Draw) != "" {
			continue
		}
		v.Choices = append(v.Choices, ui.Option{Value: o.UUID, Label: g.columnTitle(o), Selected: o.UUID == g.Query.Chosen})
	}
	return v
}

func fromTo(least, most string) string {
	if least == most {
		return least
	}
	return least + " to " + most
}

// inOrder are all offers by rate type, term and fee, so that nothing is first because it is better.
func (g OfferGrid) inOrder() []heloc.Offer {
	kinds := g.rateTypes()
	all := slices.Clone(g.All)
	slices.SortStableFunc(all, func(a, b heloc.Offer) int {
		return cmp.Or(slices.Index(kinds, rateTypeOf(a))-slices.Index(kinds, rateTypeOf(b)), byTermAndFee(a, b))
	})
	return all
}

// presentSelected maps the selected offer with the lender's figures; it is nil if none is selected. While the lender is
// processing a new selection, it maps that one only, because the earlier one may no longer be selected.
func presentSelected(l desklead.Snapshot) *view.SelectedOfferView {
	if l.NewSelection != nil {
		return presentNewSelection(l)
	}
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil {
		return nil
	}
	v := &view.SelectedOfferView{
		Title: cmp.Or(offerTitle(l.Payments.Term, s.Term, s.RateType, s.Rate, s.OriginationFeePercent),
			"An offer is selected"),
		Payment:    text.Dollars(s.MonthlyPayment),
		CanChange:  workspace.CanSelectOffer(l.Row) && !workspace.IsBlocked(l, heloc.OpSelectOffer),
		IsDoubtful: workspace.IsSelectionUnknown(l),
	}
	ours := l.Payments.Selected(*s)
	if p := ours.Payment(); p > 0 && (s.MonthlyPayment == nil || !heloc.SameCents(p, *s.MonthlyPayment)) {
		v.OurEstimate = text.Money(p)
	}
	v.Facts = selectedFacts(l, *s)
	if s.MonthlyPayment != nil && v.OurEstimate == "" && ours.InterestOnly && ours.Payment() > 0 {
		v.PaymentNote = "during the draw period"
		v.Facts = append([]ui.Fact{{Label: "Afterward (our estimate)", Value: text.Afterward(ours)}}, v.Facts...)
	}
	return v
}

// presentNewSelection maps a selection that the lender is processing: what the originator confirmed.
func presentNewSelection(l desklead.Snapshot) *view.SelectedOfferView {
	sent := l.NewSelection
	v := &view.SelectedOfferView{Title: "sent to the lender", IsNew: true, Statement: sent.Statement}
	if v.Statement == "" {
		v.Facts = []ui.Fact{{Label: drawLabel(l.Payments.Fee), Value: text.Money(sent.Amount)}}
	}
	return v
}

func selectedFacts(l desklead.Snapshot, s heloc.SelectedOffer) []ui.Fact {
	draw := ui.FactOrDash(drawLabel(l.Payments.Fee), text.Dollars(s.DrawAmount))
	facts := []ui.Fact{draw}
	if cash := workspace.CashFacts(l); len(cash) > 1 || len(cash) == 1 && cash[0].Value != draw.Value {
		facts = append(facts, cash...)
	}
	if s.LoanAmount != nil && equal(s.LoanAmount, s.CreditLine) {
		facts = append(facts, ui.FactOrDash("Loan amount and credit line", text.Dollars(s.LoanAmount)))
	} else {
		facts = append(facts, ui.FactsOrDash("Loan amount", text.Dollars(s.LoanAmount),
			"Credit line", text.Dollars(s.CreditLine))...)
	}
	fee := s.OriginationFeePercent
	facts = append(facts, ui.FactsOrDash(
		"Origination fee", text.JoinNonEmpty(" · ", text.Percent(fee), text.Dollars(s.Fee())),
		"Rate", text.Percent(s.Rate))...)
	if s.RateType != heloc.RateFixed {
		facts = append(facts, ui.FactOrDash("Prime rate", text.Percent(s.PrimeRate)))
	}
	if s.OriginationFee != nil && (fee == nil || *s.OriginationFee != *fee) {
		facts = append(facts, ui.FactOrDash("Origination fee (also reported)", text.Percent(s.OriginationFee)))
	}
	for _, d := range s.SelectedDiscounts {
		facts = append(facts, ui.FactOrDash(discountName(d), "−"+text.Percent(d.RateAmount)))
	}
	return facts
}

// drawLabel names the amount that was selected.
func drawLabel(method heloc.FeeMethod) string {
	if method == heloc.FeeDeducted {
		return "Draw, before the fee"
	}
	return "Net draw"
}
