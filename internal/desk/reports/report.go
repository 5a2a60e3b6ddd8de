// Package reports has the handle of a company's figures: report.go, and monthly_report.go, the monthly summary by
// email.
package reports

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Reports is a company's figures, for its managers. They are counted when they are shown.
type Reports struct{ d core.Desk }

// Open returns the company's figures; fault.Denied without the permission.
func Open(d core.Desk) (*Reports, error) { return core.Opened(&Reports{d}, d.May(access.SeeTeam)) }

// The groups of a report.
const (
	GroupOriginator = store.GroupOriginator
	GroupMonth      = store.GroupMonth
	GroupState      = store.GroupState
	GroupSource     = store.GroupSource
)

// ReportGroup is by what a report groups leads.
type ReportGroup = store.ReportGroup

// ReportGroups lists the groups in the order in which screens offer them.
func ReportGroups() []ReportGroup {
	return []ReportGroup{GroupOriginator, GroupMonth, GroupState, GroupSource}
}

// Cohort counts the leads of one group.
type Cohort = store.Cohort

// StepStays is how long the leads of a group were at a step that they have left.
type StepStays = store.StepStays

// Period is a number of months, both included, as "2026-09".
type Period struct{ From, To string }

// The names of periods. They end with the current month, except for the last month.
const (
	ThisMonth    = "this-month"
	LastMonth    = "last-month"
	ThreeMonths  = "3-months"
	SixMonths    = "6-months"
	TwelveMonths = "12-months"
	ThisYear     = "this-year"
)

// PeriodOf returns the months of a period, as of now in the company's time zone. A month, "2026-10", is a period too.
func PeriodOf(name string, now time.Time) Period {
	if _, err := time.Parse(lead.MonthLayout, name); err == nil {
		return Period{name, name}
	}
	first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location())
	before, known := map[string]int{ThisMonth: 0, LastMonth: 1, SixMonths: 5, TwelveMonths: 11,
		ThisYear: int(now.Month() - time.January)}[name]
	if !known {
		before = 2
	}
	from, to := first.AddDate(0, -before, 0), first
	if name == LastMonth {
		to = from
	}
	return Period{from.Format(lead.MonthLayout), to.Format(lead.MonthLayout)}
}

// Months lists the months of a period, first to last.
func (p Period) Months() (all []string) {
	month, err := time.Parse(lead.MonthLayout, p.From)
	for err == nil && month.Format(lead.MonthLayout) <= p.To {
		all = append(all, month.Format(lead.MonthLayout))
		month = month.AddDate(0, 1, 0)
	}
	return all
}

// ReportFilter selects the leads of a report. The zero value selects all of the last three months.
type ReportFilter struct {
	Period     string // its name, or a month; an unknown one is the default
	Originator *heloc.OriginatorID
	State      *string
	Source     *lead.Source
	By         ReportGroup // empty is by originator
	GroupSteps GroupedSteps
	// with OneStep; one that no lead has left, or empty, is the one at which leads spent the most time
	Step heloc.Step
}

// GroupedSteps says at which steps the time is read by group too. Many originators times all steps are too many rows
// for a page.
type GroupedSteps int

// The steps.
const (
	NoSteps GroupedSteps = iota
	OneStep
	AllSteps
)

// Report is the figures of the leads whose inquiries started in a period.
type Report struct {
	Period    Period
	Zone      *time.Location // in which months begin and end
	Total     Cohort
	Months    []Cohort // one for each month of the period, also without leads
	By        ReportGroup
	Groups    []Cohort // most inquiries first; months in their order
	Steps     []StepStays
	GroupStep []StepStays // by group and step; empty unless the filter asks for it
	Step      heloc.Step  // the only one in GroupStep; empty if there are all or none
	People    []lead.Originator
	States    []string // of the company's leads in the period, in alphabetical order; "" is not known
}

