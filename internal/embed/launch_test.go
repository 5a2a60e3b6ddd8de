package embed

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/internal/store"
)

func TestLaunchByPost_TokenTwice_Conflict(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.mustLaunch("crm-olivia", "")
	o.jti--
	if _, err := o.launch("crm-olivia", ""); !fault.Is(err, fault.Conflict) {
		t.Errorf("got %v, want a conflict", err)
	}
}

// envelope signs a Canvas request for a CRM user with a secret.
func (h *harness) envelope(secret string, serial int) string {
	h.t.Helper()
	body, err := json.Marshal(map[string]any{
		"algorithm": "HMACSHA256", "issuedAt": nil, "serial": serial,
		"client": map[string]any{"targetOrigin": "https://a.my.salesforce.com"},
		"context": map[string]any{"user": map[string]any{"userId": "005A"},
			"organization": map[string]any{"organizationId": "00D"}},
	})
	h.must(err)
	text := base64.StdEncoding.EncodeToString(body)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil)) + "." + text
}

// TestLaunchByPost_EnvelopeReplay_Refused posts a stolen envelope again for months, after launches were
// deleted and after every change of secrets.
func TestLaunchByPost_EnvelopeReplay_Refused(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	first, second, third := strings.Repeat("a", 24), strings.Repeat("b", 24), strings.Repeat("c", 24)
	sf := Setup{Key: "sf", Name: "Salesforce", BrokerID: "summit", Kind: launch.KindCanvas,
		Origins: []string{"https://a.my.salesforce.com"}, Organization: "00D", Secret: first}
	o.save(sf)
	post := func(raw string) error {
		_, err := o.LaunchByPost(t.Context(), launch.KindCanvas, "sf", raw)
		return err
	}
	wantRejected := func(when, raw string) {
		t.Helper()
		if err := post(raw); !fault.Is(err, fault.Conflict, fault.Denied) {
			t.Errorf("%s: got %v, want it rejected", when, err)
		}
	}
	stolen := o.envelope(first, 1)
	o.must(post(stolen))
	for range 30 {
		o.at = o.at.Add(25 * time.Hour)
		o.must(o.store.Write(t.Context(), func(tx *store.Tx) error { return tx.DropLaunches(t.Context(), o.at) }))
		wantRejected("a day later", stolen)
	}
	sf.Secret = second
	o.save(sf)
	current := o.envelope(second, 2)
	o.must(post(current))
	wantRejected("with a next secret", stolen)
	o.must(o.RetireSecret(t.Context(), access.Operator(), "sf"))
	wantRejected("after its secret was retired", stolen)
	o.must(o.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.DropLaunches(t.Context(), o.at.Add(48*time.Hour))
	}))
	wantRejected("signed with the current secret", current)
	// A retired secret must not be accepted again: its envelopes could be replayed.
	sf.Secret = first
	if err := o.Save(t.Context(), access.Operator(), sf); len(fault.FieldsOf(err)) != 1 {
		t.Errorf("retired secret: got %v, want one field error", err)
	}
	sf.Secret = third
	o.save(sf)
	sf.Secret = strings.Repeat("d", 24)
	o.save(sf) // the third was only ever the next secret; replacing it retires it too
	sf.Secret = third
	if err := o.Save(t.Context(), access.Operator(), sf); len(fault.FieldsOf(err)) != 1 {
		t.Errorf("replaced next secret: got %v, want one field error", err)
	}
	sf.Secret = second
	o.save(sf) // the current secret again changes nothing
	if c, err := o.Client(t.Context(), "sf"); err != nil || string(c.Secret.Reveal()) != second ||
		string(c.SecretNext.Reveal()) != strings.Repeat("d", 24) {
		t.Errorf("got %v", err)
	}
	wantRejected("signed with the current secret, much later", current)
}
