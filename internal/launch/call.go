package launch

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-jose/go-jose/v4/json"
)

// Call contains the signed parts of a request from the CRM's server.
type Call struct {
	Method    string
	URI       string // scheme and host from our own settings, never from the Host header, and the path as received
	Query     string // as received, without the question mark
	Body      string
	Timestamp string // Unix milliseconds, from the request's header
	Signature string // base64, from the request's header
}

// Caller is the user who made a call, as HubSpot identifies them. The code of a card runs in
// its user's browser and chooses the body; HubSpot signs any body, and adds to the URL who
// is signed in.
type Caller struct {
	Portal string // the company's account in HubSpot
	User   string // the user's id in HubSpot
	Email  string // the user's email in HubSpot
}

// Subject is the caller as an Assertion names them, unique within a client.
func (c Caller) Subject() string { return c.Portal + "/" + c.User }

// maxCallAge is how far a call's timestamp may differ from our clock, in either direction.
const maxCallAge = 5 * time.Minute

// VerifyCall verifies base64(HMAC-SHA256(secret, method + URI + body + timestamp)), made at
// most five minutes ago, as HubSpot signs it (version 3); the URI includes the query. It proves
// that the client's server signed the call, not who made it. Any error is fault.Denied.
func VerifyCall(c Client, call Call, now time.Time) error {
	_, err := denied(call, verifyCall(c, call, now))
	return err
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
	for _, uri := range call.signedAddresses() {
		if _, ok := matchSecret(c, []byte(call.Method+uri+call.Body+call.Timestamp), given); ok {
			return nil
		}
	}
	return newRejection(CauseSignature, "the call's signature is wrong")
}

// signedAddresses are the possible forms of the URI in the signature: as received, with its
// query decoded, or decoded as a whole.
func (call Call) signedAddresses() []string {
	if call.Query == "" {
		return []string{call.URI, decodePath(call.URI)}
	}
	query := "?" + decodeQuery(call.Query)
	return []string{call.URI + "?" + call.Query, call.URI + query, decodePath(call.URI) + query}
}

// isUnambiguous requires a call that can be split in only one way, because the signature
// has no separators between its parts: a path without a question mark, a query with only
// valid query characters, and a body that is empty or a JSON object, because no query contains a brace.
func isUnambiguous(call Call) bool {
	invalid := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-._~%!$&'()*+,;=:@/?", r))
	}
	return !strings.ContainsAny(call.URI, "?{") && !strings.ContainsFunc(call.Query, invalid) &&
		(call.Body == "" || call.Body[0] == '{')
}

// decodeQuery decodes only the escapes that HubSpot's documentation decodes before signing. None
// of them separates values, so both forms mean the same; the only other valid form is the
// query as received.
func decodeQuery(query string) string {
	return strings.NewReplacer("%2F", "/", "%3F", "?").Replace(decodePath(query))
}

// decodePath does the same for a path; it does not decode separators of the path or the query.
func decodePath(path string) string {
	return strings.NewReplacer("%3A", ":", "%40", "@", "%21", "!", "%24", "$", "%27", "'",
		"%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";").Replace(path)
}

// VerifyCaller verifies a call and reads who made it: portalId, userId and userEmail in the
// signed query, each exactly once, and the portal must be the client's. A card may put its
// own parameters before them; one that repeats any of the three is rejected. Any error is
// fault.Denied.
func VerifyCaller(c Client, call Call, now time.Time) (Caller, error) {
	if err := VerifyCall(c, call, now); err != nil {
		return Caller{}, err
	}
	k, err := parseCaller(call.Query)
	if err == nil && (c.Organization == "" || k.Portal != c.Organization) {
		err = newRejection(CauseCompany, "another portal of the CRM")
	}
	return denied(k, err)
}

func parseCaller(query string) (Caller, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return Caller{}, fmt.Errorf("launch: read query: %w", err)
	}
	for _, name := range []string{"portalId", "userId", "userEmail"} {
		if all := values[name]; len(all) != 1 || all[0] == "" {
			return Caller{}, newRejection(CausePerson, name+" does not stand in the query once")
		}
	}
	k := Caller{Portal: values.Get("portalId"), User: values.Get("userId"), Email: values.Get("userEmail")}
	for _, id := range []string{k.Portal, k.User} {
		if n, err := strconv.ParseInt(id, 10, 64); err != nil || n <= 0 || strconv.FormatInt(n, 10) != id {
			return Caller{}, errSubject
		}
	}
	if strings.ContainsFunc(k.Email, unicode.IsControl) {
		return Caller{}, errMalformed
	}
	return k, nil
}

// launchCallBody is the body of a call that requests a launch. It does not name the user.
type launchCallBody struct {
	Origin  string        `json:"origin"`
	Record  recordClaim   `json:"record"`
	Prefill prefillFields `json:"prefill"`
}

// VerifyLaunchCall verifies a call that requests a launch and reads it: the user from the query,
// as VerifyCaller does, and JSON with origin, record {type, id} and prefill {control: text}, all
// optional. The CRM repeats a call that failed, so the same call has the same ReplayKey, however
// its query is escaped. Any error is fault.Denied.
func VerifyLaunchCall(c Client, call Call, now time.Time) (Assertion, error) {
	k, err := VerifyCaller(c, call, now)
	if err != nil {
		return Assertion{}, err
	}
	a, err := readCall(c, call, k)
	a.Expires = now.Add(2 * maxCallAge)
	return denied(a, err)
}

// readCall reads a verified call.
func readCall(c Client, call Call, k Caller) (Assertion, error) {
	var body launchCallBody
	if err := json.Unmarshal([]byte(call.Body), &body); err != nil {
		return Assertion{}, fmt.Errorf("launch: read call: %w", err)
	}
	a := Assertion{Subject: k.Subject(), Email: k.Email,
		ReplayKey: replayKey(c.Key, "call", call.Timestamp, decodeQuery(call.Query), call.Body)}
	a.fill(body.Prefill)
	var err error
	if a.Record, err = body.Record.record(); err != nil {
		return Assertion{}, err
	}
	a.Record.Type = RecordType(c.Kind, a.Record.Type)
	return a, a.finish(c, body.Origin)
}
