package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store/internal/sqldb"
)

// userCompanySQL is CompanyOf a user x with the directory's entry xo of their originator.
const userCompanySQL = `CASE WHEN coalesce(xo.broker_id, x.broker_id) <> '' THEN coalesce(xo.broker_id, x.broker_id)
	ELSE 'org:' || coalesce(xo.organization, x.organization) END`

// coverSQL says whether the deputy of an absence a has access at an instant, which is its argument twice. The rows of
// both users are compared at each reading, so that a closed account or a move to another company ends the cover at
// once. Only a user who acts under an originator covers for another one.
const coverSQL = `a.starts_at <= ? AND a.cover_ends_at > ?
	AND EXISTS (SELECT 1 FROM users x LEFT JOIN originators xo ON xo.uuid = x.originator AND x.originator <> ''
		WHERE x.id = a.user_id AND x.disabled_at = 0 AND x.originator = a.originator AND ` + userCompanySQL + ` = a.company)
	AND EXISTS (SELECT 1 FROM users x LEFT JOIN originators xo ON xo.uuid = x.originator AND x.originator <> ''
		WHERE x.id = a.deputy_id AND x.disabled_at = 0 AND x.originator <> '' AND x.role IN ('originator', 'manager')
		AND ` + userCompanySQL + ` = a.company)`

// coveringSQL lists the originators for whom a user u is covering at the moment, as access.Covers does.
const coveringSQL = `coalesce((SELECT string_agg(c.originator, ' ' ORDER BY c.originator) FROM
	(SELECT DISTINCT a.originator FROM absences a WHERE a.deputy_id = u.id AND ` + coverSQL + `) c), '') AS covering`

// deputyOfSQL counts the covers by which a user with one originator has access to the leads of another.
const deputyOfSQL = `SELECT count(*) FROM absences a JOIN users d ON d.id = a.deputy_id
	WHERE a.originator = ? AND d.originator = ? AND ` + coverSQL

// checkCover returns fault.NotFound when the user of a scope no longer covers for the originator of a lead. A scope is
// as old as the request that it belongs to.
func (q Queries) checkCover(ctx context.Context, scope access.Scope, originator heloc.OriginatorID) error {
	now := Millis(q.now())
	covers, err := q.has(ctx, deputyOfSQL, originator, scope.OriginatorUUID, now, now)
	if err == nil && !covers {
		err = sqldb.NotFound()
	}
	return err
}

// DeputiesOf lists the users who cover for an originator now.
func (q Queries) DeputiesOf(ctx context.Context, originator heloc.OriginatorID) ([]string, error) {
	if originator == "" {
		return nil, nil
	}
	now := Millis(q.now())
	return list[string](ctx, q, `SELECT a.deputy_id FROM absences a WHERE a.originator = ? AND `+coverSQL+`
		ORDER BY a.deputy_id`, originator, now, now)
}

// NotifiedOf lists whom news of a lead is for: the users of PeopleOf, and who covers for the originator.
func (q Queries) NotifiedOf(ctx context.Context, originator heloc.OriginatorID, company string) ([]string, error) {
	people, err := q.PeopleOf(ctx, originator, company)
	if err != nil {
		return nil, err
	}
	deputies, err := q.DeputiesOf(ctx, originator)
	return append(people, deputies...), err
}

// coveredLeadSQL finds the originator of a lead for whom a user covers.
const coveredLeadSQL = `SELECT a.originator FROM leads l JOIN absences a ON a.originator = l.originator
	AND l.originator <> ''
	WHERE l.app = ? AND a.deputy_id = ? AND ` + coverSQL + ` LIMIT 1`

const absenceColumns = `a.id, a.company, a.user_id, a.originator, a.deputy_id, a.first_day, a.last_day, a.starts_at,
	a.ends_at, a.cover_ends_at, a.sealed,
	a.created_by, a.created_at, a.ended_at, a.seen_at, u.name, d.name AS deputy_name, d.originator AS deputy_originator,
	CASE WHEN a.ended_at <> 0 AND EXISTS (SELECT 1 FROM absences n WHERE n.user_id = a.user_id AND n.ends_at >= a.ended_at
		AND n.starts_at = a.ended_at) THEN 1 ELSE 0 END AS continued,
	CASE WHEN ` + coverSQL + ` THEN 1 ELSE 0 END AS covered`

