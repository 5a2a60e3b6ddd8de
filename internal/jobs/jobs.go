// Package work does what takes longer than a person waits: in their name, with their
// rights as they are at that moment, and once only.
//
//	jobs.go    the loops and their owner; a lease on one job at a time
//	repull.go  credit re-pulls that were planned for a time
//	outbox.go    what waits to be mailed
//	reencrypt.go   what lies under older keys
//
// A job and its rows lie in the database. Who takes a job holds a lease, prolonged before
// every row; a process that dies leaves its lease to run out, and the next one goes on
// where it stopped. What was sent for a row is the journal's to know: a row is never sent
// again because nobody remembers it.
package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

const (
	pollInterval  = 500 * time.Millisecond
	leaseDuration = 90 * time.Second // longer than one row can take: a write, and two readings
)

// Deps are what a Work stands on.
type Deps struct {
	Store       *store.Store
	Desks       *desk.Service
	Now         store.Clock
	Log         *slog.Logger
	Owner       string      // this process, among others on the same database
	Mail        Outbox      // nil: nothing is mailed
	Reencrypter Reencrypter // nil: nothing is renewed
}

// Runner runs jobs. Make it with New, run it with Run.
type Runner struct{ Deps }

// New makes a Work that does nothing until Run.
func New(rooms Deps) *Runner { return &Runner{rooms} }

// Run works until the context ends, and finishes the row and the try it is at.
func (w *Runner) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { w.jobLoop(ctx) })
	all.Go(func() { w.dueLoop(ctx) })
	if w.Mail != nil {
		all.Go(func() { w.outboxLoop(ctx) })
	}
	if w.Reencrypter != nil {
		all.Go(func() { w.reencryptLoop(ctx) })
	}
	all.Wait()
}

func (w *Runner) jobLoop(ctx context.Context) {
	look := time.NewTicker(pollInterval)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		for more := true; more; {
			more = w.runNext(ctx)
		}
	}
}

// runNext does one job as far as it goes, and says whether there was one.
func (w *Runner) runNext(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	now := w.Now()
	job, ok, err := w.Store.LeaseJob(ctx, w.Owner, now, now.Add(leaseDuration))
	if err == nil && ok {
		err = w.runJob(ctx, job)
	}
	if err != nil && ctx.Err() == nil {
		// The lease runs out by itself, and the job is looked at again then.
		w.Log.Error("a job could not be finished", "job", job.ID, "cause", err.Error())
		return false
	}
	return ok
}

// runJob does the waiting rows of a job in the name of who began it.
func (w *Runner) runJob(ctx context.Context, job store.Job) error {
	who, err := w.Store.User(ctx, job.ActorID)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return err
	}
	if err != nil || who.Disabled {
		return w.stopRun(ctx, job, "Who began this has no account any more")
	}
	rows, err := w.Store.JobRows(ctx, job.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.State != store.RowWaiting {
			continue
		}
		if ctx.Err() != nil {
			break // a shutdown: another process, or this one's next life, goes on
		}
		now := w.Now()
		ours, err := w.Store.ExtendJobLease(ctx, job.ID, w.Owner, now.Add(leaseDuration))
		if err != nil || !ours {
			return err
		}
		stop, err := w.runRow(ctx, job, row)
		if err != nil {
			return err
		}
		if stop {
			return w.stopRun(ctx, job, "Your role does not allow this any more")
		}
	}
	return w.Store.ReleaseJob(context.WithoutCancel(ctx), job.ID, w.Owner, w.Now())
}

// reassignmentRunRow does one row. The person is read anew for each: what they may do can change while
// a run lasts. stop says that they may not hand over any more.
func (w *Runner) runRow(ctx context.Context, job store.Job, row store.JobRow) (stop bool, err error) {
	hand, err := w.Desks.BulkReassignmentsForJob(ctx, job)
	if fault.KindOf(err) == fault.Denied {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	// A row that has begun is finished, whatever else ends.
	return false, hand.ExecuteRow(context.WithoutCancel(ctx), job, row)
}

func (w *Runner) stopRun(ctx context.Context, job store.Job, why string) error {
	if err := w.Desks.StopRun(ctx, job, why); err != nil {
		return err
	}
	return w.Store.ReleaseJob(ctx, job.ID, w.Owner, w.Now())
}
