package offers

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	desklead "hearthline/internal/desk/lead"
	deskoffers "hearthline/internal/desk/offers"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/web/form"
	"hearthline/web/workspace"
)

// MaxPinned is how many offers can be pinned side by side.
const MaxPinned = 4

// GridQuery is what the grid should show. The zero value is the initial grid.
type GridQuery struct {
	Draw              heloc.Money // zero means the lead's default
	fee               *heloc.Rate // only this fee
	rateType          heloc.OfferRateType
	Autopay           bool
	creditUnion       bool
	Chosen            string   // the offer broken down below the grid
	Pins              []string // offers side by side
	discounts         []string // types of the ticked discounts
	Payoff            []string // account ids of the ticked debts
	payoffGiven       bool     // the debts were on the form: none ticked means none
	quoteID           string   // a saved quote to show as it was
	OlderThan         string   // the list of quotes begins after this one
	scenario          string   // the user's scenario to which changes belong; "" for the current one
	failure           string   // why the last quote did not come
	quoteFailed       bool     // the lender did not answer the question that the grid asks
	fresh             bool     // the lender has just answered
	quotesUnsupported bool     // this lender does not calculate quotes
	tooManyPins       bool     // more offers were pinned than allowed
	fieldErrors       []fault.Field
	scenarioError     string     // why a change of the scenarios was rejected
	nameError         string     // why the scenario could not be renamed
	typed             url.Values // what was typed, if any of it was invalid
}

// ParseGridQuery parses the controls of the grid from a URL or a form. It ignores invalid values,
// so that they never cause an error.
func ParseGridQuery(values url.Values) GridQuery {
	f := form.Form{Values: values, Corrections: map[string]string{}}
	a := GridQuery{
		fee: f.Rate("originationFee"), rateType: heloc.OfferRateType(f.Text("rateType")),
		Autopay: f.IsChecked("autoPayDiscountEnabled"), creditUnion: f.IsChecked("cuDiscountEnabled"),
		Chosen:    cmp.Or(f.Text("offer.offerUuid"), f.Text("offerUuid")), // the borrower-costs endpoint has the latter
		Pins:      f.UniqueValues("pin"),
		discounts: f.UniqueValues("offer.selectedDiscounts"), Payoff: f.UniqueValues("offer.selectedAccountsToPayoff"),
		payoffGiven: f.Text("plan") != "", quoteID: f.Text("quote"), OlderThan: f.Text("after"),
		scenario: f.Text("scenario"),
	}
	for _, list := range f.UniqueValues("accountId") { // in the interface's format: repeated, or separated by commas
		for id := range strings.SplitSeq(list, ",") {
			if id = strings.TrimSpace(id); id != "" && !slices.Contains(a.Payoff, id) && len(a.Payoff) < form.MaxRows {
				a.Payoff = append(a.Payoff, id)
			}
		}
		a.payoffGiven = true
	}
	for _, name := range []string{"amount", "offer.selectedOfferAmount", "selectedOfferAmount"} {
		if m := f.Money(name); a.Draw == 0 && m != nil {
			a.Draw = *m
		}
	}
	a.tooManyPins = len(a.Pins) > MaxPinned
	a.Pins = a.Pins[:min(len(a.Pins), MaxPinned)]
	slices.Sort(a.Payoff)
	return a
}

// ParseCurrentPayments parses what the borrower pays today, by account. It ignores debts that the
// lead does not have; an invalid amount is an error on its control.
func ParseCurrentPayments(f *form.Form, debts []heloc.Liability) map[string]heloc.Money {
	payments := map[string]heloc.Money{}
	for i := range form.MaxRows {
		at := "paysToday." + strconv.Itoa(i) + "."
		id := f.Text(at + "accountId")
		if !slices.ContainsFunc(debts, func(d heloc.Liability) bool { return id != "" && d.ID == id }) {
			continue
		}
		if m := f.Money(at + "amount"); m != nil && *m > 0 {
			payments[id] = *m
		}
	}
	return payments
}

// withDefaults fills in what the query leaves open: an offer that can no longer be changed, the initial draw, and the
// debts that were selected before.
func (q GridQuery) withDefaults(l desklead.Snapshot, plan deskoffers.PayoffPlan) GridQuery {
	if s := finalOffer(l); s != nil {
		q = q.withFinalOffer(*s)
	}
	q.Draw = cmp.Or(q.Draw, initialDraw(l.Row.RequestedAmount, l.Details.App.Underwriting.Offers))
	if !q.payoffGiven && len(q.Payoff) == 0 {
		for _, d := range eligibleDebts(l) {
			if slices.Contains(plan.Selected, d.ID) {
				q.Payoff = append(q.Payoff, d.ID)
			}
		}
		slices.Sort(q.Payoff)
	}
	return q
}

// finalOffer is the selected offer once it can no longer be changed; otherwise nil. While the lender is processing
// another selection, it is not known to be that one.
func finalOffer(l desklead.Snapshot) *heloc.SelectedOffer {
	if workspace.CanSelectOffer(l.Row) || l.NewSelection != nil {
		return nil
	}
	return l.Details.App.Underwriting.SelectedOffer
}

