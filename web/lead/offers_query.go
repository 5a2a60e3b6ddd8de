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

// MaxPinned is how many offers stand side by side.
const MaxPinned = 4

// GridQuery is what the grid is asked to show. The zero value is the grid as it opens.
type GridQuery struct {
	Draw              heloc.Money // 0: as the lead wants it
	fee               *heloc.Rate // only this fee
	rateType          heloc.OfferRateType
	Autopay           bool
	creditUnion       bool
	Chosen            string   // the offer taken apart below the grid
	Pins              []string // offers side by side
	discounts         []string // discounts that stand ticked, by their types
	Payoff            []string // debts that stand ticked, by their account ids
	payoffGiven       bool     // the debts were on the form: none ticked means none
	quoteID           string   // a quote kept, looked at as it was
	OlderThan         string   // the list of quotes begins after this one
	failure           string   // why the last quote did not come
	quoteFailed       bool     // the lender did not answer the question that the grid asks
	fresh             bool     // the lender has just answered
	quotesUnsupported bool     // this lender does not quote anew
	tooManyPins       bool     // more were pinned than stand side by side
	fieldErrors       []fault.Field
	typed             url.Values // what was typed, where something in it was wrong
}

// ParseGridQuery reads the controls of the grid, of the address or of a form; what makes no
// sense in them is left out, because a question is never refused for it.
func ParseGridQuery(in url.Values) GridQuery {
	f := form.Form{Values: in, Corrections: map[string]string{}}
	a := GridQuery{
		fee: f.Rate("originationFee"), rateType: heloc.OfferRateType(f.Text("rateType")), Autopay: f.IsChecked("autoPayDiscountEnabled"),
		creditUnion: f.IsChecked("cuDiscountEnabled"), Chosen: f.Text("offer.offerUuid"), Pins: f.UniqueValues("pin"),
		discounts: f.UniqueValues("offer.selectedDiscounts"), Payoff: f.UniqueValues("offer.selectedAccountsToPayoff"), payoffGiven: f.Text("plan") != "",
		quoteID: f.Text("quote"), OlderThan: f.Text("after"),
	}
	for _, list := range f.UniqueValues("accountId") { // as the interface takes them: repeated, or with commas
		for id := range strings.SplitSeq(list, ",") {
			if id = strings.TrimSpace(id); id != "" && !slices.Contains(a.Payoff, id) && len(a.Payoff) < form.MaxRows {
				a.Payoff = append(a.Payoff, id)
			}
		}
		a.payoffGiven = true
	}
	if a.Chosen == "" {
		a.Chosen = f.Text("offerUuid") // as borrower-costs takes it
	}
	for _, name := range []string{"amount", "offer.selectedOfferAmount", "selectedOfferAmount"} {
		if m := f.Money(name); a.Draw == 0 && m != nil {
			a.Draw = *m
		}
	}
	if a.rateType != heloc.RateFixed && a.rateType != heloc.RateFloating {
		a.rateType = ""
	}
	a.tooManyPins = len(a.Pins) > MaxPinned
	a.Pins = a.Pins[:min(len(a.Pins), MaxPinned)]
	slices.Sort(a.Payoff)
	return a
}

// ParseCurrentPayments reads what the borrower pays today, by account. A debt that the lead does not
// have is left out; an amount that is none is complained about beside its control.
func ParseCurrentPayments(f *form.Form, debts []heloc.Liability) map[string]heloc.Money {
	pays := map[string]heloc.Money{}
	for i := range form.MaxRows {
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

// withDefaults is the question with what was left open in it: the draw that a grid opens with,
// and the debts that were marked before.
func (a GridQuery) withDefaults(l desk.LeadView, plan desk.PayoffPlan) GridQuery {
	if a.Draw == 0 {
		a.Draw = initialDraw(l.Row.RequestedAmount, l.Details.App.Underwriting.Offers)
	}
	if !a.payoffGiven && len(a.Payoff) == 0 {
		for _, d := range eligibleDebts(l) {
			if slices.Contains(plan.Selected, d.ID) {
				a.Payoff = append(a.Payoff, d.ID)
			}
		}
		slices.Sort(a.Payoff)
	}
	return a
}

// AsQuoted is the question that a kept quote answered, with the choice and the pins of this
// one. A question that has gone on from there is its own again.
func (a GridQuery) AsQuoted(q desk.QuoteSummary) GridQuery {
	was := a
	was.Draw, was.fee, was.Autopay, was.creditUnion = 0, q.Request.OriginationFee, q.Request.AutopayDiscount, q.Request.CreditUnionMember
	was.Payoff = slices.Sorted(slices.Values(q.Request.AccountIDs))
	if q.Request.Amount != nil {
		was.Draw = *q.Request.Amount
	}
	on := a.Draw != 0 && (a.Draw != was.Draw || a.Autopay != was.Autopay || a.creditUnion != was.creditUnion)
	if on || a.payoffGiven && !slices.Equal(a.Payoff, was.Payoff) {
		a.quoteID = ""
		return a
	}
	if a.fee != nil {
		was.fee = a.fee
	}
	return was
}

// answeredBy says whether a quote was asked for what the grid is asked now. One that the
// lender was told no amount for serves any.
func (a GridQuery) answeredBy(q desk.QuoteSummary) bool {
	if !slices.Equal(a.Payoff, slices.Sorted(slices.Values(q.Request.AccountIDs))) {
		return false
	}
	if q.Payoff {
		return len(a.Payoff) > 0 && !a.Autopay && !a.creditUnion
	}
	return q.Request.Amount != nil && *q.Request.Amount == a.Draw && q.Request.AutopayDiscount == a.Autopay && q.Request.CreditUnionMember == a.creditUnion &&
		(q.Request.OriginationFee == nil || a.fee != nil && *q.Request.OriginationFee == *a.fee)
}

// NewestAnswer finds the newest quote that answers the question and has offers; one for the draw
// goes before one that the lender was told no draw for.
func (a GridQuery) NewestAnswer(heads []desk.QuoteSummary) (id string) {
	if a.noOffersIn(heads) {
		heads = slices.DeleteFunc(slices.Clone(heads), func(q desk.QuoteSummary) bool { return !q.Payoff })
	}
	for _, forDraw := range []bool{true, false} {
		at := slices.IndexFunc(heads, func(q desk.QuoteSummary) bool { return q.Offers > 0 && q.Payoff != forDraw && a.answeredBy(q) })
		if at >= 0 {
			return heads[at].ID
		}
	}
	return ""
}

// noOffersIn reports whether the newest quote for exactly this question has no offers.
func (a GridQuery) noOffersIn(heads []desk.QuoteSummary) bool {
	at := slices.IndexFunc(heads, func(q desk.QuoteSummary) bool { return !q.Payoff && a.answeredBy(q) })
	return at >= 0 && heads[at].Offers == 0
}

func eligibleDebts(l desk.LeadView) []heloc.Liability {
	if existing := l.Details.App.Payoff.Existing; existing != nil {
		return existing.Eligible
	}
	return nil
}

// initialDraw is the draw a grid opens with: as wanted, when any offer reaches so far, else
// the largest that every offer allows.
func initialDraw(wanted heloc.Money, offers []heloc.Offer) heloc.Money {
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
