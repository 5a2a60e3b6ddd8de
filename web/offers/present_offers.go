package offers

import (
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
		o.Fees = append(o.Fees, view.FeeTier{Percent: fee.String() + "%",
			Dollars: text.MoneyOrEmpty(heloc.FeeAmount(p.Query.Draw, fee))})
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
