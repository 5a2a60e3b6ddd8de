package web

import (
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// showOffers maps the grid: terms down, fees across, payments in the cells. The order
// is neutral and nothing stands out.
func (v viewer) showOffers(l desk.LeadView, p priced) views.OffersView {
	o := views.OffersView{
		PricedAsOf: calendar(v.notAhead(l.Details.App.Underwriting.PricingAsOf)), Source: p.source(), WhyNot: p.whyNot(),
		Excluded: p.excluded(), Can: v.who.Can(access.SelectOffer) && selectable(l.Row),
		Quote: showQuote(p), Kind: "fixed", Planner: p.showPlanner(l.Details.App.Payoff), MaxFee: dollars(p.max), Discounts: p.showDiscounts(),
		Selected: p.showSelected(l), Past: v.showPast(p), Kept: v.showKept(l, p), Crowded: p.ask.crowded,
		Empty: ui.EmptyView{Icon: "calculator", Title: "No offers yet.", Text: "They appear here when the lender has priced the line."},
	}
	if p.past && p.open.Offers == 0 {
		o.Empty = ui.EmptyView{Icon: "calculator", Title: "The lender had no offers for this.", Text: "Those that it has now stand on the lead."}
	}
	if p.open != nil {
		o.PricedAsOf = v.dateOf(p.open.At)
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
	o.Pinned, o.Every = p.compare(p.pins), p.compare(p.offers)
	if chosen, ok := p.find(p.ask.chosen); ok {
		o.Chosen = p.strip(chosen)
		o.Balance = p.balances(chosen)
		if p.tells && v.who.Can(access.ActOnLead) {
			o.CostsAsk = to.CostsQuery{Offer: chosen.UUID, Amount: typedMoney(&p.ask.draw)}
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
		c := views.OfferCell{UUID: o.UUID, Rate: percent(o.Rate), Reason: outOfRange(o, p.ask.draw), Pinned: slices.Contains(p.ask.pins, o.UUID)}
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

func discountName(d heloc.Discount) string { return words.Name(string(d.Type)) + " discount" }

// showDiscounts are the discounts of the offers themselves, by their own types.
func (p priced) showDiscounts() []views.DiscountChoice {
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
