package core

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestStorageChecks_OneAtATime_NeverOlderThanItsAge: many pages share one check, a slow one is waited for only briefly,
// and its result is shown until it is too old.
func TestStorageChecks_OneAtATime_NeverOlderThanItsAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c storageChecks
		release, runs := make(chan struct{}), 0
		slow := func(context.Context) (StorageCheck, error) {
			runs++
			<-release
			return StorageCheck{AuditIntact: true}, nil
		}
		began := time.Now()
		for range 3 {
			if got, err := c.Latest(t.Context(), time.Now, slow); err != nil || !got.At.IsZero() {
				t.Errorf("while the first runs: got %+v, %v, want no result", got, err)
			}
		}
		if waited := time.Since(began); waited != 3*storageCheckWait {
			t.Errorf("waited %s", waited)
		}
		ctx, leave := context.WithCancel(t.Context())
		leave()
		if _, err := c.Latest(ctx, time.Now, slow); !errors.Is(err, context.Canceled) {
			t.Errorf("a user who has left: got %v", err)
		}
		close(release)
		synctest.Wait()
		first, err := c.Latest(t.Context(), time.Now, slow)
		if err != nil || !first.AuditIntact || first.At.IsZero() || runs != 1 {
			t.Fatalf("got %+v, %v after %d runs, want the result of one", first, err, runs)
		}
		time.Sleep(storageCheckAge - time.Second)
		if again, _ := c.Latest(t.Context(), time.Now, slow); again.At != first.At {
			t.Error("checked again too early")
		}
		time.Sleep(time.Second)
		if again, _ := c.Latest(t.Context(), time.Now, slow); again.At == first.At || runs != 2 {
			t.Errorf("got the old result after %d runs, want a new one", runs)
		}
	})
}

// TestStorageChecks_Failed_TriedAgain: a check that failed is an error for those who waited, and no result for others.
func TestStorageChecks_Failed_TriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c storageChecks
		broken := errors.New("disk")
		if _, err := c.Latest(t.Context(), time.Now,
			func(context.Context) (StorageCheck, error) { return StorageCheck{}, broken }); !errors.Is(err, broken) {
			t.Errorf("got %v, want the error", err)
		}
		if got, err := c.Latest(t.Context(), time.Now, func(context.Context) (StorageCheck, error) {
			return StorageCheck{AuditIntact: true}, nil
		}); err != nil || !got.AuditIntact {
			t.Errorf("the next check: got %+v, %v", got, err)
		}
	})
}
