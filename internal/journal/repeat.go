package journal

import (
	"context"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
)

// answerRepeat handles a form that was sent before: it returns the first result for the same content, and a conflict
// for any other.
func (j *Journal) answerRepeat(ctx context.Context, op lead.Operation, in Intent) (Outcome, error) {
	if !j.sameContent(op, in) {
		return Outcome{Operation: j.WithMessages(op)}, contentConflict()
	}
	patience := time.NewTimer(leaseDuration)
	defer patience.Stop()
	select {
	case <-j.verdictDone(op.ID):
	case <-patience.C:
	}
	now, err := j.store.Operation(ctx, op.ID)
	if err != nil {
		return Outcome{op, err}, nil // what was sent before, under this id
	}
	return j.outcomeOf(now), nil
}

func (j *Journal) registerRunning(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running[id] = make(chan struct{})
}

func (j *Journal) unregisterRunning(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if c, ok := j.running[id]; ok {
		close(c)
		delete(j.running, id)
	}
}

func (j *Journal) isRunning(id string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.running[id] != nil
}

// verdictDone returns a channel that is closed once the operation has its verdict or does not run in this process.
func (j *Journal) verdictDone(id string) <-chan struct{} {
	j.mu.Lock()
	defer j.mu.Unlock()
	if c, ok := j.running[id]; ok {
		return c
	}
	c := make(chan struct{})
	close(c)
	return c
}

// ExistingOutcome returns the outcome of the operation that a form already created; fault.NotFound when there is none,
// fault.Conflict when it had different content.
func (j *Journal) ExistingOutcome(ctx context.Context, in Intent) (Outcome, error) {
	id, _, err := j.parseOperationID(in)
	if err != nil {
		return Outcome{}, err
	}
	op, err := j.store.Operation(ctx, id)
	if err == nil && !j.sameContent(op, in) {
		err = contentConflict()
	}
	return j.outcomeOf(op), err
}

// contentConflict is the error for a form whose operation was made from different content. The receipt shows when
// that was sent, in the user's time zone.
func contentConflict() error {
	return fault.New(fault.Conflict,
		"An earlier version of this form was already sent. Your changes were not. Open the page again to see the result.")
}
