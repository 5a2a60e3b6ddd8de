package launch

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/fault"
)

// launchKinds returns functions that verify the same launch in each of the three kinds, given the
// members record, prefill and origin.
func launchKinds(t *testing.T, origins ...string) map[string]func(members map[string]any) (Assertion, error) {
	t.Helper()
	return map[string]func(members map[string]any) (Assertion, error){
		"token": func(members map[string]any) (Assertion, error) {
			c, body := newTestCRM(t, jose.EdDSA), validClaims()
			c.Origins = origins
			for _, name := range []string{"record", "prefill", "origin"} {
				if delete(body, name); members[name] != nil {
					body[name] = members[name]
				}
			}
			return VerifyToken(c.Client, audience, c.sign(t, tokenHeader(), body), now)
		},
		"call": func(members map[string]any) (Assertion, error) {
			c, call := hubspot()
			c.Origins, call.Body = origins, string(encode(t, members))
			return VerifyLaunchCall(c, call.signed(), now)
		},
		"envelope": func(members map[string]any) (Assertion, error) {
			c := canvas()
			c.Origins = origins
			parameters := map[string]any{"prefill": members["prefill"], "origin": members["origin"]}
			if record, ok := members["record"].(map[string]any); ok {
				parameters["recordType"], parameters["recordId"] = record["type"], record["id"]
			}
			return VerifyCanvasRequest(c, enveloped(t, parameters), now)
		},
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func enveloped(t *testing.T, parameters any) string {
	t.Helper()
	return envelopedBy(t, "HMACSHA256", parameters)
}

// envelopedBy sets the algorithm in the envelope; the signature is always HMAC-SHA256.
func envelopedBy(t *testing.T, algorithm string, parameters any) string {
	t.Helper()
	encoded := base64.StdEncoding.EncodeToString(encode(t, map[string]any{
		"algorithm": algorithm, "client": map[string]any{"targetOrigin": "https://summit.my.salesforce.com"},
		"context": map[string]any{
			"user": map[string]any{"userId": "005A"}, "organization": map[string]any{"organizationId": "00DA"},
			"environment": map[string]any{"parameters": parameters},
		},
	}))
	return signatureOf(encoded) + "." + encoded
}

func TestLooseText_WholeNumber(t *testing.T) {
	for kind, launch := range launchKinds(t, "https://crm.example") {
		got, err := launch(map[string]any{
			"record":  map[string]any{"type": "deal", "id": 9007199254740993},
			"prefill": map[string]any{"amountWanted": 60000, "property.address.zip": "83702", "applicant.name.firstName": nil},
		})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if got.Record != (Record{"deal", "9007199254740993"}) || got.Prefill.Get("amountWanted") != "60000" ||
			got.Prefill.Get("property.address.zip") != "83702" || len(got.Unusable) > 0 {
			t.Errorf("%s: got %+v", kind, got)
		}
	}
}

func TestPrefill_UnusableValue_LeftOut(t *testing.T) {
	for kind, launch := range launchKinds(t, "https://crm.example") {
		got, err := launch(map[string]any{"prefill": map[string]any{
			"applicant.name.firstName": "Elena", "amountWanted": 60000.5,
			"applicant.phone": []string{"208"}, "property.address.city": strings.Repeat("x", 201),
			"property.isListedForSale": true, "applicant.ssn": 123456789, "consent.attested": map[string]any{},
		}})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		want := []string{"amountWanted", "applicant.phone", "property.address.city", "property.isListedForSale"}
		if len(got.Prefill) != 1 || got.Prefill.Get("applicant.name.firstName") != "Elena" ||
			!slices.Equal(got.Unusable, want) {
			t.Errorf("%s: got values %v and unusable %v, want only the name, and %v", kind, got.Prefill, got.Unusable, want)
		}
		for name, value := range map[string]any{"empty list": []string{}, "null": nil, "text": "x"} {
			if got, err := launch(map[string]any{"prefill": value}); err != nil || len(got.Prefill) > 0 {
				t.Errorf("%s, prefill %s: got %v, %v", kind, name, got.Prefill, err)
			}
		}
		for _, id := range []any{5.5, true, []string{"51"}, map[string]any{}, strings.Repeat("5", maxText+1)} {
			if got, err := launch(map[string]any{"record": map[string]any{"id": id}}); !fault.Is(err, fault.Denied) ||
				CauseOf(err) != CauseRecord {
				t.Errorf("%s: record id %v: got %+v, %v; want it denied", kind, id, got.Record, err)
			}
		}
	}
}

func TestAssertion_Origin(t *testing.T) {
	const one, two = "https://app.hubspot.com", "https://app-eu1.hubspot.com"
	for _, tt := range []struct {
		origins []string
		origin  any
		want    string
	}{
		{[]string{one}, nil, one}, {[]string{one}, one, one}, {[]string{one, two}, two, two},
		{[]string{one, two}, nil, ""}, {[]string{one, two}, "", ""},
	} {
		for kind, launch := range launchKinds(t, tt.origins...) {
			if got, err := launch(map[string]any{"origin": tt.origin}); err != nil || got.Origin != tt.want {
				t.Errorf("%s: %v of %v: got %q, %v; want %q", kind, tt.origin, tt.origins, got.Origin, err, tt.want)
			}
			if got, err := launch(map[string]any{"origin": one + ".evil.example"}); !fault.Is(err, fault.Denied) {
				t.Errorf("%s: other origin: got %q, %v; want it denied", kind, got.Origin, err)
			}
		}
	}
	c := canvas()
	c.Origins = []string{"https://summit.lightning.force.com", "https://summit.my.salesforce.com"}
	if got, err := VerifyCanvasRequest(c, enveloped(t, nil), now); err != nil ||
		got.Origin != "https://summit.my.salesforce.com" {
		t.Errorf("the library's page, listed: got %q, %v", got.Origin, err)
	}
	c.Origins = []string{"https://summit.lightning.force.com", "https://summit--c.vf.force.com"}
	if got, err := VerifyCanvasRequest(c, enveloped(t, nil), now); err != nil || got.Origin != "" {
		t.Errorf("the library's page, not listed: got %q, %v; want none", got.Origin, err)
	}
}

// TestParameters_AnyShape: parameters that are not an object are ignored, and the launch has no record;
// those in an object count.
func TestParameters_AnyShape(t *testing.T) {
	for _, parameters := range []any{nil, "", "tab=desk", []any{}, []any{"x"}, 7, true, map[string]any{}} {
		a, err := VerifyCanvasRequest(canvas(), enveloped(t, parameters), now)
		if err != nil || a.Subject != "00DA/005A" || a.Record.ID != "" || len(a.Prefill) > 0 {
			t.Errorf("parameters %v: got %+v, %v, want a launch without a record and values", parameters, a, err)
		}
	}
	if _, err := VerifyCanvasRequest(canvas(),
		enveloped(t, map[string]any{"origin": "https://elsewhere.example"}), now); CauseOf(err) != CauseOrigin {
		t.Errorf("object with another origin: got %v", err)
	}
}

// TestVerify_BlankSubject_Refused: a blank subject is denied.
func TestVerify_BlankSubject_Refused(t *testing.T) {
	c := newTestCRM(t, jose.EdDSA)
	for _, sub := range []string{"", " ", "\t\n", "\u00a0"} {
		body := validClaims()
		body["sub"] = sub
		if _, err := VerifyToken(c.Client, audience, c.sign(t, tokenHeader(), body), now); CauseOf(err) != CausePerson {
			t.Errorf("sub %q: got %v, want cause person", sub, err)
		}
	}
}
