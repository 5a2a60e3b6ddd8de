package store

import (
	"context"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// SealedPart is one part with the time it was read.
type SealedPart struct {
	App       heloc.AppID `db:"app"`
	Part      lead.Part   `db:"part"`
	Version   int         `db:"version"`
	Sealed    []byte      `db:"sealed"`
	FetchedAt int64       `db:"fetched_at"`
}

// Parts reads the parts of a lead that the caller has opened.
func (q Queries) Parts(ctx context.Context, app heloc.AppID) (map[lead.Part]SealedPart, error) {
	rows, err := list[SealedPart](ctx, q, `SELECT app, part, version, sealed, fetched_at FROM lead_parts
		WHERE app = ?`, app)
	return byKey(rows, func(p SealedPart) lead.Part { return p.Part }), err
}

// Part reads one part of a lead that the caller has opened; nil when there is none.
func (q Queries) Part(ctx context.Context, app heloc.AppID, part lead.Part) (*SealedPart, error) {
	return findPointer[SealedPart](ctx, q, `SELECT app, part, version, sealed, fetched_at FROM lead_parts
		WHERE app = ? AND part = ?`, app, part)
}

// PartOfEach reads one part of some leads that the caller has opened.
func (q Queries) PartOfEach(ctx context.Context, part lead.Part, apps []heloc.AppID) ([]SealedPart, error) {
	return list[SealedPart](ctx, q, `SELECT app, part, version, sealed, fetched_at FROM lead_parts
		WHERE part = ? AND app IN `+placeholders(len(apps)), append([]any{part}, toAny(apps)...)...)
}

// SavePart writes one part.
func (tx *Tx) SavePart(ctx context.Context, p SealedPart) error {
	return tx.upsert(ctx, "lead_parts", `app, part`, `app, part, version, sealed, fetched_at`, p)
}

// SaveLastView records that a user has seen a lead as it was at an instant, and its documents when documents is true.
// A later view remains.
func (tx *Tx) SaveLastView(ctx context.Context, userID string, app heloc.AppID, seen time.Time, documents bool) error {
	at := Millis(seen)
	if documents {
		return tx.exec(ctx, `INSERT INTO lead_views (user_id, app, viewed_at, documents_at) VALUES (?, ?, ?, ?)
			ON CONFLICT (user_id, app) DO UPDATE SET documents_at = excluded.documents_at
			WHERE lead_views.documents_at < excluded.documents_at`, userID, app, at, at)
	}
	return tx.exec(ctx, `INSERT INTO lead_views (user_id, app, viewed_at) VALUES (?, ?, ?)
		ON CONFLICT (user_id, app) DO UPDATE SET viewed_at = excluded.viewed_at
		WHERE lead_views.viewed_at < excluded.viewed_at`, userID, app, at)
}

// LeadExtras says what there is about a lead that most leads do not have, and what the reader has seen of it. One query
// finds out what has to be read. A part that is true can still turn out to be empty; one that is false is empty.
type LeadExtras struct {
	lead.LastView      // of the reader
	Unread        bool `db:"unread"`     // a notification of the reader's about the lead
	AllUnread     int  `db:"all_unread"` // notifications of the reader's, up to lead.UnreadLimit
	Absences      bool `db:"absences"`
	Notes         bool `db:"notes"`
	FollowUps     bool `db:"follow_ups"`     // open ones
	CRMReferences bool `db:"crm_references"` // to records of a CRM
	Prepared      bool `db:"prepared"`       // by another user than the one who sent it
	Reassigned    bool `db:"reassigned"`
	Choices       bool `db:"choices"`
	PayoffPlan    bool `db:"payoff_plan"`
	Quotes        bool `db:"quotes"`
	SharedQuotes  bool `db:"shared_quotes"`

	NoQuotes string `db:"no_quotes"` // the setting LenderNoQuotes; empty if it was never saved
	NoCosts  string `db:"no_costs"`  // the setting LenderNoCosts

	UnconfirmedPayments string `db:"unconfirmed_payments"` // the setting PaymentsUnconfirmed

	// Originator is the lead's, with what a page names: the zero value while the directory does not have them.
	Originator lead.Originator `db:"originator"`
}

// LeadExtras reads what there is about an opened lead; fault.NotFound without the lead.
func (q Queries) LeadExtras(ctx context.Context, reader UserScope, app heloc.AppID) (LeadExtras, error) {
	return get[LeadExtras](ctx, q, leadExtrasSQL, reader.UserID, reader.UserID, reader.UserID, reader.UserID,
		reader.Company, reader.UserID, reader.Company, app)
}

var leadExtrasSQL = `SELECT coalesce((SELECT viewed_at FROM lead_views WHERE user_id = ? AND app = l.app),
	0) AS viewed_at,
	coalesce((SELECT documents_at FROM lead_views WHERE user_id = ? AND app = l.app), 0) AS documents_at,
	coalesce((SELECT displayed_at FROM lead_views WHERE user_id = ? AND app = l.app), 0) AS displayed_at,
	CASE WHEN EXISTS (SELECT 1 FROM notifications WHERE user_id = ? AND company = ? AND app = l.app AND read_at = 0) THEN 1
	ELSE 0 END AS unread,
	(` + unreadSQL + `) AS all_unread,
	CASE WHEN EXISTS (SELECT 1 FROM absences WHERE originator = l.originator AND originator <> '') THEN 1
	ELSE 0 END AS absences,
	CASE WHEN EXISTS (SELECT 1 FROM notes WHERE app = l.app) THEN 1 ELSE 0 END AS notes,
	CASE WHEN EXISTS (SELECT 1 FROM follow_ups WHERE app = l.app AND done_at = 0) THEN 1 ELSE 0 END AS follow_ups,
	CASE WHEN EXISTS (SELECT 1 FROM lead_references WHERE app = l.app) THEN 1 ELSE 0 END AS crm_references,
	CASE WHEN EXISTS (SELECT 1 FROM drafts WHERE app = l.app AND app <> '' AND prepared_by <> '') THEN 1
	ELSE 0 END AS prepared,
	CASE WHEN EXISTS (SELECT 1 FROM reassignments WHERE app = l.app) THEN 1 ELSE 0 END AS reassigned,
	CASE WHEN EXISTS (SELECT 1 FROM choices WHERE app = l.app) THEN 1 ELSE 0 END AS choices,
	CASE WHEN EXISTS (SELECT 1 FROM lead_parts WHERE app = l.app AND part = 'payoff-plan') THEN 1
	ELSE 0 END AS payoff_plan,
	CASE WHEN EXISTS (SELECT 1 FROM quotes WHERE app = l.app) THEN 1 ELSE 0 END AS quotes,
	CASE WHEN EXISTS (SELECT 1 FROM shared_quotes WHERE app = l.app) THEN 1 ELSE 0 END AS shared_quotes,
	coalesce((SELECT value FROM settings WHERE name = '` + LenderNoQuotes + `'), '') AS no_quotes,
	coalesce((SELECT value FROM settings WHERE name = '` + LenderNoCosts + `'), '') AS no_costs,
	coalesce((SELECT value FROM settings WHERE name = '` + PaymentsUnconfirmed + `'), '') AS unconfirmed_payments,
	coalesce(o.uuid, '') AS "originator.uuid", coalesce(o.first_name, '') AS "originator.first_name",
	coalesce(o.last_name, '') AS "originator.last_name",
	coalesce(o.nmls, '') AS "originator.nmls", coalesce(o.phone, '') AS "originator.phone",
	coalesce(o.broker_name, '') AS "originator.broker_name",
	coalesce(o.broker_nmls, '') AS "originator.broker_nmls"
	FROM leads l LEFT JOIN originators o ON o.uuid = l.originator AND l.originator <> '' WHERE l.app = ?`
