package store

import (
	"context"
	"time"
)

// SavedView is a saved list of leads.
type SavedView struct {
	ID        string `db:"id"`
	UserID    string `db:"user_id"`
	Company   string `db:"company"`
	Sealed    []byte `db:"sealed"` // the name
	Query     string `db:"query"`  // of the list's URL, without what was searched for
	Position  int64  `db:"position"`
	SharedAt  int64  `db:"shared_at"` // 0: private
	CreatedAt int64  `db:"created_at"`
	Owner     string `db:"owner"` // the user's name
}

const (
	savedViewSelect = `SELECT v.id, v.user_id, v.company, v.sealed, v.query, v.position, v.shared_at, v.created_at,
		u.name AS owner FROM saved_views v JOIN users u ON u.id = v.user_id`
	savedViewsSQL       = savedViewSelect + ` WHERE v.user_id = ? AND v.company = ? ORDER BY v.position, v.id LIMIT ?`
	sharedSavedViewsSQL = savedViewSelect + ` WHERE v.company = ? AND v.shared_at > 0 AND v.user_id <> ?
		AND u.disabled_at = 0 ORDER BY v.shared_at, v.id LIMIT ?`
)

// SavedViews lists a user's own views in their company, in their order.
func (q Queries) SavedViews(ctx context.Context, in UserScope, limit int) ([]SavedView, error) {
	return list[SavedView](ctx, q, savedViewsSQL, in.UserID, in.Company, limit)
}

// SharedSavedViews lists the views that others have shared with a user's company, the oldest first.
func (q Queries) SharedSavedViews(ctx context.Context, in UserScope, limit int) ([]SavedView, error) {
	return list[SavedView](ctx, q, sharedSavedViewsSQL, in.Company, in.UserID, limit)
}

// SavedView reads one view of a company; fault.NotFound when it has none with this id.
func (q Queries) SavedView(ctx context.Context, company, id string) (SavedView, error) {
	return get[SavedView](ctx, q, savedViewSelect+` WHERE v.id = ? AND v.company = ?`, id, company)
}

// AddSavedView stores a view after the user's others.
func (tx *Tx) AddSavedView(ctx context.Context, v SavedView) error {
	return tx.execNamed(ctx, `INSERT INTO saved_views (id, user_id, company, sealed, query, position, created_at)
		SELECT :id, :user_id, :company, :sealed, :query, coalesce(max(position), 0) + 1, :created_at FROM saved_views
		WHERE user_id = :user_id AND company = :company`, v)
}

// RenameSavedView stores another name.
func (tx *Tx) RenameSavedView(ctx context.Context, id string, sealed []byte) error {
	return tx.exec(ctx, `UPDATE saved_views SET sealed = ? WHERE id = ?`, sealed, id)
}

// ShareSavedView shares a view with its company from an instant on; the zero time makes it private.
func (tx *Tx) ShareSavedView(ctx context.Context, id string, at time.Time) error {
	return tx.exec(ctx, `UPDATE saved_views SET shared_at = ? WHERE id = ?`, Millis(at), id)
}

// SetSavedViewPosition moves a view in its user's order.
func (tx *Tx) SetSavedViewPosition(ctx context.Context, id string, position int64) error {
	return tx.exec(ctx, `UPDATE saved_views SET position = ? WHERE id = ?`, position, id)
}

// DropSavedView deletes a view.
func (tx *Tx) DropSavedView(ctx context.Context, id string) error {
	return tx.exec(ctx, `DELETE FROM saved_views WHERE id = ?`, id)
}

// SetOpensView stores whether a user's first view opens when they sign in.
func (tx *Tx) SetOpensView(ctx context.Context, userID string, on bool) error {
	return tx.exec(ctx, `UPDATE users SET opens_view = ? WHERE id = ?`, on, userID)
}
