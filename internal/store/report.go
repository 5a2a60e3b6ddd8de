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
	Group        string `db:"grp"` // originator, month, state or source; empty without a grouping
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

// StepStays counts the leads of a group that have left a step, by how long they were there.
type StepStays struct {
	Group  string
	Step   heloc.Step
	Counts []int // by migrations.StayEdges; the last one counts longer stays
}

// Leads counts all of them.
func (s StepStays) Leads() (n int) {
	for _, c := range s.Counts {
		n += c
	}
	return n
}

// Within returns the shortest of the edges within which a share of the leads has left the step, in percent; longer is set
// when it is longer than the last edge, which is returned then.
func (s StepStays) Within(percent int) (stay time.Duration, longer bool) {
	all, n := s.Leads(), 0
	for i, c := range s.Counts {
		n += c
		if i < len(migrations.StayEdges) && n*100 >= all*percent {
			return time.Duration(migrations.StayEdges[i]) * time.Millisecond, false
		}
	}
	return time.Duration(migrations.StayEdges[len(migrations.StayEdges)-1]) * time.Millisecond, true
}

// Stayed reads how long leads were at the steps that they have left, by group and step.
func (q queries) Stayed(ctx context.Context, rq ReportQuery) ([]StepStays, error) {
	query, args := stayedCountsSQL(rq)
	span := q.startStatement(ctx)
	defer span.End()
	rows, err := q.db.QueryxContext(ctx, q.engine.sql(query), args...)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var all []StepStays
	for rows.Next() {
		s := StepStays{Counts: make([]int, len(migrations.StayEdges)+1)}
		into := []any{&s.Group, &s.Step}
		for i := range s.Counts {
			into = append(into, &s.Counts[i])
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		if s.Leads() > 0 {
			all = append(all, s)
		}
	}
	return all, rows.Err()
}

// Every row has many columns, so by originator the table itself is read, and not an index that leads to it. Each
// originator with rows here has leads.
func stayedCountsSQL(rq ReportQuery) (string, []any) {
	where, args := rq.condition()
	table := rq.table("lead_stay_counts")
	if rq.By == GroupOriginator && rq.Originator == nil {
		table, where, args = "lead_stay_counts NOT INDEXED", "originator_uuid IN (SELECT originator_uuid FROM lane_counts WHERE company = ?) AND "+where, append([]any{rq.Company}, args...)
	}
	if rq.Step != "" {
		where, args = where+" AND step = ?", append(args, rq.Step)
	}
	columns := migrations.StayColumns()
	for i, c := range columns {
		columns[i] = "sum(" + c + ")"
	}
	return fmt.Sprintf(`SELECT %s AS grp, step, %s FROM %s WHERE %s GROUP BY 1, 2 ORDER BY 1, 2`, rq.By.column(), strings.Join(columns, ", "), table, where), args
}
