package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store/internal/sqldb"
)

const leadColumns = `app, short_id, company, originator, organization, borrower, city, state, requested_amount,
	step, step_since,
	attempt, converted, history_length, max_amount, selected_amount, amount, expiration_date, disclosure_date,
	e_signed_date,
	notary_date, signing_date, rescission_date, canceled_date, declined_date, funded_date, funded,
	open_conditions, pending_op,
	pending_until, webhook_at, set_aside_at, repull_at, last_contact_at, last_contact, status_key, lane,
	whose_move, due_sort,
	status_changes_at, revision, created_at, changed_at, refreshed_at, refresh_at, refresh_failures, follow_up_at,
	pricing_date,
	credit_date, condition_at, wire_at, wire_status, former_originator, started_on, source, reached, passed_steps`

// insertOnlyColumns are written when a lead is created, and later only by re-encryption and by the steps that the lead
// leaves: saving a lead that was read earlier must not restore older values.
const insertOnlyColumns = `app, borrower, source, passed_steps`

// Lead opens a lead within a scope; fault.NotFound outside it.
func (q Queries) Lead(ctx context.Context, scope access.Scope, app heloc.AppID) (lead.Row, error) {
	l, err := q.AnyLead(ctx, app)
	if err == nil && !scope.Covers(l.Owner()) {
		return lead.Row{}, sqldb.NotFound()
	}
	if err == nil && scope.AsDeputy(l.Owner()) {
		if err := q.checkCover(ctx, scope, l.Originator); err != nil {
			return lead.Row{}, err
		}
	}
	return l, err
}

// AnyLead opens a lead for the system itself, without a scope.
func (q Queries) AnyLead(ctx context.Context, app heloc.AppID) (lead.Row, error) {
	l, err := get[lead.Row](ctx, q, `SELECT `+leadColumns+` FROM leads WHERE app = ?`, app)
	if err == nil && q.changes != nil {
		q.changes.read[app] = l
	}
	return l, err
}

// stored returns a lead as it is stored: as this transaction, the only writer, last read or saved it.
func (tx *Tx) stored(ctx context.Context, app heloc.AppID) (lead.Row, error) {
	if l, ok := tx.changes.read[app]; ok {
		return l, nil
	}
	return tx.AnyLead(ctx, app)
}

var (
	leadInsert = strings.TrimSuffix(insertSQL("leads", leadColumns+", change_number"), ":change_number)") +
		changeNumberSQL(":company", ":changed_now") + `)`
	leadUpdate = `UPDATE leads SET ` + assignments(leadColumns, insertOnlyColumns, ":") + `, change_number =
		CASE WHEN CAST(:changed_now AS BIGINT) = 0 THEN change_number ELSE ` +
		changeNumberSQL(":company", ":changed_now") + ` END
		WHERE app = :app`
)

// AddLead inserts a lead with its status as of now. It is unassigned if nobody can work on the leads of its originator.
func (tx *Tx) AddLead(ctx context.Context, l *lead.Row, now time.Time) error {
	l.CreatedAt, l.ChangedAt, l.Revision = Millis(now), Millis(now), 1
	if l.Attempt == 0 {
		l.Attempt = 1
	}
	l.UpdateStatus(now)
	if _, err := tx.withdrawLead(ctx, l); err != nil {
		return err
	}
	if l.StartedOn == "" {
		zone, err := tx.CompanyZone(ctx, l.Company)
		if err != nil {
			return err
		}
		l.StartedOn = heloc.DateOf(now.In(zone))
	}
	if err := tx.execNamed(ctx, leadInsert, leadWrite{l, Millis(tx.now())}); err != nil {
		return err
	}
	tx.changes.read[l.App] = *l
	tx.leadChanged(l.App, l.Revision, leadOwner{l.Originator, l.Company})
	return tx.saveDates(ctx, nil, l.Dates())
}

