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

// causeOf tells a time-out and a caller who left from other errors, and leaves out
// what errors of net/http quote: the address, which names the application, and
// pieces of an answer that could not be understood.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return fmt.Errorf("%s: %w", op.Op, op.Err)
	}
	return redactedError{err}
}

// redactedError shows the innermost text of an error chain up to its first quotation. It
// can be recognised with errors.Is but not unwrapped, or a logger that walks the
// chain would print the rest.
type redactedError struct{ err error }

func (u redactedError) Error() string {
	if _, ok := errors.AsType[textproto.ProtocolError](u.err); ok {
		return "malformed header" // the only error that quotes without quotation marks
	}
	inner := u.err
	for next := errors.Unwrap(inner); next != nil; next = errors.Unwrap(inner) {
		inner = next
	}
	text, _, _ := strings.Cut(inner.Error(), `"`)
	return truncate(strings.TrimSpace(strings.ToValidUTF8(text, "?")), 200)
}

// Is lets errors.Is look inside.
func (u redactedError) Is(target error) bool { return errors.Is(u.err, target) }
