package jobs

import (
	"context"
	"time"
)

const (
	// tokenLeadsPerBatch is how many leads' search tokens are changed in one transaction, which blocks the database's one
	// writer for some milliseconds.
	tokenLeadsPerBatch = 20
	// ownersPerBatch is how many leads get their owner and its tokens in one transaction, which takes about as long.
	ownersPerBatch = 50
	// tokensCheckEvery is when to look again for leads that an earlier release has added beside this one.
	tokensCheckEvery = time.Hour
)

// tokensLoop moves the search tokens from the table of earlier versions, and adds the owners and search terms that earlier
// releases did not store.
func (w *Runner) tokensLoop(ctx context.Context) {
	for {
		pause := batchPause
		switch more, err := w.updateTokens(ctx); {
		case err != nil && ctx.Err() == nil:
			w.Log.Error("the search tokens of an earlier version could not be updated", "cause", err.Error())
			pause = reencryptRetry
		case !more:
			pause = tokensCheckEvery
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

func (w *Runner) updateTokens(ctx context.Context) (more bool, err error) {
	if more, err = w.Store.MoveTokens(ctx, tokenLeadsPerBatch); more || err != nil {
		return more, err
	}
	if more, err = w.Store.AddSearchOwners(ctx, ownersPerBatch); more || err != nil {
		return more, err
	}
	return w.Desks.AddSearchTerms(ctx, tokenLeadsPerBatch)
}
