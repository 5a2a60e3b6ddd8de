package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// sortColumn returns the column of a sort and whether it is descending.
func sortColumn(s lead.Sort) (column string, down bool) {
	switch s {
	case lead.SortOldest:
		return "created_at", false
	case lead.SortNewest:
		return "created_at", true
	case lead.SortUpdated:
		return "changed_at", true
	case lead.SortAmount:
		return "amount", true
	case lead.SortStarted:
		return "started_on", true
	default:
		return "due_sort", false
	}
}

// PageSize is the number of rows of a list page.
const PageSize = 50

// LeadPage is one page and the key of the next one, empty on the last page.
type LeadPage struct {
	Leads []lead.Row
	Next  string
}

// listColumns are only the columns that a row of the list needs.
const listColumns = `app_uuid, short_id, company, originator_uuid, broker_id, organization, borrower, city, state, step, step_since,
	attempt, converted, max_amount, selected_amount, amount, wanted, expiration_date, notary_date, signing_date, rescission_date,
	canceled_date, declined_date, funded_date, open_conditions, under_way_op, under_way_until, set_aside_at, repull_at,
	last_contact_at, last_contact_kind, stand, lane, mover, due_at, due_sort, revision, created_at, changed_at, refreshed_at, follow_up_at,
	condition_at, wire_at, wire_status, started_on, source, reached, outcome, left_steps`

// Leads reads one page within a scope. It reads one row more than the page has, to know whether there is a
// next page. Within a snapshot other requests can have the same rows, so the caller does not modify them.
func (q queries) Leads(ctx context.Context, scope access.Scope, lq lead.Query) (LeadPage, error) {
	query, args := leadListSQL(scope, lq, byOrder)
	return cached(ctx, q, listKey(q, scope, lq, query, args), func() (page LeadPage, until int64, err error) {
		by, err := q.narrowestFilter(ctx, scope, lq)
		if err != nil {
			return LeadPage{}, 0, err
		}
		query, args := leadListFrom(q.engine, scope, lq, by)
		limit := pageLimit(lq)
		if page.Leads, err = listUpTo[lead.Row](ctx, q, limit+1, query, args...); err != nil {
			return LeadPage{}, 0, err
		}
		if len(page.Leads) > limit {
			page.Leads = page.Leads[:limit]
			page.Next = pageKeyOf(lq.Sort, page.Leads[limit-1])
		}
		return page, forever, nil
	})
}

func pageLimit(lq lead.Query) int {
	if lq.Limit > 0 {
		return lq.Limit
	}
	return PageSize
}

// leadListSQL is the query of a list on SQLite; that of a list which no filter narrows is the same on all databases.
func leadListSQL(scope access.Scope, lq lead.Query, by listFilter) (string, []any) {
	return leadListFrom(sqlite{}, scope, lq, by)
}

// leadListFrom is leadListSQL for any engine.
func leadListFrom(e engine, scope access.Scope, lq lead.Query, by listFilter) (string, []any) {
	column, down := sortColumn(lq.Sort)
	where, args := leadListCondition(scope, lq, by)
	from, order := "leads", by.order(column)
	if order != column {
		from, where = e.narrowed(where, fewLeads)
	}
	than, way := ">", "ASC"
	if down {
		than, way = "<", "DESC"
	}
	if value, app, ok := parsePageKey(lq.After); ok {
		where, args = where+fmt.Sprintf(" AND (%s, app_uuid) %s (?, ?)", order, than), append(args, sortValue(column, value), app)
	}
	return fmt.Sprintf(`SELECT %s FROM %s WHERE %s ORDER BY %s %s, app_uuid %s LIMIT %d`,
		listColumns, from, where, order, way, way, pageLimit(lq)+1), args
}

