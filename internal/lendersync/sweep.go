package lendersync

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

const (
	sweepBatch     = 200
	probeCount     = 2 // leads that are tried, every probeEvery, while the lender does not answer
	probeEvery     = 5 * time.Second
	recoverEvery   = 5 * time.Second
	cleanEvery     = time.Hour
	auditHeadEvery = time.Minute
)

// sweepLoop looks for what has come due, at every hint and twice a second. What a crash
// or a long pause left behind is dealt with at once.
func (w *Service) sweepLoop(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	recoverTick := time.NewTicker(recoverEvery)
	defer recoverTick.Stop()
	cleanTick := time.NewTicker(cleanEvery)
	defer cleanTick.Stop()
	headTick := time.NewTicker(auditHeadEvery)
	defer headTick.Stop()
	err := errors.Join(w.Journal.Recover(ctx), w.clean(ctx))
	for {
		if err != nil && ctx.Err() == nil {
			w.Log.Error("the sweep failed", "cause", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			err = w.sweep(ctx)
		case <-w.webhookReceived:
			err = w.sweep(ctx)
		case <-recoverTick.C:
			err = w.Journal.Recover(ctx)
		case <-cleanTick.C:
			err = w.clean(ctx)
		case <-headTick.C:
			err = w.logAuditHead(ctx)
		}
	}
}

// sweep puts the leads that are due into the line. While the lender does not answer,
// a few are tried and the others stay due: each try that fails is a write of ours, and
// whoever was put off would wait on when the lender is back.
func (w *Service) sweep(ctx context.Context) error {
	now := w.Now()
	due, err := w.Store.LeadsDue(ctx, now, w.batchSize(now))
	if err != nil {
		return err
	}
	for _, app := range due {
		w.queue.add(refreshRequest{app: app})
	}
	turning, err := w.Store.LeadsChangingStatus(ctx, now, sweepBatch)
	if err != nil {
		return err
	}
	var failed []error
	for _, app := range turning {
		failed = append(failed, w.applyClock(ctx, app)) // one that fails holds up no other
	}
	return errors.Join(failed...)
}

// batchSize is how many leads are put into the line at once. Only the sweep asks.
func (w *Service) batchSize(now time.Time) int {
	if w.LenderHealth.DownSince().IsZero() {
		return sweepBatch
	}
	if now.Sub(w.probedAt) < probeEvery {
		return 0
	}
	w.probedAt = now
	return probeCount
}

// applyClock saves a lead whose standing changes by the clock alone, and announces it.
func (w *Service) applyClock(ctx context.Context, app heloc.AppID) error {
	var lead, before store.Lead
	err := w.Store.Write(ctx, func(tx *store.Tx) error {
		var err error
		if lead, err = tx.AnyLead(ctx, app); err != nil {
			return err
		}
		before = lead
		now := w.Now()
		silent := lead.PendingUntil != 0 && lead.PendingUntil <= store.Millis(now)
		if silent {
			// Twice the usual wait has passed: it is the person's move again. The
			// operation stays named, so that a late change is still its doing.
			lead.PendingUntil = 0
			e := store.Event{App: app, Originator: lead.Originator, At: store.Millis(now), Kind: store.EventNoAnswer, OpID: lead.PendingOp}
			if err := tx.AddEvent(ctx, e); err != nil {
				return err
			}
		}
		return tx.SaveLead(ctx, &lead, now, silent)
	})
	if err == nil && lead.Revision != before.Revision {
		w.announce(lead, before)
	}
	return err
}
