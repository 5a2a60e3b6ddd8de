package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// choice is what a person sent with a selection or a payoff. The lender's answer tells
// what it made of it; only this tells what was asked for.
type choice struct {
	Offer           string           `json:"offer,omitempty"`
	Amount          heloc.Money      `json:"amount,omitempty"`
	Discounts       []string         `json:"discounts,omitempty"`
	Accounts        []string         `json:"accounts,omitempty"`
	SpellingChanges []SpellingChange `json:"spelled,omitempty"`
}

// SpellingChange is a field that was sent otherwise than it was typed, in the lender's spelling.
type SpellingChange struct {
	Control string `json:"name"` // of the control: "liens.0.lenderName"
	Typed   string `json:"typed"`
	Sent    string `json:"sent"`
}

// SpellingChanges is what the liens of this operation were sent as, where that is not what was
// typed; of the latest liens that the lender took.
func (r *Receipt) SpellingChanges(ctx context.Context) ([]SpellingChange, error) {
	if err := r.d.may(access.SeeLead); err != nil {
		return nil, err
	}
	if r.Op.Kind != heloc.OpVerifyLiens {
		return nil, nil
	}
	l, err := r.Lead(ctx)
	if err != nil {
		return nil, nil //nolint:nilerr // it has gone to somebody else since
	}
	row, err := l.d.Store.LastChoice(ctx, l.row.App, r.Op.Kind)
	if err != nil || row == nil || row.OpID != r.Op.ID {
		return nil, err
	}
	sent, err := vault.UnsealJSON[choice](l.d.Vault, choiceAAD(row.OpID), row.Sealed)
	return sent.SpellingChanges, err
}

// saveChoice writes a choice down in the transaction that writes its operation down.
func (l *Lead) saveChoice(kind heloc.Operation, c choice) func(context.Context, *store.Tx, string) error {
	return func(ctx context.Context, tx *store.Tx, id string) error {
		sealed, err := vault.SealJSON(l.d.Vault, choiceAAD(id), c)
		if err != nil {
			return err
		}
		return tx.AddChoice(ctx, store.Choice{OpID: id, App: l.row.App, Kind: kind, Sealed: sealed, At: store.Millis(l.d.Now())})
	}
}

// lastChoice is the latest of a kind that the lender took; the zero value when none is known.
func (l *Lead) lastChoice(ctx context.Context, kind heloc.Operation) (choice, error) {
	row, err := l.d.Store.LastChoice(ctx, l.row.App, kind)
	if err != nil || row == nil {
		return choice{}, err
	}
	return vault.UnsealJSON[choice](l.d.Vault, choiceAAD(row.OpID), row.Sealed)
}

// droppedDiscounts are the discounts that were sent with the selection which stands, and that the
// lender does not show with it.
func (l *Lead) droppedDiscounts(ctx context.Context, s *heloc.SelectedOffer) ([]string, error) {
	if s == nil || l.row.PendingOp != "" { // what is sent now may not show yet
		return nil, nil
	}
	sent, err := l.lastChoice(ctx, heloc.OpSelectOffer)
	if err != nil || sent.Offer != s.OfferUUID {
		return nil, err
	}
	return slices.DeleteFunc(sent.Discounts, func(kind string) bool {
		return slices.ContainsFunc(s.SelectedDiscounts, func(d heloc.Discount) bool { return string(d.Type) == kind })
	}), nil
}

func choiceAAD(opID string) vault.AAD { return journal.PlaceOfChoice(opID) }
