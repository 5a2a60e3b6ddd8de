// Package jobs runs work that takes too long for a request: in the name of the user who started it, with that user's
// current permissions, and only once.
//
//	jobs.go       the loops, and the lease of one job at a time, in turns
//	duty.go       which of several processes does scheduled work
//	repull.go     credit re-pulls that were planned for a time
//	rules.go      unassigned leads that the rules of a company assign
//	monthly_report.go  monthly summaries for managers
//	outbox.go     emails and notifications that wait to be sent
//	reencrypt.go  values that are encrypted with older keys
//
// A job and its rows are stored in the database. The process that runs a job holds its lease and extends it with every
// row. When a process dies, its lease expires and another process continues where it stopped. A row begins in the
// transaction that stores its operation, so a row is never sent twice.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"hearthline/internal/desk"
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/trace"
)

const (
	rowsPerTurn  = 10 // then the jobs of others have their turn
	pollInterval = 500 * time.Millisecond
)

// Deps are the dependencies of a Runner.
type Deps struct {
	Store       *store.Store
	Desks       *desk.Service
	Now         store.Clock
	Log         *slog.Logger
	Owner       string      // identifies this process among others on the same database
	Mail        Outbox      // nil: no mail is sent
	Notices     Outbox      // nil: nobody is told about notifications
	Reencrypter Reencrypter // nil: nothing is reencrypted
}

// Runner runs jobs. Create it with New, start it with Run.
type Runner struct{ Deps }

// New returns a Runner that does nothing until Run.
func New(deps Deps) *Runner { return &Runner{deps} }

// Run runs jobs until the context ends. It finishes the current row and the current attempt.
func (r *Runner) Run(ctx context.Context) {
	var all sync.WaitGroup
	all.Go(func() { r.jobLoop(ctx) })
	all.Go(func() { r.dueLoop(ctx) })
	all.Go(func() { r.rulesLoop(ctx) })
	if r.Mail != nil {
		all.Go(func() { r.monthlyLoop(ctx) })
		all.Go(func() { r.outboxLoop(ctx, r.Mail) })
	}
	if r.Notices != nil {
		all.Go(func() { r.outboxLoop(ctx, r.Notices) })
	}
	if r.Reencrypter != nil {
		all.Go(func() { r.reencryptLoop(ctx) })
	}
	all.Wait()
	r.releaseDuties(ctx)
}

func (r *Runner) jobLoop(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for more := true; more; {
			more = r.runNext(ctx)
		}
	}
}

// runNext runs one job as far as possible and reports whether there was one.
func (r *Runner) runNext(ctx context.Context) bool {
	if ctx.Err() != nil || r.Desks.SendingPaused() {
		return false
	}
	job, ok, err := r.Store.LeaseJob(ctx, r.Owner)
	if err == nil && ok {
		traced, span := trace.StartWork(ctx, "run job")
		err = r.runJob(traced, job)
		span.End()
	}
	if err != nil && ctx.Err() == nil {
		// The job is tried again when its lease has expired.
		r.Log.Error("a job could not be finished", "job", job.ID, "cause", err.Error())
		return false
	}
	return ok
}

// runJob runs the next waiting rows of a job in the name of the user who started it.
func (r *Runner) runJob(ctx context.Context, job lead.Job) error {
	who, err := r.Store.User(ctx, job.ActorID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if (err != nil || who.Disabled) && job.Kind != lead.JobRule {
		return r.stopRun(ctx, job, "The person who started this no longer has an account")
	}
	rows, err := r.Store.JobRows(ctx, job.ID)
	if err != nil {
		return err
	}
	ran := 0
	for _, row := range rows {
		if row.State != lead.JobRowWaiting {
			continue
		}
		if ran++; ran > rowsPerTurn {
			break
		}
		if ctx.Err() != nil || r.Desks.SendingPaused() {
			break // a shutdown or an outage: another process, or this one later, continues
		}
		stop, err := r.runRow(ctx, job, row)
		if errors.Is(err, deskreassign.ErrJobTaken) {
			return nil
		}
		if err != nil {
			return err
		}
		if stop != "" {
			return r.stopRun(ctx, job, stop)
		}
	}
	return r.Store.ReleaseJob(context.WithoutCancel(ctx), job.ID, r.Owner)
}

// runRow runs one row. It reads the user again for each row, because their permissions can change during a run. stop
// says why they may no longer reassign leads.
func (r *Runner) runRow(ctx context.Context, job lead.Job, row lead.JobRow) (stop string, err error) {
	bulk, err := r.Desks.BulkReassignmentsForJob(ctx, job)
	switch {
	case fault.Is(err, fault.Denied) && job.Kind == lead.JobRule:
		return fault.Public(err), nil
	case fault.Is(err, fault.Denied):
		return "Your role no longer includes this", nil
	case err != nil:
		return "", err
	}
	// A row that has begun is finished even if the context ends.
	return "", bulk.ExecuteRow(desk.InBackground(context.WithoutCancel(ctx), job.Company), job, row)
}

func (r *Runner) stopRun(ctx context.Context, job lead.Job, why string) error {
	if err := r.Desks.StopRun(ctx, job, why); err != nil {
		return err
	}
	return r.Store.ReleaseJob(ctx, job.ID, r.Owner)
}
