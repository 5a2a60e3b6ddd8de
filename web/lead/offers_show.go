package lead

import (
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
)

// showOffers maps the grid: terms down, fees across, payments in the cells. The order
// is neutral and nothing stands out.
func ShowOffers(v format.Viewer, l desk.LeadView, p Priced) views.OffersView {
	o := views.OffersView{
		PricedAsOf: format.Calendar(notAhead(v, l.Details.App.Underwriting.PricingAsOf)), Source: p.source(), WhyNot: p.whyNot(),
		Excluded: p.excluded(), Can: v.Who.Can(access.SelectOffer) && selectable(l.Row),
		Quote: showQuote(p), Kind: "fixed", Planner: p.showPlanner(l.Details.App.Payoff), MaxFee: format.Dollars(p.max), Discounts: p.showDiscounts(),
		Selected: p.showSelected(l), Past: showPast(v, p), Kept: ShowKept(v, l, p), Crowded: p.Ask.crowded,
		Empty: ui.EmptyView{Icon: "calculator", Title: "No offers yet.", Text: "They appear here when the lender has priced the line."},
	}
	if p.past && p.Open.Offers == 0 {
		o.Empty = ui.EmptyView{Icon: "calculator", Title: "The lender had no offers for this.", Text: "Those that it has now stand on the lead."}
	}
	if p.Open != nil {
		o.PricedAsOf = dateOf(v, p.Open.At)
	}
	if p.Ask.kind == heloc.RateFloating {
		o.Kind = "variable"
	}
	if p.Ask.Draw > 0 {
		o.Draw = format.Amount(p.Ask.Draw)
	}
	fees, terms := p.fees(), p.terms()
	for _, fee := range fees {
		o.Fees = append(o.Fees, views.FeeTier{Percent: fee.String() + "%", Dollars: format.SomeAmount(heloc.FeeAmount(p.Ask.Draw, fee))})
	}
	for _, term := range terms {
		short, long := format.TermWords(p.Term, term)
		row := views.TermRow{Term: short, Long: long}
		for _, fee := range fees {
			row.Cells = append(row.Cells, p.cell(term, fee))
		}
		o.Rows = append(o.Rows, row)
	}
	o.Sheet, o.SheetAsk = len(p.All) > 0, p.sheetAsk()
	o.Pinned, o.Every = p.compare(p.pins), p.compare(p.Offers)
	if chosen, ok := p.find(p.Ask.Chosen); ok {
		o.Chosen = p.strip(chosen)
		o.Balance = p.balances(chosen)
		if p.tells && v.Who.Can(access.ActOnLead) {
			o.CostsAsk = to.CostsQuery{Offer: chosen.UUID, Amount: format.TypedMoney(&p.Ask.Draw)}
		}
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

func (p Priced) fees() []heloc.Rate {
	var fees []heloc.Rate
	for _, o := range p.Offers {
		fees = append(fees, feeOf(o))
	}
	slices.Sort(fees)
	return slices.Compact(fees)
}

func (p Priced) terms() []heloc.Count {
	var terms []heloc.Count
	for _, o := range p.Offers {
		terms = append(terms, termOf(o))
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// cell is the offer at one crossing; empty where the lender made none.
func (p Priced) cell(term heloc.Count, fee heloc.Rate) views.OfferCell {
	for _, o := range p.Offers {
		if termOf(o) != term || feeOf(o) != fee {
			continue
		}
		c := views.OfferCell{UUID: o.UUID, Rate: format.Percent(o.Rate), Reason: outOfRange(o, p.Ask.Draw), Pinned: slices.Contains(p.Ask.Pins, o.UUID)}
		c.Dollars, c.Cents = parted(p.payment(o))
		return c
	}
	return views.OfferCell{}
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
func (p Priced) titleOf(term *heloc.Count, kind heloc.OfferRateType, rate, fee *heloc.Rate) string {
	var long string
	if term != nil {
		_, long = format.TermWords(p.Term, *term)
	}
	text := format.Joined(" ", long, strings.ToLower(format.Said(string(kind), words.RateType)))
	if rate != nil {
		text += " at " + format.Percent(rate)
	}
	if fee != nil {
		text += ", fee " + format.Percent(fee)
	}
	return strings.TrimPrefix(strings.TrimSpace(text), "at ")
}

func discountName(d heloc.Discount) string { return words.Name(string(d.Type)) + " discount" }

// showDiscounts are the discounts of the offers themselves, by their own types.
func (p Priced) showDiscounts() []views.DiscountChoice {
	var choices []views.DiscountChoice
	for _, d := range p.discountsOffered() {
		label := words.Name(string(d.Type))
		if d.RateAmount != nil {
			label += " −" + d.RateAmount.String()
		}
		choices = append(choices, views.DiscountChoice{Type: string(d.Type), Label: label, On: p.asks(d.Type)})
	}
	return choices
}
