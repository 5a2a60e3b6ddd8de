package offers

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/form"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

const (
	// maxRequestedOffers is how many offers can be requested by id.
	maxRequestedOffers = 4
	// MaxSheetRows is how many offers fit on a page.
	MaxSheetRows = 16
)

// sheetQuery returns the query for the borrower's page that matches the grid.
func (g OfferGrid) sheetQuery() to.OfferSheetQuery {
	q := to.OfferSheetQuery{
		Amount: text.ControlMoney(&g.Query.Draw), RateType: string(g.Query.rateType), Discounts: g.Query.discounts,
		Autopay: g.Query.Autopay, CreditUnion: g.Query.creditUnion,
		Accounts: g.Query.Payoff,
	}
	for _, o := range g.comparedOffers() {
		if len(q.Offers) < maxRequestedOffers && containsOffer(g.All, o.UUID) { // the sheet has figures of these offers only
			q.Offers = append(q.Offers, o.UUID)
		}
	}
	if g.Query.fee != nil {
		q.Fee = g.Query.fee.String()
	}
	if len(q.Offers) == 0 && g.Query.Chosen != "" {
		q.Offers = []string{g.Query.Chosen}
	}
	if g.historical {
		q.Quote = g.Current.ID
	}
	return q
}

// borrowerQuote builds what the request asks to show, and the query that asks for the same again.
func (h *Handlers) borrowerQuote(
	r *http.Request, l page.Lead, params url.Values,
) (lead.BorrowerQuote, to.OfferSheetQuery, error) {
	details, err := l.Snapshot(r.Context())
	if err != nil {
		return lead.BorrowerQuote{}, to.OfferSheetQuery{}, err
	}
	query := ParseGridQuery(params)
	requested := (&form.Form{Values: params}).UniqueValues("offer")
	if one := scenarioFor(&workspace.Data{View: details}, params); one != nil {
		query = scenarioQuery(*one)
		requested = query.Pins
		if query.Chosen != "" && !slices.Contains(requested, query.Chosen) {
			requested = append([]string{query.Chosen}, requested...)
		}
		requested = requested[:min(len(requested), maxRequestedOffers)]
	}
	query.payoffGiven = true // the query names everything to show, so that no debts are ticked by default
	query.Pins = append(query.Pins, requested...)
	grid, err := loadGrid(r.Context(), l, details, &query)
	if err != nil {
		return lead.BorrowerQuote{}, to.OfferSheetQuery{}, err
	}
	return grid.requestedQuote(h.Viewer(r), details, requested)
}

// requestedQuote collects the requested offers, or else all that are available at the amount, in the neutral order of
// the grid: term, then fee.
func (g OfferGrid) requestedQuote(
	v text.Viewer, l desklead.Snapshot, requested []string,
) (lead.BorrowerQuote, to.OfferSheetQuery, error) {
	if final := finalOffer(l); len(requested) == 0 && final != nil {
		requested = []string{final.OfferUUID} // the others are no longer available to the borrower
	} else if len(requested) == 0 && g.Query.Chosen != "" {
		requested = []string{g.Query.Chosen}
	}
	again := g.sheetQuery()
	again.Offers = requested[:min(len(requested), maxRequestedOffers)]
	offers, err := g.sheetOffers(again.Offers)
	if err != nil {
		return lead.BorrowerQuote{}, again, err
	}
	return g.BorrowerQuote(v, l, offers), again, nil
}

