package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// mostPinned is how many offers stand side by side.
const mostPinned = 4

// offersAsk is what the grid is asked to show. The zero value is the grid as it opens.
type offersAsk struct {
	draw    heloc.Money // 0: as the lead wants it
	fee     *heloc.Rate // only this fee
	kind    heloc.OfferRateType
	autopay bool
	union   bool
	chosen  string   // the offer taken apart below the grid
	pins    []string // offers side by side
	less    []string // discounts that stand ticked, by their types
	payoff  []string // debts that stand ticked, by their account ids
	planned bool     // the debts were on the form: none ticked means none
	quote   string   // a quote kept, looked at as it was
	older   string   // the list of quotes begins after this one
	failed  string   // why the last quote did not come
	fresh   bool     // the lender has just answered
	gone    bool     // this lender does not quote anew
	crowded bool     // more were pinned than stand side by side
	wrong   []fault.Field
	typed   url.Values // what was typed, where something in it was wrong
}

// parseAsk reads the controls of the grid, of the address or of a form; what makes no
// sense in them is left out, because a question is never refused for it.
func parseAsk(in url.Values) offersAsk {
	f := form{values: in, sent: map[string]string{}}
	a := offersAsk{
		fee: f.rate("originationFee"), kind: heloc.OfferRateType(f.text("rateType")), autopay: f.checked("autoPayDiscountEnabled"),
		union: f.checked("cuDiscountEnabled"), chosen: f.text("offer.offerUuid"), pins: f.list("pin"),
		less: f.list("offer.selectedDiscounts"), payoff: f.list("offer.selectedAccountsToPayoff"), planned: f.text("plan") != "",
		quote: f.text("quote"), older: f.text("after"),
	}
	for _, list := range f.list("accountId") { // as the interface takes them: repeated, or with commas
		for id := range strings.SplitSeq(list, ",") {
			if id = strings.TrimSpace(id); id != "" && !slices.Contains(a.payoff, id) && len(a.payoff) < mostRows {
				a.payoff = append(a.payoff, id)
			}
		}
		a.planned = true
	}
	if a.chosen == "" {
		a.chosen = f.text("offerUuid") // as borrower-costs takes it
	}
	for _, name := range []string{"amount", "offer.selectedOfferAmount", "selectedOfferAmount"} {
		if m := f.money(name); a.draw == 0 && m != nil {
			a.draw = *m
		}
	}
	if a.kind != heloc.RateFixed && a.kind != heloc.RateFloating {
		a.kind = ""
	}
	a.crowded = len(a.pins) > mostPinned
	a.pins = a.pins[:min(len(a.pins), mostPinned)]
	slices.Sort(a.payoff)
	return a
}

// parsePays reads what the borrower pays today, by account. A debt that the lead does not
// have is left out; an amount that is none is complained about beside its control.
func parsePays(f *form, debts []heloc.Liability) map[string]heloc.Money {
	pays := map[string]heloc.Money{}
	for i := range mostRows {
		at := "paysToday." + strconv.Itoa(i) + "."
		id := f.text(at + "accountId")
		if !slices.ContainsFunc(debts, func(d heloc.Liability) bool { return id != "" && d.ID == id }) {
			continue
		}
		if m := f.money(at + "amount"); m != nil && *m > 0 {
			pays[id] = *m
		}
	}
	return pays
}

// settled is the question with what was left open in it: the draw that a grid opens with,
// and the debts that were marked before.
func (a offersAsk) settled(l desk.LeadView, plan desk.PayoffPlan) offersAsk {
	if a.draw == 0 {
		a.draw = drawOf(l.Row.Wanted, l.Details.App.Underwriting.Offers)
	}
	if !a.planned && len(a.payoff) == 0 {
		for _, d := range eligibleDebts(l) {
			if slices.Contains(plan.Marked, d.ID) {
				a.payoff = append(a.payoff, d.ID)
			}
		}
		slices.Sort(a.payoff)
	}
	return a
}

// asOf is the question that a kept quote answered, with the choice and the pins of this
// one. A question that has gone on from there is its own again.
func (a offersAsk) asOf(q desk.QuoteHead) offersAsk {
	was := a
	was.draw, was.fee, was.autopay, was.union = 0, q.Ask.OriginationFee, q.Ask.AutopayDiscount, q.Ask.CreditUnionMember
	was.payoff = slices.Sorted(slices.Values(q.Ask.AccountIDs))
	if q.Ask.Amount != nil {
		was.draw = *q.Ask.Amount
	}
	on := a.draw != 0 && (a.draw != was.draw || a.autopay != was.autopay || a.union != was.union)
	if on || a.planned && !slices.Equal(a.payoff, was.payoff) {
		a.quote = ""
		return a
	}
	if a.fee != nil {
		was.fee = a.fee
	}
	return was
}

// answeredBy says whether a quote was asked for what the grid is asked now. One that the
// lender was told no amount for serves any.
func (a offersAsk) answeredBy(q desk.QuoteHead) bool {
	if !slices.Equal(a.payoff, slices.Sorted(slices.Values(q.Ask.AccountIDs))) {
		return false
	}
	if q.Payoff {
		return len(a.payoff) > 0 && !a.autopay && !a.union
	}
	return q.Ask.Amount != nil && *q.Ask.Amount == a.draw && q.Ask.AutopayDiscount == a.autopay && q.Ask.CreditUnionMember == a.union &&
		(q.Ask.OriginationFee == nil || a.fee != nil && *q.Ask.OriginationFee == *a.fee)
}

// answer finds the newest quote that answers the question and has offers; one for the draw
// goes before one that the lender was told no draw for.
func (a offersAsk) answer(heads []desk.QuoteHead) (id string) {
	for _, forDraw := range []bool{true, false} {
		at := slices.IndexFunc(heads, func(q desk.QuoteHead) bool { return q.Offers > 0 && q.Payoff != forDraw && a.answeredBy(q) })
		if at >= 0 {
			return heads[at].ID
		}
	}
	return ""
}

func eligibleDebts(l desk.LeadView) []heloc.Liability {
	if existing := l.Details.App.Payoff.Existing; existing != nil {
		return existing.Eligible
	}
	return nil
}

// drawOf is the draw a grid opens with: as wanted, when any offer reaches so far, else
// the largest that every offer allows.
func drawOf(wanted heloc.Money, offers []heloc.Offer) heloc.Money {
	var all, most heloc.Money
	for _, o := range offers {
		if o.MaxAmount == nil {
			continue
		}
		most = max(most, *o.MaxAmount)
		if all == 0 || *o.MaxAmount < all {
			all = *o.MaxAmount
		}
	}
	if wanted > 0 && (most == 0 || wanted <= most) {
		return wanted
	}
	return all
}
