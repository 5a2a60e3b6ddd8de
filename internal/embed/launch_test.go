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
	o := newHarness(t)
	o.mustLaunch("crm-olivia", "")
	o.jti--
	if _, err := o.launch("crm-olivia", ""); fault.KindOf(err) != fault.Conflict {
		t.Errorf("got %v, want a conflict", err)
	}
}

// envelope signs a Canvas request of a log-in under a secret.
func (o *harness) envelope(secret string, serial int) string {
	o.t.Helper()
	body, err := json.Marshal(map[string]any{
		"algorithm": "HMACSHA256", "issuedAt": serial, "client": map[string]any{"targetOrigin": "https://a.my.salesforce.com"},
		"context": map[string]any{"user": map[string]any{"userId": "005A"}, "organization": map[string]any{"organizationId": "00D"}},
	})
	o.must(err)
	text := base64.StdEncoding.EncodeToString(body)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil)) + "." + text
}

// TestLaunchByPost_EnvelopeReplay_Refused keeps a stolen envelope for months, through the clearing
// of launches and through every change of secrets.
func TestLaunchByPost_EnvelopeReplay_Refused(t *testing.T) {
	o := newHarness(t)
	first, second, third := strings.Repeat("a", 24), strings.Repeat("b", 24), strings.Repeat("c", 24)
	sf := Setup{Key: "sf", Name: "Salesforce", BrokerID: "summit", Kind: launch.KindCanvas, Origins: []string{"https://a.my.salesforce.com"}, Organization: "00D", Secret: first}
	o.save(sf)
	post := func(raw string) error {
		_, err := o.LaunchByPost(t.Context(), launch.KindCanvas, "sf", raw)
		return err
	}
	refused := func(when, raw string) {
		t.Helper()
		if err := post(raw); fault.KindOf(err) != fault.Conflict && fault.KindOf(err) != fault.Denied {
			t.Errorf("%s: got %v, want it refused", when, err)
		}
	}
	stolen := o.envelope(first, 1)
	o.must(post(stolen))
	for range 30 {
		o.at = o.at.Add(25 * time.Hour)
		o.must(o.store.Write(t.Context(), func(tx *store.Tx) error { return tx.DropLaunches(t.Context(), o.at) }))
		refused("a day later", stolen)
	}
	sf.Secret = second
	o.save(sf)
	under := o.envelope(second, 2)
	o.must(post(under))
	refused("beside a next secret", stolen)
	o.must(o.RetireSecret(t.Context(), access.Operator(), "sf"))
	refused("after its secret was ended", stolen)
	o.must(o.store.Write(t.Context(), func(tx *store.Tx) error { return tx.DropLaunches(t.Context(), o.at.Add(48*time.Hour)) }))
	refused("under the secret that took over", under)
	// An ended secret would make its envelopes new again.
	sf.Secret = first
	if err := o.Save(t.Context(), access.Operator(), sf); len(fault.FieldsOf(err)) != 1 {
		t.Errorf("a secret from before: got %v", err)
	}
	sf.Secret = third
	o.save(sf)
	sf.Secret = strings.Repeat("d", 24)
	o.save(sf) // the third was never the first; it ends all the same
	sf.Secret = third
	if err := o.Save(t.Context(), access.Operator(), sf); len(fault.FieldsOf(err)) != 1 {
		t.Errorf("a next secret that another replaced: got %v", err)
	}
	sf.Secret = second
	o.save(sf) // typed again, it changes nothing
	if c, err := o.Client(t.Context(), "sf"); err != nil || string(c.Secret.Reveal()) != second || string(c.SecretNext.Reveal()) != strings.Repeat("d", 24) {
		t.Errorf("got %v", err)
	}
	refused("under the secret that took over, much later", under)
}
