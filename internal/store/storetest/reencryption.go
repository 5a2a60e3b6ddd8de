package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

func reencryptions(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	fresh := must(s.ReencryptionProgress(t.Context(), "k2"))(t)
	if fresh.BegunAt != 0 || fresh.Stage != store.StageLeads || fresh.Pending.Leads != 2 {
		t.Errorf("before it began: got %+v, want everything pending", fresh)
	}
	_, err := s.Reencryption(t.Context(), "k2")
	wantKind(t, err, fault.NotFound)
	begin := func(at time.Time) {
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.BeginReencryption(ctx, "k2", at) })
	}
	begin(noon())
	begin(noon().Add(time.Hour)) // a restart
	r := must(s.Reencryption(t.Context(), "k2"))(t)
	if r.BegunAt != store.Millis(noon()) {
		t.Errorf("begun at %d, want the first time", r.BegunAt)
	}
	r.AfterRow, r.Leads, r.Remaining, r.Undecryptable = string(appID(1)), 1, 1, 1
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveReencryption(ctx, r) })
	if got := must(s.ReencryptionProgress(t.Context(), "k2"))(t); got.Reencryption != r || got.Pending.Leads != 1 {
		t.Errorf("got %+v, want %+v with one lead pending", got, r)
	}
	stages := store.ReencryptionStages()
	r.Stage, r.AfterRow, r.DoneAt = stages[len(stages)-1], "", store.Millis(noon())
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveReencryption(ctx, r) })
	if got := must(s.ReencryptionProgress(t.Context(), "k2"))(t); got.Pending != (store.PendingCounts{}) {
		t.Errorf("done: got %+v pending, want nothing", got.Pending)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropOtherReencryptions(ctx, "k3") })
	_, err = s.Reencryption(t.Context(), "k2")
	wantKind(t, err, fault.NotFound)
}

func oldKeyDependents(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	addUser(t, s, userOf("olivia", access.Originator))
	old, open, ended := leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"), leadOf(3, "o1", "B1")
	ended.CanceledDate = "2026-11-01"
	add(t, s, old, open, ended)
	for n, l := range []lead.Row{open, ended} {
		start := operationOf(n+1, lead.OpSucceeded)
		start.App, start.DuplicateKey, start.DuplicateKeyID, start.CreatedAt = l.App, "same", 1,
			store.Millis(noon().AddDate(-2, 0, 0))
		addOperations(t, s, start)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.AddTokens(ctx, appID(1), store.Tokens{KeyID: 1, Values: []int64{5, 6}}); err != nil {
			return err
		}
		if err := tx.AddTokens(ctx, appID(2), store.Tokens{KeyID: 2, Values: []int64{7}}); err != nil {
			return err
		}
		if err := tx.AddReferences(ctx, appID(3), store.References{KeyID: 1, BlindIndexes: []string{"m"}}); err != nil {
			return err
		}
		if err := tx.AddReferences(ctx, appID(2), store.References{KeyID: 2, BlindIndexes: []string{"m"}}); err != nil {
			return err
		}
		return tx.AddEmbedLink(ctx, store.EmbedLink{Client: "acme", Subject: "mark", UserID: "olivia", KeyID: 1})
	})
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveSignInAttempts(ctx, store.SignInAttempts{Key: "k", Count: 3, At: store.Millis(noon().Add(-time.Hour))})
	})
	notify(t, s, noticeOf(1, "olivia", "f1"))
	bound := func(tokens, digests []int64, since time.Time) store.OldKeyDependents {
		return must(s.OldKeyDependents(t.Context(),
			store.Keys{Tokens: tokens, Digests: digests, Since: store.Millis(since)}, noon()))(t)
	}
	want := store.OldKeyDependents{Search: 1, References: 1, Duplicates: 1, Links: 1, SignInFailures: 1, Notices: 1}
	if got := bound([]int64{2}, []int64{2}, noon().Add(24*time.Hour)); got != want {
		t.Errorf("under the second key: got %+v, want %+v", got, want)
	}
	if got := bound([]int64{1, 2}, []int64{1, 2}, noon().AddDate(-1, 0, 0)); got != (store.OldKeyDependents{}) {
		t.Errorf("under both: got %+v, want nothing", got)
	}
	keys := store.Keys{Tokens: []int64{2}, Digests: []int64{2}}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropOldKeyIndexes(ctx, keys) })
	if got := bound([]int64{2}, []int64{2}, noon().AddDate(-1, 0, 0)); got != (store.OldKeyDependents{}) {
		t.Errorf("dropped: got %+v, want nothing", got)
	}
	if left := must(s.TokensOf(t.Context(), appID(2)))(t); len(left) != 1 || left[0].Token != 7 {
		t.Errorf("got tokens %+v, want the one under the current key", left)
	}
	if start := must(s.StartOf(t.Context(), appID(3)))(t); start.DuplicateKey != "" {
		t.Errorf("the ended lead still has the duplicate key %q", start.DuplicateKey)
	}
	if left := must(s.LeadsOfReference(t.Context(), access.Scope{BrokerID: "B1"}, []string{"m"}))(t); len(left) != 1 ||
		left[0].App != appID(2) {
		t.Errorf("got %d leads of the record, want the one under the current key", len(left))
	}
}
