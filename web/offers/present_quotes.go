package offers

import (
	"slices"
	"strconv"
	"strings"
	"time"

	desklead "hearthline/internal/desk/lead"
	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/heloc"
	view "hearthline/views/offers"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
)

// quotesPerPage is how many quotes the list shows at once.
const quotesPerPage = 50

// presentPastQuote states when the quote was made that is shown as it was.
func presentPastQuote(v text.Viewer, p OfferGrid) view.PastQuoteView {
	if !p.historical {
		return view.PastQuoteView{}
	}
	at := p.Current.At.In(v.Zone)
	return view.PastQuoteView{ID: p.Current.ID, When: at.Format("Monday, January 2, 2006, 3:04 PM"),
		Request: quoteQueryText(p.Current.QuoteSummary, p.drawName())}
}

// PresentSavedQuotes lists the quotes by day, to answer "what did I say on Monday?".
func PresentSavedQuotes(v text.Viewer, l desklead.Snapshot, p OfferGrid) view.SavedQuotesView {
	heads := p.Summaries
	if at := slices.IndexFunc(heads, func(q deskoffers.QuoteSummary) bool { return q.ID == p.Query.OlderThan }); at >= 0 {
		heads = heads[at+1:]
	}
	var list view.SavedQuotesView
	app := string(l.Row.App)
	for i, q := range heads {
		if i == quotesPerPage {
			list.Older = v.Base.Quotes(app, to.QuotesQuery{After: heads[i-1].ID})
			break
		}
		at := q.At.In(v.Zone)
		if day := longDay(v, at); len(list.Days) == 0 || list.Days[len(list.Days)-1].Day != day {
			list.Days = append(list.Days, view.SavedQuotesDay{Day: day})
		}
		today := &list.Days[len(list.Days)-1]
		today.Quotes = append(today.Quotes, view.SavedQuote{
			Time: at.Format("3:04 PM"), Request: quoteQueryText(q, p.drawName()),
			Href:    v.Base.Quotes(app, to.QuotesQuery{Quote: q.ID}),
			Current: p.historical && p.Current.ID == q.ID,
		})
	}
	return list
}

// quoteQueryText describes in one line what a quote was requested for; draw names its amount.
func quoteQueryText(q deskoffers.QuoteSummary, draw string) string {
	var parts []string
	switch {
	case q.Payoff:
		parts = append(parts, "payoff offers")
	case q.Request.Amount != nil:
		parts = append(parts, draw+" "+text.Money(*q.Request.Amount))
	}
	if q.Request.OriginationFee != nil {
		parts = append(parts, "fee "+text.Percent(q.Request.OriginationFee))
	}
	if q.Request.AutopayDiscount {
		parts = append(parts, "autopay")
	}
	if q.Request.CreditUnionMember {
		parts = append(parts, "credit union")
	}
	if n := len(q.Request.AccountIDs); n > 0 {
		payoff := "pays off " + text.Pluralize(n, "debt", "debts")
		if q.Request.LiabilityPayoff != nil {
			payoff += " of " + text.Money(*q.Request.LiabilityPayoff)
		}
		parts = append(parts, payoff)
	}
	outcome := "no offers"
	if q.Offers > 0 {
		outcome = text.Pluralize(q.Offers, "offer", "offers")
	}
	return strings.Join(append(parts, outcome), " · ")
}

// longDay formats a day in full: "Today, Monday, November 16, 2026", or without "Today".
func longDay(v text.Viewer, at time.Time) string {
	full := at.Format("Monday, January 2, 2006")
	if at.Format(time.DateOnly) == v.Now.In(v.Zone).Format(time.DateOnly) {
		return "Today, " + full
	}
	return full
}

// notAhead returns the lender's date, or the user's current date if the lender's calendar is a day
// ahead.
func notAhead(v text.Viewer, d heloc.Date) heloc.Date {
	if today := heloc.DateOf(v.Now.In(v.Zone)); d.After(today) {
		return today
	}
	return d
}

// shortDate formats the calendar day of a time in the user's zone.
func shortDate(v text.Viewer, at time.Time) string { return at.In(v.Zone).Format("Jan 2, 2006") }

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
	switch {
	case highest == 0:
	case lowest == 0: // no minimum is known
		q.Range = "up to " + text.Money(highest)
	default:
		q.Range = fromTo(text.Money(lowest), text.Money(highest))
	}
	for _, fee := range knownFees(p.All) {
		q.Fees = append(q.Fees, fee.String())
	}
	return q
}

func wholeDollars(m heloc.Money) string { return strconv.FormatInt(int64(m)/100, 10) }
