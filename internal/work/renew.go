package work

import (
	"context"
	"time"
)

const (
	// breath is left to people between two pieces, each of which holds the writer.
	breath = 50 * time.Millisecond
	// renewAgain is when a piece that failed is tried once more.
	renewAgain = time.Minute
)

// Renewer brings some of what lies under older keys under the present ones, and says
// whether there is more.
type Renewer interface {
	Step(ctx context.Context) (more bool, err error)
}

// renew goes on until everything is renewed or the context ends. Keys change with a restart
// alone, so nothing comes up later.
func (w *Work) renew(ctx context.Context) {
	for more, pause := true, breath; more; pause = breath {
		var err error
		if more, err = w.Keys.Step(ctx); err != nil && ctx.Err() == nil {
			w.Log.Error("what lies under older keys could not be renewed", "cause", err.Error())
			more, pause = true, renewAgain
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}
