// Package faulttest tests what happens to writes when the connection to the lender fails.
//
//	proxy.go         Proxy drops, delays and replaces traffic between the portal and the sandbox; fault.go lists how
//	portal_test.go   a portal and its sandbox, copied for each test, with simulated time
//	writes_test.go   every write to the lender
//	booking_test.go  what the sandbox did, from its own file
//	matrix_test.go   every fault with every write; verdict_test.go, which results are wrong
package faulttest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Proxy sends the portal's requests to the lender's handler in the same process. It is the portal's transport, and
// it applies its fault to one write. Only Handler must be set.
type Proxy struct {
	Handler http.Handler

	mu         sync.Mutex
	fault      *Fault // of the next write; nil after it
	staleUntil time.Time
	details    map[string][]byte // the last answers about applications, by request URI
	writes     int               // how many writes the portal has sent
	late       sync.WaitGroup    // requests that are delivered late
}

// Arm sets the fault for the next write.
func (p *Proxy) Arm(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = &f
}

// Writes returns how many writes the portal has sent, whether or not they reached the lender.
func (p *Proxy) Writes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.writes
}

// Wait waits until no request to the lender is in flight.
func (p *Proxy) Wait() { p.late.Wait() }

const detailsPath = "/products/heloc/v1/details/"

// isWrite reports whether a request changes something at the lender.
func isWrite(r *http.Request) bool {
	return r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/encrypt") &&
		!strings.HasSuffix(r.URL.Path, "/calculate-offers")
}

// RoundTrip implements http.RoundTripper.
func (p *Proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	if !isWrite(r) {
		wroteHeaders(r)
		return p.read(r, body), nil
	}
	p.mu.Lock()
	fault := Fault{}
	if p.fault != nil {
		fault, p.fault = *p.fault, nil
		p.staleUntil = time.Now().Add(fault.StaleFor)
	}
	p.writes++
	p.mu.Unlock()
	if fault.Refused {
		return nil, syscall.ECONNREFUSED
	}
	wroteHeaders(r)
	answer := p.deliver(r, body, fault)
	select {
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-time.After(fault.AnswerAfter):
	}
	if answer = fault.Answer.replace(answer); answer == nil {
		return nil, io.ErrUnexpectedEOF
	}
	answer.Request = r
	return answer, nil
}

// deliver delivers a write as the fault specifies. It returns the lender's response, or nil if there is none.
func (p *Proxy) deliver(r *http.Request, body []byte, f Fault) *http.Response {
	switch {
	case f.Undelivered:
		return nil
	case f.DeliverAfter == 0:
		return p.send(r, body)
	}
	p.late.Go(func() {
		time.Sleep(f.DeliverAfter)
		_ = p.send(r, body).Body.Close()
	})
	return nil
}

// read reads from the lender. While readings are stale, it returns details from before the write, and an application
// that was not read before the write does not exist.
func (p *Proxy) read(r *http.Request, body []byte) *http.Response {
	if r.Method != http.MethodGet || !strings.HasPrefix(r.URL.Path, detailsPath) {
		return p.send(r, body)
	}
	p.mu.Lock()
	old, known := p.details[r.URL.RequestURI()]
	stale := time.Now().Before(p.staleUntil)
	p.mu.Unlock()
	switch {
	case stale && known:
		return response(http.StatusOK, string(old))
	case stale:
		return response(http.StatusNotFound, `{"messages":[{"level":"ERROR","message":"Not found."}]}`)
	}
	answer := p.send(r, body)
	if answer.StatusCode != http.StatusOK {
		return answer
	}
	content, _ := io.ReadAll(answer.Body) // reading a recorder's body does not fail
	answer.Body = io.NopCloser(bytes.NewReader(content))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.details == nil {
		p.details = map[string][]byte{}
	}
	p.details[r.URL.RequestURI()] = content
	return answer
}

// send sends a request to the lender. The lender does not notice if the portal gives up.
func (p *Proxy) send(r *http.Request, body []byte) *http.Response {
	answer := httptest.NewRecorder()
	sent := httptest.NewRequestWithContext(context.WithoutCancel(r.Context()), r.Method, r.URL.RequestURI(),
		bytes.NewReader(body))
	sent.Header, sent.RemoteAddr = r.Header.Clone(), "127.0.0.1:1"
	p.Handler.ServeHTTP(answer, sent)
	return answer.Result()
}

// readBody reads and closes the request body, as a transport must.
func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	return body, errors.Join(err, r.Body.Close())
}

// wroteHeaders tells the portal that the lender may have received something.
func wroteHeaders(r *http.Request) {
	if trace := httptrace.ContextClientTrace(r.Context()); trace != nil && trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
}
