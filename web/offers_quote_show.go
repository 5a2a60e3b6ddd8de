package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views"
)

// showQuote is the form that asks for other figures.
func showQuote(p priced) views.QuoteForm {
	q := views.QuoteForm{
		Requote: p.requotes(), Due: p.due(), Both: p.has(heloc.RateFixed) && p.has(heloc.RateFloating), Note: p.ask.failed, Failed: p.ask.failed != "",
		Autopay: p.requotes(), CreditUnion: p.requotes(),
	}
	if p.ask.fresh {
		q.Note = "Updated just now"
	}
	typed := map[string][]string{"amount": {typedMoney(&p.ask.draw)}, "rateType": {string(p.ask.kind)}}
	for name, values := range p.ask.typed {
		if name == "amount" || strings.HasPrefix(name, "paysToday.") {
			typed[name] = values
		}
	}
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
