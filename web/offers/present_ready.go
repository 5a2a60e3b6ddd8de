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

// presentReady maps what the overview says about the offers: what there is, without the figures that the offers tab
// has.
func (g OfferGrid) presentReady(q view.QuoteForm) view.ReadyView {
	var kinds []string
	for _, kind := range g.rateTypes() {
		if words := rateTypeText(kind); words != "" {
			kinds = append(kinds, words)
		}
	}
	var periods, percents, draws string
	if terms := distinct(g.All, termOf); len(terms) > 0 && terms[0] > 0 {
		shortest, _ := text.TermWords(g.Payments.Term, terms[0])
		longest, _ := text.TermWords(g.Payments.Term, terms[len(terms)-1])
		periods = fromTo(shortest, longest)
	}
	if fees := distinct(g.All, feeOf); len(fees) > 0 {
		percents = fromTo(text.Percent(&fees[0]), text.Percent(&fees[len(fees)-1]))
	}
	if q.Max != "0" {
		draws = fromTo(q.MinText, q.MaxText)
	}
	count := text.JoinNonEmpty(" · ", strconv.Itoa(len(g.All)), strings.Join(kinds, " and "))
	v := view.ReadyView{Facts: ui.KnownFacts("Offers", count, "Terms", periods, "Fees", percents, "Draw", draws)}
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
