package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// PageSize is the number of rows of a list page.
const PageSize = 50

// LeadPage is one page and the key of the next one, empty on the last page.
type LeadPage struct {
	Leads []lead.Row
	Next  string
}

// listColumns are only the columns that a row of the list needs, in the order of listFields.
const listColumns = `app, short_id, company, originator, organization, borrower, city, state, step, step_since,
	converted, max_amount, selected_amount, amount, requested_amount, expiration_date, notary_date, signing_date,
	rescission_date,
	canceled_date, declined_date, funded_date, open_conditions, pending_op, pending_until, set_aside_at, repull_at,
	last_contact_at, last_contact, status_key, lane, whose_move, due_sort, revision, created_at, changed_at, refreshed_at,
	follow_up_at, condition_at, wire_at, wire_status, started_on, source,
	disclosure_date`

// listFields are the fields of a row for listColumns.
func listFields(l *lead.Row) []any {
	return []any{
		&l.App, &l.ShortID, &l.Company, &l.Originator, &l.Organization, &l.Borrower, &l.City, &l.State, &l.Step, &l.StepSince,
		&l.Converted, &l.MaxAmount, &l.SelectedAmount, &l.Amount, &l.RequestedAmount, &l.ExpirationDate, &l.NotaryDate,
		&l.SigningDate, &l.RescissionDate, &l.CanceledDate, &l.DeclinedDate,
		&l.FundedDate, &l.OpenConditions, &l.PendingOp, &l.PendingUntil,
		&l.SetAsideAt, &l.RepullAt, &l.LastContactAt, &l.LastContact, &l.StatusKey, &l.Lane, &l.WhoseMove, &l.DueSort,
		&l.Revision, &l.CreatedAt, &l.ChangedAt, &l.RefreshedAt, &l.FollowUpAt, &l.ConditionAt, &l.WireAt, &l.WireStatus,
		&l.StartedOn, &l.Source, &l.DisclosureDate,
	}
}

// Leads reads one page within a scope.
func (q Queries) Leads(ctx context.Context, scope access.Scope, lq lead.Query) (LeadPage, error) {
	query, args := leadsSQL(scope, lq)
	leads, err := q.leadRows(ctx, query, args...)
	return pageOf(leads, pageLimit(lq), func(l lead.Row) string { return pageKeyOf(lq.Sort, l) }), err
}

// pageOf is a page of the leads that were read: one more than it has, if there is a next page.
func pageOf(leads []lead.Row, limit int, key func(lead.Row) string) LeadPage {
	leads, next := cutPage(leads, limit, key)
	return LeadPage{leads, next}
}

// cutPage returns the rows of a page, and the key of the next one if more rows were read than the page has.
func cutPage[R any](rows []R, limit int, key func(R) string) (page []R, next string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], key(rows[limit-1])
}

func pageLimit(lq lead.Query) int {
	if lq.Limit > 0 {
		return lq.Limit
	}
	return PageSize
}

func leadsSQL(scope access.Scope, lq lead.Query) (string, []any) {
	where, by := inList(scope, lq), orderOf(lq.Sort)
	by.after(where, lq.After)
	return fmt.Sprintf(`SELECT %s FROM leads WHERE %s ORDER BY %s LIMIT %d`, listColumns, where, by, pageLimit(lq)+1),
		where.args
}

// CountLeads counts the leads of a list on all of its pages, up to a limit.
func (q Queries) CountLeads(ctx context.Context, scope access.Scope, lq lead.Query, limit int) (int, error) {
	where := inList(scope, lq)
	return get[int](ctx, q, `SELECT `+upTo(limit, where), where.args...)
}

// upTo counts the leads that meet a condition, up to a limit.
func upTo(limit int, where fmt.Stringer) string {
	return fmt.Sprintf(`(SELECT count(*) FROM (SELECT 1 FROM leads WHERE %s LIMIT %d) x)`, where, limit)
}

