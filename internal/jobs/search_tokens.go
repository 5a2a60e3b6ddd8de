package jobs

import (
	"context"
	"time"
)

// tokenLeadsPerBatch is how many leads' search tokens are moved in one transaction, which blocks the database's one writer
// for some milliseconds.
const tokenLeadsPerBatch = 20

// tokensLoop moves the search tokens from the table of earlier versions, until it is empty or the context ends. Nothing is
// added there any more.
func (w *Runner) tokensLoop(ctx context.Context) {
	for more, pause := true, batchPause; more; pause = batchPause {
		var err error
		if more, err = w.Store.MoveTokens(ctx, tokenLeadsPerBatch); err != nil && ctx.Err() == nil {
			w.Log.Error("the search tokens of an earlier version could not be moved", "cause", err.Error())
			more, pause = true, reencryptRetry
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
