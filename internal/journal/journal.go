// Package journal knows what happened to a write, and it alone.
//
//	journal.go  one write from form to verdict
//	ticket.go   operation ids, bound to person, kind, lead and step
//	verdict.go  what an answer, or its absence, means
//	accept.go   what an accepted operation does to its lead
//	birth.go    the lead that comes of a start, answered or found
//	sealed.go   where sealed values lie; mark.go, what leads are found by unopened
//	words.go    what the lender said, sealed
//	settle.go   how an unknown outcome becomes known
//	recover.go  what a crash leaves behind
//
// An operation is written down before the lender is called and after it has answered,
// each time in a committed transaction: prepared → sent → succeeded, rejected, not sent
// or unknown. No write is ever repeated here. The same operation id gives the first
// result again; one write at a time goes to a lead.
package journal

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Journal runs writes. Make it with New.
type Journal struct {
	store *store.Store
	vault *vault.Vault
	now   store.Clock
	owner string // this process, as the owner of leases

	// Log is told what a person cannot be: an answer that could not be kept. It may be nil.
	Log *slog.Logger

	mu      sync.Mutex
	running map[string]chan struct{} // closed when the operation has its verdict
}

// New makes a journal. owner names this process among others on the same database.
func New(s *store.Store, v *vault.Vault, now store.Clock, owner string) *Journal {
	return &Journal{store: s, vault: v, now: now, owner: owner, running: make(map[string]chan struct{})}
}

// Intent is a write that a person asks for.
type Intent struct {
	Ticket       string // as the form carried it
	Kind         heloc.Operation
	Actor        access.Actor
	App          heloc.AppID // empty for a start
	DraftID      string
	Content      []string           // everything that is sent, the SSN by its presence alone
	Target       heloc.OriginatorID // of a reassignment: who is to have the lead
	Undoes       string             // the person's own reassignment that this one takes back
	Departure    string             // the run by which an administrator hands on the leads of who has left
	DuplicateKey string             // by the present key
	Consent      *store.Consent

	// Prepare runs once, in the transaction that writes the operation down, before
	// anything is sent; its error undoes both. A form that is sent twice prepares once.
	Prepare func(ctx context.Context, tx *store.Tx, id string) error
}

// Send calls the lender once. It is given the operation's id and must not retry.
type Send func(ctx context.Context, id string) Outcome

// Effect writes what follows from an accepted operation, in the transaction that
// records the verdict.
type Effect func(ctx context.Context, tx *store.Tx, op *store.Operation) error

const (
	leaseTime = 30 * time.Second
	beatEvery = 10 * time.Second
)

// Run carries a write from form to verdict. The operation it returns is in one of the
// states succeeded, rejected, not sent or unknown, or is still sent by another request
// of the same form. Errors: fault.Invalid for a ticket that is not this person's,
// fault.Conflict for other content, an older step or a lead that is being written.
func (j *Journal) Run(ctx context.Context, in Intent, send Send, effect Effect) (store.Operation, error) {
	id, mark, err := j.readTicket(in)
	if err != nil {
		return store.Operation{}, err
	}
	// The deed outlives the browser that asked for it.
	ctx = context.WithoutCancel(ctx)
	op, first, err := j.begin(ctx, in, id, mark)
	if err != nil {
		return op, err
	}
	if !first {
		return j.again(ctx, op, in)
	}
	defer j.done(id)
	return j.carry(ctx, op, send, effect)
}

