// Package launch verifies launches from CRMs. However the CRM signs, the result is an
// Assertion: the client, the CRM user, the record, and values for the form. The package stores
// nothing and makes no calls; the store ensures that a launch is used only once, by its
// ReplayKey.
//
//	launch.go   clients and assertions, and why a launch was rejected
//	token.go    a signed token (JWT), for a custom CRM; the keys that may sign it, and shared secrets
//	canvas.go   a signed request, as Salesforce Canvas posts it
//	call.go     a signed call from the CRM's server, as HubSpot makes it
//	trial.go    tests a launch: everything that is wrong with it
//	prefill.go  reads records and form values in the forms that CRMs use
//
// An assertion does not sign a user in: the user must have selected "Continue as …" in the same browser session.
//
// JSON is read with go-jose's decoder, which matches names case-sensitively and refuses a name that an object has
// twice, so no two programs can read the same launch differently.
package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/fault"
	"hearthline/internal/pii"
)

// Kind is the way in which a client signs its launches; it is part of the URL.
type Kind string

// The kinds of launch.
const (
	KindToken  Kind = "jwt"     // a token signed with the client's private key
	KindCanvas Kind = "canvas"  // an envelope signed with a shared secret
	KindCall   Kind = "hubspot" // a call of the CRM's server, signed with a shared secret
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{KindToken, KindCanvas, KindCall} }

// Client is a CRM that may frame the portal, as an administrator configured it.
type Client struct {
	Key      string   // in URLs; not a secret
	Name     string   // for display
	BrokerID string   // the broker company whose users may come from the CRM
	Origins  []string // exact, as in https://crm.example; never a pattern
	Kind     Kind

	Issuer       string             // of tokens
	Keys         jose.JSONWebKeySet // public, pinned or read from its URL; of tokens
	Secret       pii.Secret[[]byte] // of envelopes and calls
	SecretNext   pii.Secret[[]byte] // the next secret, while both are valid; may be empty
	Organization string             // the CRM's own id of the company, pinned; of envelopes
}

// Allows reports whether an origin is one of the client's.
func (c Client) Allows(origin string) bool { return slices.Contains(c.Origins, origin) }

// Record is the record that is open in the CRM.
type Record struct {
	Type string // "contact", "Lead"
	ID   string // sent to the lender as a reference, so never a name
}

// Assertion is the content of a verified launch.
type Assertion struct {
	Client  string // the client's key
	Subject string // the CRM user's id, unique within the client
	Name    string // in the CRM; "" if the CRM does not send it
	Email   string // lower case; may identify the user, but is not proof
	Origin  string // of the framing page, one of the client's; "" if unknown
	Record  Record
	Prefill url.Values // intake controls by name; the user reviews them before anything is sent
	// Unusable are the fields that fill in no control: unknown ones, and controls that do not accept the value.
	Unusable []string
	Fields   []FieldResult // every field, by name
	// ReplayKey is the same when the same launch is posted twice, and reveals nothing about it. It
	// is derived from the signed content and never from the signature, which has several encodings.
	ReplayKey string
	// Expires is when the launch is no longer valid and ReplayKey may be forgotten. It is zero for
	// a launch without an expiration: its ReplayKey must be stored for as long as Secret is
	// valid, the secret that signed it.
	Expires time.Time
	Secret  pii.Secret[[]byte]
}

// The limits of a launch's content.
const (
	maxBytes         = 64 << 10
	maxText          = 200 // characters of a name, a subject or an id
	maxPrefill       = 200 // controls
	maxUnusable      = 20  // unusable controls that are reported
	maxTokenLifetime = 120 * time.Second
	clockSkew        = 30 * time.Second // between two clocks, for times in the future
)

// denied replaces an error by the same message for every invalid launch: a forger learns nothing, and a
// legitimate user learns who can help.
func denied[T any](value T, cause error) (T, error) {
	if cause == nil {
		return value, nil
	}
	var none T
	return none, fault.Wrap(fault.Denied,
		"Your CRM couldn’t be verified. If this continues, contact your CRM administrator.", cause)
}

var (
	errMalformed = newRejection(CauseFormat, "malformed")
	errOrigin    = newRejection(CauseOrigin, "the origin is not one of the client's")
	errSubject   = newRejection(CausePerson, "no user is named")
	errRecord    = newRejection(CauseRecord, "the record's type or id is neither a whole number nor text, or is too long")
)

// finish checks what every kind of launch must contain, and determines the framing page: the
// one that the launch names, which must be the client's, or the client's only one. An unknown
// page is not an error: the browser enforces the client's whole list, and only the frame's
// messages have no recipient.
func (a *Assertion) finish(c Client, origin string) error {
	switch {
	case origin == "" && len(c.Origins) == 1:
		origin = c.Origins[0]
	case origin != "" && !c.Allows(origin):
		return errOrigin
	}
	a.Client, a.Origin = c.Key, origin
	a.Email = strings.ToLower(strings.TrimSpace(a.Email))
	if strings.TrimSpace(a.Subject) == "" {
		return errSubject
	}
	unusable := func(text string) bool {
		return len([]rune(text)) > maxText || strings.ContainsFunc(text, unicode.IsControl)
	}
	switch {
	case slices.ContainsFunc([]string{a.Subject, a.Name, a.Email}, unusable):
		return errMalformed
	case unusable(a.Record.Type) || unusable(a.Record.ID):
		return errRecord
	}
	return nil
}

func replayKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

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
	CauseRecord    Cause = "record"  // its type or id is neither a whole number nor text, or is too long
	CauseWrongKind Cause = "way"     // sent to the endpoint of another kind
	CauseUsed      Cause = "used"    // the launch or its one-time URL was used before
	CauseKeys      Cause = "keys"    // its keys could not be read for too long
	CauseKeyID     Cause = "key-id"  // names a key that the client does not have
	CauseRateLimit Cause = "often"   // too many launches of one CRM user
)

// Causes lists every cause.
func Causes() []Cause {
	return []Cause{
		CauseFormat, CauseSignature, CauseTime, CauseClaims, CauseIssuer, CauseAudience, CauseCompany, CausePerson,
		CauseOrigin, CauseRecord, CauseWrongKind, CauseUsed, CauseKeys, CauseKeyID, CauseRateLimit,
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
