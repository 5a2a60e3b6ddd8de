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

// silentTransport is a provider that never responds.
type silentTransport struct{ requests atomic.Int64 }

func (s *silentTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	s.requests.Add(1)
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestSSO_SilentProvider_SharedTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		mute := &silentTransport{}
		o := NewSSO(SSOSettings{Name: "acme", Issuer: "https://sso.example"})
		o.client.Transport = mute
		began := time.Now()
		var waiting sync.WaitGroup
		for range 5 {
			waiting.Go(func() {
				if _, err := o.discover(t.Context()); !fault.Is(err, fault.Unavailable) {
					t.Errorf("got %v, want unavailable", err)
				}
				if took := time.Since(began); took != ssoTimeout {
					t.Errorf("it took %v, want %v for all callers", took, ssoTimeout)
				}
			})
		}
		synctest.Wait()
		waiting.Go(func() {
			soon, stop := context.WithTimeout(t.Context(), time.Second)
			defer stop()
			if _, err := o.discover(soon); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
				t.Errorf("a caller that waits one second: got %v after %v", err, time.Since(began))
			}
		})
		waiting.Wait()
		if got := mute.requests.Load(); got != 1 {
			t.Errorf("the provider was called %d times, want once for all callers", got)
		}
	})
}

func TestSSO_CallerCancels_OthersStillAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		mute := &silentTransport{}
		o := NewSSO(SSOSettings{Name: "acme", Issuer: "https://sso.example"})
		o.client.Transport = mute
		first, leave := context.WithCancel(t.Context())
		var waiting sync.WaitGroup
		waiting.Go(func() { _, _ = o.discover(first) })
		synctest.Wait()
		waiting.Go(func() {
			if _, err := o.discover(t.Context()); errors.Is(err, context.Canceled) || !fault.Is(err, fault.Unavailable) {
				t.Errorf("the remaining caller: got %v, want the answer of the provider", err)
			}
		})
		synctest.Wait()
		leave()
		waiting.Wait()
		if got := mute.requests.Load(); got != 1 {
			t.Errorf("the provider was called %d times, want its call to go on for the remaining caller", got)
		}
		if _, err := o.discover(t.Context()); !fault.Is(err, fault.Unavailable) || mute.requests.Load() != 2 {
			t.Errorf("after a failure: got %v and %d calls, want another one", err, mute.requests.Load())
		}
	})
}
