package reencrypt_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// addBorrowers adds leads of two companies: with a draft, with a deleted draft, and adopted.
func (h *harness) addBorrowers() (all []borrower) {
	h.t.Helper()
	names := []string{"Rivera", "Okafor", "Lindqvist", "Rivermont", "Nakamura"}
	for n := 1; n <= 45; n++ {
		b := borrower{n: n, who: []string{"olivia", "piotr"}[n%2], first: []string{"Ana", "Boris", "Chidi"}[n%3],
			last: names[n%len(names)], adopted: n%9 == 0}
		if n%4 == 0 {
			b.record = "crm-" + names[n%len(names)]
		}
		h.startLead(b)
		if n%5 == 0 {
			h.saveDetails(b)
		}
		if n%6 == 0 && !b.adopted {
			h.dropDraft(b)
		}
		all = append(all, b)
	}
	return all
}

// countWithoutPlaintext counts the leads whose phone and email are no longer known.
func countWithoutPlaintext(all []borrower) (n int) {
	for _, b := range all {
		if b.n%6 == 0 && !b.adopted {
			n++
		}
	}
	return n
}

func TestSearch_DuringReencryption_SameResults(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	all := g.addBorrowers()
	want := g.foundBy(all)
	if b := all[1]; !strings.Contains(want, `olivia finds by "`+b.phone()+"\": 2\n") ||
		!strings.Contains(want, `piotr finds by "`+b.phone()+"\": \n") {
		t.Fatalf("want lead 2 found by its phone, and only by its own company:\n%s", want)
	}
	g.rotate()
	if got := g.foundBy(all); got != want {
		t.Fatalf("with new keys, before any batch: %s", firstDifference(got, want))
	}
	pieces := 0
	for more := true; more; pieces++ {
		var err error
		more, err = g.keys.Step(t.Context())
		g.must(err)
		if pieces < 40/reencrypt.LeadsPerBatch { // the leads
			if got := g.foundBy(all); got != want {
				t.Fatalf("after batch %d: %s", pieces+1, firstDifference(got, want))
			}
		}
		if pieces == 0 {
			// Rows that are written meanwhile, before and after the current position.
			for _, n := range []int{0, 61} {
				b := borrower{n: n, who: "olivia", first: "Zoe", last: "Quill"}
				g.startLead(b)
				if got := g.search("olivia", b.phone()); got != strings.TrimLeft(string(appID(n))[24:], "0") {
					t.Errorf("a lead that was started meanwhile: got %q by its phone", got)
				}
			}
		}
	}
	if got := g.foundBy(all); got != want {
		t.Errorf("afterwards: %s", firstDifference(got, want))
	}
	bound, err := g.keys.OldKeyDependents(t.Context())
	g.must(err)
	if bound.Search != countWithoutPlaintext(all) {
		t.Errorf("got %d leads without plaintext, want %d", bound.Search, countWithoutPlaintext(all))
	}
	g.write(func(ctx context.Context, tx *store.Tx) error { return g.keys.DropOldKeyIndexes(ctx, tx) })
	g.must(vault.Retire(g.files()))
	g.stop()
	g.start()
	for _, b := range append(all, borrower{n: 61, who: "olivia", first: "Zoe", last: "Quill"}) {
		app := strings.TrimLeft(string(appID(b.n))[24:], "0")
		known := !b.adopted && b.n%6 != 0
		for typed, wanted := range map[string]bool{b.first + " " + b.last: true, b.phone(): known, b.email(): known} {
			found := false
			for one := range strings.FieldsSeq(g.search(b.who, typed)) {
				found = found || one == app
			}
			if found != wanted {
				t.Errorf("without the older keys lead %d by %q: found %v, want %v", b.n, typed, found, wanted)
			}
		}
	}
}

