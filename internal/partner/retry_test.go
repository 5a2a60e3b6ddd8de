package partner

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
)

// roundTripFunc is a transport without a network, for tests of timing. It calls the same trace
// hooks as the standard transport when it has written a request.
type roundTripFunc func(*http.Request) (*http.Response, error)

func (l roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil {
		trace.GetConn(r.Host)
		trace.WroteHeaders()
	}
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	return l(r)
}

func newResponse(status int, text string, header ...string) *http.Response {
	made := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(text)),
		ContentLength: int64(len(text))}
	for i := 0; i+1 < len(header); i += 2 {
		made.Header.Set(header[i], header[i+1])
	}
	return made
}

func testSecret(s string) pii.Secret[string] { return pii.Wrap(s) }

func TestRead_Failure_RetriesWithBackoff(t *testing.T) {
	t.Parallel()
	lost := errors.New("connection lost")
	for _, c := range []struct {
		name      string
		responses []*http.Response // nil is a lost connection; the last one repeats
		tries     int
		minTime   time.Duration
		maxTime   time.Duration
		kind      fault.Kind
		ok        bool
	}{
		{"first try", []*http.Response{newResponse(200, `{"documents":[]}`)}, 1, 0, 0, 0, true},
		{"one failure", []*http.Response{newResponse(503, ""), newResponse(200, `{"documents":[]}`)}, 2, 0,
			200 * time.Millisecond, 0, true},
		{"two failures", []*http.Response{nil, newResponse(500, ""), newResponse(200, `{"documents":[]}`)}, 3, 0,
			600 * time.Millisecond, 0, true},
		{"partial JSON", []*http.Response{newResponse(200, `{"a`), newResponse(200, `{"documents":[]}`)}, 2, 0,
			200 * time.Millisecond, 0, true},
		{"always lost", []*http.Response{nil}, 3, 0, 600 * time.Millisecond, fault.Unavailable, false},
		{"always 500", []*http.Response{newResponse(500, "")}, 3, 0, 600 * time.Millisecond, fault.Unavailable, false},
		{"Retry-After seconds", []*http.Response{newResponse(429, "", "Retry-After", "2"),
			newResponse(200, `{"documents":[]}`)}, 2, 2 * time.Second, 2200 * time.Millisecond, 0, true},
		{"Retry-After date", []*http.Response{newResponse(503, "", "Retry-After", "Sat, 01 Jan 2000 00:00:03 GMT"),
			newResponse(200, `{"documents":[]}`)}, 2, 3 * time.Second, 3200 * time.Millisecond, 0, true},
		{"Retry-After too long", []*http.Response{newResponse(503, "", "Retry-After", "3600")}, 1, 0, 0,
			fault.Unavailable, false},
		{"Retry-After past the timeout", []*http.Response{newResponse(503, "", "Retry-After", "9")}, 2, 9 * time.Second,
			9400 * time.Millisecond, fault.Unavailable, false},
		{"rejected", []*http.Response{newResponse(400, "")}, 1, 0, 0, fault.Upstream, false},
		{"unknown", []*http.Response{newResponse(404, "")}, 1, 0, 0, fault.NotFound, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				client := testClient(t, Config{Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
					next := c.responses[min(tries, len(c.responses)-1)]
					tries++
					if next == nil {
						return nil, lost
					}
					return next, nil
				})})
				began := time.Now()
				_, err := client.Documents(context.Background(), appID)
				took := time.Since(began)
				if (err == nil) != c.ok || err != nil && fault.KindOf(err) != c.kind {
					t.Errorf("err = %v, want %v", err, c.kind)
				}
				if tries != c.tries {
					t.Errorf("tries = %d, want %d", tries, c.tries)
				}
				if took < c.minTime || took > c.maxTime {
					t.Errorf("took %v, want %v to %v", took, c.minTime, c.maxTime)
				}
			})
		})
	}
}