const absenceTables = `absences a JOIN users u ON u.id = a.user_id JOIN users d ON d.id = a.deputy_id`

func (q Queries) absences(ctx context.Context, where string, args ...any) ([]lead.Absence, error) {
	now := Millis(q.now())
	return list[lead.Absence](ctx, q, absencesSQL(where), append([]any{now, now}, args...)...)
}

func absencesSQL(where string) string {
	return `SELECT ` + absenceColumns + ` FROM ` + absenceTables + ` WHERE ` + where
}

// Absence reads one absence of a company; fault.NotFound for any other.
func (q Queries) Absence(ctx context.Context, company, id string) (lead.Absence, error) {
	all, err := q.absences(ctx, `a.id = ? AND a.company = ?`, id, company)
	return firstAbsence(all, err)
}

// firstAbsence returns the first of some absences; fault.NotFound when there is none.
func firstAbsence(all []lead.Absence, err error) (lead.Absence, error) {
	if err == nil && len(all) == 0 {
		err = sqldb.NotFound()
	}
	if err != nil {
		return lead.Absence{}, err
	}
	return all[0], nil
}

// How many absences a list has.
const (
	maxOpenAbsences = 200
	maxPastAbsences = 50

	maxOriginatorAbsences = 20
)

const (
	openAbsencesSQL = `a.company = ? AND a.ends_at > ? ORDER BY a.ends_at, a.id LIMIT ?`
	pastAbsencesSQL = `a.company = ? AND a.ends_at <= ? ORDER BY a.ends_at DESC, a.id DESC LIMIT ?`
	ownAbsencesSQL  = `a.user_id = ? AND a.company = ? AND a.ends_at > ? ORDER BY a.ends_at LIMIT ?`
	ownPastSQL      = `a.user_id = ? AND a.company = ? AND a.ends_at <= ? ORDER BY a.ends_at DESC LIMIT ?`
	asDeputySQL     = `a.deputy_id = ? AND a.company = ? AND a.cover_ends_at > ? ORDER BY a.cover_ends_at LIMIT ?`
)

// OpenAbsences lists the absences of a company that have not ended, the first to end first.
func (q Queries) OpenAbsences(ctx context.Context, company string) ([]lead.Absence, error) {
	return q.absences(ctx, openAbsencesSQL, company, Millis(q.now()), maxOpenAbsences)
}

// PastAbsences lists the latest absences of a company that have ended.
func (q Queries) PastAbsences(ctx context.Context, company string) ([]lead.Absence, error) {
	return q.absences(ctx, pastAbsencesSQL, company, Millis(q.now()), maxPastAbsences)
}

// AbsencesOf lists the absences of a user at their company that have not ended.
func (q Queries) AbsencesOf(ctx context.Context, in UserScope) ([]lead.Absence, error) {
	return q.absences(ctx, ownAbsencesSQL, in.UserID, in.Company, Millis(q.now()), maxOpenAbsences)
}

// PastAbsencesOf lists the latest absences of a user at their company that have ended.
func (q Queries) PastAbsencesOf(ctx context.Context, in UserScope) ([]lead.Absence, error) {
	return q.absences(ctx, ownPastSQL, in.UserID, in.Company, Millis(q.now()), maxPastAbsences)
}

// AbsencesAsDeputy lists the absences for which a user is to cover, or covers.
func (q Queries) AbsencesAsDeputy(ctx context.Context, in UserScope) ([]lead.Absence, error) {
	return q.absences(ctx, asDeputySQL, in.UserID, in.Company, Millis(q.now()), maxOpenAbsences)
}

// OverlappingAbsence finds an absence of a user that shares a time with another one, from start to end; fault.NotFound
// when there is none. Except is the id of an absence that does not count.
func (q Queries) OverlappingAbsence(ctx context.Context, userID string, start, end int64,
	except string) (lead.Absence, error) {
	all, err := q.absences(ctx, `a.user_id = ? AND a.ends_at > ? AND a.starts_at < ? AND a.id <> ? ORDER BY a.ends_at
		LIMIT 1`, userID, start, end, except)
	return firstAbsence(all, err)
}

