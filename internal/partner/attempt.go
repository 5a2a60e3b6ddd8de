package partner

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/trace"
)

// sendWithKeys sends a request once. Only after a 401 does it send it again, with the next
// key: a 401 guarantees that even a write had no effect. Each sending counts toward the rate.
func (c *Client) sendWithKeys(ctx context.Context, call call) (*reply, error) {
	keys := c.keysFor(call)
	if len(keys) == 0 {
		return nil, call.failure(Failure{Reach: heloc.ReachNothing}, fault.Internal, errors.New("no API key is configured"))
	}
	for i, key := range keys {
		got, err := c.send(ctx, call, key)
		if err == nil {
			if !call.withoutKey {
				c.acceptedKey.Store(&key)
			}
			return got, nil
		}
		if err.Status != http.StatusUnauthorized || i == len(keys)-1 || c.waitForRate(ctx, call) != nil {
			return nil, err
		}
	}
	panic("unreachable: the last key returns")
}

// keysFor returns the keys to try, starting with the one last accepted, so that after a
// rotation requests are not rejected first. A keyless call tries one empty key.
func (c *Client) keysFor(call call) []string {
	if call.withoutKey {
		return []string{""}
	}
	keys := slices.DeleteFunc(slices.Clone(c.cfg.APIKeys()), func(key string) bool { return key == "" })
	if last := c.acceptedKey.Load(); last != nil {
		if i := slices.Index(keys, *last); i > 0 {
			keys = slices.Insert(slices.Delete(keys, i, i+1), 0, *last)
		}
	}
	return keys
}

// send sends one HTTP request.
func (c *Client) send(ctx context.Context, call call, key string) (got *reply, failure *Failure) {
	start := time.Now()
	status := 0
	*call.sent++
	ctx, span := trace.StartTry(ctx, call.endpoint, call.method, *call.sent)
	defer func() {
		made := Call{Endpoint: call.endpoint, Method: call.method, Status: status, WithKey: !call.withoutKey,
			Duration: time.Since(start), At: start}
		made.Canceled = status == 0 && errors.Is(context.Cause(ctx), context.Canceled)
		span.EndTry(status, made.Canceled)
		c.stats.add(made)
		c.cfg.Observe(made)
	}()

	guard := &idleTimeout{}
	if call.class == classDownload {
		ctx, guard = newIdleTimeout(ctx, c.cfg.Timeout)
		guard.start()
	}
	wire := &requestTrace{}
	req, err := c.newRequest(wire.attach(ctx), call, key)
	if err != nil {
		guard.stop()
		return nil, call.failure(Failure{Reach: heloc.ReachNothing}, fault.Internal, errors.New("the request cannot be made"))
	}
	resp, err := c.http.Do(req) //nolint:bodyclose // receive closes it, or hands it to the download
	guard.pause()
	if err != nil {
		guard.stop()
		return nil, call.failure(Failure{Reach: wire.reach()}, fault.Unavailable, causeOf(ctx, err))
	}
	status = resp.StatusCode
	return c.receive(ctx, rawResponse{call: call, response: resp, idle: guard, key: key})
}

// newRequest builds the HTTP request. It never sets an Idempotency-Key: with one, the
// transport silently resends a POST when a connection breaks.
func (c *Client) newRequest(ctx context.Context, call call, key string) (*http.Request, error) {
	address := c.cfg.BaseURL + call.path
	if call.query != "" {
		address += "?" + call.query
	}
	req, err := http.NewRequestWithContext(ctx, call.method, address, nil)
	if err != nil {
		return nil, err
	}
	if call.body != nil {
		req.ContentLength = int64(len(call.body))
		req.Body = newWipingBody(call.body)
		// The transport calls this only when the connection was lost before the first byte
		// was written; without it, a stale connection would make a write fail needlessly.
		req.GetBody = func() (io.ReadCloser, error) { return newWipingBody(call.body), nil }
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("User-Agent", "Hearthline/"+c.cfg.Version)
	if call.class == classDownload {
		req.Header.Set("Accept", "*/*")
		req.Header.Set("Accept-Encoding", "identity") // so that Content-Length is the length of the file
	} else {
		req.Header.Set("Accept", "application/json")
	}
	if !call.withoutKey {
		req.Header.Set("apikey", key)
	}
	if call.encryptedResponse && c.cfg.Opener != nil {
		req.Header.Set("X-Encrypt-Response", "true")
	}
	return req, nil
}

// requestTrace records how far a request got. Its hooks run in the transport's goroutines.
type requestTrace struct{ wroteHeaders atomic.Bool }

// attach adds the trace to the context. GetConn resets it: when the transport looks for
// another connection it starts over, which for a write it does only if no byte was written.
func (r *requestTrace) attach(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn:      func(string) { r.wroteHeaders.Store(false) },
		WroteHeaders: func() { r.wroteHeaders.Store(true) },
	})
}

// reach returns how far a request without a response got. Before its header block is complete
// the lender cannot have acted on it.
func (r *requestTrace) reach() heloc.Reach {
	if r.wroteHeaders.Load() {
		return heloc.ReachSent
	}
	return heloc.ReachNothing
}

// newTransport is the only pool of connections to the lender.
//
// It uses only HTTP/1.1: over HTTP/2 the standard transport resends a request after some
// stream errors, and a write must never be sent again unless a user decides so.
func newTransport() *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 3 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    5 * time.Second,
		MaxIdleConns:           32,
		MaxIdleConnsPerHost:    32,
		MaxConnsPerHost:        64,
		IdleConnTimeout:        60 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		Protocols:              protocols,
	}
}

// wipingBody is a private copy of a request's bytes that is wiped when the transport closes
// it. The transport may still be reading when the call has already returned, so it must not
// share the caller's bytes, which are wiped then.
type wipingBody struct {
	mu     sync.Mutex
	bytes  []byte
	offset int
}

func newWipingBody(b []byte) *wipingBody { return &wipingBody{bytes: append([]byte(nil), b...)} }

func (b *wipingBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.offset == len(b.bytes) {
		return 0, io.EOF
	}
	n := copy(p, b.bytes[b.offset:])
	b.offset += n
	return n, nil
}

func (b *wipingBody) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.bytes)
	b.bytes, b.offset = nil, 0
	return nil
}
