package store

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
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

// Credit says for which originator a report counts a lead.
type Credit string

// The credits.
const (
	CreditStarted Credit = "started" // who started the inquiry at the lender; a reassignment does not change it
	CreditHeld    Credit = "held"    // to whom the lead is assigned now
)

// ReportQuery selects the leads of a report. Nil fields do not filter.
type ReportQuery struct {
	Company    string
	From, To   string // days, "2026-09-01", both included
	Funded     bool   // the days, and GroupMonth, mean when leads were funded instead of when their inquiries started
	Credit     Credit // whom Originator and GroupOriginator mean
	Originator *heloc.OriginatorID
	State      *string
	Source     *lead.Source
	By         ReportGroup
	Step       heloc.Step // narrows the time at steps to one step; empty reads all
}

// group returns the SQL of a lead's group; starter is that of who started it.
func (rq ReportQuery) group(starter string) string {
	switch rq.By {
	case GroupOriginator:
		return rq.credited(starter)
	case GroupState, GroupSource:
		return string(rq.By)
	case GroupMonth:
		if rq.Funded {
			return "substr(funded_date, 1, 7)"
		}
		return "substr(started_on, 1, 7)"
	default:
		return "''"
	}
}

func (rq ReportQuery) credited(starter string) string {
	if rq.Credit == CreditStarted {
		return starter
	}
	return "originator"
}

// inDays adds that a lead started, or was funded, on one of these days.
func inDays(c *condition, funded bool, from, to string) {
	if funded {
		c.and("reached >= ? AND funded_date >= ? AND funded_date <= ?", lead.StageFunded, from, to)
		return
	}
	c.and("started_on >= ? AND started_on <= ?", from, to)
}

// where returns the condition that a lead belongs to the report; starter is the SQL of who started it.
func (rq ReportQuery) where(starter string) *condition {
	c := &condition{}
	c.and("company = ?", rq.Company)
	inDays(c, rq.Funded, rq.From, rq.To)
	if rq.Originator != nil {
		c.and(rq.credited(starter)+" = ?", *rq.Originator)
	}
	if rq.State != nil {
		c.and("state = ?", *rq.State)
	}
	if rq.Source != nil {
		c.and("source = ?", *rq.Source)
	}
	return c
}

// Cohort counts the leads of a group whose inquiries started, or that were funded, in the days of a query. Amounts are
// in cents, and each With counts the leads that have the amount.
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
	Moved        int    `db:"moved"` // held by somebody other than who started it, or by nobody

	RequestedTotal heloc.Money `db:"requested_total"`
	WithRequested  int         `db:"with_requested"`
	OfferedTotal   heloc.Money `db:"offered_total"`
	WithOffered    int         `db:"with_offered"`
	SelectedTotal  heloc.Money `db:"selected_total"`
	WithSelected   int         `db:"with_selected"`
	FundedTotal    heloc.Money `db:"funded_total"` // what was selected of those that are funded
	WithFunded     int         `db:"with_funded"`
}

// Fallout counts the applications that ended without funding.
func (c Cohort) Fallout() int { return c.AppDeclined + c.AppWithdrawn + c.AppCanceled + c.AppExpired }

// OpenApplications counts the applications that have not ended.
func (c Cohort) OpenApplications() int { return c.Applications - c.Funded - c.Fallout() }

// Open counts the leads that have not ended.
func (c Cohort) Open() int {
	return c.Inquiries - c.Funded - c.Declined - c.Withdrawn - c.Canceled - c.Expired - c.Closed
}

// Add adds the leads of another group.
func (c *Cohort) Add(g Cohort) {
	c.Inquiries += g.Inquiries
	c.Offers += g.Offers
	c.Selected += g.Selected
	c.Applications += g.Applications
	c.Funded += g.Funded
	c.Declined += g.Declined
	c.Withdrawn += g.Withdrawn
	c.Canceled += g.Canceled
	c.Expired += g.Expired
	c.Closed += g.Closed
	c.AppDeclined += g.AppDeclined
	c.AppWithdrawn += g.AppWithdrawn
	c.AppCanceled += g.AppCanceled
	c.AppExpired += g.AppExpired
	c.Moved += g.Moved
	c.RequestedTotal += g.RequestedTotal
	c.WithRequested += g.WithRequested
	c.OfferedTotal += g.OfferedTotal
	c.WithOffered += g.WithOffered
	c.SelectedTotal += g.SelectedTotal
	c.WithSelected += g.WithSelected
	c.FundedTotal += g.FundedTotal
	c.WithFunded += g.WithFunded
}

