package partner

import (
	"bytes"
	"context"
	"errors"

	"hearthline/internal/fault"
)

// Seal has the lender encrypt a JSON object, for an installation without the lender's public
// key; the plaintext is protected only by TLS on its way to the lender. The call changes
// nothing, so it is retried like a read.
//
// heloc: POST /encryption/v1/encrypt (4.22)
func (c *Client) Seal(ctx context.Context, plaintext []byte) (string, error) {
	q := callTo("encrypt")
	q.skipDecrypt = true
	q.body = bytes.Clone(plaintext) // do wipes this copy, not the caller's bytes
	got, err := c.do(ctx, q)
	if err != nil {
		return "", err
	}
	compact := textOf(unwrapData(got.tree)["encrypted"])
	if compact == "" {
		return "", q.failure(got.said(), fault.Upstream, errors.New("the answer has no encrypted member"))
	}
	return compact, nil
}