// Read computes a report.
func (r *Reports) Read(ctx context.Context, f ReportFilter) (Report, error) {
	if err := r.d.May(access.SeeTeam); err != nil {
		return Report{}, err
	}
	zone, err := r.d.Store.CompanyZone(ctx, r.d.Company())
	if err != nil {
		return Report{}, err
	}
	report := Report{Period: PeriodOf(f.Period, r.d.Now().In(zone)), Zone: zone, By: cmp.Or(f.By, GroupOriginator)}
	states := store.ReportQuery{Company: r.d.Company(), From: report.Period.From, To: report.Period.To, By: GroupState}
	q := states
	q.Originator, q.State, q.Source = f.Originator, f.State, f.Source
	months, groups := q, q
	months.By, groups.By = GroupMonth, report.By
	counted, err := r.d.Store.Cohorts(ctx, states, months, groups)
	if err != nil {
		return Report{}, err
	}
	for _, c := range counted[0] {
		report.States = append(report.States, c.GroupKey)
	}
	report.Total = totalOf(counted[1])
	report.Months = withEmptyMonths(counted[1], report.Period)
	if report.Groups = report.Months; report.By != GroupMonth {
		report.Groups = counted[2]
		slices.SortStableFunc(report.Groups, func(a, b Cohort) int { return cmp.Compare(b.Inquiries, a.Inquiries) })
	}
	if report.People, err = r.d.Store.OriginatorsOf(ctx, r.d.Actor.Scope()); err != nil {
		return Report{}, err
	}
	q.By = ""
	if report.Steps, err = r.d.Store.Stayed(ctx, q); err != nil {
		return Report{}, err
	}
	if f.GroupSteps == OneStep {
		report.Step = longestStep(report.Steps)
		if slices.ContainsFunc(report.Steps, func(s StepStays) bool { return s.Step == f.Step }) {
			report.Step = f.Step
		}
	}
	if q.By, q.Step = report.By, report.Step; q.Step != "" || f.GroupSteps == AllSteps {
		if report.GroupStep, err = r.d.Store.Stayed(ctx, q); err != nil {
			return Report{}, err
		}
	}
	return report, nil
}

// ReportedSteps lists the steps whose time is reported, in the order in which leads reach them.
func ReportedSteps() []heloc.Step {
	return []heloc.Step{
		heloc.StepUnknown, heloc.StepSelectProperty, heloc.StepCreditMatch, heloc.StepUnfreezeCredit, heloc.StepLienMatching,
		heloc.StepMoreAssets, heloc.StepPayoff, heloc.StepPropertyValue, heloc.StepNoOffers, heloc.StepOffersAvailable,
		heloc.StepBorrowerAuth, heloc.StepBrokerDocSigning, heloc.StepComplete,
	}
}

// longestStep returns the reported step at which leads spent the most time, as the median times their number, so that
// one lead that was at a rare step for a week does not count for much; empty if no lead has left a step.
func longestStep(stays []StepStays) (step heloc.Step) {
	var longest time.Duration
	for _, s := range stays {
		if total := s.Median * time.Duration(s.Leads); total > longest && slices.Contains(ReportedSteps(), s.Step) {
			step, longest = s.Step, total
		}
	}
	return step
}

// SetZone sets the time zone in which the company's months begin, by its IANA name. All of its leads move to the months
// in which they started there.
func (r *Reports) SetZone(ctx context.Context, name string) error {
	if err := r.d.May(access.SeeTeam); err != nil {
		return err
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return fault.InvalidField("zone", "Choose a time zone")
	}
	return r.d.WriteBy(ctx, access.SeeTeam, func(tx *store.Tx) error {
		if err := tx.SetCompanyZone(ctx, r.d.Company(), zone); err != nil {
			return err
		}
		return r.audit(ctx, tx, store.ActionReportZone, "zone:"+zone.String())
	})
}

// Export reads a report for a file and logs that.
func (r *Reports) Export(ctx context.Context, name string, f ReportFilter) (Report, error) {
	if err := r.d.May(access.ExportPipeline); err != nil {
		return Report{}, err
	}
	report, err := r.Read(ctx, f)
	if err != nil {
		return report, err
	}
	detail := strings.Join([]string{"report:" + name, "by:" + string(report.By),
		"months:" + report.Period.From + ".." + report.Period.To, "leads:" + strconv.Itoa(report.Total.Inquiries)}, " ")
	return report, r.recordExport(ctx, detail)
}

