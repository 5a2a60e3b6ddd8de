// Package watch keeps what the portal knows of its leads true.
//
//	lendersync.go      the loops and their owner
//	webhook.go      webhooks: hints, taken quickly and trusted for nothing
//	refresh_queue.go       leads that wait to be read, each once
//	refresh.go    one lead read anew, coalesced; save_reading.go, what is kept of it;
//	part.go, its sealed parts; echo.go, whether the lender echoes
//	notify.go       what somebody must hear of without looking, told once
//	merge.go      what the lender's details change on a lead; pure
//	cadence.go    when to look again; pure
//	sweep.go      what has come due: refreshes, clocks, crashed writes; retention.go, retention;
//	retention_audit.go, of the audit
//	unknown_application.go   applications that no lead stands for, perhaps a lost start
//	directory.go  the lender's originators; directory_judge.go, what a complete read of them changes;
//	mismatch.go, originators whom the lender names and nobody lists
//	lender_health.go      whether the lender answers
//
// A refresh announces a change only after everything the new step needs is kept.
package lendersync

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Deps are what a Watch stands on.
type Deps struct {
	Store        *store.Store
	Vault        *vault.Vault
	Lender       *partner.Client
	Journal      *journal.Journal
	Hub          *pubsub.Hub
	LenderHealth *LenderHealth
	Now          store.Clock
	Log          *slog.Logger

	// Retention is how long quotes are kept, and leads after their end; zero is as long as the law asks at least.
	Retention time.Duration
}

// Service refreshes leads. Make it with New, run it with Run.
type Service struct {
	Deps
	flights           singleflight.Group
	queue             *refreshQueue
	webhookReceived   chan struct{} // a webhook came: sweep now
	unknownReceived   chan struct{} // a webhook named a stranger: look at it now
	originatorMissing chan struct{} // somebody is not in the directory: read it soon
	lookUps           lookUps       // of originators who are in no directory
	// directory is held by the one read of the directory that is under way.
	directory      chan struct{}
	loggedAuditSeq int64     // the sweep's: the row of the audit that the log names last
	probedAt       time.Time // the sweep's: when it last tried a lender that does not answer
}

// refreshRequest asks for a lead to be read anew, and for some parts of it whatever their age.
type refreshRequest struct {
	app   heloc.AppID
	parts extraParts
}

// extraParts names parts that a refresh fetches besides the details.
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

// New makes a watch that does nothing until Run.
func New(rooms Deps) *Service {
	bell := func() chan struct{} { return make(chan struct{}, 1) }
	return &Service{Deps: rooms, queue: newRefreshQueue(), webhookReceived: bell(), unknownReceived: bell(), originatorMissing: bell(), directory: make(chan struct{}, 1)}
}

// Run watches until the context ends, and waits for what it has begun.
func (w *Service) Run(ctx context.Context) {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { w.refreshWorker(ctx) })
	}
	all.Go(func() { w.sweepLoop(ctx) })
	all.Go(func() { w.unknownApplicationLoop(ctx) })
	all.Go(func() { w.directoryLoop(ctx) })
	all.Wait()
}

// RequestRefresh asks for a lead to be read anew behind the page. It never waits; a wish that
// is pending already is not doubled.
func (w *Service) RequestRefresh(app heloc.AppID, parts ...store.Part) {
	w.queue.add(refreshRequest{app, extrasOf(parts)})
}

func (w *Service) refreshWorker(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case app := <-w.queue.next:
			err := w.refresh(ctx, w.queue.begin(app))
			w.queue.done(app)
			if err != nil && ctx.Err() == nil {
				w.Log.Warn("a lead could not be refreshed", "lead", app, "cause", err.Error())
			}
		}
	}
}

// wakeUp wakes a loop that may be asleep; it never waits.
func wakeUp(bell chan<- struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

func extrasOf(parts []store.Part) extraParts {
	var e extraParts
	for _, p := range parts {
		switch p {
		case store.PartDocuments:
			e |= extraDocuments
		case store.PartProperties:
			e |= extraProperties
		case store.PartConditions, store.PartFunding:
			e |= extraClosing
		}
	}
	return e
}
