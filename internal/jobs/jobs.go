// Package jobs runs work that takes too long for a request: in the name of the user who started it, with that user's
// current permissions, and only once. It also runs the credit re-pulls that were planned for a time.
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
	desklead "hearthline/internal/desk/lead"
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/trace"
)

const rowsPerTurn = 10 // then the jobs of others have their turn

// eventSenders is how many CRMs receive events at the same time: one that does not answer delays few others.
const eventSenders = 4

// Deps are the dependencies of a Runner.
type Deps struct {
	Store *store.Store
	Desks *desk.Service
	Now   store.Clock
	Log   *slog.Logger
	Owner string // identifies this process among others on the same database
	// Mail sends one message that waits to be sent, and reports whether there was one; nil sends none. Notices is the same
	// for emails and browser notifications about leads.
	Mail, Notices func(ctx context.Context) (more bool, err error)
	// Events sends one event to a CRM, and reports whether there was one; nil sends none.
	Events func(ctx context.Context) (more bool, err error)
	// Reencrypt reencrypts a batch of values from older keys to the current ones, and reports whether there is more; nil
	// for none.
	Reencrypt func(ctx context.Context) (more bool, err error)
}

// Runner runs jobs. Create it with New, start it with Run.
type Runner struct{ Deps }

// New returns a Runner that does nothing until Run.
func New(deps Deps) *Runner { return &Runner{deps} }

// loop is work that is done at an interval.
type loop struct {
	every  time.Duration
	duty   string // of one process of several; "" if every process does it, because it claims each piece
	do     func(ctx context.Context) error
	failed string // what is logged
}

// The duties. Each is work that one of the processes on a database does.
const (
	rulesDuty     = "assignment rules"
	monthlyDuty   = "monthly summaries"
	reencryptDuty = "re-encryption"
)

// Run runs jobs until the context ends. It finishes the current row and the current attempt.
func (r *Runner) Run(ctx context.Context) {
	loops := []loop{
		{500 * time.Millisecond, "", r.runJobs, ""},
		// a run of many leads may take long, and a re-pull that is due at a certain minute must not wait for it
		{time.Second, "", r.RunDueRepulls, "the planned re-pulls could not be requested"},
		{15 * time.Second, rulesDuty, r.RunAssignmentRules, "the assignment rules could not be applied"},
		{15 * time.Second, "", r.StartReturns, "the leads of those who are back could not be returned"},
	}
	if r.Mail != nil {
		loops = append(loops, loop{time.Second, "", r.empty(r.Mail), ""},
			loop{time.Minute, monthlyDuty, r.Desks.SendMonthlyReports, "the monthly summaries could not be written"})
	}
	if r.Notices != nil {
		loops = append(loops, loop{time.Second, "", r.empty(r.Notices), ""})
	}
	if r.Events != nil {
		for range eventSenders {
			loops = append(loops, loop{time.Second, "", r.empty(r.Events), ""})
		}
	}
	var all sync.WaitGroup
	for _, l := range loops {
		all.Go(func() { r.repeat(ctx, l) })
	}
	if r.Reencrypt != nil {
		all.Go(func() { r.reencryptLoop(ctx) })
	}
	all.Wait()
	for _, name := range []string{rulesDuty, monthlyDuty, reencryptDuty} {
		r.Store.Duty(name, r.Owner).Leave(ctx, r.Log)
	}
}

