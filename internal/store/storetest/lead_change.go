package storetest

import (
	"cmp"
	"context"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// leadChanges changes leads from many goroutines, whose clocks disagree, while a reader follows the changes: it sees
// the last change of every lead of its client, and never a lead of another client or company.
func leadChanges(t *testing.T, s *store.Store) {
	const leads, changes = 12, 10
	company := access.CompanyOf("B1", "org")
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for n := 1; n <= leads+2; n++ {
			l := leadOf(n, "o1", "B1")
			if n == leads+1 {
				l = leadOf(n, "o2", "B2")
			}
			if err := tx.AddLead(ctx, &l, noon()); err != nil {
				return err
			}
			client := "acme"
			if n == leads+2 {
				client = "other"
			}
			if err := tx.LinkRecord(ctx, l.App, store.RecordIndex{Client: client, BlindIndex: string(l.App)}); err != nil {
				return err
			}
		}
		return nil
	})
	var writers sync.WaitGroup
	for n := 1; n <= leads+2; n++ {
		writers.Go(func() {
			for i := range changes {
				if err := s.Write(t.Context(), func(tx *store.Tx) error {
					l, err := tx.AnyLead(t.Context(), appID(n))
					if err != nil {
						return err
					}
					l.OpenConditions = i + 1
					at := noon().Add(time.Duration((n*7+i*5)%13) * time.Minute)
					return tx.SaveLead(t.Context(), &l, at, true)
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	seen := map[heloc.AppID]int{}
	var key store.ChangeKey
	for last := false; ; {
		page, err := s.LeadChanges(t.Context(), company, "acme", key, 5)
		if err != nil {
			t.Fatal(err)
		}
		for i := range page {
			if next := page[i].Key(); next.Number < key.Number || next == key {
				t.Errorf("%v follows %v", next, key)
			}
			key = page[i].Key()
			seen[page[i].App] = page[i].OpenConditions
		}
		if len(page) == 0 && last {
			break
		}
		select {
		case <-done:
			last = true
		default:
		}
	}
	for n := 1; n <= leads; n++ {
		if got := seen[appID(n)]; got != changes {
			t.Errorf("lead %d: got change %d last, want %d", n, got, changes)
		}
	}
	if len(seen) != leads {
		t.Errorf("got %d leads, want the %d of the client in its company", len(seen), leads)
	}
	for what, change := range map[string]func(ctx context.Context, tx *store.Tx) error{
		"what is shown beside it": func(ctx context.Context, tx *store.Tx) error { return tx.RaiseRevision(ctx, appID(3)) },
		"only its status": func(ctx context.Context, tx *store.Tx) error {
			l, err := tx.AnyLead(ctx, appID(3))
			l.FollowUpAt = 1 // it is due before the step
			return cmp.Or(err, tx.SaveLead(ctx, &l, noon(), false))
		},
	} {
		write(t, s, change)
		page := must(s.LeadChanges(t.Context(), company, "acme", key, 5))(t)
		if len(page) != 1 || page[0].App != appID(3) {
			t.Errorf("%s: got %v", what, page)
			continue
		}
		key = page[0].Key()
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		l, err := tx.AnyLead(ctx, appID(3))
		return cmp.Or(err, tx.SaveLead(ctx, &l, noon(), false))
	})
	if page := must(s.LeadChanges(t.Context(), company, "acme", key, 5))(t); len(page) != 0 {
		t.Errorf("a lead that was saved without a change: got %v", page)
	}
}
