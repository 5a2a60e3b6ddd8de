package store

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// defaultZone is the time zone of a company that has not chosen one.
const defaultZone = "America/New_York"

// zoneSetting is the setting with a company's time zone.
func zoneSetting(company string) string { return "zone:" + company }

// CompanyZone reads the time zone in which a company's months begin.
func (q Queries) CompanyZone(ctx context.Context, company string) (*time.Location, error) {
	name, err := q.Setting(ctx, zoneSetting(company))
	if err != nil {
		return nil, err
	}
	return access.LoadZone(cmp.Or(name, defaultZone))
}

// SetCompanyZone stores a company's time zone and moves the leads that were started here to the days on which they
// started there.
func (tx *Tx) SetCompanyZone(ctx context.Context, company string, zone *time.Location) error {
	if err := tx.SaveSetting(ctx, zoneSetting(company), zone.String()); err != nil {
		return err
	}
	leads, err := list[lead.Row](ctx, tx.Queries, `SELECT app, source, created_at, started_on, refreshed_at FROM leads
		WHERE company = ?`, company)
	if err != nil {
		return err
	}
	for _, l := range leads {
		day := heloc.DateOf(Instant(l.CreatedAt).In(zone))
		if day == l.StartedOn || !l.Source.StartedHere() && l.RefreshedAt != 0 {
			continue
		}
		if err := tx.exec(ctx, `UPDATE leads SET started_on = ? WHERE app = ?`, day, l.App); err != nil {
			return err
		}
	}
	return nil
}

// ReportGroup is by what a report groups leads.
type ReportGroup string

// The groups. Empty does not group.
const (
	GroupOriginator ReportGroup = "originator"
	GroupMonth      ReportGroup = "month"
	GroupState      ReportGroup = "state"
	GroupSource     ReportGroup = "source"
)

// expression returns the SQL of a lead's group.
func (g ReportGroup) expression() string {
	switch g {
	case GroupOriginator, GroupState, GroupSource:
		return string(g)
	case GroupMonth:
		return "substr(started_on, 1, 7)"
	default:
		return "''"
	}
}

// ReportQuery selects the leads of a report. Nil fields do not filter.
type ReportQuery struct {
	Company    string
	From, To   string // months, "2026-09", both included
	Originator *heloc.OriginatorID
	State      *string
	Source     *lead.Source
	By         ReportGroup
	Step       heloc.Step // narrows the time at steps to one step; empty reads all
}

// where returns the condition that a lead belongs to the report.
func (rq ReportQuery) where() *condition {
	c := &condition{}
	c.and("company = ?", rq.Company)
	c.and("started_on >= ? AND started_on <= ?", rq.From, rq.To+"-99") // 99 is later than every day of a month
	if rq.Originator != nil {
		c.and("originator = ?", *rq.Originator)
	}
	if rq.State != nil {
		c.and("state = ?", *rq.State)
	}
	if rq.Source != nil {
		c.and("source = ?", *rq.Source)
	}
	return c
}

// Cohort counts the leads of a group whose inquiries started in the months of a query.
type Cohort struct {
	GroupKey     string `db:"group_key"` // originator, month, state or source; empty without a grouping
	Inquiries    int    `db:"inquiries"`
	Offers       int    `db:"offers"`
	Selected     int    `db:"selected"`
	Applications int    `db:"applications"`
	Funded       int    `db:"funded"`
	Declined     int    `db:"declined"`
	Withdrawn    int    `db:"withdrawn"`
	Canceled     int    `db:"canceled"`
	Expired      int    `db:"expired"`
	Closed       int    `db:"closed"`       // here, without offers
	AppDeclined  int    `db:"app_declined"` // of Declined, those that were applications; so are the others
	AppWithdrawn int    `db:"app_withdrawn"`
	AppCanceled  int    `db:"app_canceled"`
	AppExpired   int    `db:"app_expired"`
}

// Fallout counts the applications that ended without funding.
func (c Cohort) Fallout() int { return c.AppDeclined + c.AppWithdrawn + c.AppCanceled + c.AppExpired }

// OpenApplications counts the applications that have not ended.
func (c Cohort) OpenApplications() int { return c.Applications - c.Funded - c.Fallout() }

// Open counts the leads that have not ended.
func (c Cohort) Open() int {
	return c.Inquiries - c.Funded - c.Declined - c.Withdrawn - c.Canceled - c.Expired - c.Closed
}

// outcomeExpression is the SQL form of lead.Row.Outcome.
const outcomeExpression = "CASE WHEN lane <> '" + string(heloc.LaneEnded) + "' THEN '" + string(lead.OutcomeOpen) +
	"' WHEN status_key = '" + string(heloc.StatusNoOffers) + "' THEN '" + string(lead.OutcomeClosed) +
	"' WHEN status_key = '" + string(heloc.StatusCanceled) + "' THEN '" + string(lead.OutcomeCanceled) +
	"' ELSE status_key END"

