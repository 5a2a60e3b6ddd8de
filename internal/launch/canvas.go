package launch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// envelope is the part of a Canvas request that we read. The request also contains the CRM's
// access tokens; they are not fields here, so they are dropped.
type envelope struct {
	Algorithm string `json:"algorithm"`
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
// the envelope says. It has no expiration that can be trusted (issuedAt is Salesforce's own),
// so the assertion has none: the caller must reject its ReplayKey for as long as the secret is
// valid. Any error is fault.Denied.
func VerifyCanvasRequest(c Client, raw string) (Assertion, error) {
	return denied(verifyCanvasRequest(c, raw))
}

func verifyCanvasRequest(c Client, raw string) (Assertion, error) {
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
	a.Prefill, a.Unusable = params.Prefill.controls()
	return a, a.finish(c, e.frameOrigin(c))
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
