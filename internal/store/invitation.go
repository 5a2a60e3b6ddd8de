package store

import (
	"context"
	"time"
)

// Invitation is a link that lets a person in once. The token itself is in the mail alone.
type Invitation struct {
	ID        string `db:"id"`
	Kind      string `db:"kind"`
	TokenHash string `db:"token_hash"`
	Subject   string `db:"subject"` // a keyed digest of the e-mail
	UserID    string `db:"user_id"` // whose account it changes; "" for a new one
	Company   string `db:"company"` // whose people it is for
	Sealed    []byte `db:"sealed"`  // for whom
	CreatedBy string `db:"created_by"`
	CreatedAt int64  `db:"created_at"`
	ExpiresAt int64  `db:"expires_at"`
	UsedAt    int64  `db:"used_at"`

	OldSubjects []string `db:"-"` // what older keys make of the subject, when it is added
}

const invitationColumns = `id, kind, token_hash, subject, user_id, company, sealed, created_by, created_at, expires_at, used_at`

// AddInvitation keeps one; earlier ones of its subject and kind open nothing any more.
func (tx *Tx) AddInvitation(ctx context.Context, i Invitation) error {
	if _, err := tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE kind = ? AND used_at = 0 AND expires_at > ? AND subject IN `+placeholders(1+len(i.OldSubjects)),
		append([]any{i.CreatedAt, i.Kind, i.CreatedAt, i.Subject}, toAny(i.OldSubjects)...)...); err != nil {
		return err
	}
	return tx.execNamed(ctx, `INSERT INTO invitations (`+invitationColumns+`) VALUES (:id, :kind, :token_hash, :subject, :user_id, :company, :sealed, :created_by,
		:created_at, :expires_at, :used_at)`, i)
}

// PendingInvitation finds one that can still be used; fault.NotFound otherwise.
func (q queries) PendingInvitation(ctx context.Context, tokenHash string, now time.Time) (Invitation, error) {
	var i Invitation
	return i, q.get(ctx, &i, `SELECT `+invitationColumns+` FROM invitations WHERE token_hash = ? AND used_at = 0 AND expires_at > ?`, tokenHash, Millis(now))
}

// HasInvitation says whether a company has invited somebody who has not come yet, by any of the
// marks of their e-mail.
func (q queries) HasInvitation(ctx context.Context, subjects []string, company string, now time.Time) (bool, error) {
	var n int
	err := q.get(ctx, &n, `SELECT count(*) FROM invitations WHERE kind = 'invite' AND company = ? AND used_at = 0 AND expires_at > ? AND subject IN `+placeholders(len(subjects)),
		append([]any{company, Millis(now)}, toAny(subjects)...)...)
	return n > 0, err
}

// UseInvitation uses one up; false when it was used or ran out.
func (tx *Tx) UseInvitation(ctx context.Context, id string, now time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE invitations SET used_at = ? WHERE id = ? AND used_at = 0 AND expires_at > ?`, Millis(now), id, Millis(now))
	return n == 1, err
}

// InvitationOf is the open one of a kind that is for an account; ok is false without one.
func (q queries) InvitationOf(ctx context.Context, userID, kind string, now time.Time) (i Invitation, ok bool, err error) {
	var all []Invitation
	err = q.list(ctx, &all, invitationOfSQL, userID, Millis(now), kind)
	if err != nil || len(all) == 0 {
		return i, false, err
	}
	return all[0], true, nil
}

const invitationOfSQL = `SELECT ` + invitationColumns + ` FROM invitations WHERE user_id = ? AND used_at = 0 AND expires_at > ? AND kind = ? LIMIT 1`

// EndInvitationsOf ends the open ones of a kind that are for an account.
func (tx *Tx) EndInvitationsOf(ctx context.Context, userID, kind string, now time.Time) error {
	_, err := tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE user_id = ? AND used_at = 0 AND expires_at > ? AND kind = ?`, Millis(now), userID, Millis(now), kind)
	return err
}

// EndInvitationsTo ends the open ones, of every kind, to any of these marks of an e-mail.
func (tx *Tx) EndInvitationsTo(ctx context.Context, subjects []string, now time.Time) error {
	_, err := tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE used_at = 0 AND expires_at > ? AND subject IN `+placeholders(len(subjects)), append([]any{Millis(now), Millis(now)}, toAny(subjects)...)...)
	return err
}

// RevokeInvitation ends one of a company's that is open; any company's when company is
// empty. False when there is none such.
func (tx *Tx) RevokeInvitation(ctx context.Context, id, company string, now time.Time) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE invitations SET expires_at = ? WHERE id = ? AND kind = 'invite' AND (company = ? OR ? = '') AND used_at = 0 AND expires_at > ?`,
		Millis(now), id, company, company, Millis(now))
	return n == 1, err
}

// PendingInvitations lists the open ones of a kind that a company made, any company when it
// is empty, the newest first.
func (q queries) PendingInvitations(ctx context.Context, kind, company string, now time.Time) ([]Invitation, error) {
	var all []Invitation
	return all, q.list(ctx, &all, `SELECT `+invitationColumns+` FROM invitations WHERE kind = ? AND (company = ? OR ? = '') AND used_at = 0 AND expires_at > ?
		ORDER BY created_at DESC LIMIT 100`, kind, company, company, Millis(now))
}

// DropInvitations deletes those that ran out before an instant.
func (tx *Tx) DropInvitations(ctx context.Context, before time.Time) error {
	_, err := tx.exec(ctx, `DELETE FROM invitations WHERE expires_at < ?`, Millis(before))
	return err
}
