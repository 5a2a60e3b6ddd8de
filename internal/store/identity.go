package store

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
)

// UserByIdentity finds the user who is linked to a provider's subject; fault.NotFound when there is none.
func (q queries) UserByIdentity(ctx context.Context, issuer, subject string) (access.User, error) {
	return get[access.User](ctx, q, userSelect+` JOIN identities i ON i.user_id = u.id
		WHERE i.issuer = ? AND i.subject = ?`, issuer, subject)
}

// AddIdentity links a user to a provider's subject. A subject belongs to one user, and a user has one subject
// per provider: fault.Conflict for another.
func (tx *Tx) AddIdentity(ctx context.Context, issuer, subject, userID string) error {
	n, err := get[int](ctx, tx.queries, `SELECT count(*) FROM identities WHERE user_id = ? AND issuer = ?`, userID, issuer)
	if err != nil {
		return err
	}
	if n > 0 {
		return fault.New(fault.Conflict, "This account is linked to a different single sign-on user.")
	}
	err = tx.exec(ctx, `INSERT INTO identities (issuer, subject, user_id, created_at) VALUES (?, ?, ?, ?)`,
		issuer, subject, userID, Millis(tx.now()))
	if tx.conn.IsUniqueViolation(err) {
		return fault.Wrap(fault.Conflict, "This single sign-on user is linked to a different account.", err)
	}
	return err
}

// HasIdentity reports whether a user is linked to any provider.
func (q queries) HasIdentity(ctx context.Context, userID string) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM identities WHERE user_id = ?`, userID)
}

// MarkIdentityStrong records that the provider has vouched for a subject with two factors.
func (tx *Tx) MarkIdentityStrong(ctx context.Context, issuer, subject string) error {
	return tx.exec(ctx, `UPDATE identities SET strong_at = ? WHERE issuer = ? AND subject = ? AND strong_at = 0`,
		Millis(tx.now()), issuer, subject)
}

// RemoveIdentities unlinks a user from every provider.
func (tx *Tx) RemoveIdentities(ctx context.Context, userID string) (int64, error) {
	return tx.execRows(ctx, `DELETE FROM identities WHERE user_id = ?`, userID)
}