func TestQuote_Retry_ResendsBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var lengths []int64
		client := testClient(t, Config{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
			lengths = append(lengths, r.ContentLength)
			if len(lengths) < 3 {
				return newResponse(502, ""), nil
			}
			return newResponse(200, `{"encrypted":"a.b.c.d.e"}`), nil
		})})
		got, err := client.Seal(context.Background(), []byte(`{"a":1}`))
		if err != nil || got != "a.b.c.d.e" {
			t.Errorf("got %q, %v", got, err)
		}
		if len(lengths) != 3 || lengths[0] != 7 || lengths[2] != 7 {
			t.Errorf("lengths = %v", lengths)
		}
	})
}

func TestTimeout_CoversAllAttempts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, Config{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})})
		began := time.Now()
		_, err := client.Details(context.Background(), appID)
		if took := time.Since(began); took != 15*time.Second {
			t.Errorf("took %v, want 15s", took)
		}
		if !fault.Is(err, fault.Unavailable) || !errors.Is(err, errTimeout) {
			t.Errorf("err = %v", err)
		}
		_, err = client.Cancel(context.Background(), appID, originatorOlivia)
		if verdictOf(err) != lead.OpUnknown {
			t.Errorf("write timeout: verdict = %s, want unknown", verdictOf(err))
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began = time.Now()
		if _, err := client.Details(ctx, appID); err == nil || time.Since(began) != time.Second {
			t.Errorf("caller's deadline: got %v after %v", err, time.Since(began))
		}
	})
}

func TestBreakers_IndependentPerClass_Recover(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		requests, down := 0, true
		client := testClient(t, Config{Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
			requests++
			if down {
				return newResponse(500, ""), nil
			}
			return newResponse(200, `{"documents":[]}`), nil
		})})
		ctx := context.Background()
		for range breakerThreshold {
			_, _ = client.Cancel(ctx, appID, originatorOlivia)
		}
		before := requests
		_, err := client.Cancel(ctx, appID, originatorOlivia)
		if requests != before || verdictOf(err) != lead.OpNotSent || !fault.Is(err, fault.Unavailable) {
			t.Errorf("open breaker: got %d more requests, %v", requests-before, err)
		}
		down = false
		if _, err := client.Documents(ctx, appID); err != nil {
			t.Errorf("the breaker for writes stopped a read: %v", err)
		}
		time.Sleep(breakerOpenTime + time.Millisecond)
		if _, err := client.Cancel(ctx, appID, originatorOlivia); err != nil {
			t.Errorf("the breaker did not close: %v", err)
		}
	})
}

func TestBreaker_RejectionOrCancel_StaysClosed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, Config{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
			if r.Context().Err() != nil {
				return nil, r.Context().Err()
			}
			return newResponse(422, ""), nil
		})})
		canceled, cancel := context.WithCancel(context.Background())
		cancel()
		for range 3 * breakerThreshold {
			_, _ = client.Cancel(context.Background(), appID, originatorOlivia)
			_, _ = client.Cancel(canceled, appID, originatorOlivia)
		}
		if _, err := client.Cancel(context.Background(), appID, originatorOlivia); verdictOf(err) != lead.OpRejected {
			t.Errorf("err = %v, want the lender's rejection", err)
		}
	})
}

func TestObserve_EveryAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen []Call
		tries := 0
		client := testClient(t, Config{
			Observe: func(c Call) { seen = append(seen, c) },
			Transport: roundTripFunc(func(*http.Request) (*http.Response, error) {
				time.Sleep(time.Second)
				if tries++; tries == 1 {
					return nil, errors.New("lost")
				}
				return newResponse(200, `{"documents":[]}`), nil
			}),
		})
		if _, err := client.Documents(context.Background(), appID); err != nil {
			t.Fatal(err)
		}
		if len(seen) != 2 || seen[0].Status != 0 || seen[1].Status != 200 ||
			seen[1].Endpoint != "document-list" || seen[1].Method != "GET" || seen[1].Duration != time.Second ||
			!seen[1].At.After(seen[0].At) {
			t.Errorf("seen = %+v", seen)
		}
	})
}