// outcomeExpression is the SQL form of lead.Row.Outcome.
const outcomeExpression = "CASE WHEN lane <> '" + string(heloc.LaneEnded) + "' THEN '" + string(lead.OutcomeOpen) +
	"' WHEN status_key = '" + string(heloc.StatusNoOffers) + "' THEN '" + string(lead.OutcomeClosed) +
	"' WHEN status_key = '" + string(heloc.StatusCanceled) + "' THEN '" + string(lead.OutcomeCanceled) +
	"' ELSE status_key END"

// standing counts the leads that reached the same stage and ended the same way, with the sums of their amounts.
type standing struct {
	Query         int          `db:"query"`
	GroupKey      string       `db:"group_key"`
	Reached       lead.Stage   `db:"reached"`
	Outcome       lead.Outcome `db:"outcome"`
	Leads         int          `db:"leads"`
	Moved         int          `db:"moved"`
	Requested     heloc.Money  `db:"requested"`
	WithRequested int          `db:"with_requested"`
	Offered       heloc.Money  `db:"offered"`
	WithOffered   int          `db:"with_offered"`
	Selected      heloc.Money  `db:"selected"`
	WithSelected  int          `db:"with_selected"`
}

// cohort counts the leads.
func (s standing) cohort() Cohort {
	c := Cohort{GroupKey: s.GroupKey, Inquiries: s.Leads, Moved: s.Moved, RequestedTotal: s.Requested,
		WithRequested: s.WithRequested}
	if s.Reached >= lead.StageOffers {
		c.Offers, c.OfferedTotal, c.WithOffered = s.Leads, s.Offered, s.WithOffered
	}
	if s.Reached >= lead.StageSelected {
		c.Selected, c.SelectedTotal, c.WithSelected = s.Leads, s.Selected, s.WithSelected
	}
	applied := 0
	if s.Reached >= lead.StageApplication {
		applied, c.Applications = s.Leads, s.Leads
	}
	if s.Reached >= lead.StageFunded {
		c.Funded, c.FundedTotal, c.WithFunded = s.Leads, s.Selected, s.WithSelected
	}
	switch s.Outcome {
	case lead.OutcomeDeclined:
		c.Declined, c.AppDeclined = s.Leads, applied
	case lead.OutcomeWithdrawn:
		c.Withdrawn, c.AppWithdrawn = s.Leads, applied
	case lead.OutcomeCanceled:
		c.Canceled, c.AppCanceled = s.Leads, applied
	case lead.OutcomeExpired:
		c.Expired, c.AppExpired = s.Leads, applied
	case lead.OutcomeClosed:
		c.Closed = s.Leads
	}
	return c
}

