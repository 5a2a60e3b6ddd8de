package launch

import (
	"cmp"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	stdjson "encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/json"
	"github.com/go-jose/go-jose/v4/jwt"

	"hearthline/internal/pii"
)

// Posted is a launch as a CRM sends it.
type Posted struct {
	Raw  string // a token, or a request signed as for Canvas
	Call Call   // as HubSpot makes it
}

// CheckState is the result of a check.
type CheckState int

// The results.
const (
	CheckUnknown CheckState = iota // what precedes it could not be read
	CheckPassed
	CheckFailed
)

// Check is one condition of a launch, named by the cause of its rejection, with what the launch has there.
type Check struct {
	Cause Cause
	State CheckState
	Why   Cause // why it failed; may be more specific
	Found string
	From  time.Time // when the launch was signed, for the check of its times
	Until time.Time // when it expires; the zero time if it does not say
}

// Trial is what a launch would be read as.
type Trial struct {
	Checks []Check
	Assertion
	Readable bool // every condition passed, or failed in a way that does not hide the rest
}

// Failed reports whether a check failed or could not be made.
func (t Trial) Failed() bool {
	return slices.ContainsFunc(t.Checks, func(c Check) bool { return c.State != CheckPassed })
}

// trial is a launch that is verified again after each failed check, with that condition made true, so that one test
// shows everything that is wrong. Only the code that verifies real launches judges it.
type trial struct {
	Client
	Posted
	audience string
	now      time.Time
}

// Try tests a launch and stores nothing.
func Try(c Client, audience string, p Posted, now time.Time) Trial {
	t := &trial{c, p, audience, now}
	checks := t.checks()
	at := func(cause Cause) int {
		return max(0, slices.IndexFunc(checks, func(k Check) bool { return k.Cause == cause }))
	}
	var result Trial
	repaired := map[Cause]bool{}
	for {
		a, err := t.verify()
		if err == nil {
			result.Assertion, result.Readable = a, true
			break
		}
		why := CauseOf(err)
		cause := conditionOf(why)
		again := repaired[cause]
		failed := &checks[at(cause)]
		failed.State, failed.Why, repaired[cause] = CheckFailed, cmp.Or(failed.Why, why), true
		if again || !t.repair(cause) {
			for i := range checks[:at(cause)] {
				checks[i].State = max(checks[i].State, CheckPassed)
			}
			break
		}
	}
	for i := range checks {
		if result.Readable && checks[i].State == CheckUnknown {
			checks[i].State = CheckPassed
		}
	}
	result.Checks = checks
	return result
}

// conditionOf returns the condition that failed, given the cause of the rejection.
func conditionOf(why Cause) Cause {
	if why == CauseKeys || why == CauseKeyID {
		return CauseSignature
	}
	return why
}

func (t *trial) verify() (Assertion, error) {
	switch t.Kind {
	case KindToken:
		return VerifyToken(t.Client, t.audience, t.Raw, t.now)
	case KindCanvas:
		return VerifyCanvasRequest(t.Client, t.Raw, t.now)
	default:
		return VerifyLaunchCall(t.Client, t.Call, t.now)
	}
}

// checks lists the conditions of a kind of launch in the order in which they are verified.
func (t *trial) checks() []Check {
	if t.Kind == KindToken {
		return t.tokenChecks()
	}
	times := Check{Cause: CauseTime, From: t.signedAt()}
	if !times.From.IsZero() {
		times.Until = times.From.Add(maxCallAge)
	}
	all := []Check{{Cause: CauseFormat}, times, {Cause: CauseSignature}}
	if t.Kind == KindCanvas {
		all[1], all[2] = all[2], all[1]
	}
	all = append(all, Check{Cause: CausePerson}, Check{Cause: CauseCompany}, Check{Cause: CauseRecord},
		Check{Cause: CauseOrigin})
	if t.Kind == KindCanvas {
		all[3], all[4] = all[4], all[3]
	}
	return all
}

// signedAt returns when a request was signed; the zero time if it does not say.
func (t *trial) signedAt() time.Time {
	if t.Kind == KindCall {
		if ms, err := strconv.ParseInt(t.Call.Timestamp, 10, 64); err == nil {
			return time.UnixMilli(ms)
		}
		return time.Time{}
	}
	if e, ok := t.envelope(); ok && e.IssuedAt != nil {
		return unixTime(*e.IssuedAt)
	}
	return time.Time{}
}

// envelope reads a Canvas request without verifying it.
func (t *trial) envelope() (e envelope, ok bool) {
	_, encoded, _ := strings.Cut(t.Raw, ".")
	body, err := anyBase64(encoded)
	ok = err == nil && json.Unmarshal(body, &e) == nil
	return e, ok
}