// begin writes the operation down as prepared, or finds the one that has its id.
func (j *Journal) begin(ctx context.Context, in Intent, id, mark string) (op store.Operation, first bool, err error) {
	err = j.store.Write(ctx, func(tx *store.Tx) error {
		op, err = tx.Operation(ctx, id)
		if err == nil {
			return nil
		}
		if fault.KindOf(err) != fault.NotFound {
			return err
		}
		if err := present(ctx, tx, in); err != nil {
			return err
		}
		now := j.now()
		op = store.Operation{
			ID: id, Kind: in.Kind, App: in.App, DraftID: in.DraftID, ActorID: in.Actor.UserID, ActorName: in.Actor.Name,
			Originator: heloc.OriginatorID(in.Actor.OriginatorUUID), Company: store.CompanyOf(in.Actor.BrokerID, in.Actor.Organization),
			Digest: j.digests(in)[0], State: store.OpPrepared, DuplicateKey: in.DuplicateKey, Target: in.Target,
			DuplicateUnder: j.vault.DigestKey(), CreatedAt: store.Millis(now), LeaseOwner: j.owner, LeaseUntil: store.Millis(now.Add(leaseTime)),
		}
		if in.Prepare != nil {
			if err := in.Prepare(ctx, tx, id); err != nil {
				return err
			}
		}
		if in.App != "" {
			if err := j.claim(ctx, tx, &op, mark); err != nil {
				return err
			}
		}
		if err := tx.AddOperation(ctx, op); err != nil {
			return err
		}
		first = true
		j.start(id)
		if in.Consent == nil {
			return nil
		}
		consent := *in.Consent
		consent.OpID, consent.App = id, in.App
		if consent.UserID == "" { // else somebody else took it, before the lead changed hands
			consent.UserID, consent.Originator = op.ActorID, op.Originator
		}
		if consent.At == 0 { // else it was taken before, for this
			consent.At = op.CreatedAt
		}
		return tx.AddConsent(ctx, consent)
	})
	if err != nil && first {
		j.done(id)
	}
	return op, first && err == nil, err
}

// present looks again at who asks, and at the lead's wall, in the transaction that
// writes the operation down: between the first look and the last byte of a form a person
// can lose the lead, the role or the account.
func present(ctx context.Context, tx *store.Tx, in Intent) error {
	user, err := tx.User(ctx, in.Actor.UserID)
	if err != nil {
		return err
	}
	if in.Departure != "" {
		return departing(ctx, tx, user, in)
	}
	now, then := user.Actor, in.Actor
	if user.Disabled || now.Role != then.Role || now.OriginatorUUID != then.OriginatorUUID || now.BrokerID != then.BrokerID || now.Organization != then.Organization {
		return fault.New(fault.Denied, "Your account has changed since this page was shown. Nothing was sent. Sign in again.")
	}
	switch {
	case in.App == "":
		return nil
	case in.Undoes != "":
		return handedOver(ctx, tx, in)
	}
	_, err = tx.Lead(ctx, now.Scope(), in.App)
	return err
}

// departing lets an administrator at a lead that a run of theirs hands on, because its
// originator's account was closed: they open no lead, and for nothing else.
func departing(ctx context.Context, tx *store.Tx, user access.User, in Intent) error {
	if user.Disabled || !user.Can(access.ManagePeople) || in.Kind != heloc.OpReassign {
		return fault.New(fault.Denied, "Your account has changed. Nothing was sent.")
	}
	job, err := tx.Job(ctx, store.SeatOf(user.Actor), in.Departure)
	if err != nil {
		return err
	}
	rows, err := tx.JobRows(ctx, job.ID)
	if err != nil {
		return err
	}
	ofRun := func(r store.JobRow) bool { return r.App == in.App }
	if job.Kind != store.JobDeparture || job.Target != in.Target || !slices.ContainsFunc(rows, ofRun) {
		return fault.New(fault.Denied, "This lead is not of that run. Nothing was sent.")
	}
	_, err = tx.Lead(ctx, in.Actor.Scope(), in.App)
	return err
}

// handedOver lets a person at a lead that they handed over themselves and that has left
// their reach by it, within their company: nobody else may take that back. For how long
// they may, Prepare judges.
func handedOver(ctx context.Context, tx *store.Tx, in Intent) error {
	op, err := tx.Operation(ctx, in.Undoes)
	if err != nil {
		return err
	}
	lead, err := tx.AnyLead(ctx, in.App)
	if err != nil {
		return err
	}
	ours := op.Kind == heloc.OpReassign && in.Kind == heloc.OpReassign && op.App == in.App && op.ActorID == in.Actor.UserID &&
		(op.State == store.OpSucceeded || op.State == store.OpConfirmed) &&
		lead.Company == store.CompanyOf(in.Actor.BrokerID, in.Actor.Organization)
	if !ours {
		return fault.New(fault.NotFound, "This does not exist, or not for you.")
	}
	return nil
}

