package to

import (
	"net/url"
	"strconv"
)

// Originators is the lender's directory.
func (b Base) Originators() string { return b.at("originators") }

// OriginatorsNamed is the directory, searched for a name.
func (b Base) OriginatorsNamed(name string) string { return query(b.Originators(), "q", name) }

// Team is the manager's home page.
func (b Base) Team() string { return b.at("team") }

// TeamPart is one of the manager’s pages: absences, people, rules, settings, stuck, unassigned.
func (b Base) TeamPart(part string) string { return b.at("team", part) }

// LeadAudit is who did what with a lead's borrower. Empty dates do not filter; before is the key of a later page.
func LeadAudit(app, from, to string, before int64) string {
	return leadAudit("audit", app, from, to, before)
}

// LeadAuditCSV is the same as a file.
func LeadAuditCSV(app, from, to string) string { return leadAudit("audit.csv", app, from, to, 0) }

func leadAudit(name, app, from, to string, before int64) string {
	page := ""
	if before != 0 {
		page = strconv.FormatInt(before, 10)
	}
	return query(Full.at("leads", app, name), "from", from, "to", to, "before", page)
}

// StuckQuery is the state of the list of stuck leads. The zero value lists all of them.
type StuckQuery struct {
	Step       string // as the lender names it
	Originator string // originator uuid, or NoOriginator
	After      string // key of the last row of the previous page
}

// Stuck lists the leads that have been at their step for too long.
func Stuck(q StuckQuery) string {
	return query(Full.TeamPart("stuck"), "step", q.Step, "originator", q.Originator, "after", q.After)
}

// DisabledPeople lists the users of the company whose account is disabled.
func DisabledPeople() string { return query(Full.TeamPart("people"), "show", "disabled") }

// TeamPerson is the page of a user of the company.
func TeamPerson(id string) string { return Full.at("team", "people", id) }

// TeamPersonAssistant chooses for whom an assistant of the company works; it takes a POST.
func TeamPersonAssistant(id string) string { return Full.at("team", "people", id, "assistant") }

// TeamPersonClose disables the account of a user of the company; it takes a POST.
func TeamPersonClose(id string) string { return Full.at("team", "people", id, "close") }

// Absence is the page of one absence.
func Absence(id string) string { return Full.at("team", "absences", id) }

// AbsenceQuery is the state of the list of what was done during an absence.
type AbsenceQuery struct {
	ID          string // of the absence
	Did, Status string // filters; "" for all
	After       string // key of the last row of the previous page
}

// AbsenceWork is the page of an absence with a part of what was done.
func AbsenceWork(q AbsenceQuery) string {
	return query(Absence(q.ID), "did", q.Did, "status", q.Status, "after", q.After)
}

// AbsenceAction is an action on an absence: end, delete, seen.
func AbsenceAction(id, act string) string { return Full.at("team", "absences", id, act) }

// AbsenceFor is the absences page with the form filled for a user.
func AbsenceFor(user string) string {
	return query(Full.TeamPart("absences"), "person", user)
}

// RulesAction pauses, resumes or tries the assignment rules; it takes a POST.
func RulesAction(act string) string { return Full.at("team", "rules", act) }

// RulesPage is the assignment rules with a further page of what they did, and a further part of the leads that they
// cannot assign.
func RulesPage(log, waiting string) string {
	return query(Full.TeamPart("rules"), "after", log, "waiting", waiting)
}

// ReassignDeparted reassigns the leads of a departed user; it takes a POST.
func ReassignDeparted(key string) string { return Full.at("team", "unassigned", key) }

// UnassignedPage is a further page of the unassigned leads.
func UnassignedPage(after string) string { return query(Full.TeamPart("unassigned"), "after", after) }

// Reports shows the funnel.
func (b Base) Reports() string { return b.at("reports") }

// Reassignments starts a bulk reassignment.
func (b Base) Reassignments() string { return b.at("reassignments") }

// ReassignList is the page that reassigns all leads of a list.
func ReassignList(q LeadsQuery) string { return q.AfterKey("").apply(Full.Reassignments()) }

