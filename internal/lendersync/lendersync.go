// Package lendersync keeps the portal's leads and directory in sync with the lender.
//
//	lendersync.go     the service and its loops
//	webhook.go        webhooks, which are only hints, also those for unknown applications
//	refresh.go        reads a lead again; cadence.go decides when
//	save_reading.go, part.go, merge.go  store what was read
//	hold.go           what a single reading may not erase or remove
//	settle.go         settles writes of unknown outcome; compares what the borrower was shown with what was booked
//	notify.go, notify_step.go  notify users of changes; notify_due.go, of times that have come
//	sweep.go          finds what is due; retention.go deletes old data
//	adopt.go          adds an application that was not started here, or that a lost start created
//	directory.go, directory_move.go  the lender's originators; mismatch.go, whose lead it is
//	directory_judge.go, directory_additions.go  how many originators one read may remove or add
//	lender_health.go  whether the lender responds, and how its return is noticed
//
// A refresh publishes a change only after it has stored everything that the new step needs.
package lendersync

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/trace"
	"hearthline/internal/vault"
)

// CoverMailer emails those whose cover for a colleague ended in a transaction, Tx.CoversEnded.
type CoverMailer interface {
	SendCoversEnded(ctx context.Context, tx *store.Tx) error
}

// Deps are the dependencies of a Service.
type Deps struct {
	Store        *store.Store
	Vault        *vault.Vault
	Lender       *partner.Client
	Journal      *journal.Journal
	Hub          *pubsub.Hub
	LenderHealth *LenderHealth
	CoverMail    CoverMailer // nil sends nothing
	Now          store.Clock
	Log          *slog.Logger
	SecondLook   time.Duration // between two readings that must agree; zero means ten seconds
	Owner        string        // identifies this process among others on the database; empty if there are no others

	// Retention is how long quotes are stored, and leads after their end. The legal minimum always applies; zero
	// means the minimum.
	Retention time.Duration
}

// Service refreshes leads. Create it with New, start it with Run.
type Service struct {
	Deps
	flights           singleflight.Group
	queue             *refreshQueue
	webhookReceived   chan struct{} // a webhook has arrived: sweep now
	unknownReceived   chan struct{} // a webhook named an unknown application: read it now
	originatorMissing chan struct{} // an originator is not in the directory: read it soon
	lenderChanged     chan struct{} // the lender went down or is back: probe it now if it is down
	lookUps           lookUps       // of originators who are not in the directory
	// directory is a semaphore for the one read of the directory that may run at a time.
	directory      chan struct{}
	loggedAuditSeq int64     // used only by the sweep: the audit row that was last logged
	sweptAt        int64     // used only by the sweep: when it last began, by the wall clock
	probedAt       time.Time // used only by the sweep: when it last probed a lender that is down
	followUpsTo    time.Time // used only by the sweep: until when it has notified of due follow-ups
}

// extraParts are the parts that a refresh fetches besides the details.
type extraParts uint8

const (
	extraDocuments extraParts = 1 << iota
	extraProperties
	extraClosing // conditions and funding
)

func (e extraParts) covers(other extraParts) bool { return e&other == other }

const (
	workers    = 4
	sweepEvery = 500 * time.Millisecond
)

// New returns a Service that does nothing until Run.
func New(deps Deps) *Service {
	signal := func() chan struct{} { return make(chan struct{}, 1) }
	w := &Service{
		Deps: deps, queue: newRefreshQueue(), webhookReceived: signal(), unknownReceived: signal(),
		originatorMissing: signal(), lenderChanged: signal(),
		directory: make(chan struct{}, 1),
	}
	w.LenderHealth.notify(w.healthChanged)
	return w
}

// Run runs all loops until the context ends, and waits for them to stop.
func (s *Service) Run(ctx context.Context) {
	ctx = partner.WithCaller(ctx, partner.Caller{Background: true})
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { s.refreshWorker(ctx) })
	}
	all.Go(func() { s.sweepLoop(ctx) })
	all.Go(func() { s.unknownApplicationLoop(ctx) })
	all.Go(func() { s.directoryLoop(ctx) })
	all.Go(func() { s.probeLoop(ctx) })
	all.Wait()
	s.duty(scheduledDuty).Leave(ctx, s.Log)
}

// Several processes can serve one database. One of them does the scheduled work; the others only read what their own
// users and webhooks ask for.
const (
	scheduledDuty = "lender sync"
	directoryDuty = "directory"
)

func (s *Service) duty(name string) store.Duty { return s.Store.Duty(name, s.Owner) }

// awaitDuty returns when this process does the scheduled work or wake receives a signal; false when the context has
// ended.
func (s *Service) awaitDuty(ctx context.Context, wake <-chan struct{}) bool {
	return s.duty(scheduledDuty).Await(ctx, s.Log, wake)
}

// RequestRefresh requests that a lead be read again in the background, for a user of a company. It never waits, and
// merges with a pending request.
func (s *Service) RequestRefresh(app heloc.AppID, company string, parts ...lead.Part) {
	s.queue.add(refreshRequest{app: app, parts: extrasOf(parts), company: company, asked: true})
}

func (s *Service) refreshWorker(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.queue.wake:
		}
		for s.refreshNext(ctx) {
		}
	}
}

// QueueLength returns how many leads wait to be read again.
func (s *Service) QueueLength() int { return s.queue.length() }

// refreshNext reads the lead whose turn it is, and reports whether there was one.
func (s *Service) refreshNext(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	one, ok := s.queue.next()
	if !ok {
		return false
	}
	ctx, span := trace.StartWork(ctx, "refresh lead")
	defer span.End()
	err := s.refresh(partner.WithCaller(ctx, one.caller()), one)
	s.queue.done(one.app)
	if err != nil && ctx.Err() == nil {
		span.Fail(fault.KindOf(err).String())
		s.Log.WarnContext(ctx, "a lead could not be refreshed", "lead", one.app, "cause", err.Error())
	}
	return true
}

// wakeUp wakes a waiting loop; it never waits.
func wakeUp(signal chan<- struct{}) {
	select {
	case signal <- struct{}{}:
	default:
	}
}

func extrasOf(parts []lead.Part) extraParts {
	var e extraParts
	for _, p := range parts {
		switch p {
		case lead.PartDocuments:
			e |= extraDocuments
		case lead.PartProperties:
			e |= extraProperties
		case lead.PartConditions, lead.PartFunding:
			e |= extraClosing
		}
	}
	return e
}