// claim takes the lead for this one write and refuses a form from an older step.
func (j *Journal) claim(ctx context.Context, tx *store.Tx, op *store.Operation, mark string) error {
	lead, err := tx.AnyLead(ctx, op.App)
	if err != nil {
		return err
	}
	now := j.now()
	if op.Kind.MovesStep() && op.Kind != heloc.OpCancel {
		if mark != Mark(lead) {
			return fault.New(fault.Conflict, "The lead has moved on since this page was shown. Nothing was sent. Look at where it stands now.")
		}
		if err := free(ctx, tx, lead, now); err != nil {
			return err
		}
	}
	op.StepBefore, op.HistoryBefore = lead.Step, lead.HistoryLength
	taken, err := tx.TakeLease(ctx, op.App, op.ID, now, now.Add(leaseTime))
	if err != nil {
		return err
	}
	if !taken {
		return fault.New(fault.Conflict, "Something else is being sent for this lead just now. Nothing more was sent; look again in a moment.")
	}
	return nil
}

// free refuses another step of a lead whose last one is still the lender's move, or may
// have arrived: two forms of the same step would be two credit pulls.
func free(ctx context.Context, tx *store.Tx, lead store.Lead, now time.Time) error {
	if lead.UnderWayUntil > store.Millis(now) {
		return fault.New(fault.Conflict, "The lender is still working on what was sent last. Nothing more was sent; look again in a moment.")
	}
	unknown, err := tx.UnknownOperations(ctx, lead.App)
	if err != nil {
		return err
	}
	for _, op := range unknown {
		if op.Kind.MovesStep() {
			return fault.New(fault.Conflict, "It is not known yet whether what was sent last has arrived. Nothing more was sent. Wait until that is found out, or give it up on its receipt.")
		}
	}
	return nil
}

// again answers a form that was sent before: the first result for the same content,
// a conflict for any other.
func (j *Journal) again(ctx context.Context, op store.Operation, in Intent) (store.Operation, error) {
	if !j.same(op, in) {
		return j.Opened(op), otherContent()
	}
	patience := time.NewTimer(leaseTime)
	defer patience.Stop()
	select {
	case <-j.verdict(op.ID):
	case <-patience.C:
	}
	op, err := j.store.Operation(ctx, op.ID)
	if err != nil {
		return op, err
	}
	op = j.Opened(op)
	return op, Refusal(op)
}

// carry sends a prepared operation and records its verdict.
func (j *Journal) carry(ctx context.Context, op store.Operation, send Send, effect Effect) (store.Operation, error) {
	if err := j.dispatch(ctx, &op); err != nil {
		return op, err
	}
	stop := j.beat(ctx, op.ID)
	defer stop() // should send panic, the lease must run out
	outcome := send(ctx, op.ID)
	stop()
	return j.conclude(ctx, op, outcome, effect)
}

// dispatch writes the operation down as sent. Whoever was held up for so long that the
// lease ran out sends nothing any more: by now it may have been called not sent, and
// another write may have the lead.
func (j *Journal) dispatch(ctx context.Context, op *store.Operation) error {
	now := j.now()
	err := j.store.Write(ctx, func(tx *store.Tx) error {
		current, err := tx.Operation(ctx, op.ID)
		if err != nil {
			return err
		}
		*op = current
		if current.State != store.OpPrepared {
			return nil
		}
		if current.LeaseUntil <= store.Millis(now) {
			op.State = store.OpNotSent
			return j.close(ctx, tx, op)
		}
		op.State, op.SentAt, op.LeaseUntil = store.OpSent, store.Millis(now), store.Millis(now.Add(leaseTime))
		if err := tx.SaveOperation(ctx, *op); err != nil {
			return err
		}
		return tx.BeatLease(ctx, op.ID, j.owner, now.Add(leaseTime))
	})
	if err == nil && op.State != store.OpSent {
		return Refusal(*op)
	}
	return err
}

