package lead

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/web/form"
	"hearthline/web/format"
)

// showQuote is the form that asks for other figures.
func showQuote(p Priced) views.QuoteForm {
	q := views.QuoteForm{
		Requote: p.requotes(), Due: p.due(), Both: p.has(heloc.RateFixed) && p.has(heloc.RateFloating), Note: p.Ask.failed, Failed: p.Ask.failed != "",
		Autopay: p.requotes(), CreditUnion: p.requotes(),
	}
	if p.Ask.fresh {
		q.Note = "Updated just now"
	}
	typed := map[string][]string{"amount": {format.TypedMoney(&p.Ask.Draw)}, "rateType": {string(p.Ask.kind)}}
	for name, values := range p.Ask.typed {
		if name == "amount" || strings.HasPrefix(name, "paysToday.") {
			typed[name] = values
		}
	}
	if p.Ask.fee != nil {
		typed["originationFee"] = []string{p.Ask.fee.String()}
	}
	for name, on := range map[string]bool{"autoPayDiscountEnabled": p.Ask.Autopay, "cuDiscountEnabled": p.Ask.union} {
		if on {
			typed[name] = []string{"true"}
		}
	}
	q.Form = form.TypedForm(typed, nil)
	q.Form.Wrong = form.WrongOf(p.Ask.wrong)
	var lowest, highest heloc.Money
	var fees []heloc.Rate
	for _, o := range p.All {
		fees = append(fees, feeOf(o))
		if o.MinAmount != nil && (lowest == 0 || *o.MinAmount < lowest) {
			lowest = *o.MinAmount
		}
		if o.MaxAmount != nil {
			highest = max(highest, *o.MaxAmount)
		}
	}
	q.Min, q.Max = wholeDollars(lowest), wholeDollars(highest)
	q.MinWord, q.MaxWord = format.Amount(lowest), format.Amount(highest)
	slices.SortFunc(fees, cmp.Compare[heloc.Rate])
	for _, fee := range slices.Compact(fees) {
		q.Fees = append(q.Fees, fee.String())
	}
	return q
}

func wholeDollars(m heloc.Money) string { return strconv.FormatInt(int64(m)/100, 10) }
