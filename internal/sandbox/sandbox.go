// Package sandbox simulates the lender's service: every endpoint of interface.md, every
// step, webhooks, faults and real documents, in either of the two dialects, for teams that
// integrate with the interface. README.md is the manual.
//
//	sandbox, config           Open, Close and Config; clock, calendar, keys
//	inquiry_record            what is stored of an inquiry; state_file, the append-only file
//	directory, license        120 originators in broker companies; licensed states
//	trigger, underwrite       triggers and the checks at the start; processing
//	price, quote, payment     offers, re-quotes; loan amounts and payments, computed without the portal's code
//	debt, lien                liabilities and loans on the home
//	routes, middleware        the route table, keys and faults; response, envelopes
//	payload, validation       reading and validating requests
//	inquiry_*, details_*      the operations of the interface; the details resource
//	document_*, prequalify    PDFs and zips; estimates without a key
//	control, played_events, faults   the /_sandbox/ endpoints and page; calls, webhook
//
// The state file contains what was submitted, except the SSN, of which only a verdict is
// stored. Submitted data is never logged.
//
// The package is large on purpose: it is one state machine over one record, shared by nothing else.
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
	terms     loanTerms
	routes    *http.ServeMux

	opener  *jwe.Opener      // decrypts what partners encrypt for us
	sealer  *jwe.LocalSealer // encrypts with our own key, for the encrypt endpoint
	partner *jwe.LocalSealer // encrypts for the partner; nil without a partner key

	calls    *calls
	faults   *faults
	webhooks *webhookSender

	mu         sync.Mutex // guards the fields below, and every record
	state      *stateFile
	records    map[string]*inquiryRecord
	order      []string // appUuids, oldest first
	sequence   map[string]int
	processing time.Duration

	done  chan struct{}  // closed by Close; every goroutine waits for it
	wg    sync.WaitGroup // counts every goroutine
	close func() error
}

// Open starts a sandbox with the state in cfg.Dir, which it creates if missing. Inquiries
// that were being processed continue.
func Open(cfg Config) (*Sandbox, error) {
	cfg, err := withDefaults(cfg)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(lenderZone)
	if err != nil {
		return nil, fmt.Errorf("sandbox time zone: %w", err)
	}
	s := &Sandbox{
		cfg: cfg, log: cfg.Log, clock: &clock{source: cfg.Now, zone: zone}, directory: newDirectory(),
		patterns: newPatterns(cfg.Dialect),
		terms:    loanTerms{feeDeducted: cfg.FeeMethod == string(heloc.FeeDeducted), drawYears: cfg.DrawYears},
		calls:    newCalls(), faults: &faults{}, records: map[string]*inquiryRecord{}, sequence: map[string]int{},
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

// Close ends processing and webhooks, waits for them and closes the state file. Pending
// processing continues when the state is opened again. A second Close returns the same
// result as the first.
func (s *Sandbox) Close() error { return s.close() }

func (s *Sandbox) doClose() error {
	close(s.done)
	s.wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state.close(s.snapshot)
}

// lifetimeContext returns a context that ends with the sandbox or when canceled. Only a
// goroutine counted in wg may call it, because it adds another one.
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

// Handler serves the interface and, to loopback callers, /_sandbox/.
func (s *Sandbox) Handler() http.Handler { return s.routes }

// PublicKeyPEM is the key with which partners encrypt.
func (s *Sandbox) PublicKeyPEM() []byte { return s.opener.PublicPEM() }

// SetProcessing changes the processing time of later operations; zero finishes an operation
// before its response, which seeding needs.
func (s *Sandbox) SetProcessing(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processing = d
}

// Originators lists the directory in its order.
func (s *Sandbox) Originators() []heloc.Originator {
	return append([]heloc.Originator(nil), s.directory.all...)
}
