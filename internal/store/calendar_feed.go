package store

import (
	"context"

	"hearthline/internal/access"
)

// CalendarFeedCreated returns when a user's calendar feed got its current URL, in milliseconds; 0 without a feed.
func (q queries) CalendarFeedCreated(ctx context.Context, userID string) (int64, error) {
	var at []int64
	if err := q.list(ctx, &at, `SELECT created_at FROM calendar_feeds WHERE user_id = ?`, userID); err != nil || len(at) == 0 {
		return 0, err
	}
	return at[0], nil
}

// UserByCalendarFeed finds the user with an open account to whom the hash of a feed's token belongs.
// fault.NotFound when there is none.
func (q queries) UserByCalendarFeed(ctx context.Context, tokenHash string) (access.User, error) {
	var r userRow
	err := q.get(ctx, &r, `SELECT `+userColumns+` FROM `+userTables+` JOIN calendar_feeds f ON f.user_id = u.id WHERE f.token_hash = ? AND u.disabled_at = 0`, tokenHash)
	return r.user(), err
}

// SaveCalendarFeed gives a user's feed another token, so that the previous URL ends.
func (tx *Tx) SaveCalendarFeed(ctx context.Context, userID, tokenHash string) error {
	_, err := tx.exec(ctx, `INSERT INTO calendar_feeds (user_id, token_hash, created_at) VALUES (?, ?, ?)
		ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at`, userID, tokenHash, Millis(tx.now()))
	return err
}

// EndCalendarFeed deletes a user's feed and reports whether there was one.
func (tx *Tx) EndCalendarFeed(ctx context.Context, userID string) (bool, error) {
	n, err := tx.exec(ctx, `DELETE FROM calendar_feeds WHERE user_id = ?`, userID)
	return n > 0, err
}