// AbsencesOfOriginator lists the latest absences of an originator at a company, for what a lead of theirs shows.
func (q Queries) AbsencesOfOriginator(ctx context.Context, originator heloc.OriginatorID,
	company string) ([]lead.Absence, error) {
	if originator == "" {
		return nil, nil
	}
	all, err := q.absences(ctx, `a.originator = ? ORDER BY a.cover_ends_at DESC LIMIT ?`,
		originator, maxOriginatorAbsences)
	return slices.DeleteFunc(all, func(a lead.Absence) bool { return a.Company != company }), err
}

// AddAbsence stores a new absence.
func (tx *Tx) AddAbsence(ctx context.Context, a lead.Absence) error {
	return tx.insert(ctx, "absences", `id, company, user_id, originator, deputy_id, first_day, last_day, starts_at,
		ends_at, cover_ends_at,
		sealed, created_by, created_at`, a)
}

// SaveAbsence saves the days, the deputy and the note of an absence; fault.Conflict when it ended meanwhile.
func (tx *Tx) SaveAbsence(ctx context.Context, a lead.Absence) error {
	ended := fault.New(fault.Conflict, "This absence has ended in the meantime. Reload the page.")
	return tx.mustChange(ctx, ended, `UPDATE absences SET deputy_id = ?, first_day = ?, last_day = ?, starts_at = ?,
		ends_at = ?,
		cover_ends_at = ?, sealed = ?, ended_at = ? WHERE id = ? AND company = ? AND ends_at > ?`,
		a.DeputyID, a.FirstDay, a.LastDay,
		a.StartsAt, a.EndsAt, a.CoverEndsAt, a.Sealed, a.EndedAt, a.ID, a.Company, Millis(tx.now()))
}

// DropAbsence deletes an absence that has not begun; fault.Conflict for any other.
func (tx *Tx) DropAbsence(ctx context.Context, company, id string) error {
	started := fault.New(fault.Conflict, "This absence has started in the meantime. End it early instead.")
	return tx.mustChange(ctx, started, `DELETE FROM absences WHERE id = ? AND company = ? AND starts_at > ?`,
		id, company, Millis(tx.now()))
}

// MarkAbsenceSeen records that a user has seen what was done while they were absent; fault.NotFound unless the absence
// is theirs and has ended.
func (tx *Tx) MarkAbsenceSeen(ctx context.Context, in UserScope, id string) error {
	now := Millis(tx.now())
	return tx.mustChange(ctx, sqldb.NotFound(), `UPDATE absences SET seen_at = CASE WHEN seen_at = 0 THEN ?
		ELSE seen_at END
		WHERE id = ? AND user_id = ? AND company = ? AND ends_at <= ?`, now, id, in.UserID, in.Company, now)
}

// endCovers ends the access of deputies when the account of the absent user or of the deputy closes, deletes what the
// absent user has not begun, and tells the other side. Absences for which the user was to cover stay, without cover. A
// reopened account does not get it back.
func (tx *Tx) endCovers(ctx context.Context, userID string) error {
	now := Millis(tx.now())
	affected, err := tx.absences(ctx, coversOfSQL, userID, now, userID, now)
	if err != nil {
		return err
	}
	for _, a := range affected {
		if err := tx.tellCoverEnded(ctx, a, userID); err != nil {
			return err
		}
	}
	return cmp.Or(
		tx.exec(ctx, `DELETE FROM absences WHERE user_id = ? AND starts_at > ?`, userID, now),
		tx.exec(ctx, `UPDATE absences SET ends_at = ?, ended_at = ? WHERE user_id = ? AND ends_at > ?`, now, now, userID,
			now),
		tx.exec(ctx, `UPDATE absences SET cover_ends_at = ? WHERE (user_id = ? OR deputy_id = ?) AND cover_ends_at > ?`,
			now, userID, userID, now))
}

const coversOfSQL = `a.id IN (SELECT id FROM absences WHERE user_id = ? AND ends_at > ? UNION SELECT id FROM absences
	WHERE deputy_id = ? AND cover_ends_at > ?) ORDER BY a.ends_at, a.id`

