package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/trace"
	"hearthline/internal/vault"
)

// choice is what a user sent with a selection or a payoff. The lender's answer shows only the result; this shows what
// was requested.
type choice struct {
	Offer           string           `json:"offer,omitempty"`
	Amount          heloc.Money      `json:"amount,omitempty"`
	Discounts       []string         `json:"discounts,omitempty"`
	Accounts        []string         `json:"accounts,omitempty"`
	SpellingChanges []SpellingChange `json:"spelled,omitempty"`
	Statement       string           `json:"statement,omitempty"` // what the originator confirmed, as shown; no borrower data
}

// SpellingChange is a field that was sent in the lender's spelling, which differs from what the user typed.
type SpellingChange struct {
	Control string `json:"name"` // control name, such as "liens.0.lenderName"
	Typed   string `json:"typed"`
	Sent    string `json:"sent"`
}

// SpellingChanges lists the lien fields of this operation that were sent differently from how they were typed. It
// returns nothing unless these are the latest liens that the lender accepted.
func (r *Receipt) SpellingChanges(ctx context.Context) ([]SpellingChange, error) {
	defer trace.StartMethod(&ctx)()
	if err := r.d.may(access.SeeLead); err != nil {
		return nil, err
	}
	if r.Op.Kind != heloc.OpVerifyLiens {
		return nil, nil
	}
	l, err := r.Lead(ctx)
	if err != nil {
		return nil, nil //nolint:nilerr // the lead has moved to another originator since
	}
	row, err := l.d.store.LastChoice(ctx, l.row.App, r.Op.Kind)
	if err != nil || row == nil || row.OpID != r.Op.ID {
		return nil, err
	}
	sent, err := vault.UnsealJSON[choice](l.d.vault, vault.ChoiceAAD(row.OpID), row.Sealed)
	return sent.SpellingChanges, err
}

// Statement returns the sentence that the originator confirmed when selecting the offer of this operation; it is empty for
// one that was selected without it.
func (r *Receipt) Statement(ctx context.Context) (string, error) {
	defer trace.StartMethod(&ctx)()
	if err := r.d.may(access.SeeLead); err != nil {
		return "", err
	}
	if r.Op.Kind != heloc.OpSelectOffer {
		return "", nil
	}
	l, err := r.Lead(ctx)
	if err != nil {
		return "", nil //nolint:nilerr // the lead has moved to another originator since
	}
	row, err := l.d.store.LastChoice(ctx, l.row.App, r.Op.Kind)
	if err != nil || row == nil || row.OpID != r.Op.ID {
		return "", err
	}
	sent, err := vault.UnsealJSON[choice](l.d.vault, vault.ChoiceAAD(row.OpID), row.Sealed)
	return sent.Statement, err
}

// saveChoice returns a function that stores a choice in the transaction that stores its operation.
func (l *Lead) saveChoice(kind heloc.Operation, c choice) func(context.Context, *store.Tx, string) error {
	return func(ctx context.Context, tx *store.Tx, id string) error {
		sealed, err := vault.SealJSON(l.d.vault, vault.ChoiceAAD(id), c)
		if err != nil {
			return err
		}
		return tx.AddChoice(ctx, store.Choice{OpID: id, App: l.row.App, Kind: kind, Sealed: sealed, At: store.Millis(l.d.now())})
	}
}

// lastChoice returns the latest choice of a kind that the lender accepted; the zero value when there is none.
func (l *Lead) lastChoice(ctx context.Context, kind heloc.Operation) (choice, error) {
	row, err := l.d.store.LastChoice(ctx, l.row.App, kind)
	if err != nil || row == nil {
		return choice{}, err
	}
	return vault.UnsealJSON[choice](l.d.vault, vault.ChoiceAAD(row.OpID), row.Sealed)
}

// droppedDiscounts lists the discounts that were sent with the current selection and that the lender does not show
// with it.
func (l *Lead) droppedDiscounts(ctx context.Context, s *heloc.SelectedOffer) ([]string, error) {
	if s == nil || l.row.PendingOp != "" { // the lender may not show yet what is being sent
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
