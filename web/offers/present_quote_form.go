package offers

import (
	"strconv"
	"strings"

	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/web/form"
)

// presentQuoteForm maps the form that requests a quote for other figures.
func presentQuoteForm(p OfferGrid) view.QuoteForm {
	q := view.QuoteForm{
		Requote: p.requotes(), Due: p.due(), StatusText: p.Query.failure, Failed: p.Query.failure != "",
	}
	for _, kind := range p.rateTypes() {
		q.RateTypes = append(q.RateTypes, [2]string{string(kind), text.RateType(string(kind))})
	}
	if p.Query.fresh {
		q.StatusText = "Quote updated"
	}
	typed := map[string][]string{"amount": {text.ControlMoney(&p.Query.Draw)}, "rateType": {string(p.Query.rateType)}}
	for name, values := range p.Query.typed {
		if name == "amount" || strings.HasPrefix(name, "paysToday.") {
			typed[name] = values
		}
	}
	if p.Query.fee != nil {
		typed["originationFee"] = []string{p.Query.fee.String()}
	}
	for name, checked := range map[string]bool{"autoPayDiscountEnabled": p.Query.Autopay,
		"cuDiscountEnabled": p.Query.creditUnion} {
		if checked {
			typed[name] = []string{"true"}
		}
	}
	q.Form = form.ViewForm(typed, nil)
	q.Form.FieldErrors = form.ViewErrors(p.Query.fieldErrors)
	var lowest, highest heloc.Money
	for _, o := range p.All {
		if o.MinAmount != nil && (lowest == 0 || *o.MinAmount < lowest) {
			lowest = *o.MinAmount
		}
		if o.MaxAmount != nil {
			highest = max(highest, *o.MaxAmount)
		}
	}
	q.Min, q.Max = wholeDollars(lowest), wholeDollars(highest)
	q.MinText, q.MaxText = text.Money(lowest), text.Money(highest)
	for _, fee := range distinct(p.All, feeOf) {
		q.Fees = append(q.Fees, fee.String())
	}
	return q
}

func wholeDollars(m heloc.Money) string { return strconv.FormatInt(int64(m)/100, 10) }