// leadListCondition returns which leads a list contains, on all of its pages.
func leadListCondition(scope access.Scope, lq lead.Query, by listFilter) (string, []any) {
	where, args := scopeCondition(scope)
	column, _ := sortColumn(lq.Sort)
	add := func(condition string, values ...any) {
		where, args = where+" AND "+condition, append(args, values...)
	}
	lane, status, state := filterColumns(lq, column, by)
	if lq.Lane != "" {
		add(lane+" = ?", lq.Lane)
	}
	if lq.StatusKey != "" {
		add(status+" = ?", lq.StatusKey)
	}
	switch lq.State {
	case "":
	case lead.NoState:
		add(state + " = ''")
	default:
		add(state+" = ?", lq.State)
	}
	if lq.StatusKey != "" && lq.State != "" && filterIndexUsed(lq, column, by) {
		add(ofBothFilters)
	}
	cohort, values := cohortCondition(lq.Cohort)
	where, args = where+cohort, append(args, values...)
	moves, values := moveCondition(lq, column == "due_sort" && !hasFilter(lq) && lq.Lane == "" && by == byOrder)
	switch {
	case lq.Unassigned:
		add("originator_uuid = ''")
	case lq.Originator != "" && scope.OriginatorUUID == "" && column == "started_on":
		add("originator_uuid = ?", lq.Originator) // it is in the index of the months
	case lq.Originator != "" && scope.OriginatorUUID == "":
		// The indexes that begin with the originator lead to fewer rows than those that begin with the company.
		where = strings.Replace(where, "company = ?", "company || '' = ?", 1)
		add("originator_uuid = ?", lq.Originator)
	}
	return where + moves, append(args, values...)
}

// moveCondition returns the SQL condition, beginning with AND, that limits a list by whose move it is; "" for no limit. Unless
// indexed, it is written so that it cannot use the index of moves, because a different index has the order of the list.
func moveCondition(lq lead.Query, indexed bool) (where string, args []any) {
	switch {
	case lq.Only == lead.OnlyOverdue:
		where, args = " AND "+lead.OverdueCondition, []any{lq.Now}
	case lq.YourMove:
		where = " AND " + lead.YourMoveCondition
	}
	if lq.Only == lead.OnlyOpen {
		where += " AND lane <> 'ended'"
	}
	if !indexed {
		where = strings.NewReplacer("mover = ", "mover || '' = ", "due_sort < ", "due_sort + 0 < ").Replace(where)
	}
	return where, args
}

// listFilter says which index of a list is used.
type listFilter int

const (
	byOrder  listFilter = iota // that of the sort order; if the list has filters by status or state, in the order by due time that of the filters
	byFilter                   // that of the filters by status and state
	byNone                     // the rows are found by something else, such as their search tokens
)

// order returns the column to sort by, in a way that cannot use an index if that of the filters is to be used.
func (by listFilter) order(column string) string {
	if by == byOrder || column == "due_sort" { // the indexes of the filters are in the order of due times
		return column
	}
	return column + " + 0"
}

// filterColumns returns the columns of the filters, those by status and state or the lane in a way that keeps SQLite from using
// an index: the index must be the one that leads to the fewest rows. The order by due time has an index for each filter and for
// both; in the other orders only the lane has one.
func filterColumns(lq lead.Query, sort string, by listFilter) (lane, status, state string) {
	lane, status, state = "lane || ''", "stand || ''", "state || ''"
	switch {
	case by == byNone:
	case filterIndexUsed(lq, sort, by):
		status, state = "stand", "state"
	default:
		lane = "lane"
	}
	return lane, status, state
}

// filterIndexUsed reports whether a list is read from the index of its filters by status and state.
func filterIndexUsed(lq lead.Query, sort string, by listFilter) bool {
	return by == byFilter || by == byOrder && sort == "due_sort" && hasFilter(lq)
}

// ofBothFilters is true for every lead. The indexes of both filters have this condition, so only a query with it can use them:
// for a list in another order PostgreSQL would read and sort all leads that both filters match, however many they are.
const ofBothFilters = `due_sort * 1 IS NOT NULL`

// hasFilter reports whether a list has a filter by status or state.
func hasFilter(lq lead.Query) bool { return lq.StatusKey != "" || lq.State != "" }

// fewLeads is how many leads are few enough to read and sort them all for one page.
const fewLeads = 5000

// narrowestFilter returns byFilter if a list's filters by status and state match few leads: without their index, a list in an
// order that has no index with them reads all leads of its scope when almost none matches. If they match many leads, the page
// is soon full in the order of the list.
func (q queries) narrowestFilter(ctx context.Context, scope access.Scope, lq lead.Query) (listFilter, error) {
	column, _ := sortColumn(lq.Sort)
	if column == "started_on" || column == "due_sort" || !hasFilter(lq) {
		return byOrder, nil // the index has the months or the filters
	}
	query, args := filterCountSQL(scope, lq)
	var n int
	if err := q.get(ctx, &n, query, args...); err != nil || n >= fewLeads {
		return byOrder, err
	}
	return byFilter, nil
}

