package lead

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/web/form"
)

// mostPinned is how many offers stand side by side.
const MostPinned = 4

// offersAsk is what the grid is asked to show. The zero value is the grid as it opens.
type OffersAsk struct {
	Draw    heloc.Money // 0: as the lead wants it
	fee     *heloc.Rate // only this fee
	kind    heloc.OfferRateType
	Autopay bool
	union   bool
	Chosen  string   // the offer taken apart below the grid
	Pins    []string // offers side by side
	less    []string // discounts that stand ticked, by their types
	Payoff  []string // debts that stand ticked, by their account ids
	planned bool     // the debts were on the form: none ticked means none
	quote   string   // a quote kept, looked at as it was
	Older   string   // the list of quotes begins after this one
	failed  string   // why the last quote did not come
	fresh   bool     // the lender has just answered
	gone    bool     // this lender does not quote anew
	crowded bool     // more were pinned than stand side by side
	wrong   []fault.Field
	typed   url.Values // what was typed, where something in it was wrong
}

// parseAsk reads the controls of the grid, of the address or of a form; what makes no
// sense in them is left out, because a question is never refused for it.
func ParseAsk(in url.Values) OffersAsk {
	f := form.Form{Values: in, Sent: map[string]string{}}
	a := OffersAsk{
		fee: f.Rate("originationFee"), kind: heloc.OfferRateType(f.Text("rateType")), Autopay: f.Checked("autoPayDiscountEnabled"),
		union: f.Checked("cuDiscountEnabled"), Chosen: f.Text("offer.offerUuid"), Pins: f.List("pin"),
		less: f.List("offer.selectedDiscounts"), Payoff: f.List("offer.selectedAccountsToPayoff"), planned: f.Text("plan") != "",
		quote: f.Text("quote"), Older: f.Text("after"),
	}
	for _, list := range f.List("accountId") { // as the interface takes them: repeated, or with commas
		for id := range strings.SplitSeq(list, ",") {
			if id = strings.TrimSpace(id); id != "" && !slices.Contains(a.Payoff, id) && len(a.Payoff) < form.MostRows {
				a.Payoff = append(a.Payoff, id)
			}
		}
		a.planned = true
	}
	if a.Chosen == "" {
		a.Chosen = f.Text("offerUuid") // as borrower-costs takes it
	}
	for _, name := range []string{"amount", "offer.selectedOfferAmount", "selectedOfferAmount"} {
		if m := f.Money(name); a.Draw == 0 && m != nil {
			a.Draw = *m
		}
	}
	if a.kind != heloc.RateFixed && a.kind != heloc.RateFloating {
		a.kind = ""
	}
	a.crowded = len(a.Pins) > MostPinned
	a.Pins = a.Pins[:min(len(a.Pins), MostPinned)]
	slices.Sort(a.Payoff)
	return a
}

// parsePays reads what the borrower pays today, by account. A debt that the lead does not
// have is left out; an amount that is none is complained about beside its control.
func ParsePays(f *form.Form, debts []heloc.Liability) map[string]heloc.Money {
	pays := map[string]heloc.Money{}
	for i := range form.MostRows {
		at := "paysToday." + strconv.Itoa(i) + "."
		id := f.Text(at + "accountId")
		if !slices.ContainsFunc(debts, func(d heloc.Liability) bool { return id != "" && d.ID == id }) {
			continue
		}
		if m := f.Money(at + "amount"); m != nil && *m > 0 {
			pays[id] = *m
		}
	}
	return pays
}

// settled is the question with what was left open in it: the draw that a grid opens with,
// and the debts that were marked before.
func (a OffersAsk) settled(l desk.LeadView, plan desk.PayoffPlan) OffersAsk {
	if a.Draw == 0 {
		a.Draw = drawOf(l.Row.Wanted, l.Details.App.Underwriting.Offers)
	}
	if !a.planned && len(a.Payoff) == 0 {
		for _, d := range eligibleDebts(l) {
			if slices.Contains(plan.Marked, d.ID) {
				a.Payoff = append(a.Payoff, d.ID)
			}
		}
		slices.Sort(a.Payoff)
	}
	return a
}

// asOf is the question that a kept quote answered, with the choice and the pins of this
// one. A question that has gone on from there is its own again.
func (a OffersAsk) AsOf(q desk.QuoteHead) OffersAsk {
	was := a
	was.Draw, was.fee, was.Autopay, was.union = 0, q.Ask.OriginationFee, q.Ask.AutopayDiscount, q.Ask.CreditUnionMember
	was.Payoff = slices.Sorted(slices.Values(q.Ask.AccountIDs))
	if q.Ask.Amount != nil {
		was.Draw = *q.Ask.Amount
	}
	on := a.Draw != 0 && (a.Draw != was.Draw || a.Autopay != was.Autopay || a.union != was.union)
	if on || a.planned && !slices.Equal(a.Payoff, was.Payoff) {
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
func (a OffersAsk) answeredBy(q desk.QuoteHead) bool {
	if !slices.Equal(a.Payoff, slices.Sorted(slices.Values(q.Ask.AccountIDs))) {
		return false
	}
	if q.Payoff {
		return len(a.Payoff) > 0 && !a.Autopay && !a.union
	}
	return q.Ask.Amount != nil && *q.Ask.Amount == a.Draw && q.Ask.AutopayDiscount == a.Autopay && q.Ask.CreditUnionMember == a.union &&
		(q.Ask.OriginationFee == nil || a.fee != nil && *q.Ask.OriginationFee == *a.fee)
}

// answer finds the newest quote that answers the question and has offers; one for the draw
// goes before one that the lender was told no draw for.
func (a OffersAsk) Answer(heads []desk.QuoteHead) (id string) {
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