// conclude records the verdict with what follows from it. When that cannot be written
// the outcome is unknown here, although the lender has answered: it is found again by
// the lender's echo, or by comparing the details.
func (j *Journal) conclude(ctx context.Context, op store.Operation, outcome Outcome, effect Effect) (store.Operation, error) {
	if outcome.State != store.OpSucceeded {
		effect = nil
	}
	learned := verdict{outcome, store.Millis(j.now()), effect}
	err := j.record(ctx, &op, learned)
	if err == nil {
		return op, Refusal(op)
	}
	learned.State, learned.App = store.OpUnknown, ""
	learned.effect = func(ctx context.Context, tx *store.Tx, _ *store.Operation) error {
		if outcome.App == "" {
			return nil
		}
		return tx.AddStranger(ctx, outcome.App, j.now())
	}
	if again := j.record(ctx, &op, learned); again != nil {
		op.State = store.OpSent // recovery will call it unknown
		return op, errors.Join(err, again)
	}
	if j.Log != nil {
		j.Log.Error("an answer of the lender could not be written down", "operation", op.ID, "cause", err.Error())
	}
	return op, nil
}

// verdict is what is to be written down of a call.
type verdict struct {
	Outcome
	at     int64
	effect Effect // nil for none
}

// record is one transaction with a verdict and its effect. What was settled meanwhile is
// known better than by an answer that never came.
func (j *Journal) record(ctx context.Context, op *store.Operation, v verdict) error {
	return j.store.Write(ctx, func(tx *store.Tx) error {
		current, err := tx.Operation(ctx, op.ID)
		if err != nil {
			return err
		}
		*op = current
		if current.SettledAt != 0 && v.State == store.OpUnknown {
			return tx.FreeLease(ctx, op.App, op.ID)
		}
		op.State, op.HTTPStatus, op.RequestID, op.Messages, op.AnsweredAt = v.State, v.HTTPStatus, v.RequestID, v.Words(), v.at
		if op.Kind == heloc.OpStart && v.App != "" {
			op.App = v.App
		}
		if v.effect != nil && current.State != store.OpConfirmed {
			if err := v.effect(ctx, tx, op); err != nil {
				return err
			}
		}
		kept, err := j.sealed(*op)
		if err != nil {
			return err
		}
		if err := j.close(ctx, tx, &kept); err != nil {
			return err
		}
		op.LeaseOwner, op.LeaseUntil = kept.LeaseOwner, kept.LeaseUntil
		return nil
	})
}

// beat prolongs the lease while the call lasts; stop ends it and waits.
func (j *Journal) beat(ctx context.Context, id string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				// A lost beat only lets the lease run out, which is safe.
				_ = j.store.Write(ctx, func(tx *store.Tx) error { return tx.BeatLease(ctx, id, j.owner, j.now().Add(leaseTime)) })
			}
		}
	}()
	return func() { cancel(); <-ended }
}

func (j *Journal) start(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running[id] = make(chan struct{})
}

func (j *Journal) done(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if c, ok := j.running[id]; ok {
		close(c)
		delete(j.running, id)
	}
}

// verdict is closed once the operation has its verdict, or runs elsewhere.
func (j *Journal) verdict(id string) <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	if c, ok := j.running[id]; ok {
		return c
	}
	c := make(chan struct{})
	close(c)
	return c
}

// First gives the operation that a form has already made; fault.NotFound when it has
// made none, fault.Conflict when it had other content.
func (j *Journal) First(ctx context.Context, in Intent) (store.Operation, error) {
	id, _, err := j.readTicket(in)
	if err != nil {
		return store.Operation{}, err
	}
	op, err := j.store.Operation(ctx, id)
	if err == nil && !j.same(op, in) {
		return j.Opened(op), otherContent()
	}
	return j.Opened(op), err
}

// otherContent refuses a form whose operation was made of other content. When that was
// sent stands on the receipt, in the person's own zone.
func otherContent() error {
	return fault.New(fault.Conflict, "This form was already sent with other content. Nothing more was sent. Open the lead to see what came of it.")
}
