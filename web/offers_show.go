package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// showOffers maps the grid: terms down, fees across, payments in the cells. The order
// is neutral and nothing stands out.
func (v viewer) showOffers(l desk.LeadView, p priced) views.OffersView {
	o := views.OffersView{
		PricedAsOf: calendar(l.Details.App.Underwriting.PricingAsOf), Can: v.who.Can(access.SelectOffer) && selectable(l.Row),
		Quote: showQuote(p), Kind: "fixed", Debts: showDebts(l.Details.App.Payoff, nil), MaxFee: dollars(p.max), Discounts: p.showDiscounts(),
		Selected: p.showSelected(l),
		Empty:    ui.EmptyView{Icon: "calculator", Title: "No offers yet.", Text: "They appear here when the lender has priced the line."},
	}
	if p.ask.kind == heloc.RateFloating {
		o.Kind = "variable"
	}
	if p.ask.draw > 0 {
		o.Draw = amount(p.ask.draw)
	}
	fees, terms := p.fees(), p.terms()
	for _, fee := range fees {
		o.Fees = append(o.Fees, views.FeeTier{Percent: fee.String() + "%", Dollars: someAmount(heloc.FeeAmount(p.ask.draw, fee))})
	}
	for _, term := range terms {
		short, long := p.lasting(term)
		row := views.TermRow{Term: short, Long: long}
		for _, fee := range fees {
			row.Cells = append(row.Cells, p.cell(term, fee))
		}
		o.Rows = append(o.Rows, row)
	}
	o.Sheet, o.SheetAsk = len(p.all) > 0, p.sheetAsk()
	if chosen, ok := p.find(p.ask.chosen); ok {
		o.Chosen = p.strip(chosen)
	}
	return o
}

// selectable says whether an offer may be chosen where the lead stands; the desk
// asks the same before it sends.
func selectable(l desk.Record) bool {
	switch l.Step {
	case heloc.StepOffersAvailable, heloc.StepBorrowerAuth, heloc.StepBrokerDocSigning:
		return !l.Converted && l.Lane != heloc.LaneEnded && l.Stand != heloc.StandInProgress
	default:
		return false
	}
}

func feeOf(o heloc.Offer) heloc.Rate {
	if o.OriginationFeePercent == nil {
		return 0
	}
	return *o.OriginationFeePercent
}

func termOf(o heloc.Offer) heloc.Count {
	if o.Term == nil {
		return 0
	}
	return *o.Term
}

func (p priced) fees() []heloc.Rate {
	var fees []heloc.Rate
	for _, o := range p.offers {
		fees = append(fees, feeOf(o))
	}
	slices.Sort(fees)
	return slices.Compact(fees)
}

