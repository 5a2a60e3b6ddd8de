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

// Credit says for which originator a report counts a lead.
type Credit = store.Credit

// The credits.
const (
	CreditStarted = store.CreditStarted
	CreditHeld    = store.CreditHeld
)

// Cohort counts the leads of one group.
type Cohort = store.Cohort

// DaysTo is how long leads took from their start to a stage.
type DaysTo = store.DaysTo

// StepStays is how long the leads of a group were at a step that they have left.
type StepStays = store.StepStays

// Period is a number of days, both included, as "2026-09-01".
type Period struct{ From, To string }

// The names of periods. They end today, except for the last month and the last quarter.
const (
	ThisMonth    = "this-month"
	LastMonth    = "last-month"
	ThisQuarter  = "this-quarter"
	LastQuarter  = "last-quarter"
	ThreeMonths  = "3-months"
	SixMonths    = "6-months"
	TwelveMonths = "12-months"
	ThisYear     = "this-year"
)

// PeriodOf returns the days of a period, as of now in the company's time zone. A month, "2026-10", is a period too.
func PeriodOf(name string, now time.Time) Period {
	first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	if month, err := time.Parse(lead.MonthLayout, name); err == nil {
		return Period{month.Format(time.DateOnly), month.AddDate(0, 1, -1).Format(time.DateOnly)}
	}
	quarter := int(now.Month()-time.January) % 3 // months since the quarter began
	before, known := map[string]int{ThisMonth: 0, LastMonth: 1, ThisQuarter: quarter, LastQuarter: quarter + 3,
		SixMonths: 5, TwelveMonths: 11, ThisYear: int(now.Month() - time.January)}[name]
	if !known {
		before = 2
	}
	switch name {
	case LastMonth:
		last = first.AddDate(0, 0, -1)
	case LastQuarter:
		last = first.AddDate(0, -quarter, -1)
	}
	return Period{first.AddDate(0, -before, 0).Format(time.DateOnly), last.Format(time.DateOnly)}
}

// Previous returns the period of the same length before p: as many months, if p is whole months, or as many days.
func (p Period) Previous() Period {
	from, errFrom := time.Parse(time.DateOnly, p.From)
	to, errTo := time.Parse(time.DateOnly, p.To)
	if errFrom != nil || errTo != nil {
		return Period{}
	}
	before := from.Add(from.Sub(to.AddDate(0, 0, 1)))
	if next := to.AddDate(0, 0, 1); from.Day() == 1 && next.Day() == 1 {
		before = from.AddDate(0, -(12*(next.Year()-from.Year()) + int(next.Month()-from.Month())), 0)
	}
	return Period{before.Format(time.DateOnly), from.AddDate(0, 0, -1).Format(time.DateOnly)}
}

// Months lists the months of a period, first to last.
func (p Period) Months() (all []string) {
	for month, err := time.Parse(lead.MonthLayout, p.From[:len("2026-09")]); err == nil &&
		month.Format(lead.MonthLayout) <= p.To[:len("2026-09")]; month = month.AddDate(0, 1, 0) {
		all = append(all, month.Format(lead.MonthLayout))
	}
	return all
}

