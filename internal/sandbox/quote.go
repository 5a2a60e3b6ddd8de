package sandbox

import (
	"fmt"
	"strconv"
	"time"

	"hearthline/internal/heloc"
)

// quote is a request for offers. The details' own offers are those of the zero quote. Its
// offers, including their ids, follow from it and the pricing, so only the request is stored;
// an offer was supplied before if a stored quote produces it again.
type quote struct {
	Draw     heloc.Money `json:",omitempty"` // net to the borrower and the creditors; zero: the whole line
	Fee      *heloc.Rate `json:",omitempty"` // only this fee
	Payoff   heloc.Money `json:",omitempty"` // part of the draw, to creditors
	Accounts []string    `json:",omitempty"`
	Autopay  bool        `json:",omitempty"`
	CU       bool        `json:",omitempty"`
}

// maxQuotes limits how many quotes a slider can create; the oldest quotes are dropped.
const maxQuotes = 400

func (a quote) key() string {
	return fmt.Sprintf("%d|%v|%d|%q|%v|%v", a.Draw, rateText(a.Fee), a.Payoff, a.Accounts, a.Autopay, a.CU)
}

func rateText(r *heloc.Rate) string {
	if r == nil {
		return "-"
	}
	return r.String()
}

// saveQuote stores a request that was answered and reports whether it is new.
func (q *inquiryRecord) saveQuote(a quote) (added bool) {
	for _, old := range q.Quotes {
		if old.key() == a.key() {
			return false
		}
	}
	q.Quotes = append(q.Quotes, a)
	if len(q.Quotes) > maxQuotes {
		q.Quotes = q.Quotes[len(q.Quotes)-maxQuotes:]
	}
	return true
}

// offers prices a quote: three fee tiers, four terms, fixed and variable.
func (q *inquiryRecord) offers(a quote) []heloc.Offer {
	p := q.Pricing
	if p == nil {
		return nil
	}
	tiers := p.Tiers[:]
	if a.Fee != nil {
		tiers = []heloc.Rate{*a.Fee}
	}
	var list []heloc.Offer
	for _, fee := range tiers {
		for _, term := range terms() {
			for _, kind := range []heloc.OfferRateType{heloc.RateFixed, heloc.RateFloating} {
				list = append(list, q.offer(a, fee, term, kind))
			}
		}
	}
	return list
}

func (q *inquiryRecord) offer(a quote, fee heloc.Rate, term int, kind heloc.OfferRateType) heloc.Offer {
	p := q.Pricing
	draw := a.Draw
	if draw == 0 {
		draw = p.Max
	}
	rate := p.fixedRate(draw, fee, term)
	prime := primeRate
	if kind == heloc.RateFloating {
		rate = p.variableRate(draw, fee, term)
	}
	if a.Autopay {
		rate -= 2500
	}
	if a.CU {
		rate -= 5000
	}
	months := heloc.Count(term)
	lowest, highest, feeCap := max(p.Min, a.Payoff), p.Max, percentOf(draw, maxFee)
	return heloc.Offer{
		UUID:      derivedID(q.ID, "offer", a.key(), fee.String(), strconv.Itoa(term), string(kind)),
		MinAmount: &lowest, MaxAmount: &highest, Rate: &rate, PrimeRate: &prime, Term: &months, RateType: kind,
		OriginationFeePercent: &fee, FeeCapAmount: &feeCap, Discounts: discounts(),
	}
}

// suppliedOffer finds an offer that was supplied before, and its quote.
func (q *inquiryRecord) suppliedOffer(id string) (heloc.Offer, quote, bool) {
	if q.Pricing == nil {
		return heloc.Offer{}, quote{}, false
	}
	for _, a := range append([]quote{{}}, q.Quotes...) {
		for _, o := range q.offers(a) {
			if o.UUID == id {
				return o, a, true
			}
		}
	}
	return heloc.Offer{}, quote{}, false
}

// selection is the offer that the borrower continues with.
type selection struct {
	At        time.Time // when it took effect
	Offer     heloc.Offer
	Amount    heloc.Money // the selected amount
	Fee       heloc.Money // the origination fee
	Loan      heloc.Money // with the fee, if it is financed on top
	Rate      heloc.Rate  // after discounts
	Discounts []heloc.Discount
	Accounts  []string
	Payoff    heloc.Money
}

// newSelection computes a selection. Discounts that the offer does not have are ignored
// (interface.md section 4.4), and a discount that the quote already includes is not
// subtracted twice.
func (t loanTerms) newSelection(o heloc.Offer, a quote, amount heloc.Money, wanted []string) *selection {
	sel := &selection{Offer: o, Amount: amount, Rate: *o.Rate}
	sel.Fee, sel.Loan = percentOf(amount, *o.OriginationFeePercent), t.loan(amount, *o.OriginationFeePercent)
	for _, d := range o.Discounts {
		granted := d.Type == discountAutopay && a.Autopay || d.Type == discountCreditUnion && a.CU
		requested := false
		for _, w := range wanted {
			requested = requested || w == string(d.Type)
		}
		if requested || granted {
			sel.Discounts = append(sel.Discounts, d)
		}
		if requested && !granted {
			sel.Rate -= *d.RateAmount
		}
	}
	return sel
}