// Cohorts counts the leads of each query by group, ordered by group. All queries must be about one company, and their
// days must mean the same. Who started a lead is looked up once for all queries about the days of the first one, and
// Moved is counted only for those.
func (q Queries) Cohorts(ctx context.Context, queries ...ReportQuery) ([][]Cohort, error) {
	const columns = `originator, started_on, funded_date, state, source, reached, requested_amount, max_amount,
		selected_amount`
	started := ReportQuery{Company: queries[0].Company, From: queries[0].From, To: queries[0].To,
		Funded: queries[0].Funded}.where("")
	args := started.args
	var parts []string
	for i, rq := range queries {
		from, starter := "started", "starter"
		where := rq.where(starter)
		if rq.From != queries[0].From || rq.To != queries[0].To {
			starter = startedBy
			where = rq.where(starter)
			from = `(SELECT app, company, ` + columns + `, ` + outcomeExpression + ` AS outcome FROM leads) AS leads`
		}
		moved := "count(CASE WHEN starter NOT IN ('', originator) THEN 1 END)"
		if starter != "starter" {
			moved = "0"
		}
		parts = append(parts, fmt.Sprintf(`SELECT %d AS query, %s AS group_key, reached, outcome, count(*) AS leads,
			%s AS moved,
			CAST(sum(requested_amount) AS BIGINT) AS requested, count(nullif(requested_amount, 0)) AS with_requested,
			CAST(sum(max_amount) AS BIGINT) AS offered, count(nullif(max_amount, 0)) AS with_offered,
			CAST(sum(selected_amount) AS BIGINT) AS selected, count(nullif(selected_amount, 0)) AS with_selected
			FROM %s WHERE %s GROUP BY 2, 3, 4`, i, rq.group(starter), moved, from, where))
		args = append(args, where.args...)
	}
	rows, err := list[standing](ctx, q, `WITH started AS MATERIALIZED (SELECT company, `+startedBy+` AS starter,
		`+columns+`, `+outcomeExpression+` AS outcome FROM leads WHERE `+started.String()+`)
		`+strings.Join(parts, ` UNION ALL `)+` ORDER BY 1, 2`, args...)
	all := make([][]Cohort, len(queries))
	for _, r := range rows {
		of := all[r.Query]
		if n := len(of); n > 0 && of[n-1].GroupKey == r.GroupKey {
			of[n-1].Add(r.cohort())
			continue
		}
		all[r.Query] = append(of, r.cohort())
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
	where := rq.where(startedBy)
	if rq.Step != "" {
		where.and("visited = ?", rq.Step)
	}
	return list[StepStays](ctx, q, `SELECT group_key, step, leads, median, most FROM (`+percentilesSQL(
		fmt.Sprintf(`SELECT 0 AS query, %s AS group_key, visited AS step, millis FROM leads
			JOIN (SELECT app AS visitor, step AS visited, millis FROM step_visits) v ON visitor = app WHERE %s`,
			rq.group(startedBy), where))+`) x ORDER BY 1, 2`, where.args...)
}

// percentilesSQL numbers the times of each query, group and step from 0, shortest first. A percentile lies p/100 of the
// way from the first to the last. Only the two times next to that position count, weighted by how near they are to it,
// in percent. The sums are in hundredths of a millisecond, and the results in nanoseconds. The position and the number
// of times come from one window, because SQLite sorts the times again for every window.
func percentilesSQL(times string) string {
	nearness := func(p int) string { return fmt.Sprintf("100 - abs(100 * place - %d * (n - 1))", p) }
	percentile := func(p int) string {
		return "CAST(10000 * sum(CASE WHEN " + nearness(p) + " > 0 THEN millis * (" + nearness(p) + ") ELSE 0 END) AS BIGINT)"
	}
	return fmt.Sprintf(`SELECT query, group_key, step, max(n) AS leads, %s AS median, %s AS most FROM (
		SELECT query, group_key, step, millis, row_number() OVER w - 1 AS place, count(*) OVER w AS n FROM (%s) AS times
		WINDOW w AS (PARTITION BY query, group_key, step ORDER BY millis
			ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS placed
		WHERE %s > 0 OR %s > 0 GROUP BY 1, 2, 3`,
		percentile(50), percentile(90), times, nearness(50), nearness(90))
}

// DaysTo is how long the leads of a group took from their start to a stage.
type DaysTo struct {
	GroupKey string        `db:"group_key"`
	Reached  lead.Reach    `db:"reached"` // ReachedOffers, ReachedSelected or ReachedFunded
	Leads    int           `db:"leads"`
	Median   time.Duration `db:"median"` // exact, as in StepStays
}

// DaysTo reads how long the leads of each query took to reach the stages, by group. The days of all queries must mean
// the same. It counts leads that were started from here, because only their start is known to the minute, from the
// start to when the stage was first seen here.
func (q Queries) DaysTo(ctx context.Context, queries ...ReportQuery) ([][]DaysTo, error) {
	from, to := queries[0].From, queries[0].To
	for _, rq := range queries {
		from, to = min(from, rq.From), max(to, rq.To)
	}
	days := &condition{}
	inDays(days, queries[0].Funded, from, to)
	args := append([]any{heloc.StepOffersAvailable, queries[0].Company}, days.args...)
	args = append(args, heloc.StepOffersAvailable, heloc.StepBorrowerAuth, heloc.StepBrokerDocSigning, heloc.StepComplete)
	var parts []string
	for i, rq := range queries {
		where := rq.where("starter")
		parts = append(parts, fmt.Sprintf(`SELECT %d AS query, %s AS group_key, step, millis FROM reached WHERE %s`,
			i, rq.group("starter"), where))
		args = append(args, where.args...)
	}
	type row struct {
		Query int `db:"query"`
		DaysTo
	}
	rows, err := list[row](ctx, q, `WITH reached AS MATERIALIZED (SELECT l.company, l.originator,
		min(s.originator) AS starter, l.started_on, l.state, l.source,
		CASE WHEN e.kind = 'funded' THEN 'funded' WHEN e.step_after = ? THEN 'offers' ELSE 'selected' END AS step,
		min(e.at) - min(s.created_at) AS millis, l.funded_date, l.reached
		FROM leads l JOIN operations s ON s.app = l.app AND s.kind = 'start' JOIN lead_events e ON e.app = l.app
		WHERE l.company = ? AND `+days.String()+`
			AND l.reached >= `+strconv.Itoa(int(lead.StageOffers))+` AND (e.kind = 'step' AND e.step_after IN (?, ?, ?, ?)
			OR e.kind = 'funded' AND l.reached >= `+strconv.Itoa(int(lead.StageFunded))+`)
		GROUP BY l.app, 7)
		SELECT query, group_key, step AS reached, leads, median
		FROM (`+percentilesSQL(strings.Join(parts, ` UNION ALL `))+`) x
		ORDER BY 1, 2, 3`, args...)
	all := make([][]DaysTo, len(queries))
	for _, r := range rows {
		all[r.Query] = append(all[r.Query], r.DaysTo)
	}
	return all, err
}
