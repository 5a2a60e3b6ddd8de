package journal

import (
	"context"

	"hearthline/internal/lead"
)

// Record writes an answer as an earlier process would have left it.
func (a *File) Record(answer Answer) error {
	slot, err := a.reserve()
	if err != nil {
		return err
	}
	return a.record(slot, answer)
}

// Left lists the answers that an earlier process has left.
func (a *File) Left() []Answer {
	var left []Answer
	for _, answer := range a.unsaved {
		left = append(left, answer)
	}
	return left
}

// ExistingOperation returns the operation that a form already created.
func (j *Journal) ExistingOperation(ctx context.Context, in Intent) (lead.Operation, error) {
	existing, err := j.ExistingOutcome(ctx, in)
	return existing.Operation, err
}
