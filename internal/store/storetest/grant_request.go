package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

func grantRequests(t *testing.T, s *store.Store) {
	year := 365 * 24 * time.Hour
	add := func(id string, kind access.RequestKind, subject string, at, expires time.Time) {
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddGrantRequest(ctx, store.GrantRequest{ID: id, Kind: kind, Subject: subject, Sealed: []byte("sealed"),
				RequestedBy: "ann", CreatedAt: store.Millis(at), ExpiresAt: store.Millis(expires), State: access.RequestWaiting})
		})
	}
	now := noon()
	add("expired", access.RequestRole, "olivia", now.Add(-time.Hour), now)
	add("first", access.RequestLinkSSO, "maya", now.Add(-time.Minute), now.Add(time.Hour))
	add("second", access.RequestRole, "olivia", now.Add(-time.Second), now.Add(time.Hour))
	add("values", access.RequestSSOValues, "digest", now.Add(-year), now.Add(time.Hour))
	if all := must(s.GrantRequests(t.Context(), now))(t); len(all) != 4 || all[0].ID != "second" || all[1].ID != "first" ||
		all[3].ID != "expired" || string(all[0].Sealed) != "sealed" {
		t.Errorf("got %+v, want the waiting ones first, newest first", all)
	}
	for subject, want := range map[string]bool{"olivia": true, "maya": false} {
		if got := must(s.HasGrantRequest(t.Context(), "role", []string{"old digest", subject}, now))(t); got != want {
			t.Errorf("a waiting request about %s: got %v, want %v", subject, got, want)
		}
	}
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, tt := range []struct {
			id   string
			want bool
		}{{"expired", false}, {"first", true}, {"first", false}, {"values", true}, {"none", false}} {
			got, err := tx.DecideGrantRequest(ctx, tt.id, access.RequestApproved, "bea", now)
			if err != nil || got != tt.want {
				t.Errorf("%s decided: got %v, %v, want %v", tt.id, got, err, tt.want)
			}
		}
		return nil
	})
	if r := must(s.ApprovedGrantRequest(t.Context(), "link", "maya", now.Add(-time.Hour)))(t); r.DecidedBy != "bea" ||
		r.DecidedAt == 0 {
		t.Errorf("got %+v, want it approved by bea", r)
	}
	_, err := s.ApprovedGrantRequest(t.Context(), "link", "maya", now.Add(time.Hour))
	wantKind(t, err, fault.NotFound)
	write(t, s, func(ctx context.Context, tx *store.Tx) error {
		for _, want := range []bool{true, false} {
			if got, err := tx.UseGrantRequest(ctx, "first"); err != nil || got != want {
				t.Errorf("used: got %v, %v, want %v", got, err, want)
			}
		}
		return tx.DropGrantRequests(ctx, now.Add(time.Minute))
	})
	if all := must(s.GrantRequests(t.Context(), now))(t); len(all) != 1 || all[0].ID != "values" {
		t.Errorf("got %+v, want only the approval that stays in force", all)
	}
}