// filterCountSQL counts up to fewLeads leads of a scope that a list's filters by status and state match, in the order of their index.
func filterCountSQL(scope access.Scope, lq lead.Query) (query string, args []any) {
	where, args := leadListCondition(scope, lead.Query{Originator: lq.Originator, StatusKey: lq.StatusKey, State: lq.State}, byFilter)
	return fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM leads WHERE %s ORDER BY due_sort, app_uuid LIMIT %d) x`, where, fewLeads), args
}

// CountLeads counts the leads of a list on all of its pages, up to a limit of at most CountLimit.
func (q queries) CountLeads(ctx context.Context, scope access.Scope, lq lead.Query, limit int) (int, error) {
	if scope.OriginatorUUID == "" && lq.Originator != "" && lq.ByOriginatorOnly() {
		n := 0
		lanes, err := q.LaneCountsOf(ctx, scope, lq.Originator)
		for lane, leads := range lanes {
			if lq.Lane == "" || lq.Lane == lane {
				n += leads
			}
		}
		return min(n, limit), err
	}
	query, args := countLeadsSQL(scope, lq, limit, byOrder)
	return cached(ctx, q, listKey(q, scope, lq, query, args), func() (n int, until int64, err error) {
		by, err := q.narrowestFilter(ctx, scope, lq)
		if err != nil {
			return 0, 0, err
		}
		query, args := countLeadsSQL(scope, lq, limit, by)
		return n, forever, q.get(ctx, &n, query, args...)
	})
}

// The rows are read in the order of the list, or in that of the filter's index, so that the count uses this index.
func countLeadsSQL(scope access.Scope, lq lead.Query, limit int, by listFilter) (string, []any) {
	column, down := sortColumn(lq.Sort)
	way := "ASC"
	if down {
		way = "DESC"
	}
	where, args := leadListCondition(scope, lq, by)
	if by != byOrder {
		column, way = "due_sort", "ASC" // the order of the filter's index
	}
	return fmt.Sprintf(`SELECT count(*) FROM (SELECT 1 FROM leads WHERE %s ORDER BY %s %s, app_uuid %s LIMIT %d) x`, where, column, way, way, limit), args
}

// scopeCondition returns the scope as an SQL condition. An empty scope matches nothing.
func scopeCondition(scope access.Scope) (string, []any) {
	switch {
	case scope.OriginatorUUID != "" && scope.Covering == "":
		return "originator_uuid = ?", []any{scope.OriginatorUUID}
	case scope.OriginatorUUID != "":
		all := scope.Originators()
		return "originator_uuid IN " + placeholders(len(all)), toAny(all)
	case scope.BrokerID != "":
		return "company = ?", []any{access.CompanyOf(scope.BrokerID, "")}
	case scope.Organization != "":
		return "company = ?", []any{access.CompanyOf("", scope.Organization)}
	default:
		return "1 = 0", nil
	}
}

func pageKeyOf(s lead.Sort, l lead.Row) string {
	value := l.DueSort
	switch column, _ := sortColumn(s); column {
	case "created_at":
		value = l.CreatedAt
	case "changed_at":
		value = l.ChangedAt
	case "amount":
		value = int64(l.Amount)
	case "started_on":
		value, _ = strconv.ParseInt(strings.ReplaceAll(string(l.StartedOn), "-", ""), 10, 64)
	}
	return encodePageKey(value, l.App)
}

// sortValue converts the value of a page key to that of its column: a day is the number 20260930 in a key.
func sortValue(column string, value int64) any {
	if column != "started_on" {
		return value
	}
	return fmt.Sprintf("%04d-%02d-%02d", value/10_000, value/100%100, value%100)
}

// cohortCondition returns the filters of reports as an SQL condition that begins with AND, or as empty text.
func cohortCondition(f lead.CohortFilter) (where string, args []any) {
	add := func(condition string, values ...any) {
		where, args = where+" AND "+condition, append(args, values...)
	}
	if f.From != "" { // days are compared, so that the index is used; 99 is later than every day of a month
		add("started_on >= ? AND started_on <= ?", f.From, f.To+"-99")
	}
	if first, last := f.Reached.Stages(); first > lead.StageInquiry || last < lead.StageFunded {
		add("reached >= ? AND reached <= ?", first, last)
	}
	if len(f.Outcomes) > 0 {
		add("outcome IN "+placeholders(len(f.Outcomes)), toAny(f.Outcomes)...)
	}
	if f.Source != nil {
		add("source = ?", *f.Source)
	}
	if f.Left != "" {
		add("left_steps & ? <> 0", lead.StepBit(f.Left))
	}
	return where, args
}

func encodePageKey(value int64, app heloc.AppID) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(value, 36) + "." + string(app)))
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

// LaneCounts counts the leads of each lane within a scope, up to CountLimit each. Within a snapshot other requests can
// have the same map, so the caller does not modify it.
func (q queries) LaneCounts(ctx context.Context, scope access.Scope) (map[heloc.Lane]int, error) {
	query, args := laneCountsSQL(scope)
	return q.laneCounts(ctx, scope, query, args)
}

// LaneCountsOf counts the leads of one originator in each lane within a scope, as LaneCounts does.
func (q queries) LaneCountsOf(ctx context.Context, scope access.Scope, originator heloc.OriginatorID) (map[heloc.Lane]int, error) {
	query, args := laneCountsOfSQL(scope, originator)
	return q.laneCounts(ctx, scope, query, args)
}

func laneCountsOfSQL(scope access.Scope, originator heloc.OriginatorID) (string, []any) {
	where, args := scopeCondition(scope)
	return `SELECT lane, n FROM lane_counts WHERE ` + where + ` AND originator_uuid = ?`, append(args, originator)
}

func (q queries) laneCounts(ctx context.Context, scope access.Scope, query string, args []any) (map[heloc.Lane]int, error) {
	return cached(ctx, q, cacheKey{scope, query, args, Millis(q.now())}, func() (map[heloc.Lane]int, int64, error) {
		var rows []struct {
			Lane heloc.Lane `db:"lane"`
			N    int        `db:"n"`
		}
		err := q.list(ctx, &rows, query, args...)
		counts := make(map[heloc.Lane]int, len(heloc.Lanes()))
		for _, lane := range heloc.Lanes() {
			counts[lane] = 0
		}
		for _, r := range rows {
			counts[r.Lane] = min(r.N, lead.CountLimit)
		}
		return counts, forever, err
	})
}

// laneCountsSQL reads the short table that has no originators for a company.
func laneCountsSQL(scope access.Scope) (string, []any) {
	table := "company_lead_counts"
	if scope.OriginatorUUID != "" {
		table = "lead_counts"
	}
	where, args := scopeCondition(scope)
	return `SELECT lane, sum(n) AS n FROM ` + table + ` WHERE ` + where + ` GROUP BY lane`, args
}

// LeadsAmong lists those of the given leads that are within a scope.
func (q queries) LeadsAmong(ctx context.Context, scope access.Scope, apps []heloc.AppID) ([]lead.Row, error) {
	if len(apps) == 0 {
		return nil, nil
	}
	query, args := leadsAmongSQL(scope, apps)
	var ls []lead.Row
	return ls, q.list(ctx, &ls, query, args...)
}

// The scope is compared in a way that cannot use an index, so that the leads are found by their ids.
func leadsAmongSQL(scope access.Scope, apps []heloc.AppID) (string, []any) {
	where, args := scopeCondition(scope)
	where = strings.Replace(strings.Replace(where, " = ?", " || '' = ?", 1), " IN ", " || '' IN ", 1)
	return `SELECT ` + listColumns + ` FROM leads WHERE ` + where + ` AND app_uuid IN ` + placeholders(len(apps)), append(args, toAny(apps)...)
}

// LeadsAtStep lists the open leads of an originator at a step, the first due first.
func (q queries) LeadsAtStep(ctx context.Context, originator heloc.OriginatorID, step heloc.Step, limit int) ([]lead.Row, error) {
	var ls []lead.Row
	return ls, q.list(ctx, &ls, leadsAtStepSQL, originator, step, limit)
}

const leadsAtStepSQL = `SELECT ` + listColumns + ` FROM leads WHERE originator_uuid = ? AND step = ? AND lane <> 'ended' ORDER BY due_sort, app_uuid LIMIT ?`