// repeat does the work of a loop until the context ends.
func (r *Runner) repeat(ctx context.Context, l loop) {
	tick := time.NewTicker(l.every)
	defer tick.Stop()
	for l.duty == "" || r.Store.Duty(l.duty, r.Owner).Await(ctx, r.Log, nil) {
		if err := l.do(ctx); err != nil && ctx.Err() == nil {
			r.Log.Error(l.failed, "cause", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// RunAssignmentRules decides who gets the unassigned leads of the companies whose rules are on, and adds the runs that
// reassign them. While the lender is down it decides nothing, because the reasons would be old when a run begins.
func (r *Runner) RunAssignmentRules(ctx context.Context) error {
	if r.Desks.SendingPaused() {
		return nil
	}
	return r.Desks.RunAssignmentRules(ctx)
}

// StartReturns starts the runs that give back the leads of those who are back. While the lender is down, it
// waits, because its decisions would be stale by the time a run began.
func (r *Runner) StartReturns(ctx context.Context) error {
	if r.Desks.SendingPaused() {
		return nil
	}
	return r.Desks.StartReturns(ctx)
}

// empty returns a function that empties an outbox. A message that fails is retried later.
func (r *Runner) empty(deliver func(ctx context.Context) (more bool, err error)) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		for more := true; more && ctx.Err() == nil; {
			var err error
			if more, err = deliver(ctx); err != nil && ctx.Err() == nil {
				r.Log.Warn("an email, a notification or an event could not be sent", "cause", err.Error())
			}
		}
		return nil
	}
}

const (
	// batchPause leaves time for user requests between two batches, each of which blocks the database's one writer.
	batchPause = 25 * time.Millisecond
	// reencryptRetry is how soon a failed batch is retried.
	reencryptRetry = time.Minute
)

// reencryptLoop runs until everything is reencrypted or the context ends. Keys change only with a restart, so nothing
// is added later.
func (r *Runner) reencryptLoop(ctx context.Context) {
	duty := r.Store.Duty(reencryptDuty, r.Owner)
	for more, pause := true, batchPause; more && duty.Await(ctx, r.Log, nil); pause = batchPause {
		var err error
		if more, err = r.Reencrypt(ctx); err != nil && ctx.Err() == nil {
			r.Log.Error("the values under older keys could not be reencrypted", "cause", err.Error())
			more, pause = true, reencryptRetry
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// runJobs runs jobs until none are waiting.
func (r *Runner) runJobs(ctx context.Context) error {
	for more := true; more; {
		more = r.runNext(ctx)
	}
	return nil
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

const (
	dueBatch = 20
	// maxAttemptTime is longer than any call: the process of an attempt that began earlier is gone.
	maxAttemptTime = 2 * time.Minute
)

// RunDueRepulls requests the credit reports that are due, each plan at most once and in the name of its user. It may
// run in several processes: each plan is claimed in a separate transaction before anything else happens, so whatever
// stops an attempt, no second one follows.
func (r *Runner) RunDueRepulls(ctx context.Context) error {
	now := r.Now()
	due, err := r.Store.RepullsDue(ctx, now, now.Add(-maxAttemptTime), dueBatch)
	if err != nil {
		return err
	}
	var failed []error
	for _, plan := range due {
		failed = append(failed, r.runRepull(ctx, plan))
	}
	return errors.Join(failed...)
}

func (r *Runner) runRepull(ctx context.Context, plan lead.Repull) error {
	if plan.State == lead.RepullTrying {
		return r.skipPlan(ctx, plan, desklead.RepullSkippedInterrupted)
	}
	if r.Desks.SendingPaused() {
		return nil // it stays due until the lender is back
	}
	plan.State, plan.TriedAt = lead.RepullTrying, store.Millis(r.Now())
	claimed := false
	err := r.Store.Write(ctx, func(tx *store.Tx) (err error) {
		claimed, err = tx.UpdateRepullState(ctx, plan, lead.RepullWaiting)
		return err
	})
	if err != nil || !claimed {
		return err
	}
	// From here on, finish the attempt even if the context ends.
	ctx = context.WithoutCancel(ctx)
	l, why, err := r.leadOf(ctx, plan)
	if err == nil && why == "" {
		ctx = desk.InBackground(ctx, l.Row().Company)
	}
	var op lead.Operation
	if err == nil && why == "" {
		op, why, err = l.ExecutePlannedRepull(ctx, plan)
	}
	switch {
	case fault.Is(err, fault.Denied):
		return r.skipPlan(ctx, plan, desklead.RepullSkippedPerson)
	case err != nil:
		return errors.Join(err, r.skipPlan(ctx, plan, desklead.RepullSkippedInterrupted))
	case why != "":
		return r.skipPlan(ctx, plan, why)
	}
	plan.State, plan.Outcome = lead.RepullDone, op.ID
	notices := map[lead.OpState]string{lead.OpRejected: desklead.RepullRejected,
		lead.OpUnknown: desklead.RepullUnknown}[op.State]
	return r.Desks.FinishRepull(ctx, plan, notices)
}

// leadOf opens the lead at the desk of the plan's user, with their current permissions.
func (r *Runner) leadOf(ctx context.Context, plan lead.Repull) (l *desk.Lead, why string, err error) {
	who, err := r.Store.User(ctx, plan.UserID)
	if fault.Is(err, fault.NotFound) || err == nil && who.Disabled {
		return nil, desklead.RepullSkippedPerson, nil
	}
	if err != nil {
		return nil, "", err
	}
	l, err = r.Desks.For(who.Actor).Lead(ctx, string(plan.App))
	if !fault.Is(err, fault.NotFound) {
		return l, "", err
	}
	row, err := r.Store.AnyLead(ctx, plan.App)
	switch {
	case err == nil && row.Originator == plan.Originator && who.OriginatorUUID != string(plan.Originator):
		return nil, desklead.RepullSkippedPerson, nil // they no longer cover for the lead's originator
	case err != nil && !fault.Is(err, fault.NotFound):
		return nil, "", err
	default:
		return nil, desklead.RepullSkippedOwner, nil
	}
}

// skipPlan ends a plan without a request and notifies the user of the reason.
func (r *Runner) skipPlan(ctx context.Context, plan lead.Repull, why string) error {
	plan.State, plan.Outcome = lead.RepullSkipped, why
	return r.Desks.FinishRepull(ctx, plan, why)
}
