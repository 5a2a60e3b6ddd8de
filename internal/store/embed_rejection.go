package store

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// EmbedRejection is the last time a client's launch or card request was rejected for a cause, or a field of its
// launches filled in nothing.
type EmbedRejection struct {
	Client   string `db:"client"`
	Endpoint string `db:"endpoint"` // "launch", "card"; "field" for a field, whose name is the cause
	Cause    string `db:"cause"`
	At       int64  `db:"at"`
}

const embedRejectionsSQL = `SELECT client, endpoint, cause, at FROM embed_rejections WHERE client = ?
	ORDER BY endpoint, cause`

// EmbedRejections lists a client's rejections, latest first: one for each endpoint and cause.
func (q queries) EmbedRejections(ctx context.Context, key string) ([]EmbedRejection, error) {
	all, err := list[EmbedRejection](ctx, q, embedRejectionsSQL, key)
	slices.SortStableFunc(all, func(a, b EmbedRejection) int { return cmp.Compare(b.At, a.At) }) // a few dozen at most
	return all, err
}

// EmbedRejectedSince reports whether a client's request was rejected for the same cause since an instant.
func (q queries) EmbedRejectedSince(ctx context.Context, r EmbedRejection, since time.Time) (bool, error) {
	return q.has(ctx, `SELECT COUNT(*) FROM embed_rejections WHERE client = ? AND endpoint = ? AND cause = ? AND at >= ?`,
		r.Client, r.Endpoint, r.Cause, Millis(since))
}

// SaveEmbedRejection stores a rejection and replaces the previous one for the same cause.
func (tx *Tx) SaveEmbedRejection(ctx context.Context, r EmbedRejection) error {
	return tx.upsert(ctx, "embed_rejections", `client, endpoint, cause`, `client, endpoint, cause, at`, r)
}

// DropEmbedRejections deletes the rejections from before an instant.
func (tx *Tx) DropEmbedRejections(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM embed_rejections WHERE at < ?`, Millis(before))
}
