package partner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/jwe"
)

const (
	maxJSON  = 8 << 20  // of a response that we must parse
	maxError = 64 << 10 // of a response that only explains a rejection
)

// reply is a 2xx response, read and parsed; for a download only the header.
type reply struct {
	status    int
	requestID string
	messages  []heloc.Message
	tree      any // nil for an empty body and for downloads
	download  *Download
}

// rawResponse is an HTTP response before it is read.
type rawResponse struct {
	call     call
	response *http.Response
	idle     *idleTimeout
	key      string
}

// receive converts a response to a reply or a *Failure, and closes it unless it is a
// download that continues.
func (c *Client) receive(ctx context.Context, r rawResponse) (*reply, *Failure) {
	resp := r.response
	failure := Failure{Status: resp.StatusCode, RequestID: truncate(resp.Header.Get("X-Kong-Request-Id"), 64)}
	success := resp.StatusCode >= 200 && resp.StatusCode < 300
	if success && r.call.class == classDownload {
		d := newDownload(ctx, r)
		if wrong := d.begin(failure.Status); wrong != nil {
			_ = d.Body.Close()
			return nil, wrong
		}
		return &reply{status: failure.Status, requestID: failure.RequestID, download: d}, nil
	}
	defer r.idle.stop()
	defer func() { _ = resp.Body.Close() }()
	r.idle.start()
	if !success {
		return nil, c.rejection(r, failure)
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxJSON+1))
	defer func() { clear(raw) }()
	if err != nil {
		return nil, r.call.failure(failure, fault.Unavailable, fmt.Errorf("the answer broke off: %w", causeOf(ctx, err)))
	}
	tree, err := c.parseBody(raw, r.call.skipDecrypt)
	if err != nil {
		return nil, r.call.failure(failure, fault.Upstream, err)
	}
	return &reply{
		status: failure.Status, requestID: failure.RequestID, tree: tree, messages: messagesOf(tree, r.key),
	}, nil
}

// parseBody parses a JSON body, after decrypting it if necessary.
func (c *Client) parseBody(raw []byte, asIs bool) (any, error) {
	if len(raw) > maxJSON {
		return nil, fmt.Errorf("the answer is longer than %d bytes", maxJSON)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil // attributions responds this way (interface-live.md section 1)
	}
	if asIs || !jwe.LooksEncrypted(raw) {
		return readTree(raw)
	}
	if c.cfg.Opener == nil {
		return nil, errors.New("the answer is encrypted and there is no key to open it")
	}
	plain, err := c.cfg.Opener.Open(raw)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	return readTree(plain)
}

// rejection converts a status that is not 2xx to a Failure. Only the status decides what it
// means; the body, whose form is not specified, only adds the lender's messages.
func (c *Client) rejection(r rawResponse, failure Failure) *Failure {
	raw, _ := io.ReadAll(io.LimitReader(r.response.Body, maxError))
	defer clear(raw)
	if tree, err := readTree(raw); err == nil {
		failure.Messages = messagesOf(tree, r.key)
	}
	failure.retryAfter = retryAfter(r.response.Header)
	failure.Reach = heloc.ReachAnswer
	kind := fault.Unavailable
	switch status := failure.Status; {
	case r.call.optional && (status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented):
		failure.Refused, kind = true, fault.NotFound
	case status == http.StatusRequestTimeout || status >= 500 || status < 200:
	case status == http.StatusNotFound:
		failure.Refused, kind = true, fault.NotFound
	case status == http.StatusTooManyRequests:
		failure.Refused = true
	default:
		failure.Refused, kind = true, fault.Upstream
	}
	return r.call.failure(failure, kind, fmt.Errorf("status %d", failure.Status))
}
