package store

import (
	"context"
	"time"
)

// Ceremony is something that a browser has begun and not finished.
type Ceremony struct {
	IDHash    string `db:"id_hash"` // of the browser's token
	Kind      string `db:"kind"`
	Sealed    []byte `db:"sealed"`
	ExpiresAt int64  `db:"expires_at"`
}

// SaveCeremony keeps one; the browser's earlier one of its kind is forgotten.
func (tx *Tx) SaveCeremony(ctx context.Context, c Ceremony) error {
	return tx.named(ctx, `INSERT INTO ceremonies (id_hash, kind, sealed, expires_at) VALUES (:id_hash, :kind, :sealed, :expires_at)
		ON CONFLICT (id_hash, kind) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at`, c)
}

// Ceremony reads one that has not expired; fault.NotFound otherwise.
func (q queries) Ceremony(ctx context.Context, idHash, kind string, now time.Time) (Ceremony, error) {
	var c Ceremony
	return c, q.get(ctx, &c, `SELECT id_hash, kind, sealed, expires_at FROM ceremonies WHERE id_hash = ? AND kind = ? AND expires_at > ?`,
		idHash, kind, Millis(now))
}

// EndCeremony forgets one; false when it was ended before: it can be finished once.
func (tx *Tx) EndCeremony(ctx context.Context, idHash, kind string) (bool, error) {
	n, err := tx.exec(ctx, `DELETE FROM ceremonies WHERE id_hash = ? AND kind = ?`, idHash, kind)
	return n == 1, err
}

// EndCeremonies forgets all of a token's.
func (tx *Tx) EndCeremonies(ctx context.Context, idHash string) error {
	_, err := tx.exec(ctx, `DELETE FROM ceremonies WHERE id_hash = ?`, idHash)
	return err
}

// DropCeremonies deletes those that expired before an instant.
func (tx *Tx) DropCeremonies(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM ceremonies WHERE expires_at < ?`, Millis(before))
	return err
}
