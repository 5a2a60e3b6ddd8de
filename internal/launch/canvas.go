package launch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// envelope is what we read of a Canvas request. The CRM's own access tokens are in it
// too; they are dropped here by not being named.
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

// parameters are what the app itself says, in whatever shape its page gave them.
type parameters struct {
	Origin     string        `json:"origin"`
	RecordType looseText     `json:"recordType"`
	RecordID   looseText     `json:"recordId"`
	Prefill    prefillFields `json:"prefill"`
}

// UnmarshalJSON takes whatever is no object for nothing said, as the empty list or the empty
// looseText that a page gives which has no parameters: a launch does without them. An object is
// read strictly.
func (p *parameters) UnmarshalJSON(raw []byte) error {
	*p = parameters{}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	type plain parameters
	return json.Unmarshal(raw, (*plain)(p))
}

// VerifyCanvasRequest verifies the envelope that Salesforce Canvas posts as signed_request:
// base64(HMAC-SHA256(secret, E)) + "." + E, where E is base64 JSON and the code is over E
// as it stands. The code is checked before anything is parsed, and the algorithm is ours,
// never the envelope's word. It carries no end that can be trusted (issuedAt is Salesforce's
// own), so the assertion has none: whoever keeps launches must refuse its ReplayKey for as
// long as the secret holds. Any error is fault.Denied.
func VerifyCanvasRequest(c Client, raw string) (Assertion, error) {
	a, err := verifyCanvasRequest(c, raw)
	if err != nil {
		return Assertion{}, deniedError(err)
	}
	return a, nil
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
	secret, holds := matchSecret(c, []byte(encoded), given)
	if !holds {
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
	about := e.Context.Environment.Parameters
	record, err := recordClaim{about.RecordType, about.RecordID}.record()
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
	a.Prefill, a.Unusable = about.Prefill.controls()
	return a, a.finish(c, e.frameOrigin(c))
}

// frameOrigin is the page around the frame, as far as the envelope knows it. Its target is the
// page of Salesforce's own library, and in Lightning another one frames us, so that it
// counts only where the client has it listed; the app's parameters may say better.
func (e envelope) frameOrigin(c Client) string {
	if said := e.Context.Environment.Parameters.Origin; said != "" {
		return said
	}
	if c.Allows(e.Client.TargetOrigin) {
		return e.Client.TargetOrigin
	}
	return ""
}
