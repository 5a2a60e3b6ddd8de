package launch

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4/json"
)

// envelope is the part of a Canvas request that we read. The request also contains the CRM's
// access tokens; they are not fields here, so they are dropped.
type envelope struct {
	Algorithm string `json:"algorithm"`
	IssuedAt  *int64 `json:"issuedAt"` // Unix seconds or milliseconds; null in Salesforce's own documentation
	Client    struct {
		TargetOrigin string `json:"targetOrigin"`
	} `json:"client"`
	Context struct {
		User struct {
			UserID   string `json:"userId"`
			FullName string `json:"fullName"`
			Email    string `json:"email"`
		} `json:"user"`
		Organization struct {
			OrganizationID string `json:"organizationId"`
		} `json:"organization"`
		Environment struct {
			Parameters parameters `json:"parameters"`
			Record     struct {
				ID         string `json:"Id"`
				Attributes struct {
					Type string `json:"type"`
				} `json:"attributes"`
			} `json:"record"`
		} `json:"environment"`
	} `json:"context"`
}

// parameters are the app's own parameters, in whatever form its page provides them.
type parameters struct {
	Origin     string        `json:"origin"`
	RecordType looseText     `json:"recordType"`
	RecordID   looseText     `json:"recordId"`
	Prefill    prefillFields `json:"prefill"`
}

// UnmarshalJSON treats anything but an object as empty, such as the empty list or empty text
// from a page without parameters: a launch does not need them. An object is parsed
// strictly.
func (p *parameters) UnmarshalJSON(raw []byte) error {
	*p = parameters{}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	type plain parameters
	return json.Unmarshal(raw, (*plain)(p))
}

// VerifyCanvasRequest verifies the envelope that Salesforce Canvas posts as signed_request:
// base64(HMAC-SHA256(secret, E)) + "." + E, where E is base64 JSON and the MAC covers E as
// received. The MAC is verified before anything is parsed, and the algorithm is fixed, whatever
// the envelope says. An envelope that names when it was issued must be at most five minutes old. Salesforce may omit
// the time, so the assertion has no expiration: the caller must reject its ReplayKey for as long as the secret is
// valid. Any error is fault.Denied.
func VerifyCanvasRequest(c Client, raw string, now time.Time) (Assertion, error) {
	return denied(verifyCanvasRequest(c, raw, now))
}

func verifyCanvasRequest(c Client, raw string, now time.Time) (Assertion, error) {
	code, encoded, found := strings.Cut(raw, ".")
	if !found || len(raw) > maxBytes {
		return Assertion{}, errMalformed
	}
	given, err := anyBase64(code)
	if err != nil {
		return Assertion{}, err
	}
	secret, ok := matchSecret(c, []byte(encoded), given)
	if !ok {
		return Assertion{}, newRejection(CauseSignature, "the envelope's code is wrong")
	}
	body, err := anyBase64(encoded)
	if err != nil {
		return Assertion{}, err
	}
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return Assertion{}, fmt.Errorf("launch: read envelope: %w", err)
	}
	organization, user := e.Context.Organization.OrganizationID, e.Context.User
	switch {
	case e.Algorithm != "HMACSHA256":
		return Assertion{}, newRejection(CauseFormat, "the envelope names another algorithm")
	case e.IssuedAt != nil && now.Sub(unixTime(*e.IssuedAt)).Abs() > maxCallAge:
		return Assertion{}, newRejection(CauseTime, "the envelope is too old, or a clock is wrong")
	case c.Organization == "" || organization != c.Organization:
		return Assertion{}, newRejection(CauseCompany, "another organization of the CRM")
	case strings.TrimSpace(user.UserID) == "":
		return Assertion{}, errSubject
	}
	params := e.Context.Environment.Parameters
	record, err := recordClaim{params.RecordType, params.RecordID}.record()
	if err != nil {
		return Assertion{}, err
	}
	if page := e.Context.Environment.Record; record.ID == "" {
		record = Record{Type: page.Attributes.Type, ID: page.ID}
	} else if record.Type == "" && record.ID == page.ID {
		record.Type = page.Attributes.Type
	}
	a := Assertion{
		Subject: organization + "/" + user.UserID, Name: user.FullName, Email: user.Email, Record: record,
		ReplayKey: replayKey(c.Key, "canvas", encoded), Secret: secret,
	}
	a.fill(params.Prefill)
	return a, a.finish(c, e.frameOrigin(c))
}

// unixTime reads seconds or milliseconds. As seconds, the smallest number that counts as milliseconds is in the year
// 5138.
func unixTime(n int64) time.Time {
	if n > 100_000_000_000 {
		return time.UnixMilli(n)
	}
	return time.Unix(n, 0)
}

// frameOrigin is the origin of the framing page, as far as the envelope identifies it. The
// envelope's target is the page of Salesforce's own library, and in Lightning another page
// frames us, so it counts only if the client lists it; the app's parameters take precedence.
func (e envelope) frameOrigin(c Client) string {
	if origin := e.Context.Environment.Parameters.Origin; origin != "" {
		return origin
	}
	if c.Allows(e.Client.TargetOrigin) {
		return e.Client.TargetOrigin
	}
	return ""
}
