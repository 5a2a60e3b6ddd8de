package partner

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/pii"
)

// An SSN enters a payload as late as possible: the payload is marshalled with
// ssnPlaceholder in its place, since the marshaller keeps buffers that nobody can wipe,
// and the digits are then written over the blank in our own bytes.
const (
	ssnPlaceholder       = "###-##-####"
	ssnPlaceholderMember = `"ssn":"` + ssnPlaceholder + `"`
)

// ssnPlaceholderFor is the blank for an SSN, or nothing if there is none.
func ssnPlaceholderFor(ssn pii.Secret[string]) string {
	if ssn.Reveal() == "" {
		return ""
	}
	return ssnPlaceholder
}

// encryptedBody makes {"encrypted": …} of a payload, with the SSN put in. The plaintext is
// wiped. The error is a *Failure with nothing sent.
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
	compact, sealErr := c.sealer.Seal(ctx, plain)
	if sealErr != nil {
		return nil, call.failure(Failure{Delivery: DeliveryNotSent}, fault.KindOf(sealErr), sealErr)
	}
	body, marshalErr := json.Marshal(map[string]string{"encrypted": compact})
	if marshalErr != nil {
		return nil, call.failure(Failure{Delivery: DeliveryNotSent}, fault.Internal, marshalErr)
	}
	return body, nil
}

// insertSSN writes nnn-nn-nnnn over the one blank. A value cannot be mistaken for it,
// because inside a JSON string its quotes would be escaped.
func insertSSN(plain []byte, ssn pii.Secret[string]) *fault.Error {
	at := bytes.Index(plain, []byte(ssnPlaceholderMember))
	if at < 0 {
		return fault.New(fault.Internal, "Something is wrong on our side, so nothing was sent to the lender.")
	}
	at += len(ssnPlaceholderMember) - len(ssnPlaceholder) - 1
	digits := strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, ssn.Reveal())
	if len(digits) != 9 || countDigits(digits) != 9 {
		return fault.InvalidFields(fault.Field{Name: "applicant.ssn", Message: "An SSN has nine digits."})
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
