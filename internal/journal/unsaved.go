package journal

import (
	"context"
	"errors"
	"maps"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// unsavedVerdict is a verdict that the database has not stored yet.
type unsavedVerdict struct {
	op lead.Operation // as it was sent; for one from an earlier process, only its id and when it was sent
	verdict
	slot  int // of the journal file
	cause error
}

func (u unsavedVerdict) outcome() Outcome {
	op := u.applyTo(u.op, MessageText(u.Messages))
	op.Unsaved = true
	return Outcome{op, u.cause}
}

// errEarlierProcess is the error of a verdict that an earlier process could not store in the database.
var errEarlierProcess = errors.New("an earlier process could not store it")

// How long to wait before retrying the database.
const (
	firstSaveRetry = time.Second
	maxSaveRetry   = 30 * time.Second
)

// UseFile makes the journal record each answer in a file before it stores it in the database, and takes over
// what an earlier process left there. Nothing is sent while the file cannot be written or is full.
func (j *Journal) UseFile(f *File) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.file = f
	for slot, left := range f.unsaved {
		j.unsaved[left.Operation] = unsavedVerdict{
			op: lead.Operation{ID: left.Operation, SentAt: left.SentAt}, slot: slot, cause: errEarlierProcess,
			verdict: verdict{state: left.State, at: left.At,
				CallResult: heloc.CallResult{App: left.App, Status: left.Status, RequestID: left.RequestID}},
		}
	}
	j.wakeUp()
}

// saveLater keeps a verdict until Run can store it.
func (j *Journal) saveLater(ctx context.Context, u unsavedVerdict) Outcome {
	j.mu.Lock()
	j.unsaved[u.op.ID] = u
	j.mu.Unlock()
	j.wakeUp()
	if j.Log != nil {
		j.Log.ErrorContext(ctx, "an answer of the lender could not be stored yet", "operation", u.op.ID,
			"kind", string(u.op.Kind), "verdict", string(u.state), "status", u.Status, "application", string(u.App),
			"cause", u.cause.Error())
	}
	return u.outcome()
}

func (j *Journal) wakeUp() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// Run stores the verdicts that the database could not store at first, until the context ends.
func (j *Journal) Run(ctx context.Context) {
	pause := firstSaveRetry
	for {
		var retry <-chan time.Time
		if j.SaveVerdicts(ctx) > 0 {
			retry = time.After(pause)
			pause = min(2*pause, maxSaveRetry)
		} else {
			pause = firstSaveRetry
		}
		select {
		case <-ctx.Done():
			return
		case <-j.wake:
		case <-retry:
		}
	}
}

// SaveVerdicts tries once to store the verdicts that the database could not store, and returns how many are left.
func (j *Journal) SaveVerdicts(ctx context.Context) (left int) {
	j.mu.Lock()
	all := maps.Clone(j.unsaved)
	j.mu.Unlock()
	for id, u := range all {
		if err := j.save(ctx, u); err != nil {
			if !fault.Is(err, fault.Unavailable) { // a bug, which waiting does not fix
				j.logError(ctx, "an answer of the lender cannot be stored", id, err)
			}
			left++
			continue
		}
		j.mu.Lock()
		delete(j.unsaved, id)
		j.mu.Unlock()
		j.releaseAnswer(ctx, u.slot)
	}
	return left
}

// save stores one verdict, unless it is stored already. An operation that is missing from the database was lost with
// a restored backup, or was never committed: then the application named in the answer is read to find out who has it.
func (j *Journal) save(ctx context.Context, u unsavedVerdict) error {
	op, err := j.store.Operation(ctx, u.op.ID)
	switch {
	case fault.Is(err, fault.NotFound) && u.App != "":
		return j.store.Write(ctx, func(tx *store.Tx) error { return tx.AddUnknownApplication(ctx, u.App, j.now()) })
	case fault.Is(err, fault.NotFound):
		return nil
	case err != nil:
		return err
	case op.AnsweredAt != 0 || op.SentAt != u.op.SentAt: // another process has sent the same form since
		return nil
	}
	_, err = j.recordVerdict(ctx, op, u.verdict)
	return err
}

// outcomeOf returns the outcome of an operation from the store.
func (j *Journal) outcomeOf(op lead.Operation) Outcome {
	op = j.WithMessages(op)
	if u, unsaved := j.unsavedOf(op.ID); unsaved && op.Unsaved {
		return Outcome{op, u.cause}
	}
	return Outcome{Operation: op}
}

// Unsaved returns how many of the lender's answers this process has that the database has not stored yet.
func (j *Journal) Unsaved() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.unsaved)
}

// unsavedOf returns this process's answer to an operation if it is not stored yet.
func (j *Journal) unsavedOf(id string) (u unsavedVerdict, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	u, ok = j.unsaved[id]
	return u, ok
}

// releaseAnswer releases a slot of the journal file. If that fails, the answer is read again at the next start, and
// found to be stored.
func (j *Journal) releaseAnswer(ctx context.Context, slot int) {
	if err := j.file.release(slot); err != nil {
		j.logError(ctx, "the journal file could not be written", "", err)
	}
}

func (j *Journal) logError(ctx context.Context, what, operation string, err error) {
	if j.Log != nil {
		j.Log.ErrorContext(ctx, what, "operation", operation, "cause", err.Error())
	}
}
