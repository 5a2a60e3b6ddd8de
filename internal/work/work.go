// Package work does what takes longer than a person waits: in their name, with their
// rights as they are at that moment, and once only.
//
//	work.go    the loops and their owner; a lease on one job at a time
//	repull.go  credit re-pulls that were planned for a time
//	post.go    what waits to be mailed
//	renew.go   what lies under older keys
//
// A job and its rows lie in the database. Who takes a job holds a lease, prolonged before
// every row; a process that dies leaves its lease to run out, and the next one goes on
// where it stopped. What was sent for a row is the journal's to know: a row is never sent
// again because nobody remembers it.
package work

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
	lookEvery = 500 * time.Millisecond
	leaseTime = 90 * time.Second // longer than one row can take: a write, and two readings
)

// Rooms are what a Work stands on.
type Rooms struct {
	Store *store.Store
	Desks *desk.Rooms
	Now   store.Clock
	Log   *slog.Logger
	Owner string  // this process, among others on the same database
	Mail  Outbox  // nil: nothing is mailed
	Keys  Renewer // nil: nothing is renewed
}

// Work runs jobs. Make it with New, run it with Run.
type Work struct{ Rooms }

// New makes a Work that does nothing until Run.
func New(rooms Rooms) *Work { return &Work{rooms} }

// Run works until the context ends, and finishes the row and the try it is at.
func (w *Work) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { w.jobLoop(ctx) })
	all.Go(func() { w.dueLoop(ctx) })
	if w.Mail != nil {
		all.Go(func() { w.post(ctx) })
	}
	if w.Keys != nil {
		all.Go(func() { w.renew(ctx) })
	}
	all.Wait()
}

func (w *Work) jobLoop(ctx context.Context) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		for more := true; more; {
			more = w.next(ctx)
		}
	}
}

// next does one job as far as it goes, and says whether there was one.
func (w *Work) next(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	now := w.Now()
	job, ok, err := w.Store.TakeJob(ctx, w.Owner, now, now.Add(leaseTime))
	if err == nil && ok {
		err = w.carry(ctx, job)
	}
	if err != nil && ctx.Err() == nil {
		// The lease runs out by itself, and the job is looked at again then.
		w.Log.Error("a job could not be finished", "job", job.ID, "cause", err.Error())
		return false
	}
	return ok
}

// carry does the waiting rows of a job in the name of who began it.
func (w *Work) carry(ctx context.Context, job store.Job) error {
	who, err := w.Store.User(ctx, job.ActorID)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return err
	}
	if err != nil || who.Disabled {
		return w.refuse(ctx, job, "Who began this has no account any more")
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
		ours, err := w.Store.BeatJob(ctx, job.ID, w.Owner, now.Add(leaseTime))
		if err != nil || !ours {
			return err
		}
		stop, err := w.row(ctx, job, row)
		if err != nil {
			return err
		}
		if stop {
			return w.refuse(ctx, job, "Your role does not allow this any more")
		}
	}
	return w.Store.LeaveJob(context.WithoutCancel(ctx), job.ID, w.Owner, w.Now())
}

// row does one row. The person is read anew for each: what they may do can change while
// a run lasts. stop says that they may not hand over any more.
func (w *Work) row(ctx context.Context, job store.Job, row store.JobRow) (stop bool, err error) {
	hand, err := w.Desks.Carrier(ctx, job)
	if fault.KindOf(err) == fault.Denied {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	// A row that has begun is finished, whatever else ends.
	return false, hand.Carry(context.WithoutCancel(ctx), job, row)
}

func (w *Work) refuse(ctx context.Context, job store.Job, why string) error {
	if err := w.Desks.Refuse(ctx, job, why); err != nil {
		return err
	}
	return w.Store.LeaveJob(ctx, job.ID, w.Owner, w.Now())
}
