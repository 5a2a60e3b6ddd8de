package embed

import "testing"

// A log-in of the CRM that was connected before keys were rotated is known after, and has
// the mark of the new key from its next launch on; so have its frames that are open.
func TestLinks_AfterKeyRotation_Kept(t *testing.T) {
	o := newHarness(t)
	o.connect("olivia")
	open := o.mustLaunch("crm-olivia", "")
	waiting := o.mustLaunch("crm-marcus", "")
	o.Service = New(o.store, o.rotatedVault, o.Options)
	if got, err := o.Find(t.Context(), "acme", open.ID); err != nil || got.Person.UserID != "olivia" {
		t.Errorf("the open frame, at once: got %q, %v, want olivia", got.Person.UserID, err)
	}
	if p := o.mustLaunch("crm-olivia", ""); p.Person.UserID != "olivia" {
		t.Fatalf("launched anew: got %q, want olivia", p.Person.UserID)
	}
	link, err := o.store.EmbedLink(t.Context(), "acme", o.rotatedVault.Digest("embed subject", "acme", "crm-olivia"))
	if err != nil || link.UserID != "olivia" || link.KeyID != o.rotatedVault.DigestKey() || len(link.Sealed) == 0 {
		t.Errorf("got %+v, %v, want the link under the new key", link, err)
	}
	if got, err := o.Find(t.Context(), "acme", open.ID); err != nil || got.Person.UserID != "olivia" {
		t.Errorf("the open frame, renewed: got %q, %v, want olivia", got.Person.UserID, err)
	}
	// Connected by a frame of before: the link is known for what it is, until the next launch.
	l, err := o.Find(t.Context(), "acme", waiting.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Connect(t.Context(), o.actor("marcus"), l, l.MatchCode); err != nil {
		t.Fatal(err)
	}
	if p := o.mustLaunch("crm-marcus", ""); p.Person.UserID != "marcus" {
		t.Errorf("connected by a frame of before: got %q, want marcus", p.Person.UserID)
	}
}

// An open frame, a card and an ended secret are known after keys were rotated, too.
func TestClient_AfterKeyRotation_Kept(t *testing.T) {
	o := newHarness(t)
	o.connect("olivia")
	before := o.Service
	o.Service = New(o.store, o.rotatedVault, o.Options)
	c, err := o.Client(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	if who, err := o.personOf(t.Context(), c, "crm-olivia"); err != nil || who.UserID != "olivia" {
		t.Errorf("for a card: got %q, %v, want olivia", who.UserID, err)
	}
	mark := before.secretIndex("acme", []byte("a secret of 24 characters"))
	if !o.matchesSecretIndex(mark, "acme", []byte("a secret of 24 characters")) || o.matchesSecretIndex(mark, "acme", []byte("another one")) {
		t.Error("the mark of an ended secret is not known by the new keys, or that of another is")
	}
}
