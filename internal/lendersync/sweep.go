package lendersync

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

const (
	sweepBatch     = 200
	probeCount     = 2 // leads that are tried every probeEvery while the lender is down
	probeEvery     = 5 * time.Second
	recoverEvery   = 5 * time.Second
	cleanEvery     = time.Hour
	auditHeadEvery = time.Minute // also of follow-ups that are due
	clockEvery     = 5 * time.Minute
)

// sweepLoop sweeps after every webhook and twice a second. It handles the results of a crash or a long pause at
// startup.
func (s *Service) sweepLoop(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	recoverTick := time.NewTicker(recoverEvery)
	defer recoverTick.Stop()
	cleanTick := time.NewTicker(cleanEvery)
	defer cleanTick.Stop()
	clockTick := time.NewTicker(clockEvery)
	defer clockTick.Stop()
	headTick := time.NewTicker(auditHeadEvery)
	defer headTick.Stop()
	if !s.awaitDuty(ctx, nil) {
		return
	}
	err := errors.Join(s.Journal.Recover(ctx), s.correctClock(ctx), s.clean(ctx), s.notifyExpiring(ctx))
	for {
		if err != nil && ctx.Err() == nil {
			s.Log.Error("the sweep failed", "cause", err.Error())
		}
		if !s.awaitDuty(ctx, nil) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			err = s.sweep(ctx)
		case <-s.webhookReceived:
			err = s.sweep(ctx)
		case <-recoverTick.C:
			err = s.Journal.Recover(ctx)
		case <-clockTick.C:
			err = s.correctClock(ctx)
		case <-cleanTick.C:
			err = errors.Join(s.clean(ctx), s.notifyExpiring(ctx))
		case <-headTick.C:
			err = errors.Join(s.logAuditHead(ctx), s.notifyFollowUps(ctx))
		}
	}
}

// sweep adds the due leads to the queue. While the lender is down, it tries only a few and leaves the others due:
// each failed attempt writes to the database, and a postponed lead would have to wait after the lender is back.
func (s *Service) sweep(ctx context.Context) error {
	now := s.Now()
	if swept := s.sweptAt; store.Millis(now) < swept-time.Minute.Milliseconds() {
		if err := s.correctClock(ctx); err != nil {
			return err
		}
	}
	s.sweptAt = store.Millis(now)
	if err := s.queueDue(ctx, now); err != nil {
		return err
	}
	turning, err := s.Store.LeadsChangingStatus(ctx, now, sweepBatch)
	if err != nil {
		return err
	}
	var failed []error
	for _, app := range turning {
		failed = append(failed, s.applyClock(ctx, app)) // one failure does not stop the others
	}
	return errors.Join(failed...)
}

// queueDue adds the due leads. If there are more than one sweep looks at, the first ones may all be of one company,
// so it also adds some of each.
func (s *Service) queueDue(ctx context.Context, now time.Time) error {
	size := s.batchSize(now)
	due, err := s.Store.LeadsDue(ctx, now, size)
	if err == nil && len(due) == sweepBatch {
		var each []store.DueLead
		each, err = s.Store.LeadsDueOfEach(ctx, now)
		due = append(due, each...)
	}
	for _, l := range due {
		s.queue.add(refreshRequest{app: l.App, company: l.Company})
	}
	return err
}

// batchSize returns how many leads are queued at once. Only the sweep calls it.
func (s *Service) batchSize(now time.Time) int {
	if s.LenderHealth.DownSince().IsZero() {
		return sweepBatch
	}
	if now.Sub(s.probedAt).Abs() < probeEvery {
		return 0
	}
	s.probedAt = now
	return probeCount
}

// correctClock makes due any leads that would wait too long because the clock was set back, on this machine or on the
// one where they were last written.
func (s *Service) correctClock(ctx context.Context) error {
	longest := store.LongestWaits{FirstFailure: firstFailurePause, Failure: maxFailurePause, Pending: journal.MaxWait}
	for sum := int64(0); ; {
		n, err := s.Store.CorrectClockSetBack(ctx, longest, sweepBatch)
		if sum += n; n > 0 {
			continue
		}
		if sum > 0 {
			s.Log.Warn("leads had times in the future, because the clock was set back; they are read again", "leads", sum)
		}
		return err
	}
}

// applyClock saves a lead whose status changes only with time.
func (s *Service) applyClock(ctx context.Context, app heloc.AppID) error {
	return s.Store.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.AnyLead(ctx, app)
		if err != nil {
			return err
		}
		now := s.Now()
		silent := row.PendingUntil != 0 && row.PendingUntil <= store.Millis(now)
		if silent {
			// Twice the usual wait has passed, so it is the user's move again. The lead still refers to the
			// operation, so that a late change counts as its result.
			row.PendingUntil = 0
			e := lead.Event{App: app, Originator: row.Originator, At: store.Millis(now), Kind: lead.EventNoAnswer,
				OpID: row.PendingOp}
			if err := tx.AddEvent(ctx, e); err != nil {
				return err
			}
		}
		return tx.SaveLead(ctx, &row, now, silent)
	})
}
