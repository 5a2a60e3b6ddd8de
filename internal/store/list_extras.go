package store

import (
	"context"
	"time"

	"hearthline/internal/lead"
)

// ListExtras says what the page of leads shows a user beside the list. Most of it is usually empty, so one query finds
// out which of it has to be read. A part that is true can still turn out to be empty; one that is false is empty.
type ListExtras struct {
	UpdatesSeenAt int64 `db:"updates_seen_at"` // since when a change is news to the user
	Events        bool  `db:"events"`          // of the user's leads, since then
	FollowUps     int   `db:"follow_ups"`      // that came due since then, on the user's leads
	Drafts        bool  `db:"drafts"`
	Unsettled     bool  `db:"unsettled"`    // starts whose outcome is unknown
	OwnViews      bool  `db:"own_views"`    // saved by the user
	SharedViews   bool  `db:"shared_views"` // shared with the user's company
	Reassigned    bool  `db:"reassigned"`   // leads, one by one, since the given instant
	Runs          bool  `db:"runs"`         // bulk reassignments since then
	Returned      bool  `db:"returned"`     // from an absence that the user has not dismissed
	Unknown       bool  `db:"unknown"`      // any write whose outcome is unknown, of any lead
	Unread        int   `db:"unread"`       // notifications, up to lead.UnreadLimit
}

// ListExtras reads what the page of leads shows a user beside the list; fault.NotFound without an account.
func (q queries) ListExtras(ctx context.Context, in UserScope, since time.Time) (ListExtras, error) {
	return get[ListExtras](ctx, q, listExtrasSQL,
		Millis(q.now()), in.UserID, in.Company, in.UserID, in.Company, in.UserID, in.Company, in.Company, in.UserID,
		Millis(since), in.UserID, in.Company, Millis(since), lead.JobRule, in.UserID, in.Company, Millis(q.now()), in.UserID,
		in.Company, in.UserID)
}

// listExtrasSQL asks for the newest of the user's events and not whether there is one since: PostgreSQL would expect
// to find one after a few rows of all events, and read all of them for a user without any.
var listExtrasSQL = `SELECT CASE WHEN u.updates_seen_at = 0 THEN u.created_at
	ELSE u.updates_seen_at END AS updates_seen_at,
	CASE WHEN u.originator <> '' AND (SELECT e.at FROM lead_events e WHERE e.originator = u.originator
		ORDER BY e.originator DESC, e.at DESC, e.id DESC LIMIT 1)
		> CASE WHEN u.updates_seen_at = 0 THEN u.created_at ELSE u.updates_seen_at END THEN 1 ELSE 0 END AS events,
	(SELECT count(*) FROM leads WHERE originator = u.originator AND originator <> '' AND follow_up_at > 0
		AND follow_up_at > CASE WHEN u.updates_seen_at = 0 THEN u.created_at ELSE u.updates_seen_at END
		AND follow_up_at <= ?) AS follow_ups,
	CASE WHEN EXISTS (SELECT 1 FROM drafts WHERE owner_id = ? AND company = ? AND app = '') THEN 1 ELSE 0 END AS drafts,
	CASE WHEN EXISTS (SELECT 1 FROM operations WHERE actor_id = ? AND company = ? AND kind = 'start'
		AND state IN ('sent', 'unknown')) THEN 1 ELSE 0 END AS unsettled,
	CASE WHEN EXISTS (SELECT 1 FROM saved_views WHERE user_id = ? AND company = ?) THEN 1 ELSE 0 END AS own_views,
	CASE WHEN EXISTS (SELECT 1 FROM saved_views WHERE company = ? AND shared_at > 0) THEN 1 ELSE 0 END AS shared_views,
	CASE WHEN EXISTS (SELECT 1 FROM reassignments WHERE actor_id = ? AND at >= ?) THEN 1 ELSE 0 END AS reassigned,
	CASE WHEN EXISTS (SELECT 1 FROM jobs WHERE actor_id = ? AND company = ? AND created_at >= ? AND kind <> ?) THEN 1
	ELSE 0 END AS runs,
	CASE WHEN EXISTS (SELECT 1 FROM absences WHERE user_id = ? AND company = ? AND ends_at <= ? AND seen_at = 0) THEN 1
	ELSE 0 END AS returned,
	CASE WHEN EXISTS (SELECT 1 FROM operations WHERE state = 'unknown') THEN 1 ELSE 0 END AS unknown,
	(` + unreadSQL + `) AS unread
	FROM users u WHERE u.id = ?`
