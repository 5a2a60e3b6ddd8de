package storetest

import (
	"context"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// assistantWorksFor: every way to read an assistant finds the chosen originators, of whom each one counts only while
// they belong to the company and somebody can work on their leads.
func assistantWorksFor(t *testing.T, s *store.Store) {
	for id, broker := range map[string]string{"o1": "B1", "o2": "B1", "o3": "B1", "o4": "B2"} {
		addOriginator(t, s, originatorOf(id, broker), noon())
	}
	olivia := userOf("olivia", access.Originator)
	olivia.OriginatorUUID = "o1"
	addUser(t, s, olivia)
	ada := userOf("ada", access.Assistant)
	ada.WorksFor, ada.Reassigns = "o1 o2 o3 o4", true
	addUser(t, s, ada)
	if err := s.AddSession(t.Context(), sessionOf(1, "ada", noon())); err != nil {
		t.Fatal(err)
	}
	maya := access.Actor{UserID: "maya", BrokerID: "B1"}
	inTx := func(f func(ctx context.Context, tx *store.Tx) error) func() error {
		return func() error { return s.Write(t.Context(), func(tx *store.Tx) error { return f(t.Context(), tx) }) }
	}
	set := func(worksFor access.Covers, reassigns bool) func() error {
		return inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SetAssistant(ctx, maya, "ada", worksFor, reassigns)
		})
	}
	nothing := func() error { return nil }
	for _, tt := range []struct {
		after     string
		change    func() error
		want      access.Covers
		reassigns bool
	}{
		{"the account was created", nothing, "o1 o2 o3", true},
		{"an originator's account was closed", func() error { return s.DisableUser(t.Context(), "olivia") }, "o2 o3", true},
		{"one moved", inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveOriginator(ctx, originatorOf("o2", "B2"), noon())
		}), "o3", true},
		{"one was removed", inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.MarkRemoved(ctx, "o3", noon())
		}), "", true},
		{"one came back", inTx(func(ctx context.Context, tx *store.Tx) error {
			return tx.SaveOriginator(ctx, originatorOf("o2", "B1"), noon())
		}), "o2", true},
		{"all were chosen", set(access.AllOriginators, false), access.AllOriginators, false},
		{"others were chosen", set("o4", true), "", true},
		{"one was chosen", set("o2", false), "o2", false},
		{"another role", func() error { return s.SetUserRole(t.Context(), "ada", access.Manager) }, "", false},
	} {
		if err := tt.change(); err != nil {
			t.Fatalf("%s: %v", tt.after, err)
		}
		byID := must(s.User(t.Context(), "ada"))(t)
		byEmail, _, _ := s.UserByEmail(t.Context(), "ada@test")
		_, bySession, _ := s.Session(t.Context(), sessionOf(1, "ada", noon()).IDHash)
		for how, got := range map[string]access.User{"id": byID, "email": byEmail, "session": bySession} {
			if got.WorksFor != tt.want || got.Reassigns != tt.reassigns {
				t.Errorf("after %s, by %s: works for %q, reassigns %v; want %q, %v", tt.after, how, got.WorksFor, got.Reassigns,
					tt.want, tt.reassigns)
			}
		}
	}
	for name, id := range map[string]string{"a manager": "ada", "nobody": "none"} {
		err := inTx(func(ctx context.Context, tx *store.Tx) error { return tx.SetAssistant(ctx, maya, id, "o2", true) })()
		if !fault.Is(err, fault.Conflict) {
			t.Errorf("%s: got %v, want a conflict", name, err)
		}
	}
}
