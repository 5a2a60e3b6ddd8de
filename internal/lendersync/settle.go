package lendersync

import (
	"context"
	"strings"
	"time"

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

// figuresReadSoon is how long after a selection a difference triggers another read soon. After that, a lender whose
// figures keep changing is read at the usual times.
const figuresReadSoon = 10 * time.Minute

// checkFigures compares what the borrower was shown with what the lender booked, once the lender shows the selected
// offer. It reports whether a difference waits for a second reading. A lead that the lender is still processing may
// show the offer selected before, so it says nothing; neither do values that are kept from an earlier reading.
func (s *Service) checkFigures(ctx context.Context, tx *store.Tx, row *lead.Row, r reading) (waits bool, err error) {
	selected, step := r.details.App.Underwriting.SelectedOffer, r.details.App.NextInquiryStep
	booked, ok := heloc.BookedFigures(selected)
	if !ok || row.PendingUntil != 0 || step.InProgress() || step == heloc.StepOffersAvailable {
		return false, nil
	}
	check, err := tx.FigureCheck(ctx, row.App)
	at := store.Millis(r.at)
	if err != nil || check == nil || check.ConfirmedAt != 0 || at < check.ShownAt ||
		!strings.EqualFold(check.Offer, selected.OfferUUID) {
		return false, err
	}
	if booked.RateType != "" && check.RateType != "" && booked.RateType != check.RateType {
		return false, nil // the lender's response contradicts the offer that it names
	}
	waits = check.Book(booked, at, secondLook.Milliseconds())
	soon := at-check.ShownAt < figuresReadSoon.Milliseconds()
	if err := tx.SaveFigureCheck(ctx, *check); err != nil || waits || check.Outcome != heloc.FiguresDiffered {
		return waits && soon, err
	}
	return false, s.stopWrongPayments(ctx, tx, *check)
}

// stopWrongPayments stops the estimates of a rate type when the model was wrong for several leads in a row since an
// administrator last confirmed it.
func (s *Service) stopWrongPayments(ctx context.Context, tx *store.Tx, check lead.FigureCheck) error {
	if check.RateType != heloc.RateFixed && check.RateType != heloc.RateFloating {
		return nil // the model has no payments for others
	}
	since, err := tx.PaymentsConfirmedAt(ctx, check.RateType)
	if err != nil {
		return err
	}
	latest, err := tx.LatestFigureOutcomes(ctx, check.RateType, since, lead.WrongPaymentsToStop)
	if err != nil || !lead.PaymentsStop(latest) {
		return err
	}
	stopped, err := tx.StopPayments(ctx, check.RateType)
	if err != nil || !stopped {
		return err
	}
	s.Log.Warn("the lender's figures differed from our estimates for three leads in a row, "+
		"so payments of this rate type are no longer estimated", "rate_type", string(check.RateType))
	return tx.Audit(ctx, store.AuditEntry{
		ActorID: "system", Action: store.ActionPaymentsStop, Object: store.PaymentsObject(check.RateType), Outcome: "done",
	})
}
