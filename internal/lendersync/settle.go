package lendersync

import (
	"context"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// settleUnknown checks the writes to this lead whose outcome is unknown, and corrects the verdict on other writes whose
// effect is visible. It reports whether some are still unknown
// and may be found out soon, and whether anything about them changed.
func (s *Service) settleUnknown(ctx context.Context, tx *store.Tx, row *lead.Row,
	r reading) (unknown, changed bool, err error) {
	ops, err := s.Journal.OperationsToCompare(ctx, tx, row.App)
	if err != nil {
		return false, false, err
	}
	seen := journal.Observed{
		At: r.at, Step: row.Step, HistoryLength: row.HistoryLength, Originator: r.details.Originator.UUID,
		Canceled: r.details.App.KeyDates.Canceled != "",
	}
	for _, op := range ops {
		if seen.Selected, err = s.selected(ctx, tx, op, r.details.App.Underwriting.SelectedOffer); err != nil {
			return unknown, changed, err
		}
		if op.State != lead.OpUnknown {
			corrected, err := s.Journal.Correct(ctx, tx, &op, seen)
			if corrected && err == nil && op.CorrectedAt != 0 {
				err = s.notifyCorrected(ctx, tx, *row, op)
			}
			if changed = changed || corrected; err != nil {
				return unknown, changed, err
			}
			continue
		}
		to := journal.Compare(op, seen)
		if to != lead.OpUnknown {
			changed = true
			if err := s.Journal.Settle(ctx, tx, &op, to); err != nil {
				return unknown, changed, err
			}
			continue
		}
		// If the lead has moved on, or if the details cannot show the operation, only a user can settle it. That is
		// not worth a request twice a minute forever.
		unknown = unknown || op.StepChangedAt == 0 && r.at.Sub(store.Instant(op.SentAt)) < fastPollFor
		if op.StepChangedAt == 0 && journal.MovedOn(op, seen) {
			op.StepChangedAt, op.StepAfter, changed = store.Millis(r.at), row.Step, true
			if err := tx.SaveOperation(ctx, op); err != nil {
				return unknown, changed, err
			}
		}
	}
	return unknown, changed, nil
}

// selected reports whether the offer that an operation names is selected now, and was not before: at OFFERS_AVAILABLE
// none is selected, and later the last selection that the lender accepted tells. The same offer with another amount
// cannot be distinguished.
func (s *Service) selected(ctx context.Context, tx *store.Tx, op lead.Operation,
	now *heloc.SelectedOffer) (bool, error) {
	if op.Kind != heloc.OpSelectOffer || now == nil || now.OfferUUID == "" {
		return false, nil
	}
	sent, err := s.chosen(tx.ChoiceOf(ctx, op.ID))
	if err != nil || !strings.EqualFold(sent, now.OfferUUID) {
		return false, err
	}
	if op.StepBefore == heloc.StepOffersAvailable {
		return true, nil
	}
	before, err := s.chosen(tx.LastChoice(ctx, op.App, op.Kind))
	return before != "" && !strings.EqualFold(before, sent), err
}

// otherSelected reports whether a pending operation selects an offer while the lender shows another one.
func (s *Service) otherSelected(ctx context.Context, tx *store.Tx, op *lead.Operation,
	seen heloc.Details) (bool, error) {
	if op == nil || op.Kind != heloc.OpSelectOffer {
		return false, nil
	}
	sent, err := s.chosen(tx.ChoiceOf(ctx, op.ID))
	selected := seen.App.Underwriting.SelectedOffer
	return sent != "" && selected != nil && !strings.EqualFold(sent, selected.OfferUUID), err
}

// chosen decrypts the offer of a choice; empty if there is none. An offer that cannot be decrypted confirms nothing.
func (s *Service) chosen(c *store.Choice, err error) (offer string, _ error) {
	if err != nil || c == nil {
		return "", err
	}
	sent, _ := vault.UnsealJSON[journal.ChosenOffer](s.Vault, vault.ChoiceAAD(c.OpID), c.Sealed)
	return sent.Offer, nil
}