// UnseenAbsence finds the latest absence of a user that ended since an instant, in which somebody covered and which
// they have not marked as seen; fault.NotFound when there is none.
func (q Queries) UnseenAbsence(ctx context.Context, in UserScope, since int64) (lead.Absence, error) {
	all, err := q.absences(ctx, unseenAbsenceSQL, in.UserID, in.Company, Millis(q.now()), since)
	return firstAbsence(all, err)
}

const unseenAbsenceSQL = `a.user_id = ? AND a.company = ? AND a.ends_at <= ? AND a.ends_at > ? AND a.seen_at = 0
	AND a.cover_ends_at > a.starts_at ORDER BY a.ends_at DESC LIMIT 1`

// NotifyOfAbsence stores a notification about an absence. It sets its company, time and key.
func (tx *Tx) NotifyOfAbsence(ctx context.Context, of lead.Absence, n lead.Notice) error {
	n.Company, n.At = of.Company, Millis(tx.now())
	n.DedupKey = absenceKey(of) + string(n.Kind) + " " + strconv.FormatInt(n.At, 10)
	_, err := tx.Notify(ctx, n)
	return err
}

// absenceKey begins the keys of the notifications about an absence, by which they are found again whatever they say.
func absenceKey(of lead.Absence) string { return "absence " + of.ID + " " }

// DropCoverNotices deletes the notifications that ask the deputy of an absence to cover on its days.
func (tx *Tx) DropCoverNotices(ctx context.Context, of lead.Absence) error {
	return tx.exec(ctx, `DELETE FROM notifications WHERE user_id = ? AND company = ? AND kind = ? AND dedup_key LIKE ?`,
		of.DeputyID, of.Company, lead.NoticeDeputy, absenceKey(of)+"%")
}

// DropAbsenceNotices deletes the notifications that tell the absent user who covers on the days of an absence, or that
// nobody does.
func (tx *Tx) DropAbsenceNotices(ctx context.Context, of lead.Absence) error {
	return tx.exec(ctx, `DELETE FROM notifications WHERE user_id = ? AND company = ? AND kind IN (?, ?, ?)
		AND dedup_key LIKE ?`,
		of.UserID, of.Company, lead.NoticeAbsence, lead.NoticeAbsenceChanged, lead.NoticeUncovered, absenceKey(of)+"%")
}

// ReadCoveredNotices marks the deputy's notifications about the leads that they covered as read: they ask for nothing
// that the deputy can still do. A manager still sees these leads.
func (tx *Tx) ReadCoveredNotices(ctx context.Context, of lead.Absence) error {
	return tx.exec(ctx, `UPDATE notifications SET read_at = ? WHERE user_id = ? AND company = ? AND read_at = 0
		AND NOT EXISTS (SELECT 1 FROM users m WHERE m.id = user_id AND m.role = 'manager')
		AND (app IN (SELECT app FROM leads WHERE originator = ? AND originator <> '') OR kind = ? AND about = ?)`,
		Millis(tx.now()), of.DeputyID, of.Company, of.Originator, lead.NoticeLeadsCovered, of.Originator)
}

// tellCoverEnded tells the deputy or the absent user that the account of the other one has closed or moved.
func (tx *Tx) tellCoverEnded(ctx context.Context, of lead.Absence, closed string) error {
	err := cmp.Or(tx.DropCoverNotices(ctx, of), tx.DropAbsenceNotices(ctx, of))
	if of.DeputyID == closed {
		return cmp.Or(err, tx.NotifyOfAbsence(ctx, of, lead.Notice{UserID: of.UserID, Kind: lead.NoticeUncovered,
			About: of.DeputyName + ", " + of.Days()}))
	}
	if err != nil || of.CoverEndsAt <= Millis(tx.now()) {
		return err
	}
	tx.CoversEnded = append(tx.CoversEnded, of)
	return cmp.Or(tx.ReadCoveredNotices(ctx, of), tx.NotifyOfAbsence(ctx, of, lead.Notice{UserID: of.DeputyID,
		Kind: lead.NoticeCoverEnded, About: of.Name + ", " + of.Days()}))
}

