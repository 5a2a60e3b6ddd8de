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
	maxJSON  = 8 << 20  // of an answer that we must understand
	maxError = 64 << 10 // of an answer that only explains a refusal
)

// reply is a 2xx answer, read and parsed; of a download only the head.
type reply struct {
	status    int
	requestID string
	messages  []heloc.Message
	tree      any // nil for an empty body and for downloads
	download  *Download
}

// rawResponse is an answer as it comes off the wire.
type rawResponse struct {
	call     call
	response *http.Response
	idle     *idleTimeout
	key      string
}

// receive turns an answer into a reply or a *Failure, and closes it unless it is
// a download that goes on.
func (c *Client) receive(ctx context.Context, r rawResponse) (*reply, *Failure) {
	resp := r.response
	said := Failure{Status: resp.StatusCode, RequestID: truncate(resp.Header.Get("X-Kong-Request-Id"), 64)}
	good := resp.StatusCode >= 200 && resp.StatusCode < 300
	if good && r.call.class == classDownload {
		return &reply{status: said.Status, requestID: said.RequestID, download: newDownload(ctx, r)}, nil
	}
	defer r.idle.stop()
	defer func() { _ = resp.Body.Close() }()
	r.idle.start()
	if !good {
		return nil, c.rejection(r, said)
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxJSON+1))
	defer func() { clear(raw) }()
	if err != nil {
		return nil, r.call.failure(said, fault.Unavailable, fmt.Errorf("the answer broke off: %w", causeOf(ctx, err)))
	}
	tree, err := c.parseBody(raw, r.call.skipDecrypt)
	if err != nil {
		return nil, r.call.failure(said, fault.Upstream, err)
	}
	return &reply{
		status: said.Status, requestID: said.RequestID, tree: tree, messages: messagesOf(tree, r.key),
	}, nil
}

// parseBody reads a JSON body, which it opens first if it is encrypted.
func (c *Client) parseBody(raw []byte, asIs bool) (any, error) {
	if len(raw) > maxJSON {
		return nil, fmt.Errorf("the answer is longer than %d bytes", maxJSON)
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil // attributions answers so (interface-live.md section 1)
	}
	if asIs || !jwe.LooksEncrypted(raw) {
		return readTree(raw)
	}
	if c.opener == nil {
		return nil, errors.New("the answer is encrypted and there is no key to open it")
	}
	plain, err := c.opener.Open(raw)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	return readTree(plain)
}

// rejection explains a status that is not 2xx. The status alone decides what it
// means; the body, of a form nobody promised, only adds the lender's words.
func (c *Client) rejection(r rawResponse, said Failure) *Failure {
	raw, _ := io.ReadAll(io.LimitReader(r.response.Body, maxError))
	defer clear(raw)
	if tree, err := readTree(raw); err == nil {
		said.Messages = messagesOf(tree, r.key)
	}
	said.retryAfter = retryAfter(r.response.Header)
	said.Delivery = DeliveryUnknown
	kind := fault.Unavailable
	switch status := said.Status; {
	case r.call.optional && (status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented):
		said.Delivery, kind = DeliveryRejected, fault.NotFound
	case status == http.StatusRequestTimeout || status >= 500 || status < 200:
	case status == http.StatusNotFound:
		said.Delivery, kind = DeliveryRejected, fault.NotFound
	case status == http.StatusTooManyRequests:
		said.Delivery = DeliveryRejected
	default:
		said.Delivery, kind = DeliveryRejected, fault.Upstream
	}
	return r.call.failure(said, kind, fmt.Errorf("status %d", said.Status))
}
