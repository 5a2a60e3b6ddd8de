package lendersync

import (
	"context"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// figuresReadSoon is how long after a selection a difference is read again soon. A lender whose figures keep changing
// is then read at the usual times.
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
