// Package journal knows what happened to a write, and it alone.
//
//	journal.go  one write from form to verdict
//	admit.go    who may still write, and the lead taken for it
//	send.go     the call, and its verdict written down
//	repeat.go    the same form once more
//	operation_id.go   operation ids, bound to person, kind, lead and step
//	verdict.go  what an answer, or its absence, means
//	accept.go   what an accepted operation does to its lead
//	create_lead.go    the lead that comes of a start, answered or found
//	aad.go   where sealed values lie; blind_index.go, what leads are found by unopened
//	messages.go    what the lender said, sealed
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
	"log/slog"
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
	OperationID   string // as the form carried it
	Kind          heloc.Operation
	Actor         access.Actor
	App           heloc.AppID // empty for a start
	DraftID       string
	DigestContent []string           // everything that is sent, the SSN by its presence alone
	Target        heloc.OriginatorID // of a reassignment: who is to have the lead
	Undoes        string             // the person's own reassignment that this one takes back
	DepartureRun  string             // the run by which an administrator hands on the leads of who has left
	DuplicateKey  string             // by the present key
	Consent       *store.Consent

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
	leaseDuration     = 30 * time.Second
	heartbeatInterval = 10 * time.Second
)

// Execute carries a write from form to verdict. The operation it returns is in one of the
// states succeeded, rejected, not sent or unknown, or is still sent by another request
// of the same form. Errors: fault.Invalid for a ticket that is not this person's,
// fault.Conflict for other content, an older step or a lead that is being written.
func (j *Journal) Execute(ctx context.Context, in Intent, send Send, effect Effect) (store.Operation, error) {
	id, mark, err := j.parseOperationID(in)
	if err != nil {
		return store.Operation{}, err
	}
	// The deed outlives the browser that asked for it.
	ctx = context.WithoutCancel(ctx)
	op, first, err := j.prepare(ctx, in, id, mark)
	if err != nil {
		return op, err
	}
	if !first {
		return j.answerRepeat(ctx, op, in)
	}
	defer j.unregisterRunning(id)
	return j.sendPrepared(ctx, op, send, effect)
}

// prepare writes the operation down as prepared, or finds the one that has its id.
func (j *Journal) prepare(ctx context.Context, in Intent, id, mark string) (op store.Operation, first bool, err error) {
	err = j.store.Write(ctx, func(tx *store.Tx) error {
		op, err = tx.Operation(ctx, id)
		if err == nil {
			return nil
		}
		if fault.KindOf(err) != fault.NotFound {
			return err
		}
		if err := reauthorize(ctx, tx, in); err != nil {
			return err
		}
		now := j.now()
		op = store.Operation{
			ID: id, Kind: in.Kind, App: in.App, DraftID: in.DraftID, ActorID: in.Actor.UserID, ActorName: in.Actor.Name,
			Originator: heloc.OriginatorID(in.Actor.OriginatorUUID), Company: store.CompanyOf(in.Actor.BrokerID, in.Actor.Organization),
			Digest: j.digests(in)[0], State: store.OpPrepared, DuplicateKey: in.DuplicateKey, Target: in.Target,
			DuplicateKeyID: j.vault.DigestKey(), CreatedAt: store.Millis(now), LeaseOwner: j.owner, LeaseUntil: store.Millis(now.Add(leaseDuration)),
		}
		if in.Prepare != nil {
			if err := in.Prepare(ctx, tx, id); err != nil {
				return err
			}
		}
		if in.App != "" {
			if err := j.claimLead(ctx, tx, &op, mark); err != nil {
				return err
			}
		}
		if err := tx.AddOperation(ctx, op); err != nil {
			return err
		}
		first = true
		j.registerRunning(id)
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
		j.unregisterRunning(id)
	}
	return op, first && err == nil, err
}
