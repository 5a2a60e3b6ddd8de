package partner

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strings"
)

// errTimeout is the cause of a call that took longer than Config.Timeout.
var errTimeout = errors.New("the lender took too long")

// causeOf distinguishes timeouts and canceled calls from other errors. It omits what errors of
// net/http quote: the URL, which contains the application's id, and pieces of a response that
// could not be parsed.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("%s: %w", op.Op, op.Err)
	}
	return redactedError{err}
}

// redactedError contains the innermost text of an error chain up to its first quotation mark.
// It supports errors.Is but cannot be unwrapped, because a logger that walks the chain
// would print the rest.
type redactedError struct{ err error }

func (r redactedError) Error() string {
	if _, ok := errors.AsType[textproto.ProtocolError](r.err); ok {
		return "malformed header" // the only error that quotes without quotation marks
	}
	inner := r.err
	for next := errors.Unwrap(inner); next != nil; next = errors.Unwrap(inner) {
		inner = next
	}
	text, _, _ := strings.Cut(inner.Error(), `"`)
	return truncate(strings.TrimSpace(strings.ToValidUTF8(text, "?")), 200)
}

// Is reports whether the redacted error matches target.
func (r redactedError) Is(target error) bool { return errors.Is(r.err, target) }
