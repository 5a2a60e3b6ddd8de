package sandbox

import (
	"strings"
	"testing"
)

// TestEveryEndpoint_WrongKeyOrApplication_Refused: partner endpoints require the key (interface.md sections
// 5.2 and 7), and appUuid is one that inquiry start returned (section 4).
func TestEveryEndpoint_WrongKeyOrApplication_Refused(t *testing.T) {
	t.Parallel()
	const unknown = "99999999-2222-4333-8444-555555555555"
	for _, dialect := range []Dialect{Documented, Live} {
		g := newHarness(t, Config{Dialect: dialect})
		// Every operation can read this body: encrypted, or with an originator.
		body := g.encrypted(object{"request": g.request(), "applicant": object{"ssn": "512-44-9981"}})
		body["request"], body["newLoanOriginatorUuid"] = g.request(), g.actor
		for _, e := range g.s.endpoints() {
			method, path, _ := strings.Cut(e.pattern, " ")
			path = strings.NewReplacer("{appUuid}", unknown, "{documentUuid}", unknown).Replace(path)
			var sent any = body
			if method == "GET" {
				sent = nil
			}
			for key, want := range map[string]int{"": 401, "wrong": 401, g.s.cfg.APIKey + " ": 401} {
				if e.withoutKey {
					continue
				}
				if w := g.rawCall(method, path, sent, map[string]string{"apikey": key}); w.Code != want {
					t.Errorf("%s, %s with key %q: got %d, want %d", dialect, e.pattern, key, w.Code, want)
				}
			}
			if !strings.Contains(e.pattern, "{appUuid}") {
				continue
			}
			for _, id := range []string{unknown, "1-26324-001", strings.Repeat("9", 36)} {
				if w := g.rawCall(method, strings.ReplaceAll(path, unknown, id), sent, nil); w.Code != 404 {
					t.Errorf("%s, %s of %s: got %d, want 404", dialect, e.pattern, id, w.Code)
				}
			}
		}
	}
}

// TestSmallestLine_ByState: $15,000, in Alaska $25,001 and in Texas $35,000 (interface-live.md section 6).
func TestSmallestLine_ByState(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	for state, want := range map[string]float64{"CO": 15000, "AK": 25001, "TX": 35000} {
		payload := g.payload("Rivera")
		withField("property.address", "state", state)(payload)
		underwriting := g.appData(g.start(payload))["underwriting"].(object)
		if got := number(underwriting, "minOfferAmount"); got != want {
			t.Errorf("%s: smallest line: got %v, want %v", state, got, want)
		}
		for _, o := range underwriting["offers"].([]any) {
			if got := number(o.(object), "minAmount"); got != want {
				t.Errorf("%s: smallest draw of an offer: got %v, want %v", state, got, want)
			}
		}
	}
}
