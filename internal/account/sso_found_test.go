package account

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/fault"
)

// silence is a provider that answers nothing.
type silence struct{ asked atomic.Int64 }

func (s *silence) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked.Add(1)
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestASilentProviderKeepsNobodyWaitingInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mute := &silence{}
		o := NewSSO(SSOSettings{Name: "acme", Issuer: "https://sso.example"})
		o.client.Transport = mute
		began := time.Now()
		var waiting sync.WaitGroup
		for range 5 {
			waiting.Go(func() {
				if _, err := o.found(t.Context()); fault.KindOf(err) != fault.Unavailable {
					t.Errorf("got %v, want unavailable", err)
				}
				if took := time.Since(began); took != ssoPatience {
					t.Errorf("it took %v, want %v for everybody", took, ssoPatience)
				}
			})
		}
		synctest.Wait()
		waiting.Go(func() {
			soon, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			if _, err := o.found(soon); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
				t.Errorf("who waits a second: got %v after %v", err, time.Since(began))
			}
		})
		waiting.Wait()
		if got := mute.asked.Load(); got != 1 {
			t.Errorf("the provider was asked %d times, want once for all", got)
		}
	})
}

func TestWhoAskedTheProviderMayGoAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mute := &silence{}
		o := NewSSO(SSOSettings{Name: "acme", Issuer: "https://sso.example"})
		o.client.Transport = mute
		first, leave := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		waiting.Go(func() { _, _ = o.found(first) })
		synctest.Wait()
		waiting.Go(func() { _, _ = o.found(t.Context()) })
		synctest.Wait()
		leave()
		synctest.Wait()
		if got := mute.asked.Load(); got != 2 {
			t.Errorf("the provider was asked %d times, want anew by who still waits", got)
		}
		waiting.Wait()
	})
}
