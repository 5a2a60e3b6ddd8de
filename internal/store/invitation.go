package store

import (
	"context"
	"time"
)

// Invitation is a single-use link to the portal. Only the email contains the token itself.
type Invitation struct {
	ID        string `db:"id"`
	Kind      string `db:"kind"`
	TokenHash string `db:"token_hash"`
	Subject   string `db:"subject"` // a keyed digest of the email address
	UserID    string `db:"user_id"` // the account that it changes; "" for a new one
	Company   string `db:"company"` // the company that invites
	Sealed    []byte `db:"sealed"`  // the recipient
	CreatedBy string `db:"created_by"`
	CreatedAt int64  `db:"created_at"`
	ExpiresAt int64  `db:"expires_at"`
	UsedAt    int64  `db:"used_at"`

	OldSubjects []string `db:"-"` // the digests of the subject under older keys, when the invitation is added
}

const invitationColumns = `id, kind, token_hash, subject, user_id, company, sealed, created_by, created_at, ` +
	`expires_at, used_at`

// AddInvitation stores an invitation and invalidates earlier ones with the same subject and kind.
func (tx *Tx) AddInvitation(ctx context.Context, i Invitation) error {
	if err := tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE kind = ? AND used_at = 0 AND expires_at > ?
		AND subject IN `+placeholders(1+len(i.OldSubjects)),
		append([]any{i.CreatedAt, i.Kind, i.CreatedAt, i.Subject}, toAny(i.OldSubjects)...)...); err != nil {
		return err
	}
	return tx.insert(ctx, "invitations", invitationColumns, i)
}

// PendingInvitation finds an invitation that can still be used; fault.NotFound otherwise.
func (q Queries) PendingInvitation(ctx context.Context, tokenHash string, now time.Time) (Invitation, error) {
	return get[Invitation](ctx, q, `SELECT `+invitationColumns+` FROM invitations WHERE token_hash = ? AND used_at = 0
		AND expires_at > ?`, tokenHash, Millis(now))
}

// HasInvitation reports whether a company has a pending invitation for an email address, by any of the
// address's digests.
func (q Queries) HasInvitation(ctx context.Context, subjects []string, company string, now time.Time) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM invitations WHERE kind = 'invite' AND company = ? AND used_at = 0
		AND expires_at > ? AND subject IN `+placeholders(len(subjects)),
		append([]any{company, Millis(now)}, toAny(subjects)...)...)
}

// UseInvitation uses up an invitation; false when it was already used or has expired.
func (tx *Tx) UseInvitation(ctx context.Context, id string, now time.Time) (bool, error) {
	return tx.changed(ctx, `UPDATE invitations SET used_at = ? WHERE id = ? AND used_at = 0 AND expires_at > ?`,
		Millis(now), id, Millis(now))
}

// InvitationOf returns the pending invitation of a kind for an account; ok is false when there is none.
func (q Queries) InvitationOf(ctx context.Context, userID, kind string,
	now time.Time) (i Invitation, ok bool, err error) {
	return find[Invitation](ctx, q, invitationOfSQL, userID, Millis(now), kind)
}

const invitationOfSQL = `SELECT ` + invitationColumns + ` FROM invitations WHERE user_id = ? AND used_at = 0
	AND expires_at > ? AND kind = ? LIMIT 1`

// EndInvitationsOf ends the pending invitations of a kind for an account.
func (tx *Tx) EndInvitationsOf(ctx context.Context, userID, kind string, now time.Time) error {
	return tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE user_id = ? AND used_at = 0 AND expires_at > ?
		AND kind = ?`, Millis(now), userID, Millis(now), kind)
}

// EndInvitationsTo ends the pending invitations, of every kind, to any of these digests of an email address.
func (tx *Tx) EndInvitationsTo(ctx context.Context, subjects []string, now time.Time) error {
	return tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE used_at = 0 AND expires_at > ?
		AND subject IN `+placeholders(len(subjects)), append([]any{Millis(now), Millis(now)}, toAny(subjects)...)...)
}

// RevokeInvitation ends a pending invitation of a company, or of any company when company is empty; false
// when there is none.
func (tx *Tx) RevokeInvitation(ctx context.Context, id, company string, now time.Time) (bool, error) {
	return tx.changed(ctx, `UPDATE invitations SET expires_at = ? WHERE id = ? AND kind = 'invite'
		AND (company = ? OR ? = '') AND used_at = 0 AND expires_at > ?`,
		Millis(now), id, company, company, Millis(now))
}

// PendingInvitations lists the pending invitations of a kind from a company, or from any company when company
// is empty, newest first.
func (q Queries) PendingInvitations(ctx context.Context, kind, company string, now time.Time) ([]Invitation, error) {
	return list[Invitation](ctx, q, `SELECT `+invitationColumns+` FROM invitations
		WHERE kind = ? AND (company = ? OR ? = '') AND used_at = 0 AND expires_at > ?
		ORDER BY created_at DESC LIMIT 100`, kind, company, company, Millis(now))
}

// DropInvitations deletes the invitations that expired before an instant.
func (tx *Tx) DropInvitations(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM invitations WHERE expires_at < ?`, Millis(before))
}
