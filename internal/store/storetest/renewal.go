package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func renewals(t *testing.T, s *store.Store) {
	add(t, s, leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"))
	fresh := must(s.RenewalStanding(t.Context(), "k2"))(t)
	if fresh.BegunAt != 0 || fresh.Stage != store.StageLeads || fresh.Ahead.Leads != 2 {
		t.Errorf("before it began: got %+v, want everything ahead", fresh)
	}
	_, err := s.Renewal(t.Context(), "k2")
	wantKind(t, err, fault.NotFound)
	begin := func(at time.Time) {
		write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.BeginRenewal(ctx, "k2", at) })
	}
	begin(noon())
	begin(noon().Add(time.Hour)) // a restart
	r := must(s.Renewal(t.Context(), "k2"))(t)
	if r.BegunAt != store.Millis(noon()) {
		t.Errorf("begun at %d, want the first time", r.BegunAt)
	}
	r.AfterRow, r.Leads, r.Remaining, r.Unopened = string(appID(1)), 1, 1, 1
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveRenewal(ctx, r) })
	if got := must(s.RenewalStanding(t.Context(), "k2"))(t); got.Renewal != r || got.Ahead.Leads != 1 {
		t.Errorf("got %+v, want %+v with one lead ahead", got, r)
	}
	stages := store.RenewalStages()
	r.Stage, r.AfterRow, r.DoneAt = stages[len(stages)-1], "", store.Millis(noon())
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.SaveRenewal(ctx, r) })
	if got := must(s.RenewalStanding(t.Context(), "k2"))(t); got.Ahead != (store.Ahead{}) {
		t.Errorf("done: got %+v ahead, want nothing", got.Ahead)
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.DropRenewals(ctx, "k3") })
	_, err = s.Renewal(t.Context(), "k2")
	wantKind(t, err, fault.NotFound)
}

func boundToKeys(t *testing.T, s *store.Store) {
	crm(t, s, "acme")
	addUser(t, s, userOf("olivia", access.Originator))
	old, open, ended := leadOf(1, "o1", "B1"), leadOf(2, "o1", "B1"), leadOf(3, "o1", "B1")
	open.DuplicateKey, open.DuplicateUnder = "twin", 1
	ended.DuplicateKey, ended.DuplicateUnder, ended.CanceledDate = "twin", 1, "2026-11-01"
	add(t, s, old, open, ended)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, token := range []store.Token{{App: appID(1), Company: "B1", Value: 5, Under: 1}, {App: appID(1), Company: "B1", Value: 6, Under: 1}, {App: appID(2), Company: "B1", Value: 7, Under: 2}} {
			if err := tx.AddToken(ctx, token); err != nil {
				return err
			}
		}
		if err := tx.AddReferences(ctx, appID(3), store.References{Under: 1, Marks: []string{"m"}}); err != nil {
			return err
		}
		if err := tx.AddReferences(ctx, appID(2), store.References{Under: 2, Marks: []string{"m"}}); err != nil {
			return err
		}
		return tx.AddEmbedLink(ctx, store.EmbedLink{Key: "acme", Subject: "mark", UserID: "olivia", Under: 1})
	})
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		return tx.SaveLogInFailures(ctx, "k", access.Failures{Count: 3, Last: noon().Add(-time.Hour)})
	})
	notify(t, s, noticeOf(1, "olivia", "f1"))
	bound := func(tokens, digests []int64, since time.Time) store.Bound {
		return must(s.Bound(t.Context(), store.Keys{Tokens: tokens, Digests: digests, Since: store.Millis(since)}, noon()))(t)
	}
	want := store.Bound{Search: 1, References: 1, Duplicates: 1, Links: 1, Guesses: 1, Notices: 1}
	if got := bound([]int64{2}, []int64{2}, noon().Add(24*time.Hour)); got != want {
		t.Errorf("under the second key: got %+v, want %+v", got, want)
	}
	if got := bound([]int64{1, 2}, []int64{1, 2}, noon().AddDate(-1, 0, 0)); got != (store.Bound{}) {
		t.Errorf("under both: got %+v, want nothing", got)
	}
	keys := store.Keys{Tokens: []int64{2}, Digests: []int64{2}}
	write(t, s, func(ctx context.Context, tx *store.Tx) error { return tx.LetGo(ctx, keys) })
	if got := bound([]int64{2}, []int64{2}, noon().AddDate(-1, 0, 0)); got != (store.Bound{}) {
		t.Errorf("let go: got %+v, want nothing", got)
	}
	if left := must(s.TokensOf(t.Context(), appID(2)))(t); len(left) != 1 || left[0].Value != 7 {
		t.Errorf("got tokens %+v, want the one of the present key", left)
	}
	if l := must(s.AnyLead(t.Context(), appID(3)))(t); l.DuplicateKey != "" {
		t.Errorf("the ended lead still has the mark %q", l.DuplicateKey)
	}
	if left := must(s.LeadsOfReference(t.Context(), access.Scope{BrokerID: "B1"}, []string{"m"}))(t); len(left) != 1 || left[0].App != appID(2) {
		t.Errorf("got %d leads of the record, want the one under the present key", len(left))
	}
}
