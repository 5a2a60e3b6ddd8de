package launch

import (
	"testing"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/fault"
)

// TestReplayKey_OtherClient_Differs: the same jti, envelope or call for another client is another launch,
// so that one CRM cannot use up another's launches.
func TestReplayKey_OtherClient_Differs(t *testing.T) {
	c := newTestCRM(t, jose.EdDSA)
	raw, envelope := c.sign(t, tokenHeader(), validClaims()),
		enveloped(t, map[string]any{"origin": "https://summit.my.salesforce.com"})
	keys := map[string]map[string]bool{"token": {}, "envelope": {}, "call": {}}
	for _, key := range []string{"acme", "other"} {
		token, sf := c.Client, canvas()
		hub, call := hubspot()
		token.Key, sf.Key, hub.Key = key, key, key
		for kind, verify := range map[string]func() (Assertion, error){
			"token":    func() (Assertion, error) { return VerifyToken(token, audience, raw, now) },
			"envelope": func() (Assertion, error) { return VerifyCanvasRequest(sf, envelope, now) },
			"call":     func() (Assertion, error) { return VerifyLaunchCall(hub, call.signed(), now) },
		} {
			got, err := verify()
			if err != nil {
				t.Fatalf("%s at %s: %v", kind, key, err)
			}
			keys[kind][got.ReplayKey] = true
		}
	}
	for kind, all := range keys {
		if len(all) != 2 {
			t.Errorf("%s: got %d keys at two clients, want 2", kind, len(all))
		}
	}
}

// TestVerifyCanvasRequest_Algorithm: an envelope with a valid signature but another algorithm is denied.
func TestVerifyCanvasRequest_Algorithm(t *testing.T) {
	for algorithm, want := range map[string]bool{"HMACSHA256": true, "": false, "none": false, "hmacsha256": false,
		"HMACSHA1": false} {
		_, err := VerifyCanvasRequest(canvas(), envelopedBy(t, algorithm,
			map[string]any{"origin": "https://summit.my.salesforce.com"}), now)
		if (err == nil) != want || !want && !fault.Is(err, fault.Denied) {
			t.Errorf("%q: got %v, want valid %v", algorithm, err, want)
		}
	}
}
