package partner

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestTheSharedKeyIsNotUsedFasterThanItsRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bucket := limiter(10)
		began := time.Now()
		for range 30 {
			if err := bucket.Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := time.Since(began), 2*time.Second; got != want {
			t.Errorf("30 requests at 10 a second took %v, want %v after the burst", got, want)
		}
		began = time.Now()
		for range 1000 {
			if err := limiter(0).Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if got := time.Since(began); got != 0 {
			t.Errorf("without a rate: %v", got)
		}
	})
}
