package store_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// TestPostgres_LeadChanges_OtherProcessReceives changes a lead in one process, which never announces it itself: the
// other process receives each change that is shown, with the lead's former originator and company, and of nothing
// else.
func TestPostgres_LeadChanges_OtherProcessReceives(t *testing.T) {
	t.Parallel()
	address := storetest.NewPostgres(t)
	here, there := open(t, address), open(t, address)
	hub := &pubsub.Hub{}
	relay := pubsub.NewRelay(hub, there, there.ProcessName(), slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	t.Cleanup(func() { stop(); <-ended })
	everyone, leave := hub.Subscribe(pubsub.Everyone())
	defer leave()
	go func() { defer close(ended); relay.Run(ctx) }()
	<-everyone // it listens

	topics := []string{pubsub.Originator("o1"), pubsub.Originator("o2"), pubsub.Company("B1"), pubsub.Company("B2")}
	var streams []<-chan pubsub.Event
	for _, topic := range topics {
		events, leave := hub.Subscribe(topic)
		defer leave()
		streams = append(streams, events)
	}
	last, leave := hub.Subscribe(pubsub.Person("last"))
	defer leave()
	// heard returns what was heard until now, by topic.
	heard := func() (all []string) {
		if err := here.Announce(t.Context(), `{"from":"another","inbox":true,"topics":["person:last"]}`); err != nil {
			t.Fatal(err)
		}
		<-last
		for i, events := range streams {
			for len(events) > 0 {
				e := <-events
				all = append(all, fmt.Sprintf("%s %s %d", topics[i], e.App, e.Revision))
			}
		}
		return all
	}
	row := lead.Row{App: "a1", Company: "B1", Originator: "o1"}
	save := func(shown bool, change func()) func(s *store.Store) error {
		return func(s *store.Store) error {
			change()
			return s.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveLead(t.Context(), &row, time.Now(), shown) })
		}
	}
	for _, step := range []struct {
		what string
		in   *store.Store
		do   func(s *store.Store) error
		want []string
	}{
		{"a new lead", here, func(s *store.Store) error {
			return s.Write(t.Context(), func(tx *store.Tx) error { return tx.AddLead(t.Context(), &row, time.Now()) })
		}, []string{"originator:o1 a1 1", "company:B1 a1 1"}},
		{"a change", here, save(true, func() { row.City = "Denver" }), []string{"originator:o1 a1 2", "company:B1 a1 2"}},
		{"nothing that is shown", here, save(false, func() { row.HistoryLength++ }), nil},
		{"a name under another key", here, func(*store.Store) error {
			return storetest.TryExec(t, address, `UPDATE leads SET borrower = 'sealed again'`)
		}, nil},
		{"another originator", here, save(true, func() { row.Originator = "o2" }),
			[]string{"originator:o1 a1 3", "originator:o2 a1 3", "company:B1 a1 3"}},
		{"another company", here, save(true, func() { row.Company = "B2" }),
			[]string{"originator:o2 a1 4", "company:B1 a1 4", "company:B2 a1 4"}},
		{"not committed", here, func(s *store.Store) error {
			failed := errors.New("not saved")
			err := s.Write(t.Context(), func(tx *store.Tx) error {
				return errors.Join(tx.RaiseRevision(t.Context(), row.App), failed)
			})
			if !errors.Is(err, failed) {
				return err
			}
			return nil
		}, nil},
		{"by this process", there, save(true, func() {}), nil},
	} {
		if err := step.do(step.in); err != nil {
			t.Fatalf("%s: %v", step.what, err)
		}
		if got := heard(); !slices.Equal(got, step.want) {
			t.Errorf("%s: got %q, want %q", step.what, got, step.want)
		}
	}
}

// TestPostgres_Settings_ForPagesUnlessRequested reads the settings of both pools: compiling or planning a query each
// time would take longer than a page.
func TestPostgres_Settings_ForPagesUnlessRequested(t *testing.T) {
	t.Parallel()
	address := storetest.NewPostgres(t)
	for suffix, want := range map[string][2]string{
		"": {"off 0 auto", "off 0 force_generic_plan"},
		"&jit=on&max_parallel_workers_per_gather=2&plan_cache_mode=force_custom_plan": {"on 2 force_custom_plan",
			"on 2 force_custom_plan"},
	} {
		if got := store.SettingsOf(t, open(t, address+suffix)); got != want {
			t.Errorf("with %q: got %q, want %q", suffix, got, want)
		}
	}
}