// cohortCounts are, for each column of a Cohort, the condition on the leads that it counts.
var cohortCounts = func() string {
	applied := fmt.Sprintf("reached >= %d", lead.StageApplication)
	ended := func(o lead.Outcome) string { return outcomeExpression + " = '" + string(o) + "'" }
	var columns []string
	for _, c := range []struct{ column, condition string }{
		{"offers", fmt.Sprintf("reached >= %d", lead.StageOffers)},
		{"selected", fmt.Sprintf("reached >= %d", lead.StageSelected)},
		{"applications", applied}, {"funded", fmt.Sprintf("reached >= %d", lead.StageFunded)},
		{"declined", ended(lead.OutcomeDeclined)}, {"withdrawn", ended(lead.OutcomeWithdrawn)},
		{"canceled", ended(lead.OutcomeCanceled)}, {"expired", ended(lead.OutcomeExpired)},
		{"closed", ended(lead.OutcomeClosed)}, {"app_declined", applied + " AND " + ended(lead.OutcomeDeclined)},
		{"app_withdrawn", applied + " AND " + ended(lead.OutcomeWithdrawn)},
		{"app_canceled", applied + " AND " + ended(lead.OutcomeCanceled)},
		{"app_expired", applied + " AND " + ended(lead.OutcomeExpired)},
	} {
		columns = append(columns, "sum(CASE WHEN "+c.condition+" THEN 1 ELSE 0 END) AS "+c.column)
	}
	return strings.Join(columns, ", ")
}()

// Cohorts counts the leads of queries by their groups, for each query in the order of the groups.
func (q Queries) Cohorts(ctx context.Context, queries ...ReportQuery) ([][]Cohort, error) {
	var parts []string
	var args []any
	for i, rq := range queries {
		where := rq.where()
		parts = append(parts, fmt.Sprintf(`SELECT %d AS query, %s AS group_key, count(*) AS inquiries, %s FROM leads WHERE %s
			GROUP BY 2`,
			i, rq.By.expression(), cohortCounts, where))
		args = append(args, where.args...)
	}
	type row struct {
		Query int `db:"query"`
		Cohort
	}
	rows, err := list[row](ctx, q, strings.Join(parts, ` UNION ALL `)+` ORDER BY 1, 2`, args...)
	all := make([][]Cohort, len(queries))
	for _, r := range rows {
		all[r.Query] = append(all[r.Query], r.Cohort)
	}
	return all, err
}

// StepStays is how long the leads of a group were at a step that they have left, all visits of a lead together.
type StepStays struct {
	GroupKey string        `db:"group_key"`
	Step     heloc.Step    `db:"step"`
	Leads    int           `db:"leads"`
	Median   time.Duration `db:"median"` // exact, and between two leads linear between their times, as in a spreadsheet
	Most     time.Duration `db:"most"`   // the 90th percentile, computed like the median
}

// Stayed reads how long leads were at the steps that they have left, by group and step.
func (q Queries) Stayed(ctx context.Context, rq ReportQuery) ([]StepStays, error) {
	query, args := stayTimesSQL(rq)
	return list[StepStays](ctx, q, query, args...)
}

// stayTimesSQL numbers the stays of each group and step from 0, shortest first. A percentile lies p/100 of the way from
// the first to the last. Only the two stays next to that position count, weighted by how near they are to it, in
// percent. The sums are in hundredths of a millisecond, and the results in nanoseconds. The position and the number of
// stays come from one window, because SQLite sorts the stays again for every window.
func stayTimesSQL(rq ReportQuery) (string, []any) {
	where := rq.where()
	if rq.Step != "" {
		where.and("visited = ?", rq.Step)
	}
	nearness := func(p int) string { return fmt.Sprintf("100 - abs(100 * place - %d * (n - 1))", p) }
	percentile := func(p int) string {
		return "CAST(10000 * sum(CASE WHEN " + nearness(p) + " > 0 THEN millis * (" + nearness(p) + ") ELSE 0 END) AS BIGINT)"
	}
	return fmt.Sprintf(`SELECT group_key, step, max(n) AS leads, %s AS median, %s AS most FROM (
		SELECT group_key, step, millis, row_number() OVER w - 1 AS place, count(*) OVER w AS n FROM (
			SELECT %s AS group_key, visited AS step, millis FROM leads
			JOIN (SELECT app AS visitor, step AS visited, millis FROM step_visits) v
			ON visitor = app WHERE %s) AS stays
		WINDOW w AS (PARTITION BY group_key, step ORDER BY millis ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))
		AS placed
		WHERE %s > 0 OR %s > 0 GROUP BY 1, 2 ORDER BY 1, 2`,
		percentile(50), percentile(90), rq.By.expression(), where, nearness(50), nearness(90)), where.args
}
