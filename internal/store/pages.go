package store

import (
	"context"
	"runtime"
)

// ProcessPages runs work on the pages that read returns until it returns none, on all processors, and calls done with
// the results in the order of the pages until it returns false. Only a few pages are in memory at a time. read and
// done are called by one goroutine each.
func ProcessPages[P, R any](ctx context.Context, read func(ctx context.Context) (page []P, err error),
	work func(page []P) R, done func(R) (more bool)) error {
	ctx, stop := context.WithCancel(ctx)
	results := make(chan chan R, 2*runtime.GOMAXPROCS(0))
	var failed error
	go func() {
		defer close(results)
		for {
			page, err := read(ctx)
			if err != nil || len(page) == 0 {
				failed = err
				return
			}
			result := make(chan R, 1)
			select {
			case results <- result:
			case <-ctx.Done():
				failed = ctx.Err()
				return
			}
			go func() { result <- work(page) }()
		}
	}()
	stopped := false
	for result := range results {
		if r := <-result; !stopped && !done(r) {
			stopped = true
			stop() // the reader ends, and the loop with it
		}
	}
	stop()
	if stopped {
		return nil
	}
	return failed
}
