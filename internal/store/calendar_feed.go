package store

import (
	"context"

	"hearthline/internal/access"
)

// CalendarFeedCreated returns when a user's calendar feed got its current URL, in milliseconds; 0 without a feed.
func (q queries) CalendarFeedCreated(ctx context.Context, userID string) (int64, error) {
	return get[int64](ctx, q, `SELECT calendar_created_at FROM users WHERE id = ?`, userID)
}

// UserByCalendarFeed finds the user with an open account to whom the hash of a feed's token belongs.
// fault.NotFound when there is none.
func (q queries) UserByCalendarFeed(ctx context.Context, tokenHash string) (access.User, error) {
	return get[access.User](ctx, q, userSelect+` WHERE u.calendar_token_hash = ? AND u.calendar_token_hash <> ''
		AND u.disabled_at = 0`, tokenHash)
}

// SaveCalendarFeed gives a user's feed another token, so that the previous URL ends.
func (tx *Tx) SaveCalendarFeed(ctx context.Context, userID, tokenHash string) error {
	return tx.exec(ctx, `UPDATE users SET calendar_token_hash = ?, calendar_created_at = ? WHERE id = ?`,
		tokenHash, Millis(tx.now()), userID)
}

// EndCalendarFeed deletes a user's feed and reports whether there was one.
func (tx *Tx) EndCalendarFeed(ctx context.Context, userID string) (bool, error) {
	return tx.changed(ctx, `UPDATE users SET calendar_token_hash = '', calendar_created_at = 0
		WHERE id = ? AND calendar_token_hash <> ''`, userID)
}
