// Package sandbox is the lender's service, simulated: every endpoint of
// interface.md, every step, webhooks, faults and real documents, in either of the
// two dialects, for teams that integrate with the interface.
//
//	sandbox, config          Open and Close, and what they are told
//	clock, calendar, keys    the settable clock, business days, the key pair
//	record, journal          what is kept of an inquiry; the append-only state file
//	directory, licence       120 originators in broker companies; who may lend where
//	hurdle, judge, work      triggers, the numbers judged at the start, processing
//	price, quote, debt, lien offers, re-quotes, liabilities and loans on the home
//	routes, gate, answer     the route table, keys and faults, envelopes and refusals
//	payload, rules           reading requests, and what the dialect demands of them
//	inquiry_*                one operation of the interface each
//	details_*                the details resource, block by block
//	document_*, prequalify   PDFs and zips; estimates without a key
//	control_*, life, webhook the /_sandbox/ half: events, faults, calls, the page
//
// No broker is licensed in Hawaii, North Dakota, Vermont and West Virginia, so that
// the refusal can be met; every other state and DC is open. README.md beside this
// file is the manual. The state file holds what was submitted, apart from the SSN,
// of which only a verdict is kept; nothing submitted is ever logged.
package sandbox

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/jwe"
)

// Sandbox is a running simulator. Its goroutines end with Close.
type Sandbox struct {
	cfg       Config
	log       *slog.Logger
	clock     *clock
	directory *directory
	patterns  *patterns
	routes    *http.ServeMux

	opener  *jwe.Opener      // opens what partners encrypt for us
	sealer  *jwe.LocalSealer // encrypts for ourselves: the encrypt endpoint
	partner *jwe.LocalSealer // encrypts for the partner; nil when no key is known

	calls    *calls
	faults   *faults
	webhooks *webhookSender

	mu         sync.Mutex // guards what follows, and every record in it
	state      *stateFile
	records    map[string]*inquiryRecord
	order      []string // appUuids, oldest first
	sequence   map[string]int
	processing time.Duration

	done  chan struct{}  // closed by Close; every goroutine watches it
	wg    sync.WaitGroup // every goroutine is counted here
	close func() error
}

// Open starts a sandbox on the state in cfg.Dir, which is made when missing.
// Inquiries whose processing was under way go on from where they were.
func Open(cfg Config) (*Sandbox, error) {
	cfg, err := withDefaults(cfg)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{
		cfg: cfg, log: cfg.Log, clock: &clock{source: cfg.Now}, directory: newDirectory(), patterns: newPatterns(),
		calls: newCalls(), faults: &faults{}, records: map[string]*inquiryRecord{}, sequence: map[string]int{},
		processing: cfg.Processing, done: make(chan struct{}),
	}
	if err := s.openKeys(); err != nil {
		return nil, fmt.Errorf("sandbox keys: %w", err)
	}
	s.state, err = openStateFile(cfg.Dir, s.addRecord)
	if err != nil {
		return nil, fmt.Errorf("sandbox state: %w", err)
	}
	s.close = sync.OnceValue(s.doClose)
	s.webhooks = newWebhookSender(s)
	s.routes = s.newMux()
	s.resume()
	return s, nil
}

// Close ends processing and webhooks, waits for them and closes the state file.
// What was under way goes on when the state is opened again.
// A second Close says what the first one said.
func (s *Sandbox) Close() error { return s.close() }

func (s *Sandbox) doClose() error {
	close(s.done)
	s.wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.close(s.snapshot)
}

// lifetimeContext is a context that ends with the sandbox, or when cancelled. The caller is a
// goroutine that is counted, so another one may be.
func (s *Sandbox) lifetimeContext() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	s.wg.Go(func() {
		select {
		case <-s.done:
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, cancel
}

// Handler answers the interface and, to loopback callers, /_sandbox/.
func (s *Sandbox) Handler() http.Handler { return s.routes }

// PublicKeyPEM is the key that partners encrypt for.
func (s *Sandbox) PublicKeyPEM() []byte { return s.opener.PublicPEM() }

// SetProcessing changes how long processing takes from now on; zero settles an
// operation before it is answered, which is what seeding wants.
func (s *Sandbox) SetProcessing(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processing = d
}

// Originators lists the directory, in its order.
func (s *Sandbox) Originators() []heloc.Originator {
	return append([]heloc.Originator(nil), s.directory.all...)
}
