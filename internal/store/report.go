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
	"hearthline/migrations"
)

// zoneSetting is the setting with a company's time zone.
func zoneSetting(company string) string { return "zone:" + company }

// CompanyZone reads the time zone in which a company's months begin.
func (q queries) CompanyZone(ctx context.Context, company string) (*time.Location, error) {
	name, err := q.Setting(ctx, zoneSetting(company))
	if err != nil {
		return nil, err
	}
	return access.LoadZone(cmp.Or(name, migrations.DefaultZone))
}

// SetCompanyZone stores a company's time zone and moves its leads to the days on which they started there.
func (tx *Tx) SetCompanyZone(ctx context.Context, company string, zone *time.Location) error {
	if err := tx.SaveSetting(ctx, zoneSetting(company), zone.String()); err != nil {
		return err
	}
	return migrations.SetStartDays(ctx, tx.db, tx.engine.dialect(), company, zone)
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

// column is the column by which leads are grouped.
func (g ReportGroup) column() string {
	switch g {
	case GroupOriginator:
		return "originator_uuid"
	case GroupMonth, GroupState, GroupSource:
		return string(g)
	default:
		return "''"
	}
}

// ofLead is the group of a lead that a statement names l.
func (g ReportGroup) ofLead() string {
	switch g {
	case GroupOriginator, GroupState, GroupSource:
		return "l." + g.column()
	case GroupMonth:
		return "substr(l.started_on, 1, 7)"
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

// condition returns the rows of a table of counts as an SQL condition. A column that neither filters nor groups is '*'.
func (rq ReportQuery) condition() (string, []any) {
	where, args := []string{"company = ?"}, []any{rq.Company}
	add := func(column string, by ReportGroup, value *string) {
		switch {
		case value != nil:
			where, args = append(where, column+" = ?"), append(args, *value)
		case rq.By == by:
			where = append(where, column+" <> '*'")
		default:
			where = append(where, column+" = '*'")
		}
	}
	add("originator_uuid", GroupOriginator, (*string)(rq.Originator))
	add("state", GroupState, rq.State)
	add("source", GroupSource, (*string)(rq.Source))
	return strings.Join(append(where, "month >= ?", "month <= ?"), " AND "), append(args, rq.From, rq.To)
}

// table names a table of counts with the index that leads to the rows of the query.
func (rq ReportQuery) table(name string) string {
	switch {
	case rq.By == GroupOriginator && rq.Originator == nil:
		return name + " INDEXED BY " + name + "_originators"
	case rq.By == GroupState && rq.State == nil:
		return name + " INDEXED BY " + name + "_states"
	default:
		return name
	}
}

// Cohort counts the leads of a group whose inquiries started in the months of a query.
type Cohort struct {
	GroupKey     string `db:"grp"` // originator, month, state or source; empty without a grouping
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

// Cohorts counts leads by group, in the order of the groups.
func (q queries) Cohorts(ctx context.Context, rq ReportQuery) ([]Cohort, error) {
	query, args := cohortsSQL(rq)
	var all []Cohort
	return all, q.list(ctx, &all, query, args...)
}

func cohortsSQL(rq ReportQuery) (string, []any) {
	where, args := rq.condition()
	columns := strings.Split("inquiries offers selected applications funded declined withdrawn canceled expired closed app_declined app_withdrawn app_canceled app_expired", " ")
	for i, c := range columns {
		columns[i] = "sum(" + c + ") AS " + c
	}
	return fmt.Sprintf(`SELECT %s AS grp, %s FROM %s WHERE %s GROUP BY 1 HAVING sum(inquiries) > 0 ORDER BY 1`, rq.By.column(), strings.Join(columns, ", "), rq.table("lead_cohorts"), where), args
}

// StepStays is how long the leads of a group were at a step that they have left, all visits of a lead together.
type StepStays struct {
	GroupKey string
	Step     heloc.Step
	Leads    int
	Median   time.Duration // exact, and between two leads linear between their times, as in a spreadsheet
	Most     time.Duration // the 90th percentile, computed like the median
}

// Stayed reads how long leads were at the steps that they have left, by group and step.
func (q queries) Stayed(ctx context.Context, rq ReportQuery) ([]StepStays, error) {
	query, args := stayTimesSQL(rq)
	var rows []struct {
		Group  string     `db:"grp"`
		Step   heloc.Step `db:"step"`
		Leads  int        `db:"leads"`
		Median int64      `db:"median"` // in hundredths of a millisecond, like Most
		Most   int64      `db:"most"`
	}
	if err := q.list(ctx, &rows, query, args...); err != nil {
		return nil, err
	}
	all := make([]StepStays, len(rows))
	for i, r := range rows {
		all[i] = StepStays{r.Group, r.Step, r.Leads, hundredths(r.Median), hundredths(r.Most)}
	}
	return all, nil
}

// hundredths is a duration in hundredths of a millisecond.
func hundredths(n int64) time.Duration { return time.Duration(n) * (time.Millisecond / 100) }

// stayTimesSQL numbers the stays of each group and step from 0, shortest first. A percentile lies p/100 of the way from the
// first to the last. Only the two stays next to that position count, weighted by how near they are to it, in percent. The
// position and the number of stays come from one window, because SQLite sorts the stays again for every window.
func stayTimesSQL(rq ReportQuery) (string, []any) {
	where, args := []string{"l.company = ?", "l.started_on >= ?", "l.started_on <= ?"}, []any{rq.Company, rq.From, rq.To + "-99"}
	add := func(column string, value *string) {
		if value != nil {
			where, args = append(where, column+" = ?"), append(args, *value)
		}
	}
	add("l.originator_uuid", (*string)(rq.Originator))
	add("l.state", rq.State)
	add("l.source", (*string)(rq.Source))
	if rq.Step != "" {
		where, args = append(where, "t.step = ?"), append(args, rq.Step)
	}
	nearness := func(p int) string { return fmt.Sprintf("100 - abs(100 * place - %d * (n - 1))", p) }
	percentile := func(p int) string {
		return "CAST(sum(CASE WHEN " + nearness(p) + " > 0 THEN ms * (" + nearness(p) + ") ELSE 0 END) AS BIGINT)"
	}
	return fmt.Sprintf(`SELECT grp, step, max(n) AS leads, %s AS median, %s AS most FROM (
		SELECT grp, step, ms, row_number() OVER w - 1 AS place, count(*) OVER w AS n FROM (
			SELECT %s AS grp, t.step, t.ms FROM leads l INDEXED BY leads_cohort JOIN lead_stays t ON t.app_uuid = l.app_uuid WHERE %s) AS stays
		WINDOW w AS (PARTITION BY grp, step ORDER BY ms ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS placed
		WHERE %s > 0 OR %s > 0 GROUP BY 1, 2 ORDER BY 1, 2`,
		percentile(50), percentile(90), rq.By.ofLead(), strings.Join(where, " AND "), nearness(50), nearness(90)), args
}