// SaveLead writes a lead with its status as of now. A change that users can see raises the revision; changed reports
// one, and so does a new status. A lead that is open again becomes unassigned if nobody can work on the leads of its
// originator.
func (tx *Tx) SaveLead(ctx context.Context, l *lead.Row, now time.Time, changed bool) error {
	stored, err := tx.stored(ctx, l.App)
	if err != nil {
		return err
	}
	old, before := *l, [...]any{l.StatusKey, l.Lane, l.WhoseMove, l.DueAt()}
	if changed {
		l.ChangedAt = Millis(now)
	}
	if stored.Source.StartedHere() { // only SetCompanyZone moves its first day
		l.StartedOn = stored.StartedOn
	}
	l.UpdateStatus(now)
	if old.Lane == heloc.LaneEnded {
		withdrawn, err := tx.withdrawLead(ctx, l)
		if err == nil && withdrawn {
			err = tx.recordUnassigned(ctx, old, *l, now)
		}
		if err != nil {
			return err
		}
	}
	write := leadWrite{Row: l}
	if changed || before != [...]any{l.StatusKey, l.Lane, l.WhoseMove, l.DueAt()} {
		l.Revision++
		write.ChangedNow = Millis(tx.now())
		tx.leadChanged(l.App, l.Revision, leadOwner{stored.Originator, stored.Company}, leadOwner{l.Originator, l.Company})
	}
	if err := tx.execNamed(ctx, leadUpdate, write); err != nil {
		return err
	}
	tx.changes.read[l.App] = *l
	// after the update, which makes other processes wait that save the same lead
	if err := tx.queueCRMEvents(ctx, l, "", lead.CRMEventKinds(&stored, l)...); err != nil {
		return err
	}
	return tx.saveDates(ctx, stored.Dates(), l.Dates())
}

// RaiseRevision gives a lead a new revision, so that open pages reload what is displayed beside it. The lead
// itself does not change.
func (tx *Tx) RaiseRevision(ctx context.Context, app heloc.AppID) error {
	type revised struct {
		leadOwner
		Revision int64 `db:"revision"`
	}
	now := Millis(tx.now())
	l, ok, err := find[revised](ctx, tx.Queries, `UPDATE leads SET revision = revision + 1, change_number = `+
		changeNumberSQL("leads.company", "?")+` WHERE app = ? RETURNING originator, company, revision`, now, now, app)
	if ok {
		tx.leadChanged(app, l.Revision, l.leadOwner)
	}
	return err
}

// DueLead is a lead that is to be read again, with its company.
type DueLead struct {
	App     heloc.AppID `db:"app"`
	Company string      `db:"company"`
}

// LeadsDue lists the leads whose refresh is due, longest waiting first.
func (q Queries) LeadsDue(ctx context.Context, now time.Time, limit int) ([]DueLead, error) {
	return list[DueLead](ctx, q, `SELECT app, company FROM leads WHERE refresh_at <= ? ORDER BY refresh_at LIMIT ?`,
		Millis(now), limit)
}

// dueOfEach is how many leads of each company LeadsDueOfEach lists.
const dueOfEach = 4

// dueOfEachSQL reads from an index one entry for each company, and its first due leads.
func dueOfEachSQL() string {
	places := make([]string, dueOfEach)
	for n := range places {
		place := strconv.Itoa(n)
		places[n] = `SELECT ` + place + ` AS place, c.company, (SELECT l.app FROM leads l
			WHERE l.company = c.company AND l.refresh_at <= ?
			ORDER BY l.refresh_at LIMIT 1 OFFSET ` + place + `) AS app FROM companies c WHERE c.company IS NOT NULL`
	}
	return `WITH RECURSIVE companies (company) AS (
			SELECT min(company) FROM leads
			UNION ALL
			SELECT (SELECT min(l.company) FROM leads l WHERE l.company > c.company) FROM companies c WHERE c.company IS NOT NULL
		)
		SELECT app, company FROM (` + strings.Join(places, ` UNION ALL `) + `) x WHERE app IS NOT NULL
			ORDER BY place, company`
}

// LeadsDueOfEach lists the first few due leads of each company, however many another one has.
func (q Queries) LeadsDueOfEach(ctx context.Context, now time.Time) ([]DueLead, error) {
	return list[DueLead](ctx, q, dueOfEachSQL(), slices.Repeat([]any{Millis(now)}, dueOfEach)...)
}

// LeadsChangingStatus lists the leads whose status changes because of the time, as of now.
func (q Queries) LeadsChangingStatus(ctx context.Context, now time.Time, limit int) ([]heloc.AppID, error) {
	return list[heloc.AppID](ctx, q, `SELECT app FROM leads WHERE status_changes_at <= ? ORDER BY status_changes_at
		LIMIT ?`, Millis(now), limit)
}

// DropLeads deletes leads that ended before an instant and are not under a legal hold, with all dependent
// rows, at most limit of them, and returns their ids. The journal and the audit keep their rows, which
// contain no borrower data.
func (tx *Tx) DropLeads(ctx context.Context, ended time.Time, limit int) ([]heloc.AppID, error) {
	apps, err := list[heloc.AppID](ctx, tx.Queries, endedSQL, Millis(ended), limit)
	if err != nil {
		return nil, err
	}
	for _, app := range apps {
		// Texts from the lender and from users may quote a borrower, so they are deleted with the lead, and
		// so is a draft that is still there.
		if err := tx.execEach(ctx, []any{app}, `UPDATE operations SET messages = '', reason = '' WHERE app = ?`,
			`DELETE FROM drafts WHERE app = ?`, `DELETE FROM leads WHERE app = ?`); err != nil {
			return nil, err
		}
	}
	return apps, nil
}

