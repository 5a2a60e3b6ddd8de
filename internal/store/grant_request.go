package store

import (
	"context"
	"time"

	"hearthline/internal/access"
)

// GrantRequest is a change that needs two people. Subject is what it is about: the id of a user, a keyed digest of the
// email to invite, or a digest of the values of a sign-on provider.
type GrantRequest struct {
	ID          string              `db:"id"`
	Kind        access.RequestKind  `db:"kind"`
	Subject     string              `db:"subject"`
	Sealed      []byte              `db:"sealed"` // what is requested, and why
	RequestedBy string              `db:"requested_by"`
	CreatedAt   int64               `db:"created_at"`
	ExpiresAt   int64               `db:"expires_at"`
	State       access.RequestState `db:"state"`
	DecidedBy   string              `db:"decided_by"` // who approved, declined or withdrew it
	DecidedAt   int64               `db:"decided_at"`
}

const grantRequestColumns = `id, kind, subject, sealed, requested_by, created_at, expires_at, state, ` +
	`decided_by, decided_at`

// maxGrantRequests limits a list of requests.
const maxGrantRequests = 200

// AddGrantRequest stores a request.
func (tx *Tx) AddGrantRequest(ctx context.Context, r GrantRequest) error {
	return tx.insert(ctx, "grant_requests", grantRequestColumns, r)
}

// GrantRequest reads a request; fault.NotFound when there is none.
func (q Queries) GrantRequest(ctx context.Context, id string) (GrantRequest, error) {
	return get[GrantRequest](ctx, q, `SELECT `+grantRequestColumns+` FROM grant_requests WHERE id = ?`, id)
}

// GrantRequests lists the newest requests, pending ones first.
func (q Queries) GrantRequests(ctx context.Context, now time.Time) ([]GrantRequest, error) {
	return list[GrantRequest](ctx, q, `SELECT `+grantRequestColumns+` FROM grant_requests
		ORDER BY CASE WHEN state = ? AND expires_at > ? THEN 0 ELSE 1 END, created_at DESC, id DESC LIMIT ?`,
		access.RequestWaiting, Millis(now), maxGrantRequests)
}

// HasGrantRequest reports whether a request for the same thing is pending.
func (q Queries) HasGrantRequest(ctx context.Context, kind access.RequestKind, subjects []string,
	now time.Time) (bool, error) {
	return q.has(ctx, `SELECT count(*) FROM grant_requests WHERE kind = ? AND state = ? AND expires_at > ?
		AND subject IN `+placeholders(len(subjects)),
		append([]any{kind, access.RequestWaiting, Millis(now)}, toAny(subjects)...)...)
}

// ApprovedGrantRequest finds the latest request of a kind about a subject that was approved after an instant and not
// used; fault.NotFound when there is none.
func (q Queries) ApprovedGrantRequest(ctx context.Context, kind access.RequestKind, subject string,
	after time.Time) (GrantRequest, error) {
	return get[GrantRequest](ctx, q, `SELECT `+grantRequestColumns+` FROM grant_requests
		WHERE kind = ? AND subject = ? AND state = ? AND decided_at > ? ORDER BY decided_at DESC LIMIT 1`,
		kind, subject, access.RequestApproved, Millis(after))
}

// DecideGrantRequest decides a pending request; false if it was already decided or has expired.
func (tx *Tx) DecideGrantRequest(ctx context.Context, id string, state access.RequestState, by string,
	now time.Time) (bool, error) {
	return tx.changed(ctx, `UPDATE grant_requests SET state = ?, decided_by = ?, decided_at = ?
		WHERE id = ? AND state = ? AND expires_at > ?`, state, by, Millis(now), id,
		access.RequestWaiting, Millis(now))
}

// UseGrantRequest uses up an approved request; false when it was used before.
func (tx *Tx) UseGrantRequest(ctx context.Context, id string) (bool, error) {
	return tx.changed(ctx, `UPDATE grant_requests SET state = ? WHERE id = ? AND state = ?`,
		access.RequestUsed, id, access.RequestApproved)
}

// DropGrantRequests deletes the requests from before an instant, except approvals that are still in force.
func (tx *Tx) DropGrantRequests(ctx context.Context, before time.Time) error {
	return tx.exec(ctx, `DELETE FROM grant_requests WHERE created_at < ? AND NOT (kind = ? AND state = ?)`,
		Millis(before), access.RequestSSOValues, access.RequestApproved)
}
