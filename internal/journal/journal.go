// Package journal records every write to the lender, and only the journal decides its outcome.
//
//	journal.go       one write, from form to verdict: Execute makes the call
//	admit.go         checks the user again; claim_lead.go refuses a form from an older step or sent during another write
//	send.go, verdict.go       stores the result of the call and extends its lease; what a response means
//	file.go, unsaved.go      answers that the database has not stored yet
//	operation_id.go  operation ids, and forms that are sent again
//	accept.go, create_lead.go  what an accepted operation changes
//	settle.go, recover.go     unknown outcomes, and recovery after a crash
//	sealed.go        encrypted messages, blind indexes, what is stored about a choice and about a lead's last reading
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
	"hearthline/internal/fault"
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

	// Log receives errors that no user sees, such as an answer that could not be stored. It may be nil.
	Log *slog.Logger

	file *File // nil in tests that need none

	running sync.Map // by operation: a chan struct{} that is closed when the operation has its verdict

	mu      sync.Mutex
	unsaved map[string]unsavedVerdict // by operation
	wake    chan struct{}             // signals a new unsaved verdict
}

// New returns a journal. owner identifies this process among others on the same database.
func New(s *store.Store, v *vault.Vault, now store.Clock, owner string) *Journal {
	return &Journal{store: s, vault: v, now: now, owner: owner,
		unsaved: make(map[string]unsavedVerdict), wake: make(chan struct{}, 1)}
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
	// RepeatConfirmed reports whether the user confirmed that an earlier operation of this kind, not found at the
	// lender, may have arrived.
	RepeatConfirmed bool
	Consent         *lead.Consent

	// Prepare runs once, in the transaction that stores the operation, before anything is sent. Its error rolls both
	// back. A form that is sent twice runs Prepare once. The row is the lead as it is now; the zero value for a start.
	Prepare func(ctx context.Context, tx *store.Tx, row lead.Row, id string) error
}

// Send calls the lender once, with the operation's id, and reports how far the call got. It must not retry.
type Send func(ctx context.Context, id string) heloc.CallResult

// Outcome is the result of a write that may have reached the lender.
type Outcome struct {
	Operation lead.Operation
	unsaved   error // why the lender's answer is not stored yet
}

const (
	leaseDuration     = 30 * time.Second
	heartbeatInterval = 10 * time.Second
)

// Execute executes a write from form to verdict. An error means that this call sent nothing: fault.Invalid for an
// operation id that is not this user's, fault.Conflict for different content (with the operation that was sent), an
// older step, or a lead with another write in progress, fault.Unavailable when the operation or its answer could not be
// stored. Whatever happens after the first byte is sent is in the Outcome.
func (j *Journal) Execute(ctx context.Context, in Intent, send Send) (Outcome, error) {
	id, fingerprint, err := j.parseOperationID(in)
	if err != nil {
		return Outcome{}, err
	}
	// The write continues even if the browser disconnects.
	ctx = context.WithoutCancel(ctx)
	if before, unsaved := j.unsavedOf(id); unsaved && before.op.Kind != "" { // sent by this process: never resend
		if !j.sameContent(before.op, in) {
			return before.outcome(), contentConflict()
		}
		return before.outcome(), nil
	}
	slot, err := j.file.reserve()
	if err != nil {
		return Outcome{}, fault.Wrap(fault.Unavailable, "Hearthline can’t save the lender’s response right now. "+
			"Nothing was sent. Try again in a moment.", err)
	}
	answered := false
	defer func() {
		if !answered { // also after a panic
			j.releaseAnswer(ctx, slot)
		}
	}()
	op, first, err := j.prepare(ctx, in, id, fingerprint)
	if first {
		defer j.unregisterRunning(id)
	}
	switch {
	case err != nil && first: // whether the transaction was committed is not known, but nothing was sent
		answered = true
		return j.recordNotSent(ctx, op, slot, err), nil
	case err != nil:
		return Outcome{}, err
	case !first:
		return j.answerRepeat(ctx, op, in)
	}
	stop := j.extendLeaseUntilStopped(ctx, op.ID)
	defer stop() // if send panics, the lease must expire
	got := send(ctx, op.ID)
	stop()
	answered = true
	return j.recordResult(ctx, op, got, slot), nil
}

// prepare stores the operation as sent, or finds the existing one with its id. The transaction reads the clock, so that
// however long it has waited for its turn, the lease is fresh when the call begins. If it returns both first and an
// error, it is not known whether the operation is stored.
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
		leasedAt, err := tx.LeaseNow(ctx)
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
			LeaseUntil: store.Millis(leasedAt.Add(leaseDuration)),
		}
		if in.Prepare != nil {
			if err := in.Prepare(ctx, tx, row, id); err != nil {
				return err
			}
		}
		if in.App != "" {
			c := attempt{&op, row, open, leasedAt}
			if err := j.claimLead(c, fingerprint); err != nil {
				return err
			}
			if err := checkRepeat(c, in); err != nil {
				return err
			}
		}
		if err := tx.AddOperation(ctx, op); err != nil {
			return err
		}
		first = true
		j.running.Store(id, make(chan struct{}))
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
	return op, first, err
}