// BorrowerQuote maps offers of the grid to what a borrower is shown.
func (g OfferGrid) BorrowerQuote(v text.Viewer, l desklead.Snapshot, offers []heloc.Offer) lead.BorrowerQuote {
	q := lead.BorrowerQuote{
		PreparedOn: heloc.DateOf(v.Now.In(v.Zone)), PricedAsOf: PricingDates(v, l, g), Draw: g.Query.Draw,
		FeeMethod: g.Payments.Fee, PricedAtDraw: g.quoted(), SoftInquiry: softOnly(l),
		MoreOffers: len(offers) > MaxSheetRows, Discounts: g.borrowerDiscounts(),
	}
	if day := l.Row.ExpirationDate; !l.Row.Converted && !q.PreparedOn.After(day) {
		q.Expires = day
	}
	for _, o := range offers[:min(len(offers), MaxSheetRows)] {
		at := g.estimateAt(o)
		q.Offers = append(q.Offers, lead.BorrowerOffer{
			RateType: o.RateType, Months: g.Payments.Term.Months(termOf(o)), Rate: o.Rate,
			Fee: o.OriginationFeePercent, MinAmount: o.MinAmount, MaxAmount: o.MaxAmount,
			InterestOnly: at.InterestOnly, DrawMonths: at.DrawMonths, NoPayment: at.Months == 0,
		})
	}
	for _, d := range g.payoffDebts {
		q.Debts = append(q.Debts, lead.BorrowerDebt{Creditor: d.Creditor, Balance: d.Balance,
			Payment: g.payoffPlan.CurrentPayments[d.ID]})
	}
	return q
}

// softOnly reports whether the lead is still an inquiry, as far as the lender says, without a hard pull on file.
func softOnly(l desklead.Snapshot) bool {
	a := l.Details.App
	return !l.Row.Converted && (a.IsInquiry == nil || *a.IsInquiry) && a.Underwriting.HardCredit == nil
}

// borrowerDiscounts lists the discounts that the rates include, and the ticked ones that they do not.
func (g OfferGrid) borrowerDiscounts() []lead.BorrowerDiscount {
	var all []lead.BorrowerDiscount
	offered := g.discountsOffered()
	for _, d := range offered {
		estimated := g.estimates(d.Type)
		if included := g.includes(d.Type) || estimated; included || slices.Contains(g.Query.discounts, string(d.Type)) {
			all = append(all, lead.BorrowerDiscount{Type: d.Type, Rate: d.RateAmount, Included: included, Estimated: estimated})
		}
	}
	// The lender includes these although no offer lists them.
	for _, kind := range []heloc.DiscountType{"AUTOPAY", "CREDIT_UNION"} {
		listed := slices.ContainsFunc(offered, func(d heloc.Discount) bool {
			return d.Type.Autopay() && kind.Autopay() || d.Type.CreditUnion() && kind.CreditUnion()
		})
		if g.includes(kind) && !listed {
			all = append(all, lead.BorrowerDiscount{Type: kind, Included: true})
		}
	}
	return all
}

// sheetOffers returns the requested offers with their figures in the grid. An offer without figures
// is an error instead of being omitted, because the borrower would otherwise see something other
// than what was meant.
func (g OfferGrid) sheetOffers(requested []string) ([]heloc.Offer, error) {
	var offers []heloc.Offer
	if len(requested) == 0 {
		for _, o := range g.Offers {
			if outOfRangeText(o, g.Query.Draw) == "" {
				offers = append(offers, o)
			}
		}
		slices.SortStableFunc(offers, byTermAndFee)
		return offers, nil
	}
	for _, id := range requested {
		o, ok := g.matchOffer(id, g.All)
		if !ok {
			return nil, fault.New(fault.NotFound, "This offer is no longer available. See the current offers.")
		}
		if !containsOffer(g.All, o.UUID) {
			return nil, fault.New(fault.NotFound, "The lender hasn’t priced this offer for these figures. Get a quote first.")
		}
		if !containsOffer(offers, o.UUID) {
			offers = append(offers, o)
		}
	}
	slices.SortStableFunc(offers, byTermAndFee)
	return offers, nil
}

func byTermAndFee(a, b heloc.Offer) int {
	return cmp.Or(cmp.Compare(termOf(a), termOf(b)), cmp.Compare(feeOf(a), feeOf(b)))
}

// PricingDates returns the date of the grid's prices in the user's calendar: for a quote, the day
// on which it was requested; for the offers of the details, the lender's date.
func PricingDates(v text.Viewer, l desklead.Snapshot, p OfferGrid) heloc.Date {
	if p.Current != nil {
		return heloc.DateOf(p.Current.At.In(v.Zone))
	}
	return notAhead(v, l.Details.App.Underwriting.PricingAsOf)
}
