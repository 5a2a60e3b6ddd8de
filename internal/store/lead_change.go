package store

import (
	"context"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// A change number is the time of a lead's last change in milliseconds, or more: it is above all numbers of the company.
// Writing transactions run one after the other, on PostgreSQL by a lock that each holds until its end, so the numbers
// become visible in their order, and a reader of all up to a number has missed none. The time ensures that where
// the last number is gone: after a restore, and when a lead was deleted or has moved to another company.
func changeNumberSQL(company, now string) string {
	return `(SELECT CASE WHEN max(o.change_number) >= ` + now + ` THEN max(o.change_number) + 1 ELSE ` + now + ` END
		FROM leads o WHERE o.company = ` + company + `)`
}

// leadWrite is a lead as it is written: with the time, or with zero to keep its change number.
type leadWrite struct {
	*lead.Row
	ChangedNow int64 `db:"changed_now"`
}

// LeadChange is a lead as it is now, and the number of its last change.
type LeadChange struct {
	lead.Row
	ChangeNumber int64 `db:"change_number"`
}

// ChangeKey is where a list of changes ends; the next one begins after it.
type ChangeKey struct {
	Number int64
	App    heloc.AppID
}

// String returns the key as it is given to clients.
func (k ChangeKey) String() string { return encodePageKey(k.Number, k.App) }

// ParseChangeKey reads what String returned.
func ParseChangeKey(text string) (k ChangeKey, ok bool) {
	number, app, ok := parsePageKey(text)
	return ChangeKey{number, heloc.AppID(app)}, ok
}

// Key returns the key of a change.
func (c *LeadChange) Key() ChangeKey { return ChangeKey{c.ChangeNumber, c.App} }

const leadChangesSQL = `SELECT ` + leadColumns + `, change_number FROM leads
	WHERE company = ? AND (change_number, app) > (?, ?)
	AND EXISTS (SELECT 1 FROM lead_references r WHERE r.app = leads.app AND r.client = ?)
	ORDER BY change_number, app LIMIT ?`

// LeadChanges lists the leads of a company that are linked to a client's records and have changed after a key, in the
// order of their last changes.
func (q Queries) LeadChanges(ctx context.Context, company, client string, after ChangeKey,
	limit int) ([]LeadChange, error) {
	return list[LeadChange](ctx, q, leadChangesSQL, company, after.Number, after.App, client, limit)
}
