package store

import (
	"context"
	"time"
)

// Ceremony is a multi-step procedure that a browser has started and not finished.
type Ceremony struct {
	IDHash    string `db:"id_hash"` // of the browser's token
	Kind      string `db:"kind"`
	UserID    string `db:"user_id"` // the user; "" while unknown
	Sealed    []byte `db:"sealed"`
	ExpiresAt int64  `db:"expires_at"`
}

const ceremonyColumns = `id_hash, kind, user_id, sealed, expires_at`

// SaveCeremony stores a ceremony and deletes the browser's earlier one of the same kind. At most most
// ceremonies of that kind remain for a user; the ones that expire last remain.
func (tx *Tx) SaveCeremony(ctx context.Context, c Ceremony, limit int) error {
	err := tx.upsert(ctx, "ceremonies", `id_hash, kind`, ceremonyColumns, c)
	if err != nil || c.UserID == "" {
		return err
	}
	// Exclude the new one by id: among several from the same millisecond it need not sort last.
	return tx.exec(ctx, `DELETE FROM ceremonies WHERE user_id = ? AND kind = ? AND id_hash <> ? AND id_hash NOT IN
		(SELECT id_hash FROM ceremonies WHERE user_id = ? AND kind = ? AND id_hash <> ?
			ORDER BY expires_at DESC, id_hash DESC LIMIT ?)`,
		c.UserID, c.Kind, c.IDHash, c.UserID, c.Kind, c.IDHash, limit-1)
}

// Ceremony reads one that has not expired; fault.NotFound otherwise.
func (q queries) Ceremony(ctx context.Context, idHash, kind string, now time.Time) (Ceremony, error) {
	return get[Ceremony](ctx, q, `SELECT `+ceremonyColumns+` FROM ceremonies WHERE id_hash = ? AND kind = ?
		AND expires_at > ?`,
		idHash, kind, Millis(now))
}

// EndCeremony deletes a ceremony. It returns false when the ceremony had already ended, because one can be
// finished only once.
func (tx *Tx) EndCeremony(ctx context.Context, idHash, kind string) (bool, error) {
	return tx.changed(ctx, `DELETE FROM ceremonies WHERE id_hash = ? AND kind = ?`, idHash, kind)
}

// EndCeremonies deletes all ceremonies of a token.
func (tx *Tx) EndCeremonies(ctx context.Context, idHash string) error {
	return tx.exec(ctx, `DELETE FROM ceremonies WHERE id_hash = ?`, idHash)
}

// EndPending ends what a user has in progress: second steps of a sign-in, set-ups, factors about to be added,
// and challenges. It also invalidates the links that were emailed to the user. A sign-in whose password was
// already checked no longer leads to a session. What is in progress under the token whose hash is keep
// remains, and so do pending forms and whose session ended, which grant no access.
func (tx *Tx) EndPending(ctx context.Context, userID, keep string) error {
	if userID == "" {
		return nil
	}
	err := tx.exec(ctx, `DELETE FROM ceremonies WHERE user_id = ? AND id_hash <> ?
		AND kind NOT IN ('held-form', 'held-over', 'ended-session')`, userID, keep)
	if err != nil {
		return err
	}
	if err := tx.RaiseSessionEpoch(ctx, userID); err != nil {
		return err
	}
	now := Millis(tx.now())
	return tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE user_id = ? AND used_at = 0 AND expires_at > ?`,
		now, userID, now)
}

// RaiseSessionEpoch prevents the user's requests in progress from changing how the user signs in, or from
// signing them in, because whatever started them has just ended.
func (tx *Tx) RaiseSessionEpoch(ctx context.Context, userID string) error {
	return tx.exec(ctx, `UPDATE users SET session_epoch = session_epoch + 1 WHERE id = ?`, userID)
}

// ExpiredCeremony reads the oldest ceremony of a kind that expired before an instant; ok is false when there
// is none.
func (q queries) ExpiredCeremony(ctx context.Context, kind string, before time.Time) (c Ceremony, ok bool, err error) {
	return find[Ceremony](ctx, q, `SELECT `+ceremonyColumns+` FROM ceremonies WHERE kind = ? AND expires_at < ?
		ORDER BY expires_at LIMIT 1`, kind, Millis(before))
}

// DropCeremonies deletes the ceremonies that expired before an instant. Second steps of a sign-in are deleted
// a day later, because ExpiredCeremony reads them first.
func (tx *Tx) DropCeremonies(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM ceremonies WHERE expires_at < ? AND (kind <> 'second-step' OR expires_at < ?)`,
		Millis(before), Millis(before.Add(-24*time.Hour)))
}