const endedSQL = `SELECT app FROM leads WHERE lane = 'ended' AND legal_hold_at = 0 AND changed_at < ?
	ORDER BY changed_at LIMIT ?`

// A webhook causes an immediate refresh of its application while webhooks arrive one at a time, as they do
// while a borrower signs in and signs documents. After webhookBurst of them, the next refreshes are
// webhookPause apart.
const (
	webhookPause = 10 * time.Second
	webhookBurst = 5
)

// MarkWebhook records a webhook: the lead is to be refreshed at once, or when the limit on refreshes for
// webhooks allows the next one. An earlier refresh stays planned. Only news, a body that was not received
// before, counts as an answer from the lender. known reports whether the lead exists.
func (tx *Tx) MarkWebhook(ctx context.Context, app heloc.AppID, now time.Time, news bool) (known bool, err error) {
	type refresh struct {
		WebhookUsedUpAt int64 `db:"webhook_used_up_at"`
		RefreshAt       int64 `db:"refresh_at"`
		WebhookAt       int64 `db:"webhook_at"`
	}
	l, known, err := find[refresh](ctx, tx.Queries, `SELECT webhook_used_up_at, refresh_at, webhook_at FROM leads
		WHERE app = ?`, app)
	if err != nil || !known {
		return false, err
	}
	readAt, usedUpAt := nextWebhookRefresh(l.WebhookUsedUpAt, Millis(now))
	// A refresh that is due may already be running, and may have missed the change.
	due := readAt
	if l.RefreshAt > Millis(now) {
		due = min(l.RefreshAt, readAt)
	}
	if news {
		l.WebhookAt = Millis(now)
	}
	err = tx.exec(ctx, `UPDATE leads SET webhook_at = ?, webhook_used_up_at = ?, refresh_at = ? WHERE app = ?`,
		l.WebhookAt, usedUpAt, due, app)
	return true, err
}

// nextWebhookRefresh returns when to refresh after a webhook at now, and until when the refreshes granted so
// far use up the limit, each with a pause. All values are milliseconds.
func nextWebhookRefresh(usedUpAt, now int64) (readAt, then int64) {
	const pause, ahead = int64(webhookPause / time.Millisecond), (webhookBurst - 1) * int64(webhookPause/time.Millisecond)
	if usedUpAt > now+ahead+2*pause {
		usedUpAt = 0 // more than was ever granted: the clock has been set back
	}
	if planned := usedUpAt - pause - ahead; planned > now {
		return planned, usedUpAt // a refresh is planned already, and will cover this webhook too
	}
	return max(now, usedUpAt-ahead), max(now, usedUpAt) + pause
}

// Duplicates lists the open leads of a company whose inquiries had the same name, birth date and property, by the
// duplicate key of their starts under each of the vault's keys; none for an inquiry that lacks one of the three.
func (q Queries) Duplicates(ctx context.Context, company string, indexes []string) ([]lead.Row, error) {
	where := &condition{}
	where.and("company = ?", company)
	in(where, "duplicate_key", indexes)
	return list[lead.Row](ctx, q, `SELECT `+leadColumns+` FROM leads WHERE company = ? AND lane <> 'ended'
		AND app IN (SELECT app FROM operations WHERE `+where.String()+`) ORDER BY created_at DESC LIMIT 5`,
		append([]any{company}, where.args...)...)
}

// LegalHold is a lead under a legal hold.
type LegalHold struct {
	App     heloc.AppID `db:"app"`
	ShortID string      `db:"short_id"`
	At      int64       `db:"at"`
}

// SetLegalHold prevents a lead from being deleted, or removes the hold when at is the zero time. It reports
// whether the lead exists.
func (tx *Tx) SetLegalHold(ctx context.Context, app heloc.AppID, at time.Time) (bool, error) {
	return tx.changed(ctx, `UPDATE leads SET legal_hold_at = ? WHERE app = ?`, Millis(at), app)
}

// LegalHolds lists the leads under a legal hold, oldest hold first.
func (q Queries) LegalHolds(ctx context.Context) ([]LegalHold, error) {
	return list[LegalHold](ctx, q, `SELECT app, short_id, legal_hold_at AS at FROM leads WHERE legal_hold_at > 0
		ORDER BY legal_hold_at`)
}
