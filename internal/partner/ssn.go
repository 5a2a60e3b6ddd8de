package partner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pii"
)

// An SSN is added to a payload as late as possible: the payload is marshaled with
// ssnPlaceholder in its place, because the marshaler keeps buffers that we cannot wipe,
// and the digits then overwrite the placeholder in our own bytes.
const (
	ssnPlaceholder       = "###-##-####"
	ssnPlaceholderMember = `"ssn":"` + ssnPlaceholder + `"`
)

// ssnPlaceholderFor returns the placeholder for an SSN, or "" if there is none.
func ssnPlaceholderFor(ssn pii.Secret[string]) string {
	if ssn.Reveal() == "" {
		return ""
	}
	return ssnPlaceholder
}

// encryptedBody returns {"encrypted": …} for a payload, with the SSN inserted. It wipes the
// plaintext. Its error is a *Failure, and nothing was sent.
func (c *Client) encryptedBody(ctx context.Context, call call, payload any, ssn pii.Secret[string]) ([]byte, error) {
	plain, err := encode(payload)
	if err != nil {
		return nil, call.notSent(err)
	}
	defer clear(plain)
	if ssn.Reveal() != "" {
		if err := insertSSN(plain, ssn); err != nil {
			return nil, call.notSent(err)
		}
	}
	compact, sealErr := c.cfg.Sealer.Seal(ctx, plain)
	if sealErr != nil {
		return nil, call.failure(Failure{Reach: heloc.ReachNothing}, fault.KindOf(sealErr), sealErr)
	}
	body, marshalErr := json.Marshal(map[string]string{"encrypted": compact})
	if marshalErr != nil {
		return nil, call.failure(Failure{Reach: heloc.ReachNothing}, fault.Internal, marshalErr)
	}
	return body, nil
}

// insertSSN writes nnn-nn-nnnn over the only placeholder. No other value can look like it,
// because inside a JSON string its quotation marks would be escaped.
func insertSSN(plain []byte, ssn pii.Secret[string]) *fault.Error {
	at := bytes.Index(plain, []byte(ssnPlaceholderMember))
	if at < 0 {
		return fault.New(fault.Internal, "Something went wrong on our side. Nothing was sent to the lender.")
	}
	at += len(ssnPlaceholderMember) - len(ssnPlaceholder) - 1
	digits := strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, ssn.Reveal())
	if len(digits) != 9 || strings.Trim(digits, "0123456789") != "" {
		return fault.InvalidFields(fault.Field{Name: "applicant.ssn", Message: "An SSN has 9 digits."})
	}
	next := 0
	for i := range len(ssnPlaceholder) {
		if ssnPlaceholder[i] == '#' {
			plain[at+i] = digits[next]
			next++
		}
	}
	return nil
}

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
