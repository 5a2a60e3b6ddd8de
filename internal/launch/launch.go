// Package launch decides whether a CRM really sent somebody here. Whatever way the CRM
// signs, what comes out is one Assertion: which client, whose log-in there, which record,
// and what the form may be filled with. It keeps nothing and asks nobody; that a launch
// is used once is the store's to hold, by its ReplayKey.
//
//	launch.go   what a client is and what a launch says
//	token.go    a signed token (JWT), for a CRM of one's own; key.go, which keys may sign it
//	canvas.go   a signed request, as Salesforce Canvas posts it
//	call.go     a signed call from the CRM's server, as HubSpot makes it
//	secret.go   what a shared secret signs, in either of the two
//	prefill.go     what a launch says, however its CRM spells it
//	cause.go    why one was refused
//
// An assertion signs nobody in: a person still presses "Continue as …".
package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/fault"
	"hearthline/internal/pii"
)

// Kind is the way in which a client signs its launches; it stands in the address.
type Kind string

// The kinds of launch.
const (
	KindToken  Kind = "jwt"     // a token signed with the client's private key
	KindCanvas Kind = "canvas"  // an envelope under a secret that both sides hold
	KindCall   Kind = "hubspot" // a call of the CRM's server under a secret that both sides hold
)

// Kinds lists every kind.
func Kinds() []Kind { return []Kind{KindToken, KindCanvas, KindCall} }

// Client is a CRM that may frame the desk, as an administrator entered it.
type Client struct {
	Key      string   // in addresses; not a secret
	Name     string   // for people
	BrokerID string   // the broker company whose people may come this way
	Origins  []string // exact, as in https://crm.example; never a pattern
	Kind     Kind

	Issuer       string             // of tokens
	Keys         jose.JSONWebKeySet // public, pinned; of tokens
	Secret       pii.Secret[[]byte] // of envelopes and calls
	SecretNext   pii.Secret[[]byte] // the one to come, while both hold; may be empty
	Organization string             // the CRM's own id of the company, pinned; of envelopes
}

// Allows says whether an origin is one of the client's own.
func (c Client) Allows(origin string) bool { return slices.Contains(c.Origins, origin) }

// Record is what the person looks at in the CRM.
type Record struct {
	Type string // "contact", "Lead"
	ID   string // goes to the lender as a reference, so never a name
}

// Assertion is what a verified launch says.
type Assertion struct {
	Client  string // the client's key
	Subject string // the person's log-in in the CRM, unique within the client
	Name    string // as the CRM spells it; "" where it does not say
	Email   string // lower case; says who it may be, and is proof of nothing
	Origin  string // of the page that frames us, one of the client's own; "" where it is not known which
	Record  Record
	Prefill url.Values // controls of the intake by their names; reviewed by the person before anything is sent
	// Unusable are the controls for which the CRM says something that no control takes.
	Unusable []string
	// ReplayKey is the same for the same launch posted twice, and tells nothing about it. It is
	// made of what is signed and never of the signature, which can be written in many ways.
	ReplayKey string
	// Expires is when the launch is of no use any more, and ReplayKey may be forgotten. Zero
	// for a launch that carries no end: its ReplayKey must be remembered as long as Secret
	// holds, the one under which it was signed.
	Expires time.Time
	Secret  pii.Secret[[]byte]
}

// The bounds of what a launch may say.
const (
	maxBytes         = 64 << 10
	maxText          = 200 // characters of a name, a subject or an id
	maxPrefill       = 200 // controls
	maxUnusable      = 20  // of them that are told apart
	maxTokenLifetime = 120 * time.Second
	clockSkew        = 30 * time.Second // between two clocks, for what lies in the future
)

// deniedError is the one sentence for whatever is wrong with a launch: who forges learns
// nothing, and who is locked out has somebody to ask.
func deniedError(why error) error {
	return fault.Wrap(fault.Denied, "Your CRM could not be recognised. If it stays so, ask whoever looks after the CRM.", why)
}

var (
	errMalformed = newRejection(CauseFormat, "malformed")
	errOrigin    = newRejection(CauseOrigin, "the origin is not one of the client's")
	errSubject   = newRejection(CausePerson, "nobody is named")
)

// finish checks what every kind of launch must say, and finds the page around the frame:
// the one that the launch names, which must be the client's, or else its only one. Where
// that is not known nothing is wrong: the browser keeps others away, by the client's whole
// list, and only the messages of the frame have nobody to go to.
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
	for _, text := range []string{a.Subject, a.Name, a.Email, a.Record.Type, a.Record.ID} {
		if len([]rune(text)) > maxText {
			return errMalformed
		}
	}
	return nil
}

func replayKey(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}