// recordExport counts a file and logs it.
func (r *Reports) recordExport(ctx context.Context, detail string) error {
	return r.d.RecordLimit(ctx, r.d.WriteBy(ctx, access.ExportPipeline, func(tx *store.Tx) error {
		if err := r.d.CountUse(ctx, tx, core.UseExports); err != nil {
			return err
		}
		return r.audit(ctx, tx, store.ActionReportExport, detail)
	}))
}

func (r *Reports) audit(ctx context.Context, tx *store.Tx, action store.AuditAction, detail string) error {
	return r.d.AuditAction(ctx, tx, action, "user:"+r.d.Actor.UserID, "done", detail)
}

// totalOf sums up groups.
func totalOf(groups []Cohort) (t Cohort) {
	for _, g := range groups {
		t.Inquiries += g.Inquiries
		t.Offers += g.Offers
		t.Selected += g.Selected
		t.Applications += g.Applications
		t.Funded += g.Funded
		t.Declined += g.Declined
		t.Withdrawn += g.Withdrawn
		t.Canceled += g.Canceled
		t.Expired += g.Expired
		t.Closed += g.Closed
		t.AppDeclined += g.AppDeclined
		t.AppWithdrawn += g.AppWithdrawn
		t.AppCanceled += g.AppCanceled
		t.AppExpired += g.AppExpired
	}
	return t
}

// withEmptyMonths adds the months in which no inquiry started.
func withEmptyMonths(counted []Cohort, p Period) []Cohort {
	var all []Cohort
	for _, month := range p.Months() {
		c := Cohort{GroupKey: month}
		if at := slices.IndexFunc(counted, func(g Cohort) bool { return g.GroupKey == month }); at >= 0 {
			c = counted[at]
		}
		all = append(all, c)
	}
	return all
}

// The maximum number of differences that the figures report lists on a page and in a file.
const (
	FiguresOnPage = 100
	figuresInFile = 10_000
)

// BookedOtherwise is a selection for which the lender booked figures that differ from what the borrower was shown.
type BookedOtherwise = store.BookedOtherwise

// FigureReport compares what borrowers of the company were shown at selections with what the lender booked.
type FigureReport struct {
	Counts      []lead.FigureCounts
	Differences []BookedOtherwise // newest first
	More        bool              // there are more differences
}

// Figures reads the comparisons of the company.
func (r *Reports) Figures(ctx context.Context) (FigureReport, error) {
	return r.figures(ctx, FiguresOnPage)
}

func (r *Reports) figures(ctx context.Context, limit int) (FigureReport, error) {
	if err := r.d.May(access.SeeTeam); err != nil {
		return FigureReport{}, err
	}
	ctx, end, err := r.d.Store.Snapshot(ctx)
	if err != nil {
		return FigureReport{}, err
	}
	defer end()
	counts, err := r.d.Store.FigureCounts(ctx, r.d.Company())
	if err != nil {
		return FigureReport{}, err
	}
	var report FigureReport
	if report.Counts, err = r.d.FigureCounts(ctx, counts); err != nil {
		return FigureReport{}, err
	}
	if report.Differences, err = r.d.Store.BookedOtherwise(ctx, r.d.Company(), limit+1); err != nil {
		return FigureReport{}, err
	}
	if report.More = len(report.Differences) > limit; report.More {
		report.Differences = report.Differences[:limit]
	}
	return report, nil
}

// ExportFigures reads the comparisons for a file and logs that.
func (r *Reports) ExportFigures(ctx context.Context) (FigureReport, error) {
	if err := r.d.May(access.ExportPipeline); err != nil {
		return FigureReport{}, err
	}
	report, err := r.figures(ctx, figuresInFile)
	if err != nil {
		return report, err
	}
	return report, r.recordExport(ctx, "report:figures leads:"+strconv.Itoa(len(report.Differences)))
}
