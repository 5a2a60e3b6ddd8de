package core

import (
	"context"
	"sync"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
)

// waitsTTL is how long usual waits are cached for all lists: a median of a hundred operations does not change within
// a minute.
const waitsTTL = time.Minute

// waitCache caches how long the lender usually takes, so that list pages need no query for it. The zero value is
// ready to use; a map that it has returned never changes.
type waitCache struct {
	mu    sync.Mutex
	at    time.Time
	known map[heloc.Operation]lead.UsualWait
}

// waitOperations lists the operations whose usual wait a list shows: a start, and the operations that resolve a step.
func waitOperations() []heloc.Operation {
	return append([]heloc.Operation{heloc.OpStart}, heloc.StepOperations()...)
}

func (w *waitCache) Read(ctx context.Context, s Services) (map[heloc.Operation]lead.UsualWait, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if age := s.Now().Sub(w.at); w.known != nil && age >= 0 && age < waitsTTL {
		return w.known, nil
	}
	fresh := map[heloc.Operation]lead.UsualWait{}
	for _, kind := range waitOperations() {
		wait, err := journal.LoadUsualWait(ctx, s.Store.Queries, kind)
		if err != nil {
			return nil, err
		}
		fresh[kind] = wait
	}
	w.known, w.at = fresh, s.Now()
	return fresh, nil
}
