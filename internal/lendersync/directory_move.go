package lendersync

import (
	"context"
	"errors"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// errNotApplied rolls back a transaction that only finds out what would be applied.
var errNotApplied = errors.New("the directory's changes are not applied yet")

// movedAtOnce is how many leads lose or get back their originator in one transaction. Each takes some milliseconds,
// for which other writes wait. The pause between them lets other writes and the disk catch up.
const (
	movedAtOnce = 1
	movePause   = 5 * time.Millisecond
)

// unassignAhead unassigns the leads that judge is about to take from originators one by one, because one transaction
// for all of them would block the writer for seconds. If it stops in between, the next read continues, or gives them
// back. The caller must call announce after judge: until then, the leads' originators still have accounts.
func (j *judgment) unassignAhead(ctx context.Context) (announce func(), err error) {
	var apply []lead.DirectoryChange
	var unannounced []func()
	announce = func() {
		for _, f := range unannounced {
			f()
		}
	}
	err = j.w.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if _, apply, err = j.decideAll(ctx, tx); err != nil {
			return err
		}
		return errNotApplied
	})
	if !errors.Is(err, errNotApplied) {
		return announce, err
	}
	for _, c := range apply {
		for more := true; more; {
			saved, err := j.w.saveDirectory(ctx, func(tx *store.Tx) (err error) {
				more, err = tx.UnassignSome(ctx, c, j.w.Now(), movedAtOnce)
				return err
			})
			if err != nil {
				return announce, err
			}
			unannounced = append(unannounced, saved)
			if err := j.pauseMoves(ctx, more); err != nil {
				return announce, err
			}
		}
	}
	return announce, nil
}

// giveBack returns leads to the originators whom judge has reopened, as unassignAhead takes them: one by one. If it
// stops in between, the next read continues.
func (j *judgment) giveBack(ctx context.Context) (err error) {
	for _, id := range j.back {
		err = errors.Join(err, j.giveBackTo(ctx, id))
	}
	return err
}

func (j *judgment) giveBackTo(ctx context.Context, id heloc.OriginatorID) error {
	for more := true; more; {
		err := j.w.writeDirectory(ctx, func(tx *store.Tx) (err error) {
			more, err = tx.ReturnLeads(ctx, "system", id, j.w.Now(), movedAtOnce)
			return err
		})
		if err == nil {
			err = j.pauseMoves(ctx, more)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pauseMoves waits for movePause if there are more leads.
func (j *judgment) pauseMoves(ctx context.Context, more bool) error {
	if more && !j.w.waitOrWake(ctx, movePause, nil) {
		return context.Cause(ctx)
	}
	return nil
}

// continueLater returns the error of moving leads one by one. If the caller has no more time, another read goes on
// soon.
func (s *Service) continueLater(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		wakeUp(s.originatorMissing)
	}
	return err
}