func TestStep_AfterRestart_Continues(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	all := g.addBorrowers()
	g.rotate()
	if _, err := g.keys.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, err := g.keys.Progress(t.Context())
	g.must(err)
	if before.AfterRow != string(appID(reencrypt.LeadsPerBatch)) ||
		before.Pending.Leads != len(all)-reencrypt.LeadsPerBatch || before.Pending.Values == 0 {
		t.Fatalf("after one batch: got %+v, want the position after the first leads", before)
	}
	g.stop() // or the process died: nothing else is stored
	g.start()
	again, err := g.keys.Progress(t.Context())
	g.must(err)
	if again != before {
		t.Errorf("after a restart: got %+v, want %+v", again, before)
	}
	// Two processes run batches at the same time, and each batch runs once.
	other := reencrypt.New(g.store, g.vault, g.deskDeps.Now)
	var both sync.WaitGroup
	for _, r := range []*reencrypt.Runner{g.keys, other} {
		both.Go(func() {
			for more := true; more; {
				var err error
				if more, err = r.Step(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	both.Wait()
	done, err := g.keys.Progress(t.Context())
	g.must(err)
	if done.DoneAt == 0 || done.Leads != len(all) || done.Remaining != countWithoutPlaintext(all) ||
		done.Pending != (store.PendingCounts{}) {
		t.Errorf("in the end: got %+v, want %d leads reencrypted once each, %d with old indexes left",
			done, len(all), countWithoutPlaintext(all))
	}
	second, err := g.keys.Finish(t.Context())
	g.must(err)
	if second.Leads+second.SealedValues != 0 || second.Remaining != countWithoutPlaintext(all) {
		t.Errorf("once more: got %+v, want nothing to do", second)
	}
}

func TestStep_Failure_RollsBack(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	all := g.addBorrowers()
	g.rotate()
	last := string(appID(reencrypt.LeadsPerBatch)) // of the first batch
	storetest.RefuseUpdates(t, g.address, "operations", `NEW.app = '`+last+`'`, "the disk is full")
	_, err := g.keys.Step(t.Context())
	if err == nil || !strings.Contains(err.Error(), last) || strings.Contains(err.Error(), "Rivera") {
		t.Fatalf("got %v, want an error with the lead's id and no borrower data", err)
	}
	at, err := g.keys.Progress(t.Context())
	g.must(err)
	if at.AfterRow != "" || at.Leads != 0 || at.Pending.Leads != len(all) {
		t.Errorf("got %+v, want the batch rolled back", at)
	}
}

// A blind index is replaced only when the plaintexts produce the old one: a draft may contain another borrower, by
// whom the lead was never found.
func TestStep_ReplacesIndexesOnly(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	b := borrower{n: 1, who: "olivia", first: "Ana", last: "Rivera", adopted: true}
	g.startLead(b)
	g.saveDetails(b) // has a street number that does not find the lead
	g.rotate()
	if _, err := g.keys.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	streetNumber := strings.Fields(b.street())[0]
	if got := g.search("olivia", "rivera"); got != "1" {
		t.Errorf("by name: got %q, want 1", got)
	}
	if got := g.search("olivia", "rivera "+streetNumber); got != "" {
		t.Errorf("by a street number that has no token: got %q, want nothing", got)
	}
}

func TestDuplicates_EveryKey_Found(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	withDraft := borrower{n: 1, who: "olivia", first: "Ana", last: "Rivera", record: "crm-7"}
	dropped := borrower{n: 2, who: "olivia", first: "Ana", last: "Okafor", record: "crm-8"}
	lost := borrower{n: 3, who: "olivia", first: "Ana", last: "Lindqvist"}
	other := borrower{n: 4, who: "piotr", first: "Ana", last: "Rivera", record: "crm-7"}
	for _, b := range []borrower{withDraft, dropped, other} {
		g.startLead(b)
	}
	g.saveDetails(dropped)
	g.dropDraft(dropped)
	g.startWithResult(lost, heloc.CallResult{Reach: heloc.ReachSent})
	tell := func(when string, wanted map[string]int) {
		t.Helper()
		in, err := g.service.For(g.actor("olivia")).Intake()
		g.must(err)
		for _, b := range []borrower{withDraft, dropped, lost} {
			found, err := in.Duplicates(t.Context(), b.inquiry())
			g.must(err)
			if len(found) != wanted[b.last] {
				t.Errorf("%s: %d duplicates of %s, want %d", when, len(found), b.last, wanted[b.last])
			}
		}
		for _, b := range []borrower{withDraft, dropped} {
			indexes := g.vault.ReferenceIndexes("summit", b.record)
			leads, err := g.store.LeadsOfReference(t.Context(), access.Scope{BrokerID: "summit"}, indexes)
			g.must(err)
			if len(leads) != 1 || leads[0].App != appID(b.n) {
				t.Errorf("%s: %d leads of the record %s, want its own", when, len(leads), b.record)
			}
		}
	}
	everything := map[string]int{"Rivera": 1, "Okafor": 1, "Lindqvist": 1}
	tell("before", everything)
	g.rotate()
	tell("with new keys", everything)
	// The lender's details contain the same record again, under the new key.
	g.write(func(ctx context.Context, tx *store.Tx) error {
		return tx.AddReferences(ctx, appID(1), journal.References(g.vault, "summit", withDraft.record))
	})
	tell("with the record marked twice", everything)
	if _, err := g.keys.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	tell("renewed", everything)
	bound, err := g.keys.OldKeyDependents(t.Context())
	g.must(err)
	if bound.Duplicates != 1 || bound.References != 0 {
		t.Errorf("got %+v, want the one inquiry whose birth date was deleted with its draft", bound)
	}
	g.write(func(ctx context.Context, tx *store.Tx) error { return g.keys.DropOldKeyIndexes(ctx, tx) })
	g.must(vault.Retire(g.files()))
	g.stop()
	g.start()
	tell("without the older keys", map[string]int{"Rivera": 1, "Lindqvist": 1})
}

// A lead that was read before its reencryption and is saved afterwards does not restore old indexes.
func TestSaveLead_ReadBeforeStep_KeepsNewKey(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	b := borrower{n: 1, who: "olivia", first: "Ana", last: "Rivera"}
	g.startLead(b)
	g.rotate()
	early, err := g.store.AnyLead(t.Context(), appID(1))
	g.must(err)
	if _, err := g.keys.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.write(func(ctx context.Context, tx *store.Tx) error { return tx.SaveLead(ctx, &early, g.now, true) })
	again, err := g.keys.Finish(t.Context())
	g.must(err)
	if again.Leads+again.SealedValues != 0 {
		t.Errorf("got %+v, want nothing under an older key", again)
	}
}
