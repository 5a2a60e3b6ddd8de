package store

import (
	"context"

	"hearthline/internal/heloc"
)

// Mismatch is a lead for which the lender names an originator who cannot be found. The lead stays with its
// current originator.
type Mismatch struct {
	App    heloc.AppID        `db:"app_uuid"`
	Named  heloc.OriginatorID `db:"named"` // empty when the lender's value is not an id
	Reason MismatchReason     `db:"reason"`
	At     int64              `db:"at"` // since when
}

// MismatchReason is why an originator cannot be found.
type MismatchReason string

// The reasons; empty where there is no mismatch.
const (
	MismatchMalformed   MismatchReason = "malformed"   // the lender sent something that is not an id
	MismatchUnknown     MismatchReason = "unknown"     // the lender's directory does not list the originator
	MismatchUnreachable MismatchReason = "unreachable" // the lender's directory could not be read
)

// Mismatches lists the mismatches, oldest first.
func (q queries) Mismatches(ctx context.Context) ([]Mismatch, error) {
	var all []Mismatch
	return all, q.list(ctx, &all, `SELECT app_uuid, named, reason, at FROM originator_mismatches ORDER BY at, app_uuid`)
}

// NoteMismatch stores a mismatch with the time of its first occurrence; fresh reports whether it is new. A
// mismatch without a reason deletes what was stored for the lead.
func (tx *Tx) NoteMismatch(ctx context.Context, m Mismatch) (fresh bool, err error) {
	if m.Reason == "" {
		_, err := tx.exec(ctx, `DELETE FROM originator_mismatches WHERE app_uuid = ?`, m.App)
		return false, err
	}
	n, err := tx.execNamedRows(ctx, `INSERT INTO originator_mismatches (app_uuid, named, reason, at) VALUES (:app_uuid, :named, :reason, :at)
		ON CONFLICT (app_uuid) DO UPDATE SET named = excluded.named, reason = excluded.reason, at = excluded.at
		WHERE originator_mismatches.named <> excluded.named OR originator_mismatches.reason <> excluded.reason`, m)
	return n > 0, err
}

// Explained lists the leads whose named originator is now in the directory.
func (q queries) Explained(ctx context.Context) ([]heloc.AppID, error) {
	var apps []heloc.AppID
	return apps, q.list(ctx, &apps, `SELECT m.app_uuid FROM originator_mismatches m JOIN originators o ON o.uuid = m.named ORDER BY m.at`)
}
