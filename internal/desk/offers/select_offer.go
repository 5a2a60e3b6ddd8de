// Package offers has the handle of one lead's offers.
//
//	which_offer.go   which offers may be selected for a draw; select_offer.go  selecting one
//	quote.go         quotes for other draws; payoff.go  debts that the line pays off, costs of an offer
//	shared_quote.go  links to a quote for the borrower; borrower_contact.go  whom they call
package offers

import (
	"context"
	"fmt"
	"slices"

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