// withFinalOffer asks for the selected offer at its own draw, unless the query names others.
func (q GridQuery) withFinalOffer(s heloc.SelectedOffer) GridQuery {
	if q.Draw == 0 && s.DrawAmount != nil {
		q.Draw = *s.DrawAmount
	}
	if q.Chosen == "" && len(q.Pins) == 0 {
		q.Chosen = s.OfferUUID
		q.rateType = cmp.Or(q.rateType, s.RateType)
	}
	return q
}

// AsQuoted returns the query that a saved quote answers, with the choice and the pins of this one.
// If this query has changed since, it no longer refers to the quote.
func (q GridQuery) AsQuoted(summary deskoffers.QuoteSummary) GridQuery {
	quoted := q
	quoted.Draw, quoted.fee, quoted.Autopay, quoted.creditUnion = 0, summary.Request.OriginationFee,
		summary.Request.AutopayDiscount, summary.Request.CreditUnionMember
	quoted.Payoff = slices.Sorted(slices.Values(summary.Request.AccountIDs))
	if summary.Request.Amount != nil {
		quoted.Draw = *summary.Request.Amount
	}
	changed := q.Draw != 0 && (q.Draw != quoted.Draw || q.Autopay != quoted.Autopay || q.creditUnion != quoted.creditUnion)
	if changed || q.payoffGiven && !slices.Equal(q.Payoff, quoted.Payoff) {
		q.quoteID = ""
		return q
	}
	if q.fee != nil {
		quoted.fee = q.fee
	}
	return quoted
}

// answeredBy reports whether a quote answers this query. A quote that was requested without an
// amount answers any draw.
func (q GridQuery) answeredBy(summary deskoffers.QuoteSummary) bool {
	if !slices.Equal(q.Payoff, slices.Sorted(slices.Values(summary.Request.AccountIDs))) {
		return false
	}
	if summary.Payoff {
		return len(q.Payoff) > 0 && !q.Autopay && !q.creditUnion
	}
	return summary.Request.Amount != nil && *summary.Request.Amount == q.Draw &&
		summary.Request.AutopayDiscount == q.Autopay && summary.Request.CreditUnionMember == q.creditUnion &&
		(summary.Request.OriginationFee == nil || q.fee != nil && *summary.Request.OriginationFee == *q.fee)
}

// NewestAnswer finds the newest quote that answers the query and has offers. A quote for the draw
// takes precedence over one without a draw.
func (q GridQuery) NewestAnswer(heads []deskoffers.QuoteSummary) (id string) {
	if q.noOffersIn(heads) {
		heads = slices.DeleteFunc(slices.Clone(heads), func(summary deskoffers.QuoteSummary) bool { return !summary.Payoff })
	}
	for _, forDraw := range []bool{true, false} {
		at := slices.IndexFunc(heads, func(summary deskoffers.QuoteSummary) bool {
			return summary.Offers > 0 && summary.Payoff != forDraw && q.answeredBy(summary)
		})
		if at >= 0 {
			return heads[at].ID
		}
	}
	return ""
}

// noOffersIn reports whether the newest quote for exactly this question has no offers.
func (q GridQuery) noOffersIn(heads []deskoffers.QuoteSummary) bool {
	at := slices.IndexFunc(heads, func(summary deskoffers.QuoteSummary) bool {
		return !summary.Payoff && q.answeredBy(summary)
	})
	return at >= 0 && heads[at].Offers == 0
}

// request returns the request for calculate-offers. With debts to pay off, the draw is the total before the debts are
// subtracted (section 4.2).
func (q GridQuery) request(draw *heloc.Money, debts []heloc.Liability) heloc.QuoteRequest {
	r := heloc.QuoteRequest{
		Amount: draw, OriginationFee: q.fee, AutopayDiscount: q.Autopay, CreditUnionMember: q.creditUnion,
	}
	var sum heloc.Money
	open := false
	for _, d := range debts {
		if slices.Contains(q.Payoff, d.ID) {
			r.AccountIDs, r.LiabilityPayoff = append(r.AccountIDs, d.ID), &sum
			sum += orZero(d.Balance)
			open = open || d.Balance == nil
		}
	}
	if open {
		r.LiabilityPayoff = nil // a partial sum is not the total
	}
	slices.Sort(r.AccountIDs)
	return r
}

func eligibleDebts(l desklead.Snapshot) []heloc.Liability {
	if existing := l.Details.App.Payoff.Existing; existing != nil {
		return existing.Eligible
	}
	return nil
}

// initialDraw returns the draw of the initial grid: the requested amount if any offer allows it,
// otherwise the largest amount that every offer allows.
func initialDraw(requested heloc.Money, offers []heloc.Offer) heloc.Money {
	var common, highest heloc.Money
	for _, o := range offers {
		if o.MaxAmount == nil {
			continue
		}
		highest = max(highest, *o.MaxAmount)
		if common == 0 || *o.MaxAmount < common {
			common = *o.MaxAmount
		}
	}
	if requested > 0 && (highest == 0 || requested <= highest) {
		return requested
	}
	return common
}