// ReportFilter selects the leads of a report. The zero value selects all of the last three months.
type ReportFilter struct {
	Period     string // its name, or a month; an unknown one is the default
	Days       Period // instead of Period, unless it is zero
	Funded     bool   // the period means when leads were funded instead of when their inquiries started
	Credit     Credit // whom Originator and GroupOriginator mean; empty is CreditStarted
	Originator *heloc.OriginatorID
	State      *string
	Source     *lead.Source
	By         ReportGroup // empty is by originator
	GroupSteps GroupedSteps
	WithDays   bool // reads how long leads took to the stages instead of how long they were at steps
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

// Report is the figures of the leads whose inquiries started, or that were funded, in a period.
type Report struct {
	Period    Period
	Funded    bool           // Period and Months mean when leads were funded
	Zone      *time.Location // in which days begin and end
	Credit    Credit
	Total     Cohort
	Previous  Cohort         // of the period before, of the same length
	Company   Cohort         // of all originators
	Others    map[string]int // by originator, the leads under the other credit: held now, or started
	Months    []Cohort       // one for each month of the period, also without leads
	By        ReportGroup
	Groups    []Cohort // most inquiries first; months in their order
	Steps     []StepStays
	GroupStep []StepStays // by group and step; empty unless the filter asks for it
	Step      heloc.Step  // the only one in GroupStep; empty if there are all or none
	Days      ReportDays
	People    []lead.Originator // of the company, and of earlier ones those who started leads
	States    []string          // of the company's leads in the period, in alphabetical order; "" is not known
}

// ReportDays is how long the leads of a report took to the stages.
type ReportDays struct {
	Total, Previous, Company, Groups []DaysTo
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
	report := Report{Period: cmp.Or(f.Days, PeriodOf(f.Period, r.d.Now().In(zone))), Zone: zone, Funded: f.Funded,
		Credit: cmp.Or(f.Credit, CreditStarted), By: cmp.Or(f.By, GroupOriginator)}
	if err := r.count(ctx, f, &report); err != nil {
		return Report{}, err
	}
	if report.People, err = r.d.Store.OriginatorsOf(ctx, r.d.Actor.Scope()); err != nil {
		return Report{}, err
	}
	if err := r.addFormerPeople(ctx, &report); err != nil {
		return Report{}, err
	}
	q := r.query(f, report)
	if f.WithDays {
		return report, r.readDays(ctx, q, &report)
	}
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

// query selects the leads of a report.
func (r *Reports) query(f ReportFilter, report Report) store.ReportQuery {
	return store.ReportQuery{Company: r.d.Company(), From: report.Period.From, To: report.Period.To,
		Funded: f.Funded, Credit: report.Credit, Originator: f.Originator, State: f.State, Source: f.Source}
}

// count counts the leads of a report.
func (r *Reports) count(ctx context.Context, f ReportFilter, report *Report) error {
	q := r.query(f, *report)
	states, months, groups, previous, company, others := q, q, q, q, q, q
	states.By, states.Originator, states.State, states.Source = GroupState, nil, nil, nil
	months.By, groups.By = GroupMonth, report.By
	before := report.Period.Previous()
	previous.From, previous.To = before.From, before.To
	company.Originator = nil
	if f.WithDays { // one originator is compared with all
		groups.Originator = nil
	}
	others.By, others.Originator, others.Credit = GroupOriginator, nil, CreditHeld
	if report.Credit == CreditHeld {
		others.Credit = CreditStarted
	}
	queries := []store.ReportQuery{states, months, groups, previous, others}
	if f.Originator != nil {
		queries = append(queries, company)
	}
	counted, err := r.d.Store.Cohorts(ctx, queries...)
	if err != nil {
		return err
	}
	for _, c := range counted[0] {
		report.States = append(report.States, c.GroupKey)
	}
	report.Total = totalOf(counted[1])
	report.Months = withEmptyMonths(counted[1], report.Period)
	if report.Groups = counted[2]; report.By == GroupMonth {
		report.Groups = withEmptyMonths(counted[2], report.Period)
	} else {
		slices.SortStableFunc(report.Groups, func(a, b Cohort) int { return cmp.Compare(b.Inquiries, a.Inquiries) })
	}
	report.Previous, report.Company, report.Others = totalOf(counted[3]), report.Total, map[string]int{}
	for _, c := range counted[4] {
		report.Others[c.GroupKey] = c.Inquiries
	}
	if f.Originator != nil {
		report.Company = totalOf(counted[5])
	}
	return nil
}

// addFormerPeople adds to the people of a report those who started leads and have left the company since.
func (r *Reports) addFormerPeople(ctx context.Context, report *Report) error {
	if report.By != GroupOriginator {
		return nil
	}
	for _, c := range report.Groups {
		id := heloc.OriginatorID(c.GroupKey)
		if id == "" || slices.ContainsFunc(report.People, func(o lead.Originator) bool { return o.UUID == id }) {
			continue
		}
		o, err := r.d.Store.Originator(ctx, id)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err == nil {
			report.People = append(report.People, o)
		}
	}
	return nil
}

// readDays reads how long the leads of a report took to the stages.
func (r *Reports) readDays(ctx context.Context, q store.ReportQuery, report *Report) error {
	previous, company, groups := q, q, q
	before := report.Period.Previous()
	previous.From, previous.To = before.From, before.To
	company.Originator, groups.Originator, groups.By = nil, nil, report.By
	queries := []store.ReportQuery{q, previous, groups}
	if q.Originator != nil {
		queries = append(queries, company)
	}
	days, err := r.d.Store.DaysTo(ctx, queries...)
	if err != nil {
		return err
	}
	report.Days = ReportDays{Total: days[0], Previous: days[1], Groups: days[2], Company: days[len(days)-1]}
	if q.Originator == nil {
		report.Days.Company = days[0]
	}
	return nil
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
		"days:" + report.Period.From + ".." + report.Period.To, "leads:" + strconv.Itoa(report.Total.Inquiries)}, " ")
	return report, r.recordExport(ctx, detail)
}

// recordExport logs a file. It does not count toward the limit on exports, because it lists no borrowers.
func (r *Reports) recordExport(ctx context.Context, detail string) error {
	return r.d.WriteBy(ctx, access.ExportPipeline, func(tx *store.Tx) error {
		return r.audit(ctx, tx, store.ActionReportExport, detail)
	})
}

func (r *Reports) audit(ctx context.Context, tx *store.Tx, action store.AuditAction, detail string) error {
	return r.d.AuditAction(ctx, tx, action, "user:"+r.d.Actor.UserID, "done", detail)
}

// totalOf sums up groups.
func totalOf(groups []Cohort) (t Cohort) {
	for _, g := range groups {
		t.Add(g)
	}
	return t
}

// withEmptyMonths adds the months without leads.
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
