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

// quotesShown is how many quotes a list shows at once.
const quotesShown = 50

// showPast says of which moment a quote is that is looked at as it was.
func showPast(v format.Viewer, p Priced) views.PastView {
	if !p.past {
		return views.PastView{}
	}
	at := p.Open.At.In(v.Zone)
	return views.PastView{ID: p.Open.ID, When: at.Format("Monday, January 2, 2006, 3:04 PM"), Asked: asked(v, p.Open.QuoteHead)}
}

// showKept lists the quotes by the day on which they were made, for "what did I say on
// Monday?".
func ShowKept(v format.Viewer, l desk.LeadView, p Priced) views.KeptView {
	heads := p.Heads
	if at := slices.IndexFunc(heads, func(q desk.QuoteHead) bool { return q.ID == p.Ask.Older }); at >= 0 {
		heads = heads[at+1:]
	}
	var kept views.KeptView
	app := string(l.Row.App)
	for i, q := range heads {
		if i == quotesShown {
			kept.Older = v.Base.Quotes(app, to.QuotesQuery{After: heads[i-1].ID})
			break
		}
		at := q.At.In(v.Zone)
		if day := dayTitle(v, at); len(kept.Days) == 0 || kept.Days[len(kept.Days)-1].Day != day {
			kept.Days = append(kept.Days, views.KeptDay{Day: day})
		}
		today := &kept.Days[len(kept.Days)-1]
		today.Quotes = append(today.Quotes, views.KeptQuote{
			Time: at.Format("3:04 PM"), Asked: asked(v, q), Href: v.Base.Quotes(app, to.QuotesQuery{Quote: q.ID}),
			Current: p.past && p.Open.ID == q.ID,
		})
	}
	return kept
}

// asked is what a quote was asked for, in one line.
func asked(v format.Viewer, q desk.QuoteHead) string {
	var said []string
	if q.Ask.Amount != nil {
		said = append(said, "net draw "+format.Amount(*q.Ask.Amount))
	}
	if q.Ask.OriginationFee != nil {
		said = append(said, "fee "+format.Percent(q.Ask.OriginationFee))
	}
	if q.Ask.AutopayDiscount {
		said = append(said, "autopay")
	}
	if q.Ask.CreditUnionMember {
		said = append(said, "credit union")
	}
	if n := len(q.Ask.AccountIDs); n > 0 {
		pays := "pays off " + format.Counted(n, "debt", "debts")
		if q.Ask.LiabilityPayoff != nil {
			pays += " of " + format.Amount(*q.Ask.LiabilityPayoff)
		}
		said = append(said, pays)
	}
	came := "no offers"
	if q.Offers > 0 {
		came = format.Counted(q.Offers, "offer", "offers")
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

// dayTitle is a day as people ask for it: "Today", "Monday, November 16, 2026".
func dayTitle(v format.Viewer, at time.Time) string {
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

// dateOf is the calendar day of an instant, in the person's zone.
func dateOf(v format.Viewer, at time.Time) string { return at.In(v.Zone).Format("Jan 2, 2006") }

// lostDiscounts are discounts that were sent with the selection and did not come back, in
// words.
func lostDiscounts(l desk.LeadView) []ui.Notice {
	if len(l.Lost) == 0 {
		return nil
	}
	rate := ""
	if s := l.Details.App.Underwriting.SelectedOffer; s != nil {
		rate = format.Percent(s.Rate)
	}
	return []ui.Notice{views.LostDiscounts(l.Lost, rate)}
}
