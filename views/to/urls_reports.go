package to

// ReportQuery is the state of a report; the URL contains all of it. The zero value is the default report.
type ReportQuery struct {
	Period     string // 3-months, this-month, last-month, 6-months, 12-months, this-year
	Originator string // originator uuid, or NoOriginator
	State      string // two letters, or NoState
	Source     string // portal, crm, adopted, unknown
	By         string // originator, month, state, source
	Step       string // the step whose time is compared
}

// Filtered reports whether the report covers only some of the company's leads.
func (q ReportQuery) Filtered() bool { return q.Originator != "" || q.State != "" || q.Source != "" }

func (q ReportQuery) apply(address string) string {
	return query(address, "period", q.Period, "originator", q.Originator, "state", q.State, "source", q.Source, "by", q.By,
		"step", q.Step)
}

// FiguresReport compares what borrowers were shown with what the lender booked. It has no query.
const FiguresReport = "figures"

// ReportNames lists the reports about the leads of a period.
func ReportNames() []string { return []string{"funnel", "pull-through", "fallout", "time-in-step"} }

// ReportsWith is the overview of all reports with filters.
func (b Base) ReportsWith(q ReportQuery) string { return q.apply(b.Reports()) }

// Report is one of ReportNames, or FiguresReport.
func (b Base) Report(name string, q ReportQuery) string { return q.apply(b.at("reports", name)) }

// ReportCSV is the same report as a CSV file.
func (b Base) ReportCSV(name string, q ReportQuery) string {
	return q.apply(b.at("reports", name+".csv"))
}

// ReportZone sets the time zone of the company's months.
func (b Base) ReportZone() string { return b.at("reports", "zone") }

// MonthlyReport turns the monthly summary by email on or off.
func (b Base) MonthlyReport() string { return b.at("account", "monthly-report") }

// MonthlyReportSetting is where the account page has that setting.
func MonthlyReportSetting() string { return Full.Account() + "#monthly-report" }