// ListCounts counts the leads of a scope by lane, those in Today and the overdue ones, up to CountLimit each, to match
// the lists. It counts only one originator's leads, unless the originator is empty.
func (q Queries) ListCounts(ctx context.Context, in TodayScope, now int64) (lead.ListCounts, error) {
	lists := make([]lead.Query, 0, len(heloc.Lanes())+2)
	for _, lane := range heloc.Lanes() {
		lists = append(lists, lead.Query{Lane: lane})
	}
	lists = append(lists, lead.Query{YourMove: true}, lead.Query{Only: lead.OnlyOverdue, Now: now})
	counts := make([]string, len(lists))
	var args []any
	for i, list := range lists {
		list.Originator = in.Originator
		where := filtered(in.Scope, list)
		counts[i], args = upTo(lead.CountLimit, where), append(args, where.args...)
	}
	facts, factArgs := in.factsSQL("app, whose_move", now)
	counts = append(counts, `(SELECT count(DISTINCT app) FROM (`+facts+`) x WHERE NOT `+lead.YourMoveCondition+`)`)
	args = append(args, factArgs...)
	n := make([]int, len(counts))
	into := make([]any, len(counts))
	for i := range n {
		into[i] = &n[i]
	}
	err := q.conn.Each(ctx, `SELECT `+strings.Join(counts, ", "), args, func(scan func(into ...any) error) error {
		return scan(into...)
	})
	if err != nil {
		return lead.ListCounts{}, err
	}
	all := lead.ListCounts{Lanes: map[heloc.Lane]int{}}
	for i, lane := range heloc.Lanes() {
		all.Lanes[lane] = n[i]
	}
	moves := n[len(lists)-2:]
	all.Today, all.Overdue = min(moves[0]+moves[2], lead.CountLimit), moves[1]
	return all, nil
}

func pageKeyOf(s lead.Sort, l lead.Row) string { return encodePageKey(orderOf(s).key(l), l.App) }

func encodePageKey[ID ~string](value int64, id ID) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(value, 36) + "." + string(id)))
}

func parsePageKey(key string) (value int64, app string, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(key)
	if err != nil || key == "" {
		return 0, "", false
	}
	number, app, found := strings.Cut(string(raw), ".")
	value, err = strconv.ParseInt(number, 36, 64)
	return value, app, found && err == nil
}

// LeadsAmong lists those of the given leads that are within a scope.
func (q Queries) LeadsAmong(ctx context.Context, scope access.Scope, apps []heloc.AppID) ([]lead.Row, error) {
	where := inScope(scope)
	in(where, "app", apps)
	return q.leadRows(ctx, `SELECT `+listColumns+` FROM leads WHERE `+where.String(), where.args...)
}

// LeadsAtStep lists the open leads of an originator at a step, the first due first.
func (q Queries) LeadsAtStep(ctx context.Context, originator heloc.OriginatorID, step heloc.Step,
	limit int) ([]lead.Row, error) {
	return q.leadRows(ctx, `SELECT `+listColumns+` FROM leads WHERE originator = ? AND step = ? AND lane <> 'ended'
		ORDER BY due_sort, app LIMIT ?`, originator, step, limit)
}

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
	CreatedAt     int64 `db:"created_at"`   // of the account
	WaitingOwn    int   `db:"waiting_own"`  // the user's open leads from before their account existed
	// open leads that were the user's before their account existed, and have no originator
	WaitingFormer int `db:"waiting_former"`
}

// ListExtras reads what the page of leads shows a user beside the list; fault.NotFound without an account.
func (q Queries) ListExtras(ctx context.Context, in UserScope, since time.Time) (ListExtras, error) {
	return get[ListExtras](ctx, q, listExtrasSQL,
		in.Company, Millis(q.now()), in.UserID, in.Company, in.UserID, in.Company, in.UserID, in.Company, in.Company,
		in.UserID, Millis(since), in.UserID, in.Company, Millis(since), lead.JobRule, in.UserID, in.Company, Millis(q.now()),
		in.UserID, in.Company, in.UserID)
}

// listExtrasSQL asks for the newest of the user's events and not whether there is one since: PostgreSQL would expect
// to find one after a few rows of all events, and read all of them for a user without any.
var listExtrasSQL = `SELECT CASE WHEN u.updates_seen_at = 0 THEN u.created_at
	ELSE u.updates_seen_at END AS updates_seen_at, u.created_at,
	(SELECT count(*) FROM leads WHERE originator = u.originator AND originator <> '' AND lane <> 'ended'
		AND created_at < u.created_at) AS waiting_own,
	(SELECT count(*) FROM leads WHERE company = ? AND originator = '' AND lane <> 'ended'
		AND former_originator = u.originator AND u.originator <> '' AND created_at < u.created_at) AS waiting_former,
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
