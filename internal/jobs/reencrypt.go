package jobs

import (
	"context"
	"time"
)

const (
	// batchPause leaves time for user requests between two batches, each of which blocks the database's one writer.
	batchPause = 25 * time.Millisecond
	// reencryptRetry is when a failed batch is retried.
	reencryptRetry = time.Minute
)

// Reencrypter reencrypts a batch of values from older keys to the current ones, and reports whether there is more.
type Reencrypter interface {
	Step(ctx context.Context) (more bool, err error)
}

// reencryptLoop runs until everything is reencrypted or the context ends. Keys change only with a restart, so nothing
// is added later.
func (r *Runner) reencryptLoop(ctx context.Context) {
	for more, pause := true, batchPause; more && r.awaitDuty(ctx, reencryptDuty); pause = batchPause {
		var err error
		if more, err = r.Reencrypter.Step(ctx); err != nil && ctx.Err() == nil {
			r.Log.Error("the values under older keys could not be reencrypted", "cause", err.Error())
			more, pause = true, reencryptRetry
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
