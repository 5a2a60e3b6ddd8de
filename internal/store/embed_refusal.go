package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// EmbedRefusal is the last time that a client's launches or cards were refused for a cause.
type EmbedRefusal struct {
	Key   string `db:"client_key"`
	Door  string `db:"door"` // "launch", "card"
	Cause string `db:"cause"`
	At    int64  `db:"refused_at"`
}

const embedRefusalsSQL = `SELECT client_key, door, cause, refused_at FROM embed_refusals WHERE client_key = ? ORDER BY door, cause`

// EmbedRefusals lists those of a client, the latest first: one for each door and cause.
func (q queries) EmbedRefusals(ctx context.Context, key string) ([]EmbedRefusal, error) {
	var all []EmbedRefusal
	err := q.list(ctx, &all, embedRefusalsSQL, key)
	slices.SortStableFunc(all, func(a, b EmbedRefusal) int { return cmp.Compare(b.At, a.At) }) // a few dozen at most
	return all, err
}

// EmbedRefusedSince says whether a client was refused so since an instant.
func (q queries) EmbedRefusedSince(ctx context.Context, r EmbedRefusal, since time.Time) (bool, error) {
	var n int
	err := q.get(ctx, &n, `SELECT COUNT(*) FROM embed_refusals WHERE client_key = ? AND door = ? AND cause = ? AND refused_at >= ?`, r.Key, r.Door, r.Cause, Millis(since))
	return n > 0, err
}

// SaveEmbedRefusal notes one, in the place of the one before for the same cause.
func (tx *Tx) SaveEmbedRefusal(ctx context.Context, r EmbedRefusal) error {
	return tx.named(ctx, `INSERT INTO embed_refusals (client_key, door, cause, refused_at) VALUES (:client_key, :door, :cause, :refused_at)
		ON CONFLICT (client_key, door, cause) DO UPDATE SET refused_at = excluded.refused_at`, r)
}

// DropEmbedRefusals forgets those of before an instant.
func (tx *Tx) DropEmbedRefusals(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM embed_refusals WHERE refused_at < ?`, Millis(before))
	return err
}
