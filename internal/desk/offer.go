package desk

import (
	"context"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// KeptQuote is a quote as it is kept: what was asked, and what the lender answered.
type KeptQuote struct {
	Ask    heloc.QuoteRequest `json:"ask"`
	Answer heloc.Quote        `json:"answer"`
}

// quotesSearched is how far back an offer of a quote can still be selected.
const quotesSearched = 20

// Quote asks for offers at another draw, fee or discount (section 4.2), and keeps the
// answer. It is a question: no operation id, no lease. fault.NotFound says that this
// lender does not quote anew.
func (l *Lead) Quote(ctx context.Context, ask heloc.QuoteRequest) (heloc.Quote, error) {
	if err := l.d.may(access.ActOnLead); err != nil {
		return heloc.Quote{}, err
	}
	if err := l.still(ctx); err != nil {
		return heloc.Quote{}, err
	}
	got, err := l.d.Lender.Quote(ctx, l.row.App, ask)
	if err != nil {
		return heloc.Quote{}, err
	}
	id := ulid.Make().String()
	sealed, err := vault.SealJSON(l.d.Vault, journal.PlaceOfQuote(id), KeptQuote{ask, got.Value})
	if err != nil {
		return heloc.Quote{}, err
	}
	row := store.Quote{
		ID: id, App: l.row.App, ActorID: l.d.Actor.UserID, RequestUUID: got.Value.RequestUUID, Sealed: sealed, At: store.Millis(l.d.Now()),
	}
	return got.Value, l.d.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddQuote(ctx, row) })
}

// SelectOffer chooses an offer that the lender supplied (section 4.4). It may be chosen
// anew until the inquiry is converted.
func (l *Lead) SelectOffer(ctx context.Context, ticket string, s heloc.OfferSelection) (store.Operation, error) {
	if err := l.d.may(access.SelectOffer); err != nil {
		return store.Operation{}, err
	}
	offer, err := l.supplied(ctx, s.OfferUUID)
	if err != nil {
		return store.Operation{}, err
	}
	if err := fits(offer, s); err != nil {
		return store.Operation{}, err
	}
	if err := l.owes(ctx, "offer.selectedAccountsToPayoff", s.AccountsToPayoff); err != nil {
		return store.Operation{}, err
	}
	content := append([]string{s.OfferUUID, s.Amount.String(), fmt.Sprint(len(s.Discounts))}, s.Discounts...)
	return l.run(ctx, act{
		kind: heloc.OpSelectOffer, permission: access.SelectOffer, ticket: ticket,
		steps:   []heloc.Step{heloc.StepOffersAvailable, heloc.StepBorrowerAuth, heloc.StepBrokerDocSigning},
		content: append(content, s.AccountsToPayoff...),
		send: func(ctx context.Context, by heloc.OriginatorID) (partner.Answer, error) {
			return l.d.Lender.SelectOffer(ctx, l.row.App, by, s)
		},
	})
}

// Quotes reads the quotes whose offers can still be selected, newest first.
func (l *Lead) Quotes(ctx context.Context) ([]KeptQuote, error) {
	if err := l.d.may(access.SeeLead); err != nil {
		return nil, err
	}
	rows, err := l.d.Store.Quotes(ctx, l.row.App, quotesSearched)
	if err != nil {
		return nil, err
	}
	quotes := make([]KeptQuote, len(rows))
	for i, row := range rows {
		if quotes[i], err = vault.UnsealJSON[KeptQuote](l.d.Vault, journal.PlaceOfQuote(row.ID), row.Sealed); err != nil {
			return nil, err
		}
	}
	return quotes, nil
}

// supplied finds an offer among those of the details and of the quotes kept.
func (l *Lead) supplied(ctx context.Context, id string) (heloc.Offer, error) {
	view, err := l.View(ctx)
	if err != nil {
		return heloc.Offer{}, err
	}
	quotes, err := l.Quotes(ctx)
	if err != nil {
		return heloc.Offer{}, err
	}
	offers := slices.Clone(view.Details.App.Underwriting.Offers)
	for _, quote := range quotes {
		offers = append(offers, quote.Answer.Offers...)
	}
	at := slices.IndexFunc(offers, func(o heloc.Offer) bool { return o.UUID == id && id != "" })
	if at < 0 {
		return heloc.Offer{}, fault.InvalidFields(fault.Field{Name: "offer.offerUuid", Message: "Choose one of the offers shown"})
	}
	return offers[at], nil
}

// fits checks a selection against the offer's own range and discounts.
func fits(o heloc.Offer, s heloc.OfferSelection) error {
	field := func(name, message string) error {
		return fault.InvalidFields(fault.Field{Name: name, Message: message})
	}
	if s.Amount <= 0 {
		return field("offer.selectedOfferAmount", "Enter the net draw")
	}
	if o.MinAmount != nil && s.Amount < *o.MinAmount {
		return field("offer.selectedOfferAmount", "This offer begins at $"+o.MinAmount.Whole())
	}
	if o.MaxAmount != nil && s.Amount > *o.MaxAmount {
		return field("offer.selectedOfferAmount", "This offer goes up to $"+o.MaxAmount.Whole())
	}
	for _, chosen := range s.Discounts {
		if !slices.ContainsFunc(o.Discounts, func(d heloc.Discount) bool { return string(d.Type) == chosen }) {
			return field("offer.selectedDiscounts", "This offer has no such discount")
		}
	}
	return nil
}
