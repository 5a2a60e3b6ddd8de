package desk

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
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

// NewSelection is a selection that the lender is processing.
type NewSelection struct {
	Statement string      // what the originator confirmed, as shown; empty if the form had no sentence
	Amount    heloc.Money // the draw
}

// addSelection adds what was sent with the selected offer, or with the selection that the lender is processing.
func (l *Lead) addSelection(ctx context.Context, v *LeadView) error {
	s := v.Details.App.Underwriting.SelectedOffer
	pending, err := l.pendingSelection(ctx)
	if err != nil {
		return err
	}
	// The answer may have come after the details of this view were read: then they show another offer or draw.
	answered := v.unansweredOperation() == nil && s != nil && pending.isShownBy(*s)
	if pending.Offer != "" && !answered {
		v.NewSelection = &NewSelection{Statement: pending.Statement, Amount: pending.Amount}
		return nil
	}
	if s == nil || l.awaitsLender() { // the lender may not show yet what is being sent
		return nil
	}
	sent, err := l.lastChoice(ctx, heloc.OpSelectOffer)
	if err != nil || !strings.EqualFold(sent.Offer, s.OfferUUID) {
		return err
	}
	v.SelectedHere, v.SelectedAccounts = true, sent.Accounts
	v.DroppedDiscounts = slices.DeleteFunc(sent.Discounts, func(kind string) bool {
		return slices.ContainsFunc(s.SelectedDiscounts, func(d heloc.Discount) bool { return string(d.Type) == kind })
	})
	return nil
}

// isShownBy reports whether the lender shows this selection: its offer and, if it states one, its draw.
func (c choice) isShownBy(s heloc.SelectedOffer) bool {
	return strings.EqualFold(c.Offer, s.OfferUUID) && (s.DrawAmount == nil || *s.DrawAmount == c.Amount)
}

// awaitsLender reports whether it is the lender's move after an operation. Once its time has passed, the lead still
// refers to the operation, and what the lender shows is all that is known.
func (l *Lead) awaitsLender() bool { return l.row.PendingOp != "" && l.row.PendingUntil != 0 }

// pendingSelection is what was sent with the selection that the lender is to answer; the zero value if it is to answer
// another operation or none.
func (l *Lead) pendingSelection(ctx context.Context) (choice, error) {
	if !l.awaitsLender() {
		return choice{}, nil
	}
	row, err := l.d.store.ChoiceOf(ctx, l.row.PendingOp)
	if err != nil || row == nil || row.Kind != heloc.OpSelectOffer {
		return choice{}, err
	}
	return vault.UnsealJSON[choice](l.d.vault, vault.ChoiceAAD(row.OpID), row.Sealed)
}
