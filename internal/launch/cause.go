package launch

import (
	"errors"

	"github.com/go-jose/go-jose/v4/jwt"
)

// Cause is why a launch was rejected, for the client's administrator. The sender never learns
// it, and it contains no personal data.
type Cause string

// The causes.
const (
	CauseFormat    Cause = "form"      // does not have the form of its kind
	CauseSignature Cause = "signature" // made with another key or secret, or for other content
	CauseTime      Cause = "time"      // too old, valid for too long, or the clocks differ
	CauseClaims    Cause = "claims"    // exp, iat or jti is missing
	CauseIssuer    Cause = "issuer"
	CauseAudience  Cause = "audience"
	CauseCompany   Cause = "company" // another organization or portal of the CRM
	CausePerson    Cause = "person"  // no user is named, or more than one
	CauseOrigin    Cause = "page"    // its origin is not the client's
	CauseRecord    Cause = "record"  // its id is not text
	CauseWrongKind Cause = "way"     // sent to the endpoint of another kind
	CauseUsed      Cause = "used"    // the launch or its one-time URL was used before
	CauseRateLimit Cause = "often"   // too many launches of one CRM user
)

// Causes lists every cause.
func Causes() []Cause {
	return []Cause{
		CauseFormat, CauseSignature, CauseTime, CauseClaims, CauseIssuer, CauseAudience, CauseCompany, CausePerson,
		CauseOrigin, CauseRecord, CauseWrongKind, CauseUsed, CauseRateLimit,
	}
}

// rejection is an error with its cause.
type rejection struct {
	cause Cause
	text  string
}

func (r *rejection) Error() string { return "launch: " + r.text }

func newRejection(cause Cause, text string) error { return &rejection{cause, text} }

// CauseOf returns why a launch was rejected, given an error of this package.
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
