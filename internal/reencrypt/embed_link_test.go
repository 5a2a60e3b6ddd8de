package reencrypt_test

import (
	"context"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// The index of a linked CRM sign-in is replaced with the help of its name there, which is stored encrypted. A sign-in
// whose name cannot be decrypted is counted.
func TestLinks_UpdatedFromSealedNames(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	g.write(func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddEmbedClient(ctx, store.EmbedClient{Key: "acme", Name: "Acme", BrokerID: "summit", Kind: "jwt",
			Sealed: mustSeal(t, g.vault, vault.SigningKeysAAD("acme"), "{}"), CreatedAt: 1}); err != nil {
			return err
		}
		for _, l := range []struct{ who, name, sealed string }{
			{"olivia", "crm-1", `{"subject":"crm-1","name":"Olivia at Acme"}`}, {"piotr", "crm-2", ""},
		} {
			link := store.EmbedLink{Client: "acme", Subject: g.vault.Digest("embed subject", "acme", l.name), UserID: l.who,
				KeyID: g.vault.DigestKey()}
			if l.sealed != "" {
				link.Sealed = mustSeal(t, g.vault, vault.CRMLoginAAD(link.Subject), l.sealed)
			}
			if err := tx.AddEmbedLink(ctx, link); err != nil {
				return err
			}
		}
		return nil
	})
	old := g.vault.Digest("embed subject", "acme", "crm-1")
	g.rotate()
	done, err := g.keys.Finish(t.Context())
	g.must(err)
	if done.Leads != 1 {
		t.Errorf("got %+v, want one sign-in reencrypted", done)
	}
	link, err := g.store.EmbedLink(t.Context(), "acme", g.vault.Digest("embed subject", "acme", "crm-1"))
	if err != nil || link.UserID != "olivia" || link.KeyID != g.vault.DigestKey() || g.vault.Stale(link.Sealed) {
		t.Errorf("got %+v, %v, want it under the new keys", link, err)
	}
	if _, err := g.vault.Unseal(vault.CRMLoginAAD(link.Subject), link.Sealed); err != nil {
		t.Errorf("its name cannot be decrypted: %v", err)
	}
	if _, err := g.store.EmbedLink(t.Context(), "acme", old); !fault.Is(err, fault.NotFound) {
		t.Errorf("the old index is still there: %v", err)
	}
	bound, err := g.keys.OldKeyDependents(t.Context())
	g.must(err)
	if bound.Links != 1 {
		t.Errorf("got %+v, want the sign-in whose name cannot be decrypted counted", bound)
	}
}

func mustSeal(t *testing.T, v *vault.Vault, aad vault.AAD, text string) []byte {
	t.Helper()
	sealed, err := v.Seal(aad, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

// Leads and drafts of a CRM record are found by it under the old keys, under both, and under the new ones.
func TestDrafts_UpdatedFromTypedReferences(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	b := borrower{n: 1, who: "olivia", first: "Ana", last: "Rivera", record: "51"}
	g.startLead(b)
	const draft = "20000000-0000-4000-8000-000000000001"
	g.write(func(ctx context.Context, tx *store.Tx) error {
		of := func(id string) store.RecordIndex {
			return store.RecordIndex{Client: "acme", Type: "deal",
				BlindIndex: g.vault.RecordIndexes("summit", vault.CRMRecord{Client: "acme", Type: "deal", ID: id})[0],
				KeyID:      g.vault.DigestKey()}
		}
		if err := tx.LinkRecord(ctx, appID(1), of("51")); err != nil {
			return err
		}
		typed := mustSeal(t, g.vault, vault.DraftAAD(draft), `{"partnerDataRequest.externalCustomerId":["52"]}`)
		return tx.SaveDraft(ctx, store.Draft{ID: draft, OwnerID: "olivia", Company: "summit", Sealed: typed,
			RecordIndex: of("52").BlindIndex, RecordClient: "acme", RecordType: "deal", RecordKeyID: of("52").KeyID})
	})
	found := func(when string, keys int) {
		t.Helper()
		leads, err := g.store.LeadsOfReference(t.Context(), access.Scope{BrokerID: "summit"},
			g.vault.RecordIndexes("summit", vault.CRMRecord{Client: "acme", Type: "deal", ID: "51"})[:keys])
		g.must(err)
		if len(leads) != 1 {
			t.Errorf("%s: got %d leads of the record, want one", when, len(leads))
		}
		if d, err := g.store.DraftOfRecord(t.Context(), "olivia", g.vault.RecordIndexes("summit",
			vault.CRMRecord{Client: "acme", Type: "deal", ID: "52"})[:keys]); err != nil || d.ID != draft {
			t.Errorf("%s: got the draft %q, %v", when, d.ID, err)
		}
	}
	found("before", 1)
	g.rotate()
	found("with new keys", 2)
	if _, err := g.keys.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	found("renewed, by the new key alone", 1)
	if again, err := g.keys.Finish(t.Context()); err != nil || again.Leads+again.SealedValues != 0 {
		t.Errorf("once more: got %+v, %v, want nothing to do", again, err)
	}
}
