package reencrypt_test

import (
	"context"
	"testing"

	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// A mail that was sent keeps its row without content: there is nothing to reencrypt.
func TestStep_EmptyValue_Skipped(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	const id = "20000000-0000-4000-8000-000000000001"
	sealed, err := g.vault.Seal(vault.MailAAD(id), []byte("a letter"))
	g.must(err)
	g.write(func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddMail(ctx, store.Mail{ID: id, Kind: store.MailMessage, Sealed: sealed, CreatedAt: store.Millis(g.now),
			SendAt: store.Millis(g.now)}); err != nil {
			return err
		}
		return tx.FinishMail(ctx, id, "sent")
	})
	g.rotate()
	done, err := g.keys.Finish(t.Context())
	g.must(err)
	if done.DoneAt == 0 || done.SealedValues != 0 || done.Undecryptable != 0 {
		t.Errorf("got %+v, want nothing to reencrypt", done)
	}
}

func TestStep_UndecryptableValue_CountedAndSkipped(t *testing.T) {
	t.Parallel()
	g := newHarness(t)
	for _, b := range []borrower{{n: 1, who: "olivia", first: "Ana", last: "Rivera"},
		{n: 2, who: "olivia", first: "Boris", last: "Okafor"}, {n: 3, who: "olivia", first: "Chidi", last: "Nakamura"}} {
		g.startLead(b)
		g.saveDetails(b)
	}
	// A value that is moved to another row cannot be decrypted.
	for _, statement := range []string{
		`UPDATE leads SET borrower = (SELECT borrower FROM leads WHERE app = '` + string(appID(2)) + `')
			WHERE app = '` + string(appID(1)) + `'`,
		`UPDATE lead_parts SET sealed = (SELECT sealed FROM lead_parts WHERE app = '` + string(appID(2)) + `')
			WHERE app = '` + string(appID(1)) + `'`,
		`UPDATE drafts SET sealed = start_snapshot, start_snapshot = sealed WHERE app = '` + string(appID(1)) + `'`,
	} {
		g.execRaw(statement)
	}
	g.rotate()
	done, err := g.keys.Finish(t.Context())
	g.must(err)
	if done.DoneAt == 0 || done.Undecryptable != 4 || done.Leads != 2 || done.Remaining != 1 {
		t.Errorf("got %+v, want four undecryptable values of one lead, and two leads reencrypted", done)
	}
	lost, err := g.keys.CheckDecryption(t.Context())
	g.must(err)
	if lost.Failed != 4 || lost.Checked < 12 || len(lost.Locations) != 4 || lost.Locations[0] != "leads.borrower of "+
		string(appID(1)) {
		t.Errorf("got %+v, want the four with their locations", lost)
	}
	for _, n := range []int{2, 3} {
		l, err := g.store.AnyLead(t.Context(), appID(n))
		g.must(err)
		if g.vault.Stale(l.Borrower) {
			t.Errorf("lead %d is under the older key", n)
		}
		_, err = g.vault.UnsealName(l.App, l.Borrower)
		g.must(err)
	}
}
