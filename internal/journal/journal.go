// Package journal records every write to the lender, and only the journal decides its outcome.
//
//	journal.go       one write, from form to verdict: Execute makes the call
//	admit.go         checks the user again; claim_lead.go refuses a form from an older step or sent during another write
//	send.go, verdict.go       stores the result of the call and extends its lease; what a response means
//	operation_id.go, repeat.go  operation ids, and forms that are sent again
//	accept.go, create_lead.go, copy_notes.go  what an accepted operation changes
//	settle.go, recover.go     unknown outcomes, and recovery after a crash
//	messages.go, blind_index.go  encrypted messages, blind indexes
//	part.go          what is remembered of a choice and of a lead's last reading
//
// The journal stores an operation before it calls the lender and again after the response, each time in a committed
// transaction: sent → succeeded, rejected, not sent or unknown. It never repeats a write. The same
// operation id returns the first result again, and only one write at a time goes to a lead.
package journal

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Journal executes writes. Create it with New.
type Journal struct {
	store *store.Store
	vault *vault.Vault
	now   store.Clock
	owner string // identifies this process as the owner of leases

	// Log receives errors that no user sees: a response that could not be stored. It may be nil.
	Log *slog.Logger

	mu      sync.Mutex
	running map[string]chan struct{} // closed when the operation has its verdict
}

// New returns a journal. owner identifies this process among others on the same database.
func New(s *store.Store, v *vault.Vault, now store.Clock, owner string) *Journal {
	return &Journal{store: s, vault: v, now: now, owner: owner, running: make(map[string]chan struct{})}
}

// Intent is a write that a user requests.
type Intent struct {
	OperationID   string // the signed operation id from the form
	Kind          heloc.Operation
	Actor         access.Actor
	App           heloc.AppID // empty for a start
	DraftID       string
	DigestContent []string           // everything that is sent; of the SSN only whether it is present
	Target        heloc.OriginatorID // the new originator of a reassignment
	Undoes        string             // the user's own reassignment that this one undoes
	DepartureRun  string             // the run with which an administrator reassigns the leads of a departed user
	DuplicateKey  string             // under the current key
	Consent       *lead.Consent

	// Prepare runs once, in the transaction that stores the operation, before anything is sent. Its error rolls both
	// back. A form that is sent twice runs Prepare once. The row is the lead as it is now; the zero value for a start.
	Prepare func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error
}

// Send calls the lender once, with the operation's id, and reports how far the call got. It must not retry.
type Send func(ctx context.Context, id string) heloc.CallResult

// Effect stores the consequences of an accepted operation, in the transaction that records the verdict.
type Effect func(ctx context.Context, tx *store.Tx, op *lead.Operation) error

const (
	leaseDuration     = 30 * time.Second
	heartbeatInterval = 10 * time.Second
)

// Execute executes a write from form to verdict. The operation that it returns is succeeded, rejected, not sent or
// unknown, or still sent by another request of the same form. Errors: fault.Invalid for an operation id that is not
// this user's, fault.Conflict for different content, an older step, or a lead with another write in progress.
func (j *Journal) Execute(ctx context.Context, in Intent, send Send, effect Effect) (lead.Operation, error) {
	id, fingerprint, err := j.parseOperationID(in)
	if err != nil {
		return lead.Operation{}, err
	}
	// The write continues even if the browser disconnects.
	ctx = context.WithoutCancel(ctx)
	op, first, err := j.prepare(ctx, in, id, fingerprint)
	if err != nil {
		return lead.Operation{}, err
	}
	if !first {
		return j.answerRepeat(ctx, op, in)
	}
	defer j.unregisterRunning(id)
	stop := j.extendLeaseUntilStopped(ctx, op.ID)
	defer stop() // if send panics, the lease must expire
	got := send(ctx, op.ID)
	stop()
	return j.recordResult(ctx, op, got, effect)
}

// prepare stores the operation as sent, or finds the existing one with its id. The transaction reads the clock, so that
// however long it has waited for its turn, the lease is fresh when the call begins.
func (j *Journal) prepare(ctx context.Context, in Intent,
	id, fingerprint string) (op lead.Operation, first bool, err error) {
	err = j.store.Write(ctx, func(tx *store.Tx) error {
		open, err := tx.OperationAndOpen(ctx, id, in.App)
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(open, func(o lead.Operation) bool { return o.ID == id }); i >= 0 {
			op = open[i]
			return nil
		}
		row, err := reauthorize(ctx, tx, in)
		if err != nil {
			return err
		}
		now := j.now()
		op = lead.Operation{
			ID: id, Kind: in.Kind, App: in.App, DraftID: in.DraftID, ActorID: in.Actor.UserID, ActorName: in.Actor.Name,
			Originator: heloc.OriginatorID(in.Actor.OriginatorUUID),
			Company:    access.CompanyOf(in.Actor.BrokerID, in.Actor.Organization),
			Digest:     j.digests(in)[0], State: lead.OpSent, DuplicateKey: in.DuplicateKey, Target: in.Target,
			DuplicateKeyID: j.vault.DigestKey(), CreatedAt: store.Millis(now), SentAt: store.Millis(now), LeaseOwner: j.owner,
			LeaseUntil: store.Millis(now.Add(leaseDuration)),
		}
		if in.Prepare != nil {
			if err := in.Prepare(ctx, tx, row, id); err != nil {
				return err
			}
		}
		if in.App != "" {
			if err := j.claimLead(&op, row, open, fingerprint); err != nil {
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
		if consent.UserID == "" { // otherwise another user took it, before the lead was reassigned
			consent.UserID, consent.Originator = op.ActorID, op.Originator
		}
		if consent.At == 0 { // otherwise it was taken earlier, for this request
			consent.At = op.CreatedAt
		}
		return tx.AddConsent(ctx, consent)
	})
	if err != nil && first {
		j.unregisterRunning(id)
	}
	return op, first && err == nil, err
}
