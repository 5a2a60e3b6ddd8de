package web

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views/words"
)

// requotes says whether the lender may calculate offers for the draw of the grid.
func (p priced) requotes() bool { return !p.ask.gone && !p.noQuotes }

// quoted says whether the lender gave the figures of the grid for exactly what the grid
// shows: draw, debts and discounts.
func (p priced) quoted() bool {
	return p.open != nil && !p.open.Payoff && p.open.Ask.Amount != nil && *p.open.Ask.Amount == p.ask.draw
}

// choosable says whether an offer may be selected at these figures. Without quotes, what the
// lender gave for no draw in particular is all there is.
func (p priced) choosable() bool { return p.quoted() || !p.requotes() }

// due says whether a quote for what the grid shows is to be asked for at once.
func (p priced) due() bool {
	if p.choosable() || p.past || p.ask.failed != "" || len(p.ask.wrong) > 0 || p.nothing() || p.ask.draw <= 0 || p.ask.draw < p.payoff {
		return false
	}
	return slices.ContainsFunc(p.all, func(o heloc.Offer) bool { return outOfRange(o, p.ask.draw) == "" })
}

// source says what the figures of the grid belong to.
func (p priced) source() string {
	debts := ""
	if len(p.offs) > 0 {
		debts = " that pays off " + counted(len(p.offs), "debt", "debts") + " of " + amount(p.payoff)
	}
	switch {
	case len(p.all) == 0:
		return ""
	case p.quoted():
		text := "The lender quoted these rates for a net draw of " + amount(p.ask.draw) + debts
		if names := p.discountsIn(); len(names) > 0 {
			text += ", including the " + strings.Join(names, " and the ") + " discount"
		}
		return text + "."
	case p.open != nil:
		return "The lender gave these rates for a line" + debts + ", without naming a draw." + p.estimated()
	default:
		return "The lender gave these rates without naming a draw." + p.estimated()
	}
}

func (p priced) estimated() string {
	if p.ask.draw <= 0 {
		return ""
	}
	return " The payments are our estimates for " + amount(p.ask.draw) + "."
}

// whyNot says why no offer can be selected at these figures yet; empty when one can.
func (p priced) whyNot() string {
	switch {
	case p.choosable():
		return ""
	case p.nothing():
		return "To select an offer, choose debts that the lender has offers for."
	default:
		return "To select an offer, get a quote for a net draw of " + amount(p.ask.draw) + "."
	}
}

// excluded names the discounts that are to be selected and that the figures do not include.
func (p priced) excluded() string {
	var names []string
	for _, d := range p.discountsOffered() {
		if slices.Contains(p.ask.less, string(d.Type)) && !p.includes(d.Type) {
			names = append(names, discountWord(d.Type))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "The figures above do not include the " + strings.Join(names, " and the ") + " discount. The lender sets the final rate and payment."
}

// includes says whether the rates of the grid have a discount taken off.
func (p priced) includes(kind heloc.DiscountType) bool {
	return p.quoted() && p.asks(kind)
}

// discountsIn names the discounts that the rates of the grid have taken off.
func (p priced) discountsIn() []string {
	if !p.quoted() {
		return nil
	}
	var names []string
	if p.ask.autopay {
		names = append(names, "autopay")
	}
	if p.ask.union {
		names = append(names, "credit union")
	}
	return names
}

func discountWord(kind heloc.DiscountType) string { return strings.ToLower(words.Name(string(kind))) }

// discountsOffered are the discounts of the offers, each type once.
func (p priced) discountsOffered() []heloc.Discount {
	var all []heloc.Discount
	for _, o := range p.all {
		for _, d := range o.Discounts {
			if !slices.ContainsFunc(all, func(known heloc.Discount) bool { return known.Type == d.Type }) {
				all = append(all, d)
			}
		}
	}
	return all
}

// discountsAsked are the discounts to select besides those that the quote was asked for with:
// these follow the question, so that what is selected is what was quoted.
func (p priced) discountsAsked() []string {
	less := slices.Clone(p.ask.less)
	for _, d := range p.discountsOffered() {
		switch {
		case p.requotes() && (d.Type.Autopay() || d.Type.CreditUnion()):
			less = slices.DeleteFunc(less, func(kind string) bool { return kind == string(d.Type) })
		case p.asks(d.Type) && !slices.Contains(less, string(d.Type)):
			less = append(less, string(d.Type))
		}
	}
	return less
}

// asks says whether the question of the grid names a discount.
func (p priced) asks(kind heloc.DiscountType) bool {
	return kind.Autopay() && p.ask.autopay || kind.CreditUnion() && p.ask.union
}

// askLess has the question follow the discounts that were checked to be selected. It is for a
// form that holds these; what the offers have no discount for stays as it was asked.
func (a *offersAsk) askLess(offers []heloc.Offer) {
	for _, o := range offers {
		for _, d := range o.Discounts {
			on := slices.Contains(a.less, string(d.Type))
			switch {
			case d.Type.Autopay():
				a.autopay = on
			case d.Type.CreditUnion():
				a.union = on
			}
		}
	}
}
