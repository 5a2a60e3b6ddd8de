package jobs

import (
	"context"
	"time"
)

const (
	// batchPause is left to people between two pieces, each of which holds the writer.
	batchPause = 50 * time.Millisecond
	// reencryptRetry is when a piece that failed is tried once more.
	reencryptRetry = time.Minute
)

// Reencrypter brings some of what lies under older keys under the present ones, and says
// whether there is more.
type Reencrypter interface {
	Step(ctx context.Context) (more bool, err error)
}

// reencryptLoop goes on until everything is renewed or the context ends. Keys change with a restart
// alone, so nothing comes up later.
func (w *Runner) reencryptLoop(ctx context.Context) {
	for more, pause := true, batchPause; more; pause = batchPause {
		var err error
		if more, err = w.Reencrypter.Step(ctx); err != nil && ctx.Err() == nil {
			w.Log.Error("what lies under older keys could not be renewed", "cause", err.Error())
			more, pause = true, reencryptRetry
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
