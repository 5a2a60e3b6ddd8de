package lead

import (
	"slices"
	"strings"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/format"
)

// quotesPerPage is how many quotes a list shows at once.
const quotesPerPage = 50

// presentPastQuote says of which moment a quote is that is looked at as it was.
func presentPastQuote(v format.Viewer, p OfferGrid) views.PastQuoteView {
	if !p.historical {
		return views.PastQuoteView{}
	}
	at := p.Current.At.In(v.Zone)
	return views.PastQuoteView{ID: p.Current.ID, When: at.Format("Monday, January 2, 2006, 3:04 PM"), Request: quoteQueryText(v, p.Current.QuoteSummary)}
}

// PresentSavedQuotes lists the quotes by the day on which they were made, for "what did I say on
// Monday?".
func PresentSavedQuotes(v format.Viewer, l desk.LeadView, p OfferGrid) views.SavedQuotesView {
	heads := p.Summaries
	if at := slices.IndexFunc(heads, func(q desk.QuoteSummary) bool { return q.ID == p.Query.OlderThan }); at >= 0 {
		heads = heads[at+1:]
	}
	var kept views.SavedQuotesView
	app := string(l.Row.App)
	for i, q := range heads {
		if i == quotesPerPage {
			kept.Older = v.Base.Quotes(app, to.QuotesQuery{After: heads[i-1].ID})
			break
		}
		at := q.At.In(v.Zone)
		if day := longDay(v, at); len(kept.Days) == 0 || kept.Days[len(kept.Days)-1].Day != day {
			kept.Days = append(kept.Days, views.SavedQuotesDay{Day: day})
		}
		today := &kept.Days[len(kept.Days)-1]
		today.Quotes = append(today.Quotes, views.SavedQuote{
			Time: at.Format("3:04 PM"), Request: quoteQueryText(v, q), Href: v.Base.Quotes(app, to.QuotesQuery{Quote: q.ID}),
			Current: p.historical && p.Current.ID == q.ID,
		})
	}
	return kept
}

// quoteQueryText is what a quote was asked for, in one line.
func quoteQueryText(v format.Viewer, q desk.QuoteSummary) string {
	var said []string
	if q.Request.Amount != nil {
		said = append(said, "net draw "+format.Money(*q.Request.Amount))
	}
	if q.Request.OriginationFee != nil {
		said = append(said, "fee "+format.Percent(q.Request.OriginationFee))
	}
	if q.Request.AutopayDiscount {
		said = append(said, "autopay")
	}
	if q.Request.CreditUnionMember {
		said = append(said, "credit union")
	}
	if n := len(q.Request.AccountIDs); n > 0 {
		pays := "pays off " + format.Pluralize(n, "debt", "debts")
		if q.Request.LiabilityPayoff != nil {
			pays += " of " + format.Money(*q.Request.LiabilityPayoff)
		}
		said = append(said, pays)
	}
	came := "no offers"
	if q.Offers > 0 {
		came = format.Pluralize(q.Offers, "offer", "offers")
	}
	said = append(said, came)
	switch {
	case q.ActorID == v.Who.UserID:
		said = append(said, "by you")
	case q.Name != "":
		said = append(said, "by "+q.Name)
	}
	return strings.Join(said, " · ")
}

// longDay is a day as people ask for it: "Today", "Monday, November 16, 2026".
func longDay(v format.Viewer, at time.Time) string {
	full := at.Format("Monday, January 2, 2006")
	if at.Format(time.DateOnly) == v.Now.In(v.Zone).Format(time.DateOnly) {
		return "Today, " + full
	}
	return full
}

// notAhead is a day of the lender's, or the person's own where the lender's calendar is a day
// ahead of theirs.
func notAhead(v format.Viewer, d heloc.Date) heloc.Date {
	if today := heloc.DateOf(v.Now.In(v.Zone)); d.After(today) {
		return today
	}
	return d
}

// shortDate is the calendar day of an instant, in the person's zone.
func shortDate(v format.Viewer, at time.Time) string { return at.In(v.Zone).Format("Jan 2, 2006") }

// presentDroppedDiscounts are discounts that were sent with the selection and did not come back, in
// words.
func presentDroppedDiscounts(l desk.LeadView) []ui.Notice {
	if len(l.DroppedDiscounts) == 0 {
		return nil
	}
	rate := ""
	if s := l.Details.App.Underwriting.SelectedOffer; s != nil {
		rate = format.Percent(s.Rate)
	}
	return []ui.Notice{views.LostDiscountsNotice(l.DroppedDiscounts, rate)}
}
