package launch

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Call is a request that the CRM's server made, as far as its signature covers it.
type Call struct {
	Method    string
	URI       string // scheme and host from our own settings, never from the Host header, and the path as received
	Query     string // as received, without its question mark
	Body      string
	Timestamp string // unix milliseconds, from the request's header
	Signature string // base64, from the request's header
}

// Caller is who asked for a call: what HubSpot itself vouches for. The code of a card runs
// in its user's browser and chooses the body; HubSpot signs whatever that says, and adds
// to the address, of its own, who is logged in.
type Caller struct {
	Portal string // the company's account in HubSpot
	User   string // the log-in's id there
	Email  string // as HubSpot knows it
}

// Subject is the caller's log-in as an Assertion names it, unique within a client.
func (k Caller) Subject() string { return k.Portal + "/" + k.User }

// maxCallAge is how long a signed call is good for, either way of our clock.
const maxCallAge = 5 * time.Minute

// VerifyCall verifies base64(HMAC-SHA256(secret, method + URI + body + timestamp)), made
// at most five minutes ago, as HubSpot signs (version 3); the URI is the call's with its
// query. It says that the client's server signed this, and nothing of who asked for it. Any
// error is fault.Denied.
func VerifyCall(c Client, call Call, now time.Time) error {
	if err := verifyCall(c, call, now); err != nil {
		return deniedError(err)
	}
	return nil
}

func verifyCall(c Client, call Call, now time.Time) error {
	ms, err := strconv.ParseInt(call.Timestamp, 10, 64)
	switch {
	case err != nil || strconv.FormatInt(ms, 10) != call.Timestamp || len(call.Body) > maxBytes:
		return errMalformed
	case !isUnambiguous(call):
		return newRejection(CauseFormat, "the call could be read in more than one way")
	}
	if age := now.Sub(time.UnixMilli(ms)); age > maxCallAge || age < -maxCallAge {
		return newRejection(CauseTime, "the call is too old, or a clock is wrong")
	}
	given, err := anyBase64(call.Signature)
	if err != nil {
		return err
	}
	for _, address := range call.signedAddresses() {
		if _, holds := matchSecret(c, []byte(call.Method+address+call.Body+call.Timestamp), given); holds {
			return nil
		}
	}
	return newRejection(CauseSignature, "the call's signature is wrong")
}

// signedAddresses are the ways in which the address may stand where it is signed: as received, with
// its query decoded, or decoded as a whole.
func (call Call) signedAddresses() []string {
	if call.Query == "" {
		return []string{call.URI, decodePath(call.URI)}
	}
	query := "?" + decodeQuery(call.Query)
	return []string{call.URI + "?" + call.Query, call.URI + query, decodePath(call.URI) + query}
}

// isUnambiguous holds a call to what can be taken apart in one way only, for nothing stands
// between its pieces where they are signed: a path without a question mark, a query of the letters
// that a query has, and a body that is nothing or a JSON object, whose brace no query holds.
func isUnambiguous(call Call) bool {
	foreign := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~%!$&'()*+,;=:@/?", r))
	}
	return !strings.ContainsAny(call.URI, "?{") && !strings.ContainsFunc(call.Query, foreign) && (call.Body == "" || call.Body[0] == '{')
}

// decodeQuery is a query as HubSpot's documentation has it signed: these escapes, and no
// others, undone. None of them parts one value from another, so that both forms say the
// same; the other form that holds is the query as it was received.
func decodeQuery(query string) string {
	return strings.NewReplacer("%2F", "/", "%3F", "?").Replace(decodePath(query))
}

// decodePath is a path likewise, whose pieces stay apart, and apart from its query.
func decodePath(path string) string {
	return strings.NewReplacer("%3A", ":", "%40", "@", "%21", "!", "%24", "$", "%27", "'",
		"%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";").Replace(path)
}

// VerifyCaller verifies a call and reads who asked for it: portalId, userId and userEmail out
// of the signed query, each there exactly once, the portal being the client's own. A card
// may put parameters of its own before them; one that names a user besides HubSpot is
// refused. Any error is fault.Denied.
func VerifyCaller(c Client, call Call, now time.Time) (Caller, error) {
	if err := VerifyCall(c, call, now); err != nil {
		return Caller{}, err
	}
	k, err := parseCaller(call.Query)
	if err == nil && (c.Organization == "" || k.Portal != c.Organization) {
		err = newRejection(CauseCompany, "another portal of the CRM")
	}
	if err != nil {
		return Caller{}, deniedError(err)
	}
	return k, nil
}

func parseCaller(query string) (Caller, error) {
	said, err := url.ParseQuery(query)
	if err != nil {
		return Caller{}, fmt.Errorf("launch: read query: %w", err)
	}
	for _, name := range []string{"portalId", "userId", "userEmail"} {
		if values := said[name]; len(values) != 1 || values[0] == "" {
			return Caller{}, newRejection(CausePerson, name+" does not stand in the query once")
		}
	}
	k := Caller{Portal: said.Get("portalId"), User: said.Get("userId"), Email: said.Get("userEmail")}
	for _, id := range []string{k.Portal, k.User} {
		if n, err := strconv.ParseInt(id, 10, 64); err != nil || n <= 0 || strconv.FormatInt(n, 10) != id {
			return Caller{}, errSubject
		}
	}
	return k, nil
}

// launchCallBody is the body of a call that asks for a launch. Who asks does not stand in it.
type launchCallBody struct {
	Origin  string        `json:"origin"`
	Record  recordClaim   `json:"record"`
	Prefill prefillFields `json:"prefill"`
}

// VerifyLaunchCall verifies a call that asks for a launch and reads it: who asks out of the query, as
// VerifyCaller does, and JSON with origin, record {type, id} and prefill {control: text}, all
// optional. The CRM repeats a call that failed, so the same call gives the same ReplayKey,
// however its query is escaped. Any error is fault.Denied.
func VerifyLaunchCall(c Client, call Call, now time.Time) (Assertion, error) {
	k, err := VerifyCaller(c, call, now)
	if err != nil {
		return Assertion{}, err
	}
	a, err := readCall(c, call, k)
	if err != nil {
		return Assertion{}, deniedError(err)
	}
	a.Expires = now.Add(2 * maxCallAge)
	return a, nil
}

// readCall reads what a call says that was verified.
func readCall(c Client, call Call, k Caller) (Assertion, error) {
	var body launchCallBody
	if err := json.Unmarshal([]byte(call.Body), &body); err != nil {
		return Assertion{}, fmt.Errorf("launch: read call: %w", err)
	}
	a := Assertion{Subject: k.Subject(), Email: k.Email, ReplayKey: replayKey(c.Key, "call", call.Timestamp, decodeQuery(call.Query), call.Body)}
	a.Prefill, a.Unusable = body.Prefill.controls()
	var err error
	if a.Record, err = body.Record.record(); err != nil {
		return Assertion{}, err
	}
	a.Record.Type = RecordType(c.Kind, a.Record.Type)
	return a, a.finish(c, body.Origin)
}