// TeamOutReturn lets the leads of an originator who is back go back now; it takes a POST.
func TeamOutReturn(originator string) string { return Full.at("team", "out", originator, "return") }

// TeamOut proposes who gets the open leads of an originator who is out.
func TeamOut(originator string) string { return Full.at("team", "out", originator) }

// Return is what became of the leads of an originator who is back.
func Return(job string) string { return Full.at("team", "returns", job) }

// ReassignmentUndo undoes a bulk reassignment; it takes a POST.
func ReassignmentUndo(id string) string { return Full.at("reassignments", id, "undo") }

// Reassignment is the result of a bulk reassignment, row by row.
func (b Base) Reassignment(id string) string { return b.at("reassignments", id) }

// ReassignmentRetry retries the failed rows of a bulk reassignment.
func (b Base) ReassignmentRetry(id string) string { return b.at("reassignments", id, "retry") }

// Prequalify is the quick estimate.
func (b Base) Prequalify() string { return b.at("prequalify") }

// Operation is a receipt.
func (b Base) Operation(id string) string { return b.at("operations", id) }

// AdoptStart is the URL that settles a lost start with an application id.
func (b Base) AdoptStart(id string) string { return b.at("operations", id, "adopt") }

// OperationUndo undoes a reassignment.
func (b Base) OperationUndo(id string) string { return b.at("operations", id, "undo") }

// Notifications is the inbox after a key; "" is its newest page.
func (b Base) Notifications(after string) string {
	return query(b.at("notifications"), "after", after)
}

// Search finds what the user can jump to. A GET shows the page; a POST with "q" answers it, so that what was typed is
// in no URL.
func (b Base) Search() string { return b.at("search") }

// Events is the stream of live updates.
func (b Base) Events() string { return b.at("events") }

// LenderState says whether the lender responds.
func (b Base) LenderState() string { return b.at("lender-state") }

// Help is a help page.
func (b Base) Help(page string) string { return b.at("help", page) }

// HelpOpenAPI is the OpenAPI description of CRM calls.
func HelpOpenAPI() string { return Full.at("help", "crm", "openapi.json") }

// HelpFile is the download of a sample.
func HelpFile(name string) string { return Full.at("help", "crm", "files", name) }

// Admin is a page of administration, by its part of the URL.
func (b Base) Admin(part string) string { return b.at("admin", part) }

// ConfirmPayments resumes payment estimates that were stopped.
func ConfirmPayments() string { return Full.at("admin", "health", "payments") }

// PolicyReports receives the browsers' reports of content security policy violations.
func PolicyReports() string { return "/policy-reports" }

// Outbox shows the emails of the demo.
func Outbox() string { return "/outbox" }

// DemoAction receives the posts of the demo bar: an event for a lead, a fault.
func DemoAction(act string) string { return "/demo/" + url.PathEscape(act) }

// DemoMissions is what a user practices in the demo; a POST starts over.
func DemoMissions() string { return "/demo/missions" }

// DemoBar is the demo bar alone, for the page of a lead or, without one, for any other page.
func DemoBar(app string) string {
	if app == "" {
		return "/demo/bar"
	}
	return "/demo/bar?" + url.Values{"lead": {app}}.Encode()
}

// DemoEvent simulates the borrower or the lender for one lead.
func DemoEvent(app string) string { return "/demo/leads/" + url.PathEscape(app) }

// AuditHeads is the list of the audit's heads, to be stored elsewhere.
func AuditHeads() string { return "/admin/audit/heads" }

// AuditPage is the page of the filtered audit before a row; 0 is the first page.
func AuditPage(filter url.Values, before int64) string {
	at := ""
	if before > 0 {
		at = strconv.FormatInt(before, 10)
	}
	return query(Full.Admin("audit"), "person", filter.Get("person"), "action", filter.Get("action"), "lead",
		filter.Get("lead"),
		"from", filter.Get("from"), "to", filter.Get("to"), "before", at)
}

// Person is one user account.
func Person(id string) string { return Full.at("admin", "users", id) }

// Licenses saves licenses; ImportLicenses reads a list of them.
func Licenses() string { return Full.Admin("licenses") }