// CoverWork is what a deputy did on one lead during an absence.
type CoverWork struct {
	App    heloc.AppID `db:"app"`
	Count  int         `db:"count"`
	LastAt int64       `db:"last_at"`
}

// CoverQuery selects what a deputy did during an absence. Only a lead within the scope matches a status, because the
// status of any other lead is not for the reader.
type CoverQuery struct {
	Absence lead.Absence
	Kinds   []lead.EventKind // empty for everything
	Status  heloc.StatusKey  // of the lead now; empty for every lead
	Scope   access.Scope     // of the reader
	After   string           // key of the last row of the previous page
}

// CoverPage is one page of what a deputy did.
type CoverPage struct {
	Work  []CoverWork
	Total int // leads on all pages; 0 on a page after the last one
	Next  string
}

// workSQL is a CTE w of what the deputy did by lead. An operation's event names the originator under whom the deputy
// acted; every other event names the one whose lead it was.
func (cq CoverQuery) workSQL(kinds []lead.EventKind) (string, []any) {
	a := cq.Absence
	by := func(originator heloc.OriginatorID) *condition {
		c := &condition{}
		c.and("e.originator = ? AND e.at >= ? AND e.at < ? AND e.actor_id = ?", originator, a.StartsAt,
			a.CoverEndsAt, a.DeputyID)
		if len(kinds) > 0 {
			in(c, "e.kind", kinds)
		}
		return c
	}
	absent, deputy := by(a.Originator), by(a.DeputyOriginator)
	deputy.and("l.originator = ?", a.Originator)
	return fmt.Sprintf(`WITH w AS (SELECT worked, count(*) AS count, max(at) AS last_at FROM (
		SELECT e.app AS worked, e.at FROM lead_events e WHERE %s
		UNION ALL
		SELECT e.app AS worked, e.at FROM lead_events e JOIN leads l ON l.app = e.app WHERE %s) u GROUP BY worked)`,
			absent, deputy),
		append(absent.args, deputy.args...)
}

func (cq CoverQuery) sql() (string, []any) {
	query, args := cq.workSQL(cq.Kinds)
	from := "w"
	if cq.Status != "" {
		where := inScope(cq.Scope)
		where.and("status_key = ?", cq.Status)
		from = "(SELECT w.worked, w.count, w.last_at FROM w JOIN leads ON app = worked WHERE " + where.String() + ")"
		args = append(args, where.args...)
	}
	query += ", f AS (SELECT worked AS app, count, last_at FROM " + from +
		" x) SELECT app, count, last_at, (SELECT count(*) FROM f) AS total FROM f"
	if at, app, ok := parsePageKey(cq.After); ok {
		query, args = query+" WHERE (last_at, app) < (?, ?)", append(args, at, app)
	}
	return fmt.Sprintf("%s ORDER BY last_at DESC, app DESC LIMIT %d", query, PageSize+1), args
}

// CoverWork lists the leads of the absent originator on which the deputy did something during an absence, the latest
// first.
func (q Queries) CoverWork(ctx context.Context, cq CoverQuery) (CoverPage, error) {
	query, args := cq.sql()
	type row struct {
		CoverWork
		Total int `db:"total"`
	}
	var page CoverPage
	rows, err := list[row](ctx, q, query, args...)
	rows, page.Next = cutPage(rows, PageSize, func(r row) string { return encodePageKey(r.LastAt, r.App) })
	for _, r := range rows {
		page.Total, page.Work = r.Total, append(page.Work, r.CoverWork)
	}
	return page, err
}

// CoverStatuses counts the leads on which the deputy did something, and which are within the scope, by their status
// now.
func (q Queries) CoverStatuses(ctx context.Context, cq CoverQuery) ([]lead.StatusCount, error) {
	query, args := cq.statusesSQL()
	return list[lead.StatusCount](ctx, q, query, args...)
}

func (cq CoverQuery) statusesSQL() (string, []any) {
	query, args := cq.workSQL(nil)
	where := inScope(cq.Scope)
	return query + " SELECT status_key, count(*) AS count FROM w JOIN leads ON app = worked WHERE " + where.String() +
			" GROUP BY status_key ORDER BY status_key",
		append(args, where.args...)
}