func (p priced) terms() []heloc.Count {
	var terms []heloc.Count
	for _, o := range p.offers {
		terms = append(terms, termOf(o))
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// lasting is a term in words, short and long.
func (p priced) lasting(term heloc.Count) (short, long string) {
	months := p.term.Months(term)
	switch {
	case months == 0:
		return words.Dash, "term not known"
	case months%12 == 0:
		return strconv.Itoa(months/12) + " yr", counted(months/12, "year", "years")
	default:
		return strconv.Itoa(months) + " mo", counted(months, "month", "months")
	}
}

// cell is the offer at one crossing; empty where the lender made none.
func (p priced) cell(term heloc.Count, fee heloc.Rate) views.OfferCell {
	for _, o := range p.offers {
		if termOf(o) != term || feeOf(o) != fee {
			continue
		}
		c := views.OfferCell{UUID: o.UUID, Rate: percent(o.Rate), Reason: outOfRange(o, p.ask.draw)}
		c.Dollars, c.Cents = parted(p.payment(o))
		return c
	}
	return views.OfferCell{}
}

// payment is our estimate at the draw.
func (p priced) payment(o heloc.Offer) heloc.Money {
	if o.Rate == nil {
		return 0
	}
	return heloc.Payment(heloc.LoanAmount(p.ask.draw, feeOf(o), p.fee), *o.Rate, p.term.Months(termOf(o)))
}

// parted is an amount with its cents apart, for two sizes of type.
func parted(m heloc.Money) (whole, cents string) {
	if m <= 0 {
		return "", ""
	}
	whole, cents, _ = strings.Cut(m.String(), ".")
	return "$" + whole, "." + cents
}

// titleOf is an offer in one line, "10 years fixed at 8.20%, fee 2.99%".
func (p priced) titleOf(term *heloc.Count, kind heloc.OfferRateType, rate, fee *heloc.Rate) string {
	var long string
	if term != nil {
		_, long = p.lasting(*term)
	}
	text := joined(" ", long, strings.ToLower(said(string(kind), words.RateType)))
	if rate != nil {
		text += " at " + percent(rate)
	}
	if fee != nil {
		text += ", fee " + percent(fee)
	}
	return strings.TrimPrefix(strings.TrimSpace(text), "at ")
}

// strip takes one offer apart: to the borrower, plus the fee, is the loan.
func (p priced) strip(o heloc.Offer) views.QuoteStrip {
	fee, loan := heloc.FeeAmount(p.ask.draw, feeOf(o)), heloc.LoanAmount(p.ask.draw, feeOf(o), p.fee)
	hand, method := p.ask.draw-p.payoff, "net draw plus fee, repaid in equal months"
	if p.fee == heloc.FeeDeducted {
		hand, method = hand-fee, "the fee is taken out of the draw, repaid in equal months"
	}
	pay, months := p.payment(o), p.term.Months(termOf(o))
	s := views.QuoteStrip{
		Title: p.titleOf(o.Term, o.RateType, o.Rate, o.OriginationFeePercent), Hand: amount(hand), FeeName: "Fee " + percent(o.OriginationFeePercent),
		Fee: amount(fee), Loan: amount(loan), Payment: someAmount(pay), Method: method,
		Bar: ui.NewMoneyBar("Of a loan of "+amount(loan)+": to the borrower "+amount(hand)+", fee "+amount(fee),
			ui.BarAmount{Class: "p2", Cents: int64(hand)}, ui.BarAmount{Class: "p1", Cents: int64(p.payoff)}, ui.BarAmount{Class: "p3", Cents: int64(fee)}),
		PaysOff: someAmount(p.payoff),
	}
	add := func(label, value string) {
		if value != "" {
			s.Figures = append(s.Figures, ui.Fact{Label: label, Value: value})
		}
	}
	if pay > 0 {
		add("All interest, if nothing changes", amount(heloc.TotalInterest(loan, pay, months)))
	}
	if o.RateType == heloc.RateFloating && o.Rate != nil && o.PrimeRate != nil {
		margin := *o.Rate - *o.PrimeRate
		add("Margin over prime", percent(&margin))
	}
	add("Prime rate", percent(o.PrimeRate))
	add("From", dollars(o.MinAmount))
	add("Up to", dollars(o.MaxAmount))
	add("Largest fee for this offer", dollars(o.FeeCapAmount))
	add("Fee before discounts", percent(o.PreDiscountOriginationFee))
	for _, d := range o.Discounts {
		add(discountName(d)+" offered", "−"+percent(d.RateAmount))
	}
	return s
}

func discountName(d heloc.Discount) string { return words.Name(string(d.Type)) + " discount" }

// showDiscounts are the discounts of the offers themselves, by their own types.
func (p priced) showDiscounts() []views.DiscountChoice {
	var choices []views.DiscountChoice
	for _, o := range p.all {
		for _, d := range o.Discounts {
			if slices.ContainsFunc(choices, func(c views.DiscountChoice) bool { return c.Type == string(d.Type) }) {
				continue
			}
			label := words.Name(string(d.Type))
			if d.RateAmount != nil {
				label += " −" + d.RateAmount.String()
			}
			choices = append(choices, views.DiscountChoice{Type: string(d.Type), Label: label})
		}
	}
	return choices
}

// showQuote is the form that asks for other figures.
func showQuote(p priced) views.QuoteForm {
	q := views.QuoteForm{
		Requote: !p.ask.gone, Both: p.has(heloc.RateFixed) && p.has(heloc.RateFloating), Note: p.ask.failed, Failed: p.ask.failed != "",
		Autopay: true, CreditUnion: true,
	}
	if p.ask.fresh {
		q.Note = "Updated just now"
	}
	typed := map[string][]string{"amount": {typedMoney(&p.ask.draw)}, "rateType": {string(p.ask.kind)}}
	if p.ask.fee != nil {
		typed["originationFee"] = []string{p.ask.fee.String()}
	}
	for name, on := range map[string]bool{"autoPayDiscountEnabled": p.ask.autopay, "cuDiscountEnabled": p.ask.union} {
		if on {
			typed[name] = []string{"true"}
		}
	}
	q.Form = typedForm(typed, nil)
	q.Form.Wrong = wrongOf(p.ask.wrong)
	var lowest, highest heloc.Money
	var fees []heloc.Rate
	for _, o := range p.all {
		fees = append(fees, feeOf(o))
		if o.MinAmount != nil && (lowest == 0 || *o.MinAmount < lowest) {
			lowest = *o.MinAmount
		}
		if o.MaxAmount != nil {
			highest = max(highest, *o.MaxAmount)
		}
	}
	q.Min, q.Max = wholeDollars(lowest), wholeDollars(highest)
	q.MinWord, q.MaxWord = amount(lowest), amount(highest)
	slices.SortFunc(fees, cmp.Compare[heloc.Rate])
	for _, fee := range slices.Compact(fees) {
		q.Fees = append(q.Fees, fee.String())
	}
	return q
}

func wholeDollars(m heloc.Money) string { return strconv.FormatInt(int64(m)/100, 10) }

// showSelected puts the lender's estimate beside ours, and says why they differ.
func (p priced) showSelected(l desk.LeadView) views.SelectedView {
	s := l.Details.App.Underwriting.SelectedOffer
	if s == nil {
		return views.SelectedView{}
	}
	v := views.SelectedView{
		Title: p.titleOf(s.Term, s.RateType, s.Rate, s.OriginationFeePercent), Payment: dollars(s.MonthlyPayment), CanChange: selectable(l.Row),
	}
	if v.Title == "" {
		v.Title = "An offer is selected"
	}
	if ours := p.paymentOf(*s); ours > 0 {
		v.Ours = amount(ours)
		if s.MonthlyPayment != nil && *s.MonthlyPayment != ours {
			v.Difference = "The lender may round otherwise, or count interest alone while the line can be drawn."
		}
	}
	add := func(label, value string) { v.Facts = append(v.Facts, ui.Fact{Label: label, Value: words.Or(value)}) }
	add("Net draw", dollars(s.DrawAmount))
	add("Loan amount", dollars(s.LoanAmount))
	add("Credit line", dollars(s.CreditLine))
	add("Rate", percent(s.Rate))
	add("Prime rate", percent(s.PrimeRate))
	add("Fee", joined(" ", percent(s.OriginationFeePercent), dollars(s.OriginationFeeAmount)))
	if s.OriginationFee != nil {
		add("Origination fee", percent(s.OriginationFee))
	}
	for _, d := range s.SelectedDiscounts {
		add(discountName(d), "−"+percent(d.RateAmount))
	}
	add("Offer", s.OfferUUID)
	return v
}

func (p priced) paymentOf(s heloc.SelectedOffer) heloc.Money {
	if s.LoanAmount == nil || s.Rate == nil || s.Term == nil {
		return 0
	}
	return heloc.Payment(*s.LoanAmount, *s.Rate, p.term.Months(*s.Term))
}