func (t *trial) tokenChecks() []Check {
	var body claims
	signature := Check{Cause: CauseSignature}
	if parsed, err := jwt.ParseSigned(t.Raw, algorithms); err == nil && len(t.Raw) <= maxBytes {
		_ = parsed.UnsafeClaimsWithoutVerification(&body)
		if _, err := verifySignature(t.Keys, parsed); err != nil { // also if the type is wrong, which is verified first
			signature.State, signature.Why = CheckFailed, CauseOf(err)
		}
		if len(parsed.Headers) == 1 {
			signature.Found = parsed.Headers[0].Algorithm
			if kid := parsed.Headers[0].KeyID; kid != "" {
				signature.Found += ", key " + kid
			}
		}
	}
	times := Check{Cause: CauseTime}
	if body.IssuedAt != nil && body.Expiry != nil {
		times.From, times.Until = body.IssuedAt.Time(), body.Expiry.Time()
	}
	return []Check{{Cause: CauseFormat}, signature, {Cause: CauseClaims}, times, {Cause: CauseIssuer, Found: body.Issuer},
		{Cause: CauseAudience, Found: strings.Join(body.Audience, " ")}, {Cause: CauseRecord},
		{Cause: CauseOrigin, Found: body.Origin}, {Cause: CausePerson}}
}

// repair makes a condition true that failed; false if it cannot, so that nothing after it can be checked.
func (t *trial) repair(cause Cause) bool {
	switch t.Kind {
	case KindToken:
		return t.repairToken(cause)
	case KindCanvas:
		return t.repairCanvas(cause)
	default:
		return t.repairCall(cause)
	}
}

// repairToken changes the claim that failed and signs the token with a key made for it.
func (t *trial) repairToken(cause Cause) bool {
	if len(t.Raw) > maxBytes {
		return false
	}
	parsed, err := jwt.ParseSigned(t.Raw, algorithms)
	if err != nil {
		return false
	}
	body := map[string]stdjson.RawMessage{}
	if parsed.UnsafeClaimsWithoutVerification(&body) != nil {
		return false
	}
	set := func(name string, value any) { body[name], _ = stdjson.Marshal(value) }
	switch cause {
	case CauseFormat, CauseSignature:
	case CauseClaims:
		set("jti", "test")
		fallthrough
	case CauseTime:
		set("iat", t.now.Unix())
		set("exp", t.now.Unix()+60)
		delete(body, "nbf")
	case CauseIssuer:
		set("iss", t.Issuer)
	case CauseAudience:
		set("aud", t.audience)
	case CauseRecord:
		delete(body, "record")
	case CauseOrigin:
		delete(body, "origin")
	case CausePerson:
		set("sub", "test")
	default:
		return false
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return false
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: private},
		(&jose.SignerOptions{}).WithType(TokenType))
	if err != nil {
		return false
	}
	payload, err := stdjson.Marshal(body)
	if err != nil {
		return false
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return false
	}
	t.Keys = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public}}}
	t.Raw, err = signed.CompactSerialize()
	return err == nil
}

// sign signs a text with a secret made for it, which becomes the client's.
func (t *trial) sign(text string) string {
	secret := []byte(rand.Text())
	t.Secret, t.SecretNext = pii.Wrap(secret), pii.Secret[[]byte]{}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func (t *trial) repairCanvas(cause Cause) bool {
	e, ok := t.envelope()
	if !ok {
		return false
	}
	_, encoded, _ := strings.Cut(t.Raw, ".")
	switch cause {
	case CauseSignature:
		t.Raw = t.sign(encoded) + "." + encoded
	case CauseTime:
		t.now = unixTime(*e.IssuedAt)
	case CauseCompany:
		t.Organization = e.Context.Organization.OrganizationID
	case CauseOrigin:
		t.Origins = slices.Concat(t.Origins, []string{e.Context.Environment.Parameters.Origin})
	default:
		return false
	}
	return true
}

func (t *trial) repairCall(cause Cause) bool {
	switch cause {
	case CauseTime:
		ms, _ := strconv.ParseInt(t.Call.Timestamp, 10, 64)
		t.now = time.UnixMilli(ms)
	case CauseSignature:
		t.Call.Signature = t.sign(t.Call.Method + t.Call.signedAddresses()[0] + t.Call.Body + t.Call.Timestamp)
	case CauseCompany:
		k, err := parseCaller(t.Call.Query)
		t.Organization = k.Portal
		return err == nil
	case CauseOrigin:
		var body launchCallBody
		if json.Unmarshal([]byte(t.Call.Body), &body) != nil {
			return false
		}
		t.Origins = slices.Concat(t.Origins, []string{body.Origin})
	default:
		return false
	}
	return true
}
