package storetest

import (
	"context"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// remainingShares: of what a user shared, only what borrowers can still open is counted.
func remainingShares(t *testing.T, s *store.Store) {
	addUser(t, s, userOf("olivia", access.Originator))
	ended := leadOf(2, "o1", "B1")
	ended.Step = heloc.StepClosed
	add(t, s, leadOf(1, "o1", "B1"), ended)
	now := time.Now()
	share := func(id string, app int, expires time.Duration, revoked int64) {
		t.Helper()
		write(t, s, func(ctx context.Context, tx *store.Tx) error {
			return tx.AddSharedQuote(ctx, store.SharedQuote{
				ID: id, App: appID(app), TokenDigest: id, Token: []byte{1}, Sealed: []byte{1}, Language: "en", ActorID: "olivia",
				ActorName: "Olivia", CreatedAt: store.Millis(now), ExpiresAt: store.Millis(now.Add(expires)), RevokedAt: revoked,
			})
		})
	}
	share("open", 1, time.Hour, 0)
	share("expired", 1, -time.Hour, 0)
	share("revoked", 1, time.Hour, 1)
	share("of an ended lead", 2, time.Hour, 0)
	got := must(s.RemainingWork(t.Context(), store.UserScope{UserID: "olivia", Company: "B1"}, "o1"))(t)
	if got.Shares != 1 {
		t.Errorf("got %d shared links, want the open one", got.Shares)
	}
}
