// Package watch keeps what the portal knows of its leads true.
//
//	watch.go      the loops and their owner
//	inbox.go      webhooks: hints, taken quickly and trusted for nothing
//	line.go       leads that wait to be read, each once
//	refresh.go    one lead read anew, coalesced; keep.go, what is kept of it;
//	part.go, its sealed parts; echo.go, whether the lender echoes
//	tell.go       what somebody must hear of without looking, told once
//	merge.go      what the lender's details change on a lead; pure
//	cadence.go    when to look again; pure
//	sweep.go      what has come due: refreshes, clocks, crashed writes; clean.go, retention;
//	clean_audit.go, of the audit
//	stranger.go   applications that no lead stands for, perhaps a lost start
//	directory.go  the lender's originators; directory_judge.go, what a complete read of them changes;
//	mismatch.go, originators whom the lender names and nobody lists
//	pulse.go      whether the lender answers
//
// A refresh announces a change only after everything the new step needs is kept.
package watch

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/journal"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Rooms are what a Watch stands on.
type Rooms struct {
	Store   *store.Store
	Vault   *vault.Vault
	Lender  *partner.Client
	Journal *journal.Journal
	Hub     *hub.Hub
	Pulse   *Pulse
	Now     store.Clock
	Log     *slog.Logger

	// Retention is how long quotes are kept, and leads after their end; zero is as long as the law asks at least.
	Retention time.Duration
}

// Watch refreshes leads. Make it with New, run it with Run.
type Watch struct {
	Rooms
	flights singleflight.Group
	line    *line
	hinted  chan struct{} // a webhook came: sweep now
	met     chan struct{} // a webhook named a stranger: look at it now
	missed  chan struct{} // somebody is not in the directory: read it soon
	lookUps lookUps       // of originators who are in no directory
	// directory is held by the one read of the directory that is under way.
	directory chan struct{}
	told      int64     // the sweep's: the row of the audit that the log names last
	probed    time.Time // the sweep's: when it last tried a lender that does not answer
}

// wish asks for a lead to be read anew, and for some parts of it whatever their age.
type wish struct {
	app   heloc.AppID
	parts extra
}

// extra names parts that a refresh fetches besides the details.
type extra uint8

const (
	extraDocuments extra = 1 << iota
	extraProperties
	extraClosing // conditions and funding
)

func (e extra) covers(other extra) bool { return e&other == other }

const (
	workers    = 4
	sweepEvery = 500 * time.Millisecond
)

// New makes a watch that does nothing until Run.
func New(rooms Rooms) *Watch {
	bell := func() chan struct{} { return make(chan struct{}, 1) }
	return &Watch{Rooms: rooms, line: newLine(), hinted: bell(), met: bell(), missed: bell(), directory: make(chan struct{}, 1)}
}

// Run watches until the context ends, and waits for what it has begun.
func (w *Watch) Run(ctx context.Context) {
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { w.work(ctx) })
	}
	all.Go(func() { w.sweepLoop(ctx) })
	all.Go(func() { w.strangerLoop(ctx) })
	all.Go(func() { w.directoryLoop(ctx) })
	all.Wait()
}

// Wish asks for a lead to be read anew behind the page. It never waits; a wish that
// is pending already is not doubled.
func (w *Watch) Wish(app heloc.AppID, parts ...store.Part) { w.line.join(wish{app, extrasOf(parts)}) }

func (w *Watch) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case app := <-w.line.next:
			err := w.refresh(ctx, w.line.take(app))
			w.line.done(app)
			if err != nil && ctx.Err() == nil {
				w.Log.Warn("a lead could not be refreshed", "lead", app, "cause", err.Error())
			}
		}
	}
}

// ring wakes a loop that may be asleep; it never waits.
func ring(bell chan<- struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}

func extrasOf(parts []store.Part) extra {
	var e extra
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
