package reencrypt_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// TestDatabaseCopy_AnyKeys_HasNoPII copies everything except the keys: before a key rotation, during the reencryption
// and after it.
func TestDatabaseCopy_AnyKeys_HasNoPII(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	// Each is a text that occurs nowhere else by chance.
	const first, last, email, street, streetNumber, phone = "Xochiquetzal", "Quetzalcoatl", "xochi.canary@borrower.test",
		"Larkspurgate", "41827399", "3035550147"
	b := borrower{n: 7, who: "olivia", first: first, last: last, record: "crm-canary-0007"}
	in := b.inquiry()
	in.Applicant.Phone, in.Applicant.Email, in.Property.Address.Street1 = phone, email, streetNumber+" "+street+" Ave"
	g.startInquiry(b, in, heloc.CallResult{Reach: heloc.ReachAnswer, Status: 200, Effect: heloc.EffectStated,
		App: appID(7), Messages: []heloc.Message{{Message: last + " is known."}}})
	var d heloc.Details
	d.App.PropertyAddress = in.Property.Address
	sealed, err := vault.SealJSON(g.vault, vault.PartAAD(appID(7), lead.PartDetails), d)
	g.must(err)
	g.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.SavePart(ctx, store.SealedPart{App: appID(7), Part: lead.PartDetails, Version: journal.PartVersion,
			Sealed: sealed, FetchedAt: 1})
	})
	scan := func(when string) {
		t.Helper()
		for _, typed := range []string{last, phone, email, last + " " + streetNumber} {
			if got := g.search("olivia", typed); got != "7" {
				t.Errorf("%s: by %q got %q, want the lead, because otherwise the test checks nothing", when, typed, got)
			}
		}
		locations := storetest.Stored(t, g.address)
		if !strings.Contains(locations["a column"], "Golden") {
			t.Fatalf("%s: the columns have too little", when)
		}
		for location, text := range locations {
			for _, leak := range []string{first, last, "xochi.canary", street, streetNumber, phone, "1984-03-09", "crm-canary"} {
				if bytes.Contains(bytes.ToLower([]byte(text)), []byte(strings.ToLower(leak))) {
					t.Errorf("%s: %s contains %q", when, location, leak)
				}
			}
		}
	}
	scan("before")
	g.rotate()
	if _, err := g.keys.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	scan("half-way")
	if _, err := g.keys.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	scan("renewed")
	g.must(vault.Retire(g.files()))
	g.stop()
	g.start()
	scan("without the older keys")
	otherVault, err := vault.InMemory()
	g.must(err)
	l, err := g.store.AnyLead(t.Context(), appID(7))
	g.must(err)
	if name, err := otherVault.UnsealName(l.App, l.Borrower); err == nil {
		t.Errorf("other keys decrypt the name: %v", name)
	}
	found, err := g.store.Candidates(t.Context(), g.actor("olivia").Scope(), "summit",
		otherVault.SearchTokens("summit", heloc.QueryTerms(phone)), 9)
	if err != nil || len(found) != 0 {
		t.Errorf("other keys find %d leads by phone, %v: the tokens can be guessed without our keys", len(found), err)
	}
}
