package store

import (
	"fmt"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// condition is the WHERE clause of a query, with its arguments.
type condition struct {
	all  []string
	args []any
}

// and adds a condition.
func (c *condition) and(text string, args ...any) {
	c.all, c.args = append(c.all, text), append(c.args, args...)
}

func (c *condition) String() string {
	if len(c.all) == 0 {
		return "1 = 1"
	}
	return strings.Join(c.all, " AND ")
}

// in adds the condition that a column has one of the values.
func in[V any](c *condition, column string, values []V) {
	c.and(column+" IN "+placeholders(len(values)), toAny(values)...)
}

// inScope returns the condition that a lead is within a scope. An empty scope matches nothing.
func inScope(scope access.Scope) *condition {
	c := &condition{}
	switch {
	case scope.OriginatorUUID != "" && scope.Covering == "":
		c.and("originator = ?", scope.OriginatorUUID)
	case scope.OriginatorUUID != "":
		in(c, "originator", scope.Originators())
	case scope.BrokerID != "":
		c.and("company = ?", access.CompanyOf(scope.BrokerID, ""))
	case scope.Organization != "":
		c.and("company = ?", access.CompanyOf("", scope.Organization))
	default:
		c.and("1 = 0")
	}
	if scope.Among != "" {
		in(c, "originator", scope.Among.All())
	}
	return c
}

// inList returns the condition that a lead is in a list, on any of its pages.
func inList(scope access.Scope, lq lead.Query) *condition {
	c := inScope(scope)
	if lq.Lane != "" {
		c.and("lane = ?", lq.Lane)
	}
	if lq.StatusKey != "" {
		c.and("status_key = ?", lq.StatusKey)
	}
	switch lq.State {
	case "":
	case lead.NoState:
		c.and("state = ''")
	default:
		c.and("state = ?", lq.State)
	}
	switch {
	case lq.Unassigned:
		c.and("originator = ''")
	case lq.Originator != "" && scope.OriginatorUUID == "":
		c.and("originator = ?", lq.Originator)
	}
	switch {
	case lq.Only == lead.OnlyOverdue:
		c.and(lead.OverdueCondition, lq.Now)
	case lq.Only == lead.OnlyOpen:
		c.and("lane <> '" + string(heloc.LaneEnded) + "'")
	}
	if lq.YourMove && lq.Only != lead.OnlyOverdue {
		c.and(lead.YourMoveCondition)
	}
	inCohort(c, lq.Cohort)
	return c
}

// inCohort adds the filters of reports.
func inCohort(c *condition, f lead.CohortFilter) {
	if f.From != "" { // days are compared, so that the index is used; 99 is later than every day of a month
		inDays(c, f.Funded, f.From, (f.To + "-99")[:len("2026-09-99")])
	}
	if first, last := f.Reached.Stages(); first > lead.StageInquiry || last < lead.StageFunded {
		c.and("reached >= ? AND reached <= ?", first, last)
	}
	if len(f.Outcomes) > 0 {
		in(c, outcomeExpression, f.Outcomes)
	}
	if f.Source != nil {
		c.and("source = ?", *f.Source)
	}
	if f.Left != "" {
		c.and("passed_steps & ? <> 0", lead.StepBit(f.Left))
	}
	if f.StartedBy != nil {
		c.and(startedBy+" = ?", *f.StartedBy)
	}
	if f.Moved {
		c.and(startedBy + " NOT IN ('', originator)")
	}
}

// startedBy is who started the inquiry of a lead at the lender: the originator of the start that was sent from here or,
// for a lead that was added by its application id, the first originator we knew; empty if neither is known.
// Reassignments change neither.
const startedBy = `coalesce((SELECT o.originator FROM operations o WHERE o.app = leads.app AND o.kind = 'start'
	ORDER BY o.created_at LIMIT 1), (SELECT e.originator FROM lead_events e WHERE e.app = leads.app AND e.kind = 'adopted'
	ORDER BY e.at, e.id LIMIT 1), '')`

// limited is a LIMIT with its number in the text: SQLite prepares a statement again each time another value is bound
// to a limit, which takes longer than most of them.
func limited(n int) string { return " LIMIT " + strconv.Itoa(n) }

// order is the order of a list that is paged by key.
type order struct {
	column string
	down   bool
	key    func(l lead.Row) int64 // the value of the column in a page key
}

// orderOf returns the order of a sort.
func orderOf(s lead.Sort) order {
	created := func(l lead.Row) int64 { return l.CreatedAt }
	o, ok := map[lead.Sort]order{
		lead.SortOldest:  {"created_at", false, created},
		lead.SortNewest:  {"created_at", true, created},
		lead.SortUpdated: {"changed_at", true, func(l lead.Row) int64 { return l.ChangedAt }},
		lead.SortAmount:  {"amount", true, func(l lead.Row) int64 { return int64(l.Amount) }},
		lead.SortStarted: {"started_on", true, func(l lead.Row) int64 {
			day, _ := strconv.ParseInt(strings.ReplaceAll(string(l.StartedOn), "-", ""), 10, 64)
			return day
		}},
	}[s]
	if !ok {
		return order{"due_sort", false, func(l lead.Row) int64 { return l.DueSort }}
	}
	return o
}

// after adds the condition that a row comes after the row of a page key, if there is one.
func (o order) after(c *condition, key string) {
	value, app, ok := parsePageKey(key)
	if !ok {
		return
	}
	than := ">"
	if o.down {
		than = "<"
	}
	c.and(fmt.Sprintf("(%s, app) %s (?, ?)", o.column, than), o.value(value), app)
}

// value converts the value of a page key to that of the column: a day is the number 20260930 in a key.
func (o order) value(key int64) any {
	if o.column != "started_on" {
		return key
	}
	return fmt.Sprintf("%04d-%02d-%02d", key/10_000, key/100%100, key%100)
}

func (o order) String() string {
	if o.down {
		return o.column + " DESC, app DESC"
	}
	return o.column + ", app"
}
