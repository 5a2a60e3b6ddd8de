// Package offers has the handle of one lead's offers.
//
//	select_offer.go  which offers may be selected for a draw, and selecting one
//	quote.go         quotes for other draws, debts that the line pays off, costs of an offer
//	shared_quote.go  links to a quote for the borrower; borrower_contact.go  whom they call
package offers

import (
	"context"
	"fmt"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
)

// Offers handles the offers of one lead: quotes, the selection, payoffs, and what the borrower is shown.
type Offers struct{ d core.Lead }

// Of returns the offers of a lead that was opened.
func Of(d core.Lead) *Offers { return &Offers{d} }

// SelectOffer selects an offer that the lender supplied (section 4.4). The selection may change until the inquiry is
// converted. See offerFor for which offers fit a draw.
func (of *Offers) SelectOffer(ctx context.Context, operationID string, s heloc.OfferSelection) (lead.Operation, error) {
	if err := of.d.May(access.SelectOffer); err != nil {
		return lead.Operation{}, err
	}
	offer, err := of.offerFor(ctx, s)
	if err != nil {
		return lead.Operation{}, err
	}
	if err := checkSelection(offer, s); err != nil {
		return lead.Operation{}, err
	}
	if err := of.d.CheckEligibleDebts(ctx, "offer.selectedAccountsToPayoff", s.AccountsToPayoff); err != nil {
		return lead.Operation{}, err
	}
	if err := of.checkPayoffTotal(ctx, s); err != nil {
		return lead.Operation{}, err
	}
	content := append([]string{s.OfferUUID, s.Amount.String(), fmt.Sprint(len(s.Discounts))}, s.Discounts...)
	return of.d.Submit(ctx, core.LeadWrite{
		Kind: heloc.OpSelectOffer, Permission: access.SelectOffer, OperationID: operationID,
		Steps:         []heloc.Step{heloc.StepOffersAvailable, heloc.StepBorrowerAuth, heloc.StepBrokerDocSigning},
		DigestContent: append(content, s.AccountsToPayoff...),
		Prepare:       of.saveSelection(s),
		Send: func(ctx context.Context, by heloc.OriginatorID) (partner.WriteResult, error) {
			return of.d.Lender.SelectOffer(ctx, of.d.Row.App, by, s)
		},
	})
}

// checkSelection checks a selection against the offer's own range and discounts.
func checkSelection(o heloc.Offer, s heloc.OfferSelection) error {
	switch {
	case s.Amount <= 0:
		return fault.InvalidField("offer.selectedOfferAmount", "Enter the draw amount")
	case o.MinAmount != nil && s.Amount < *o.MinAmount:
		return fault.InvalidField("offer.selectedOfferAmount", "The minimum for this offer is $"+o.MinAmount.Whole())
	case o.MaxAmount != nil && s.Amount > *o.MaxAmount:
		return fault.InvalidField("offer.selectedOfferAmount", "The maximum for this offer is $"+o.MaxAmount.Whole())
	}
	for _, chosen := range s.Discounts {
		if !slices.ContainsFunc(o.Discounts, func(d heloc.Discount) bool { return string(d.Type) == chosen }) {
			return fault.InvalidField("offer.selectedDiscounts", "This offer doesn’t include that discount")
		}
	}
	return nil
}

// saveSelection returns a function that stores a selection, and what the borrower was shown for it, in the transaction
// that stores its operation.
func (of *Offers) saveSelection(s heloc.OfferSelection) func(context.Context, *store.Tx, lead.Row, string) error {
	saveChoice := desklead.SaveChoice(of.d, heloc.OpSelectOffer, desklead.Choice{Offer: s.OfferUUID, Amount: s.Amount,
		Discounts: s.Discounts, Accounts: s.AccountsToPayoff, Statement: s.Statement})
	return func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error {
		if err := saveChoice(ctx, tx, row, id); err != nil || s.Shown == nil {
			return err
		}
		check := lead.FigureCheck{OpID: id, App: of.d.Row.App, Company: of.d.Row.Company, Offer: s.OfferUUID,
			ShownAt: store.Millis(of.d.Now())}
		check.SetShown(*s.Shown)
		return tx.AddFigureCheck(ctx, check)
	}
}

// Which offers may be selected for a draw and a choice of debts and discounts. The lender accepts any offer that it
// supplied; we must check that its figures belong to the draw.
//
//   - An offer of a quote (calculate-offers) may be selected for the draw, the debts and the
//     discounts of that quote, and for no others.
//   - An offer of the details came without a draw. It may be selected for any draw within
//     its range, in one POST, unless a quote contradicts it: a quote for the same draw,
//     debts and discounts in which the same term, fee and rate type has another rate.
//   - An offer of direct-debt-payoff-offers came for debts, without a draw. It may be
//     selected with those debts, and is otherwise treated like one of the details.
//
// So a user who has seen figures for the draw cannot select others by mistake, and a program that knows only the
// details needs no quote. If the lender does not quote, only the details count.

// quoteFor is the calculate-offers request that corresponds to a selection.
type quoteFor struct {
	amount         heloc.Money
	accounts       []string // sorted
	autopay, union bool
}

func quoteForSelection(s heloc.OfferSelection) quoteFor {
	a := quoteFor{amount: s.Amount, accounts: slices.Sorted(slices.Values(s.AccountsToPayoff))}
	for _, kind := range s.Discounts {
		a.autopay = a.autopay || heloc.DiscountType(kind).Autopay()
		a.union = a.union || heloc.DiscountType(kind).CreditUnion()
	}
	return a
}

