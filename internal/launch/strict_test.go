package launch

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/fault"
)

// textLaunches returns functions that verify a launch of each kind whose JSON is written by hand: they add members to
// the object that has the origin and the prefill.
func textLaunches(t *testing.T) map[string]func(members string) (Assertion, error) {
	t.Helper()
	token := newTestCRM(t, jose.EdDSA)
	claims := fmt.Sprintf(`"iss":"https://crm.example/","aud":%q,"sub":"u-7","jti":"j-1","iat":%d,"exp":%d,`+
		`"origin":"https://crm.example"`, audience, now.Unix(), now.Unix()+60)
	return map[string]func(string) (Assertion, error){
		"token": func(members string) (Assertion, error) {
			return VerifyToken(token.Client, audience, token.signText(t, "{"+claims+members+"}"), now)
		},
		"call": func(members string) (Assertion, error) {
			c, call := hubspot()
			call.Body = `{"origin":"https://app.hubspot.com"` + members + `}`
			return VerifyLaunchCall(c, call.signed(), now)
		},
		"envelope": func(members string) (Assertion, error) {
			return VerifyCanvasRequest(canvas(), textEnvelope(`"issuedAt":null`,
				`{"origin":"https://summit.my.salesforce.com"`+members+`}`), now)
		},
	}
}

// signText signs a text as the payload of a token.
func (c testCRM) signText(t *testing.T, payload string) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: c.alg, Key: c.private},
		&jose.SignerOptions{ExtraHeaders: tokenHeader()})
	if err != nil {
		t.Fatal(err)
	}
	signed, err := signer.Sign([]byte(payload))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// textEnvelope signs an envelope with one more member and the app's parameters.
func textEnvelope(member, parameters string) string {
	encoded := base64.StdEncoding.EncodeToString([]byte(`{"algorithm":"HMACSHA256",` + member + `,"context":{` +
		`"user":{"userId":"005A"},"organization":{"organizationId":"00DA"},"environment":{"parameters":` +
		parameters + `}}}`))
	return signatureOf(encoded) + "." + encoded
}

// TestVerify_JSON_ReadInOneWay signs JSON that two programs could read differently.
func TestVerify_JSON_ReadInOneWay(t *testing.T) {
	for kind, launch := range textLaunches(t) {
		for members, want := range map[string]string{
			"": "", `,"ORIGIN":"https://evil.example"`: "",
			`,"origin":"https://crm.example"`: "denied", `,"\u006frigin":"https://crm.example"`: "denied",
			`,"prefill":{"amountWanted":"1","amountWanted":"2"}`:     "denied",
			`,"prefill":{"amountWanted":"1"},"PREFILL":{}`:           "amountWanted=1",
			`,"Prefill":{"amountWanted":"1"}`:                        "",
			`,"prefill":{"applicant.email":"a\u0000@b.test"}`:        "unusable",
			`,"prefill":{"applicant.email":"a\u0085\u001b@b.test"}`:  "unusable",
			`,"prefill":{"property.address.street1":"1 Elm\nApt 2"}`: "property.address.street1=1+Elm%0AApt+2",
		} {
			a, err := launch(members)
			got := a.Prefill.Encode()
			switch {
			case err != nil:
				got = "denied"
			case len(a.Unusable) > 0:
				got += "unusable"
			}
			if got != want || err != nil && !fault.Is(err, fault.Denied) {
				t.Errorf("%s with %s: got %q, %v, want %q", kind, members, got, err, want)
			}
		}
	}
}

func TestVerifyToken_ClaimsLetterByLetter(t *testing.T) {
	c := newTestCRM(t, jose.EdDSA)
	valid := fmt.Sprintf(`{"iss":"https://crm.example/","aud":%q,"sub":"u-7","jti":"j-1","iat":%d,"exp":%d,`+
		`"email":"olivia@summit.test","record":{"type":"contact","id":"51"}}`, audience, now.Unix(), now.Unix()+60)
	for _, tt := range []struct {
		old, new string
		valid    bool
	}{
		{`"sub":"u-7"`, `"sub":"u-7","SUB":"u-8"`, true},
		{`"email"`, `"EMAIL"`, true},
		{`"sub"`, `"Sub"`, false}, {`"iss"`, `"ISS"`, false}, {`"aud"`, `"Aud"`, false}, {`"exp"`, `"EXP"`, false},
		{`"iat"`, `"Iat"`, false}, {`"jti"`, `"JTI"`, false},
		{`"sub":"u-7"`, `"sub":"u-8","sub":"u-7"`, false}, {`"sub":"u-7"`, `"s\u0075b":"u-8","sub":"u-7"`, false},
		{`"id":"51"`, `"id":"52","id":"51"`, false},
		{`"u-7"`, `"u-7\u0000"`, false}, {`"u-7"`, `"u\u001b-7"`, false}, {`"51"`, `"51\n"`, false},
		{`"contact"`, `"con\u0007tact"`, false}, {`"olivia@`, `"olivia\u0000@`, false},
	} {
		got, err := VerifyToken(c.Client, audience, c.signText(t, strings.Replace(valid, tt.old, tt.new, 1)), now)
		if (err == nil) != tt.valid || err == nil && got.Subject != "u-7" ||
			tt.old == `"email"` && got.Email != "" {
			t.Errorf("%s: got %+v, %v, want valid %v", tt.new, got, err, tt.valid)
		}
	}
}

// TestVerifyCaller_ControlCharacter_Refused signs a query whose email contains one.
func TestVerifyCaller_ControlCharacter_Refused(t *testing.T) {
	c, call := hubspot()
	call.Query = "userId=12&portalId=777&userEmail=olivia%00%40summit.test"
	if got, err := VerifyCaller(c, call.signed(), now); !fault.Is(err, fault.Denied) {
		t.Errorf("got %+v, %v, want it denied", got, err)
	}
}

func TestVerifyCanvasRequest_IssuedAt_FiveMinutes(t *testing.T) {
	for issued, want := range map[string]bool{
		`"issuedAt":null`: true, `"other":1`: true,
		fmt.Sprintf(`"issuedAt":%d`, now.Unix()):                               true,
		fmt.Sprintf(`"issuedAt":%d`, now.UnixMilli()):                          true,
		fmt.Sprintf(`"issuedAt":%d`, now.Add(-maxCallAge).Unix()):              true,
		fmt.Sprintf(`"issuedAt":%d`, now.Add(-maxCallAge-time.Second).Unix()):  false,
		fmt.Sprintf(`"issuedAt":%d`, now.Add(-maxCallAge).UnixMilli()-1):       false,
		fmt.Sprintf(`"issuedAt":%d`, now.Add(maxCallAge+time.Second).Unix()):   false,
		fmt.Sprintf(`"issuedAt":%d,"issuedAt":%d`, now.Unix()-900, now.Unix()): false,
		`"issuedAt":-1`: false, `"issuedAt":0`: false, `"issuedAt":"today"`: false,
	} {
		_, err := VerifyCanvasRequest(canvas(), textEnvelope(issued, `{}`), now)
		if (err == nil) != want || err != nil && !fault.Is(err, fault.Denied) {
			t.Errorf("%s: got %v, want valid %v", issued, err, want)
		}
	}
}
