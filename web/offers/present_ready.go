package offers

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// presentReady maps what the overview says about the offers: what there is, without the figures that the offers tab has.
func (p OfferGrid) presentReady(q view.QuoteForm) view.ReadyView {
	var v view.ReadyView
	add := func(label, value string) {
		if value != "" {
			v.Facts = append(v.Facts, ui.Fact{Label: label, Value: value})
		}
	}
	var kinds []string
	for _, kind := range p.rateTypes() {
		if words := rateTypeText(kind); words != "" {
			kinds = append(kinds, words)
		}
	}
	add("Offers", text.JoinNonEmpty(" · ", strconv.Itoa(len(p.All)), strings.Join(kinds, " and ")))
	if terms := distinct(p.All, termOf); len(terms) > 0 && terms[0] > 0 {
		shortest, _ := text.TermWords(p.Payments.Term, terms[0])
		longest, _ := text.TermWords(p.Payments.Term, terms[len(terms)-1])
		add("Terms", fromTo(shortest, longest))
	}
	if fees := distinct(p.All, feeOf); len(fees) > 0 {
		add("Fees", fromTo(text.Percent(&fees[0]), text.Percent(&fees[len(fees)-1])))
	}
	if q.Max != "0" {
		add("Draw", fromTo(q.MinText, q.MaxText))
	}
	for _, o := range p.inOrder() {
		if o.UUID == "" || outOfRangeText(o, p.Query.Draw) != "" {
			continue
		}
		v.Choices = append(v.Choices, ui.Option{Value: o.UUID, Label: p.columnTitle(o), Selected: o.UUID == p.Query.Chosen})
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
func (p OfferGrid) inOrder() []heloc.Offer {
	kinds := p.rateTypes()
	all := slices.Clone(p.All)
	slices.SortStableFunc(all, func(a, b heloc.Offer) int {
		return cmp.Or(slices.Index(kinds, rateTypeOf(a))-slices.Index(kinds, rateTypeOf(b)), byTermAndFee(a, b))
	})
	return all
}
