package launch

import (
	"testing"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/fault"
)

// The same jti, envelope or call at another client is another launch: one CRM must not be
// able to use up another's.
func TestReplayKey_OtherClient_Differs(t *testing.T) {
	c := newTestCRM(t, jose.EdDSA)
	raw, envelope := c.sign(t, tokenHeader(), validClaims()), enveloped(t, map[string]any{"origin": "https://summit.my.salesforce.com"})
	keys := map[string]map[string]bool{"token": {}, "envelope": {}, "call": {}}
	for _, key := range []string{"acme", "other"} {
		token, sf := c.Client, canvas()
		hub, call := hubspot()
		token.Key, sf.Key, hub.Key = key, key, key
		for way, launched := range map[string]func() (Assertion, error){
			"token":    func() (Assertion, error) { return VerifyToken(token, audience, raw, now) },
			"envelope": func() (Assertion, error) { return VerifyCanvasRequest(sf, envelope) },
			"call":     func() (Assertion, error) { return VerifyLaunchCall(hub, call.signed(), now) },
		} {
			got, err := launched()
			if err != nil {
				t.Fatalf("%s at %s: %v", way, key, err)
			}
			keys[way][got.ReplayKey] = true
		}
	}
	for way, all := range keys {
		if len(all) != 2 {
			t.Errorf("%s: got %d keys at two clients, want one for each", way, len(all))
		}
	}
}

// An envelope that is signed as it must be and says otherwise of itself is not Salesforce's.
func TestVerifyCanvasRequest_Algorithm(t *testing.T) {
	for algorithm, want := range map[string]bool{"HMACSHA256": true, "": false, "none": false, "hmacsha256": false, "HMACSHA1": false} {
		_, err := VerifyCanvasRequest(canvas(), envelopedBy(t, algorithm, map[string]any{"origin": "https://summit.my.salesforce.com"}))
		if (err == nil) != want || !want && fault.KindOf(err) != fault.Denied {
			t.Errorf("%q: got %v, want it taken %v", algorithm, err, want)
		}
	}
}
