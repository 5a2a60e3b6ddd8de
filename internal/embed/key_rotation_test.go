package embed

import "testing"

// TestLinks_AfterKeyRotation_Kept: a CRM user who was linked before keys were rotated stays linked. The
// link gets the new key's blind index at the next launch, and open frames continue to work.
func TestLinks_AfterKeyRotation_Kept(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	open := o.mustLaunch("crm-olivia", "")
	pending := o.mustLaunch("crm-marcus", "")
	o.Service = New(o.store, o.rotatedVault, o.Options)
	if got, err := o.Find(t.Context(), "acme", open.ID); err != nil || got.Person.UserID != "olivia" {
		t.Errorf("open frame before the next launch: got %q, %v, want olivia", got.Person.UserID, err)
	}
	if p := o.mustLaunch("crm-olivia", ""); p.Person.UserID != "olivia" {
		t.Fatalf("next launch: got %q, want olivia", p.Person.UserID)
	}
	link, err := o.store.EmbedLink(t.Context(), "acme", o.rotatedVault.Digest("embed subject", "acme", "crm-olivia"))
	if err != nil || link.UserID != "olivia" || link.KeyID != o.rotatedVault.DigestKey() || len(link.Sealed) == 0 {
		t.Errorf("got %+v, %v, want the link under the new key", link, err)
	}
	if got, err := o.Find(t.Context(), "acme", open.ID); err != nil || got.Person.UserID != "olivia" {
		t.Errorf("open frame after the next launch: got %q, %v, want olivia", got.Person.UserID, err)
	}
	// A frame from before the rotation links under the old index, which works until the next launch.
	l, err := o.Find(t.Context(), "acme", pending.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Connect(t.Context(), o.actor("marcus"), l, l.MatchCode); err != nil {
		t.Fatal(err)
	}
	if p := o.mustLaunch("crm-marcus", ""); p.Person.UserID != "marcus" {
		t.Errorf("linked from an older frame: got %q, want marcus", p.Person.UserID)
	}
}

// TestClient_AfterKeyRotation_Kept: cards and retired secrets are found after a key rotation.
func TestClient_AfterKeyRotation_Kept(t *testing.T) {
	t.Parallel()
	o := newHarness(t)
	o.connect("olivia")
	before := o.Service
	o.Service = New(o.store, o.rotatedVault, o.Options)
	c, err := o.Client(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	if user, err := o.personOf(t.Context(), c, "crm-olivia"); err != nil || user.UserID != "olivia" {
		t.Errorf("personOf: got %q, %v, want olivia", user.UserID, err)
	}
	index := before.secretIndex("acme", []byte("a secret of 24 characters"))
	if !o.matchesSecretIndex(index, "acme", []byte("a secret of 24 characters")) ||
		o.matchesSecretIndex(index, "acme", []byte("another one")) {
		t.Error("the index of a retired secret must match with the new keys, and only for that secret")
	}
}