// ImportLicenses previews and saves a list of licenses; it takes a POST.
func ImportLicenses() string { return Full.at("admin", "licenses", "import") }

// SettingsAction saves a part of the company's settings: licenses, import, branding; it takes a POST.
func SettingsAction(part string) string { return Full.at("team", "settings", part) }

// SettingsLicense is the form of a holder's licenses in some states, on the page of the company's settings.
func SettingsLicense(holder string, states ...string) string {
	values := url.Values{"state": states}
	if holder != "" {
		values.Set("holder", holder)
	}
	return Full.TeamPart("settings") + "?" + values.Encode() + "#set"
}

// Branding saves a company's logo and color.
func Branding() string { return Full.Admin("branding") }

// Brand is a file of a company's brand: its logo or its style sheet, by a name with a digest.
func Brand(file string) string { return BrandPrefix + url.PathEscape(file) }

// BrandPrefix is the beginning of the URLs of Brand.
const BrandPrefix = "/brand/"

// SharedQuote is a quote that was shared by a link.
func SharedQuote(token string) string { return "/q/" + url.PathEscape(token) }

// SharedQuoteIn is the same quote in a language, as a page or as a PDF.
func SharedQuoteIn(token, lang string, pdf bool) string {
	as := ""
	if pdf {
		as = "pdf"
	}
	return query(SharedQuote(token), "lang", lang, "as", as)
}

// RequestAction is a decision about a request: approve, decline, withdraw.
func RequestAction(id, act string) string { return Full.at("admin", "requests", id, act) }

// RequestSSOValues requests that single sign-on values count as two factors.
func RequestSSOValues() string { return Full.Admin("requests") }

// PersonAction is an action on a user account: role, sign-out, email, reset, link, close, open, disconnect.
func PersonAction(id, act string) string { return Full.at("admin", "users", id, act) }

// OriginatorsAct is an administrator's decision about the lender's directory: apply, discard, undo.
func OriginatorsAct(act string) string { return Full.at("admin", "originators", act) }

// ReportQuery is the state of a report; the URL contains all of it. The zero value is the default report.
type ReportQuery struct {
	Credit string // held; started is the default
	Dates  string // funded: the days mean when leads were funded; started is the default
	// 3-months, this-month, last-month, this-quarter, last-quarter, 6-months, 12-months, this-year, or a month
	Period     string
	From, To   string // the first and the last day, instead of a period: 09/15/2026
	Originator string // originator uuid, or NoOriginator
	State      string // two letters, or NoState
	Source     string // portal, crm, adopted, unknown
	By         string // originator, month, state, source
	Step       string // the step whose time is compared
}

// Custom reports whether a user has chosen the days.
func (q ReportQuery) Custom() bool { return q.From != "" || q.To != "" }

// Filtered reports whether the report covers only some of the company's leads.
func (q ReportQuery) Filtered() bool { return q.Originator != "" || q.State != "" || q.Source != "" }

func (q ReportQuery) apply(address string) string {
	return query(address, "credit", q.Credit, "dates", q.Dates, "period", q.Period, "from", q.From, "to", q.To,
		"originator", q.Originator, "state", q.State, "source", q.Source,
		"by", q.By, "step", q.Step)
}

// FiguresReport compares what borrowers were shown with what the lender booked. It has no query.
const FiguresReport = "figures"

// ReportNames lists the reports about the leads of a period.
func ReportNames() []string {
	return []string{"scorecard", "funnel", "pull-through", "fallout", "time-in-step"}
}

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

// Views is where a user manages saved views.
func (b Base) Views() string { return b.at("views") }

// SaveView saves the list of a query; it takes a POST.
func (b Base) SaveView(q LeadsQuery) string { return q.apply(b.at("views")) }

// FirstView opens the user's first saved view; a POST sets whether it opens when they sign in.
func (b Base) FirstView() string { return b.at("views", "first") }

// ViewName renames a saved view.
func (b Base) ViewName(id string) string { return b.at("views", id) }

// ViewAction is another action on a saved view: delete, up, share, unshare.
func (b Base) ViewAction(id, action string) string { return b.at("views", id, action) }
