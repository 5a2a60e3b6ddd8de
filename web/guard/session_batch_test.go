package guard

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/access"
)

// sessionRows has a session for each user, and takes a second for each query.
type sessionRows struct {
	SessionRows
	mu      sync.Mutex
	queries int
	ended   map[string]bool
	err     error
	panics  bool
}

func (s *sessionRows) SessionsAmong(_ context.Context, hashes []string) (map[string]access.SessionUser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queries++
	if s.panics {
		panic("a defect")
	}
	if len(hashes) > access.SessionBatch {
		return nil, fmt.Errorf("%d sessions in one query", len(hashes))
	}
	all := map[string]access.SessionUser{}
	for _, h := range hashes {
		if !s.ended[h] {
			end := time.Now().Add(time.Hour)
			all[h] = access.SessionUser{Session: access.Session{IDHash: h, LastSeen: time.Now(), Expires: end}, User: access.User{Actor: access.Actor{UserID: "user of " + h}}}
		}
	}
	time.Sleep(time.Second)
	return all, s.err
}

// TestSessionBatches_ManyAtOnce_EachItsOwn looks up many sessions at once, some of which end while a query runs: those that ask
// after the end never get the state from before.
func TestSessionBatches_ManyAtOnce_EachItsOwn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rows := &sessionRows{ended: map[string]bool{}}
		st := &Sessions{rows: rows, Now: time.Now, acceptsProof: func(access.Proof) bool { return true }}
		var batches sessionBatches
		var running sync.WaitGroup
		ask := func(hash string, want bool) {
			running.Go(func() {
				state, err := batches.lookUp(t.Context(), st, hash)
				if err != nil || state.SignedIn != want || want && state.User.UserID != "user of "+hash {
					t.Errorf("%s: got %+v, %v, want signed in: %v", hash, state, err, want)
				}
			})
		}
		for i := range 10 * access.SessionBatch {
			ask(fmt.Sprint("s", i), true)
		}
		running.Wait()
		if rows.queries > 12 {
			t.Errorf("%d queries for ten batches", rows.queries)
		}
		ask("first", true)
		synctest.Wait() // its query runs
		rows.ended["s1"] = true
		ask("s1", false)
		running.Wait()

		rows.err = errors.New("no connection")
		if state, err := batches.lookUp(t.Context(), st, "s2"); err == nil || state.SignedIn {
			t.Errorf("without a database: got %+v, %v", state, err)
		}
		leaving, leave := context.WithCancel(t.Context())
		leave()
		if state, err := batches.lookUp(leaving, st, "s2"); err == nil || state.SignedIn {
			t.Errorf("after the page was closed: got %+v, %v", state, err)
		}
		<-batches.last // its query runs on, for others that may wait for it

		rows.panics = true
		if state, err := batches.lookUp(t.Context(), st, "s2"); err == nil || state.SignedIn {
			t.Errorf("after a panic: got %+v, %v", state, err)
		}
	})
}
