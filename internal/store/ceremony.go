package store

import (
	"context"
	"time"
)

// Ceremony is something that a browser has begun and not finished.
type Ceremony struct {
	IDHash    string `db:"id_hash"` // of the browser's token
	Kind      string `db:"kind"`
	UserID    string `db:"user_id"` // whose it is; "" where nobody is known yet
	Sealed    []byte `db:"sealed"`
	ExpiresAt int64  `db:"expires_at"`
}

const ceremonyColumns = `id_hash, kind, user_id, sealed, expires_at`

// SaveCeremony keeps one; the browser's earlier one of its kind is forgotten. Of a person's
// no more than most of that kind stay, those that end last.
func (tx *Tx) SaveCeremony(ctx context.Context, c Ceremony, most int) error {
	err := tx.execNamed(ctx, `INSERT INTO ceremonies (`+ceremonyColumns+`) VALUES (:id_hash, :kind, :user_id, :sealed, :expires_at)
		ON CONFLICT (id_hash, kind) DO UPDATE SET user_id = excluded.user_id, sealed = excluded.sealed, expires_at = excluded.expires_at`, c)
	if err != nil || c.UserID == "" {
		return err
	}
	// The new one is kept by name: of several made in one millisecond it need not be the last.
	_, err = tx.exec(ctx, `DELETE FROM ceremonies WHERE user_id = ? AND kind = ? AND id_hash <> ? AND id_hash NOT IN
		(SELECT id_hash FROM ceremonies WHERE user_id = ? AND kind = ? AND id_hash <> ? ORDER BY expires_at DESC, id_hash DESC LIMIT ?)`,
		c.UserID, c.Kind, c.IDHash, c.UserID, c.Kind, c.IDHash, most-1)
	return err
}

// Ceremony reads one that has not expired; fault.NotFound otherwise.
func (q queries) Ceremony(ctx context.Context, idHash, kind string, now time.Time) (Ceremony, error) {
	var c Ceremony
	return c, q.get(ctx, &c, `SELECT `+ceremonyColumns+` FROM ceremonies WHERE id_hash = ? AND kind = ? AND expires_at > ?`,
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

// EndPending forgets what a person has under way: second steps of a log-in, set-ups, factors
// about to be added, challenges; and no link that was mailed to them opens anything any
// more. A log-in whose password has been looked at already ends in no session. What is under way under the token with the hash keep stays, and so does what they
// typed, which opens nothing.
func (tx *Tx) EndPending(ctx context.Context, userID, keep string) error {
	if userID == "" {
		return nil
	}
	_, err := tx.exec(ctx, `DELETE FROM ceremonies WHERE user_id = ? AND id_hash <> ? AND kind NOT IN ('held-form', 'held-over')`, userID, keep)
	if err != nil {
		return err
	}
	if err := tx.RaiseSessionEpoch(ctx, userID); err != nil {
		return err
	}
	now := Millis(tx.now())
	_, err = tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE user_id = ? AND used_at = 0 AND expires_at > ?`, now, userID, now)
	return err
}

// RaiseSessionEpoch lets no request of a person that is under way at this moment change how they sign
// in, or sign them in: it was begun by what has just ended.
func (tx *Tx) RaiseSessionEpoch(ctx context.Context, userID string) error {
	_, err := tx.exec(ctx, `UPDATE users SET turn = turn + 1 WHERE id = ?`, userID)
	return err
}

// ExpiredCeremony reads a ceremony of a kind that expired before an instant, the oldest; ok is false
// when there is none.
func (q queries) ExpiredCeremony(ctx context.Context, kind string, before time.Time) (c Ceremony, ok bool, err error) {
	var rows []Ceremony
	err = q.list(ctx, &rows, `SELECT `+ceremonyColumns+` FROM ceremonies WHERE kind = ? AND expires_at < ? ORDER BY expires_at LIMIT 1`, kind, Millis(before))
	if err != nil || len(rows) == 0 {
		return c, false, err
	}
	return rows[0], true, nil
}

// DropCeremonies deletes those that expired before an instant. Second steps of a log-in are
// looked at first, by Lapsed, and have a day for that.
func (tx *Tx) DropCeremonies(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM ceremonies WHERE expires_at < ? AND (kind <> 'second-step' OR expires_at < ?)`,
		Millis(before), Millis(before.Add(-24*time.Hour)))
	return err
}
