package launch

import (
	"errors"

	"github.com/go-jose/go-jose/v4/jwt"
)

// Cause is why a launch was refused, for whoever looks after its client. Who sent it is
// never told, and it says nothing of anybody.
type Cause string

// The causes.
const (
	CauseFormat    Cause = "form"      // not what a launch of its kind looks like
	CauseSignature Cause = "signature" // made with another key or secret, or of something else
	CauseTime      Cause = "time"      // too old, too long, or of another clock
	CauseClaims    Cause = "claims"    // exp, iat or jti is missing
	CauseIssuer    Cause = "issuer"
	CauseAudience  Cause = "audience"
	CauseCompany   Cause = "company" // another organization or portal of the CRM
	CausePerson    Cause = "person"  // nobody is named, or more than one
	CauseOrigin    Cause = "page"    // its origin is not the client's
	CauseRecord    Cause = "record"  // its id is no text
	CauseWrongKind Cause = "way"     // sent where another kind goes
	CauseUsed      Cause = "used"    // sent before, or its one-time address was
	CauseRateLimit Cause = "often"   // more of one log-in than are taken
)

// Causes lists every cause.
func Causes() []Cause {
	return []Cause{
		CauseFormat, CauseSignature, CauseTime, CauseClaims, CauseIssuer, CauseAudience, CauseCompany, CausePerson, CauseOrigin, CauseRecord, CauseWrongKind, CauseUsed, CauseRateLimit,
	}
}

// rejection is an error that knows its cause.
type rejection struct {
	cause Cause
	text  string
}

func (r *rejection) Error() string { return "launch: " + r.text }

func newRejection(cause Cause, text string) error { return &rejection{cause, text} }

// CauseOf is why a launch was refused with an error of this package.
func CauseOf(err error) Cause {
	if r, ok := errors.AsType[*rejection](err); ok {
		return r.cause
	}
	for _, of := range []struct {
		err   error
		cause Cause
	}{
		{jwt.ErrInvalidIssuer, CauseIssuer}, {jwt.ErrInvalidAudience, CauseAudience},
		{jwt.ErrExpired, CauseTime}, {jwt.ErrNotValidYet, CauseTime}, {jwt.ErrIssuedInTheFuture, CauseTime},
	} {
		if errors.Is(err, of.err) {
			return of.cause
		}
	}
	return CauseFormat
}
