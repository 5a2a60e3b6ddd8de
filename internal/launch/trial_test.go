package launch

import (
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// TestTry_EveryFailedCheck: one test of a launch shows everything that is wrong with it, and what it would fill in.
func TestTry_EveryFailedCheck(t *testing.T) {
	c := newTestCRM(t, jose.EdDSA)
	other := newTestCRM(t, jose.EdDSA)
	token := func(by testCRM, change func(header map[jose.HeaderKey]any, body map[string]any)) Posted {
		header, body := tokenHeader(), validClaims()
		change(header, body)
		return Posted{Raw: by.sign(t, header, body)}
	}
	canvasClient, hub := canvas(), func(change func(c *Call)) (Client, Posted) {
		hs, call := hubspot()
		change(&call)
		return hs, Posted{Call: call.signed()}
	}
	canvasClient.Organization = "00DX"
	hsClient, hs := hub(func(*Call) {})
	hsClient.Organization, hsClient.Secret = "1", canvasClient.SecretNext
	for name, tt := range map[string]struct {
		client   Client
		posted   Posted
		failed   string // the causes
		readable bool
	}{
		"valid": {c.Client, token(c, func(_ map[jose.HeaderKey]any, _ map[string]any) {}), "", true},
		"all of it": {c.Client, token(other, func(header map[jose.HeaderKey]any, body map[string]any) {
			header["typ"] = "JWT"
			body["iss"], body["aud"], body["origin"], body["exp"] = "x", "y", "https://z.example", now.Unix()-50
			delete(body, "sub")
			delete(body, "jti")
			body["record"] = map[string]any{"id": 1.5}
		}), "form signature claims issuer audience record page person", true},
		"too old": {c.Client, token(c, func(_ map[jose.HeaderKey]any, body map[string]any) {
			body["exp"] = now.Unix() - 5
		}), "time", true},
		"key ID": {c.Client, token(c, func(header map[jose.HeaderKey]any, _ map[string]any) {
			header["kid"] = "unknown"
		}), "signature", true},
		"no token": {c.Client, Posted{Raw: "eyJ.x.y"}, "form", false},
		"envelope": {canvasClient, Posted{Raw: enveloped(t, map[string]any{"origin": "https://z.test"})},
			"company page", true},
		"its secret":   {canvasClient, Posted{Raw: "AAAA" + enveloped(t, nil)}, "signature company", true},
		"no envelope":  {canvasClient, Posted{Raw: "x"}, "form", false},
		"call":         {hsClient, hs, "signature company", true},
		"call, no URL": {hsClient, Posted{Call: Call{Timestamp: hs.Call.Timestamp}}, "signature person", false},
	} {
		got := Try(tt.client, audience, tt.posted, now)
		var failed []string
		for _, k := range got.Checks {
			if k.State == CheckFailed {
				failed = append(failed, string(k.Cause))
				if conditionOf(k.Why) != k.Cause {
					t.Errorf("%s: %s failed because of %s", name, k.Cause, k.Why)
				}
				if (k.Why == CauseKeyID) != (name == "key ID") {
					t.Errorf("%s: the reason is %s", name, k.Why)
				}
			}
			if (k.State == CheckUnknown) && got.Readable {
				t.Errorf("%s: %s is unknown", name, k.Cause)
			}
		}
		if strings.Join(failed, " ") != tt.failed || got.Readable != tt.readable {
			t.Errorf("%s: got %v, readable %v, want %s, %v", name, failed, got.Readable, tt.failed, tt.readable)
		}
		if _, err := (&trial{tt.client, tt.posted, audience, now}).verify(); (err == nil) != (tt.failed == "") {
			t.Errorf("%s: the real verification says %v", name, err)
		}
	}
	got := Try(c.Client, audience, token(other, func(_ map[jose.HeaderKey]any, body map[string]any) {
		body["prefill"] = map[string]any{"applicant.name.firstName": "Elena", "applicant.ssn": "123-45-6789", "nickname": "E",
			"amountWanted": 1.5, "applicant.phone": strings.Repeat("1", 201), "applicant.email": "",
			"property.address.zip": "8\x01"}
	}), now)
	want := map[string]FieldUse{"applicant.name.firstName": FieldUsed, "applicant.ssn": FieldReserved,
		"nickname": FieldUnknown, "amountWanted": FieldType, "applicant.phone": FieldTooLong, "applicant.email": FieldEmpty,
		"property.address.zip": FieldCharacter}
	for _, f := range got.Fields {
		if f.Use != want[f.Name] {
			t.Errorf("%s: got %s, want %s", f.Name, f.Use, want[f.Name])
		}
		delete(want, f.Name)
	}
	if len(want) > 0 || got.Subject != "u-7" || got.Record != (Record{"contact", "51"}) {
		t.Errorf("got %+v, without %v", got.Assertion, want)
	}
}