// of reports whether a quote was requested for the draw and the debts of the selection.
func (q quoteFor) of(summary QuoteSummary) bool {
	return !summary.Payoff && (summary.Request.Amount == nil || *summary.Request.Amount == q.amount) && q.pays(summary)
}

func (q quoteFor) pays(summary QuoteSummary) bool {
	return slices.Equal(q.accounts, slices.Sorted(slices.Values(summary.Request.AccountIDs)))
}

// discounts reports whether a quote was requested with the discounts of the selection. A discount that the offer does
// not list cannot be selected, so its absence is ignored.
func (q quoteFor) discounts(summary QuoteSummary, o heloc.Offer) bool {
	same := func(selected, quoted bool, is func(heloc.DiscountType) bool) bool {
		listed := slices.ContainsFunc(o.Discounts, func(d heloc.Discount) bool { return is(d.Type) })
		return selected == quoted || quoted && !listed
	}
	return same(q.autopay, summary.Request.AutopayDiscount, heloc.DiscountType.Autopay) &&
		same(q.union, summary.Request.CreditUnionMember, heloc.DiscountType.CreditUnion)
}

// offerFor finds the selected offer among those that the lender supplied, with figures that belong to the selection.
// Otherwise its error names the control that does not match.
func (of *Offers) offerFor(ctx context.Context, s heloc.OfferSelection) (heloc.Offer, error) {
	heads, err := of.Quotes(ctx)
	if err != nil {
		return heloc.Offer{}, err
	}
	want := quoteForSelection(s)
	for _, head := range heads {
		if head.Offers == 0 || !want.of(head) {
			continue
		}
		quote, err := of.SavedQuote(ctx, head.ID)
		if err != nil {
			return heloc.Offer{}, err
		}
		if o, ok := heloc.FindOffer(quote.Answer.Offers, s.OfferUUID); ok && want.discounts(head, o) {
			return o, nil
		}
	}
	details, _, err := of.d.Details(ctx)
	if err != nil {
		return heloc.Offer{}, err
	}
	if o, ok := heloc.FindOffer(details.App.Underwriting.Offers, s.OfferUUID); ok {
		return o, of.uncontradicted(ctx, heads, details, o, s)
	}
	quotes, err := of.QuotesWith(ctx, []string{s.OfferUUID})
	if err != nil {
		return heloc.Offer{}, err
	}
	if len(quotes) == 0 {
		return heloc.Offer{}, fault.InvalidField("offer.offerUuid", "Choose one of the offers shown")
	}
	o, _ := heloc.FindOffer(quotes[0].Answer.Offers, s.OfferUUID)
	if quotes[0].Payoff && want.pays(quotes[0].QuoteSummary) {
		return o, of.uncontradicted(ctx, heads, details, o, s)
	}
	return heloc.Offer{}, want.misfit(quotes[0].QuoteSummary)
}

// misfit returns an error that names the difference between a quote's request and the selection.
func (q quoteFor) misfit(summary QuoteSummary) error {
	switch {
	case !q.pays(summary):
		return fault.InvalidField("offer.selectedAccountsToPayoff",
			"This offer was quoted for other debts to pay off. Get a quote for these debts first.")
	case summary.Request.Amount != nil && *summary.Request.Amount != q.amount:
		return fault.InvalidField("offer.selectedOfferAmount",
			"This offer was quoted for $"+summary.Request.Amount.Whole()+". Get a quote for $"+q.amount.Whole()+" first.")
	default:
		return fault.InvalidField("offer.selectedDiscounts",
			"This offer was quoted with other discounts. Get a quote with these discounts first.")
	}
}

// uncontradicted refuses an offer that came without a draw when the newest quote for the selection has another rate
// for the same terms. It ignores quotes from before the offers were priced.
func (of *Offers) uncontradicted(ctx context.Context, heads []QuoteSummary, details heloc.Details, o heloc.Offer,
	s heloc.OfferSelection) error {
	want, since := quoteForSelection(s), details.App.Underwriting.PricingAsOf
	if o.Rate == nil {
		return nil
	}
	rate := *o.Rate
	for _, d := range o.Discounts {
		if slices.Contains(s.Discounts, string(d.Type)) && d.RateAmount != nil && (d.Type.Autopay() || d.Type.CreditUnion()) {
			rate -= *d.RateAmount
		}
	}
	for _, head := range heads {
		if head.Offers == 0 || !want.of(head) || since.After(heloc.DateOf(head.At.UTC())) {
			continue
		}
		quote, err := of.SavedQuote(ctx, head.ID)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(quote.Answer.Offers, func(q heloc.Offer) bool {
			return sameTerms(q, o) && q.Rate != nil && want.discounts(head, q)
		})
		if at < 0 {
			continue
		}
		if quoted := *quote.Answer.Offers[at].Rate; quoted != rate {
			return fault.InvalidField("offer.offerUuid", "For $"+s.Amount.Whole()+" the lender quoted "+quoted.String()+
				"% on this offer, not "+rate.String()+"%. Check the rate with the borrower and select again.")
		}
		return nil
	}
	return nil
}

// sameTerms reports whether two offers are the same one, priced at different times or for different draws.
func sameTerms(a, b heloc.Offer) bool {
	return a.RateType == b.RateType && equal(a.Term, b.Term) && equal(a.OriginationFeePercent, b.OriginationFeePercent)
}

func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// notQuotable stores that calculate-offers is not available. Only a lead whose details were read proves that, because
// the response is the same for an unknown application.
func (of *Offers) notQuotable(ctx context.Context) error {
	_, readAt, err := of.d.Details(ctx)
	if err != nil || readAt.IsZero() {
		return err
	}
	now := of.d.Now().UTC().Format(time.RFC3339)
	return of.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, store.LenderNoQuotes, now) })
}
