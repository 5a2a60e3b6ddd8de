package lead

import (
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Choice is what a user sent with a selection or a payoff. The lender's answer shows only the result; this shows what
// was requested.
type Choice struct {
	Offer           string           `json:"offer,omitempty"`
	Amount          heloc.Money      `json:"amount,omitempty"`
	Discounts       []string         `json:"discounts,omitempty"`
	Accounts        []string         `json:"accounts,omitempty"`
	SpellingChanges []SpellingChange `json:"spelled,omitempty"`
	// what the originator confirmed, as shown; no borrower data
	Statement string `json:"statement,omitempty"`
}

// SpellingChange is a field that was sent in the lender's spelling, which differs from what the user typed.
type SpellingChange struct {
	Control string `json:"name"` // control name, such as "liens.0.lenderName"
	Typed   string `json:"typed"`
	Sent    string `json:"sent"`
}

// Choice returns what was sent with this selection or these liens if they are the latest that the lender accepted.
// Otherwise, and once the lead has another originator, it returns the zero value.
func (r *Receipt) Choice(ctx context.Context) (Choice, error) {
	if err := r.d.May(access.SeeLead); err != nil {
		return Choice{}, err
	}
	if r.Op.Kind != heloc.OpSelectOffer && r.Op.Kind != heloc.OpVerifyLiens {
		return Choice{}, nil
	}
	l, err := r.d.OpenLead(ctx, string(r.Op.App))
	if err != nil {
		return Choice{}, nil //nolint:nilerr // the lead has moved to another originator since
	}
	row, err := l.Store.LastChoice(ctx, l.Row.App, r.Op.Kind)
	if err != nil || row == nil || row.OpID != r.Op.ID {
		return Choice{}, err
	}
	return vault.UnsealJSON[Choice](l.Vault, vault.ChoiceAAD(row.OpID), row.Sealed)
}

// SaveChoice returns a function that stores a choice in the transaction that stores its operation.
func SaveChoice(l core.Lead, kind heloc.Operation, c Choice) func(context.Context, *store.Tx, lead.Row, string) error {
	return func(ctx context.Context, tx *store.Tx, _ lead.Row, id string) error {
		sealed, err := vault.SealJSON(l.Vault, vault.ChoiceAAD(id), c)
		if err != nil {
			return err
		}
		return tx.AddChoice(ctx, store.Choice{OpID: id, App: l.Row.App, Kind: kind, Sealed: sealed,
			At: store.Millis(l.Now())})
	}
}

// LastChoice returns the latest choice of a kind that the lender accepted; the zero value when there is none.
func LastChoice(ctx context.Context, l core.Lead, kind heloc.Operation) (Choice, error) {
	row, err := l.Store.LastChoice(ctx, l.Row.App, kind)
	if err != nil || row == nil {
		return Choice{}, err
	}
	return vault.UnsealJSON[Choice](l.Vault, vault.ChoiceAAD(row.OpID), row.Sealed)
}

// addSelection adds what was sent with the selected offer, or with the selection that the lender is processing.
func (l *Lead) addSelection(ctx context.Context, v *Snapshot) error {
	s := v.Details.App.Underwriting.SelectedOffer
	pending, err := l.pendingSelection(ctx)
	if err != nil {
		return err
	}
	// The answer may have come after the details of this view were read: then they show another offer or draw.
	answered := v.unansweredOperation() == nil && s != nil && pending.isShownBy(*s)
	if pending.Offer != "" && !answered {
		v.NewSelection = &pending
		return nil
	}
	if s == nil || l.d.Row.AwaitsLender() { // the lender may not show yet what is being sent
		return nil
	}
	sent, err := LastChoice(ctx, l.d, heloc.OpSelectOffer)
	if err != nil || !strings.EqualFold(sent.Offer, s.OfferUUID) {
		return err
	}
	v.SelectedHere, v.SelectedAccounts = true, sent.Accounts
	if s.SelectedDiscounts == nil {
		return nil
	}
	v.DroppedDiscounts = slices.DeleteFunc(sent.Discounts, func(kind string) bool {
		return slices.ContainsFunc(s.SelectedDiscounts, func(d heloc.Discount) bool { return string(d.Type) == kind })
	})
	return nil
}

// isShownBy reports whether the lender shows this selection: its offer and, if it states one, its draw.
func (c Choice) isShownBy(s heloc.SelectedOffer) bool {
	return strings.EqualFold(c.Offer, s.OfferUUID) && (s.DrawAmount == nil || *s.DrawAmount == c.Amount)
}

// pendingSelection is what was sent with the selection that the lender is to answer; the zero value if it is to answer
// another operation or none.
func (l *Lead) pendingSelection(ctx context.Context) (Choice, error) {
	if !l.d.Row.AwaitsLender() {
		return Choice{}, nil
	}
	row, err := l.d.Store.ChoiceOf(ctx, l.d.Row.PendingOp)
	if err != nil || row == nil || row.Kind != heloc.OpSelectOffer {
		return Choice{}, err
	}
	return vault.UnsealJSON[Choice](l.d.Vault, vault.ChoiceAAD(row.OpID), row.Sealed)
}

// FigureComparison is what the borrower was shown for the selected offer beside what the lender booked. Without Differ,
// they are the same or there is nothing to compare.
type FigureComparison struct {
	Shown, Booked heloc.OfferFigures
	Differ        []heloc.Figure
}

// compareFigures compares what the borrower was shown for the current selection with the lender's selected offer.
func (l *Lead) compareFigures(ctx context.Context, s *heloc.SelectedOffer) (FigureComparison, error) {
	booked, ok := heloc.BookedFigures(s)
	if !ok || l.d.Row.AwaitsLender() { // the lender may still show what was selected before
		return FigureComparison{}, nil
	}
	check, err := l.d.Store.FigureCheck(ctx, l.d.Row.App)
	if err != nil || check == nil || !strings.EqualFold(check.Offer, s.OfferUUID) {
		return FigureComparison{}, err
	}
	shown := check.Shown()
	return FigureComparison{Shown: shown, Booked: booked, Differ: shown.Differences(booked)}, nil
}
