package text

import "strings"

// reportSources are the sources of inquiries by their names in URLs.
var reportSources = [][2]string{
	{"portal", "Started in Hearthline"}, {"crm", "Started from a CRM record"}, {"adopted", "Added by application ID"},
	{"unknown", "Not recorded"},
}

// ReportSources returns the sources as value and text.
func ReportSources() [][2]string { return append([][2]string{}, reportSources...) }

// RecordedSources returns the sources that a lead can be recorded with.
func RecordedSources() [][2]string { return ReportSources()[:3] }

// ReportSource returns the text of a source.
func ReportSource(source string) string { return OptionText(reportSources, source) }

// reportPeriods are the periods by their names in URLs.
var reportPeriods = [][2]string{
	{"3-months", "Last 3 months"}, {"this-month", "This month"}, {"last-month", "Last month"},
	{"this-quarter", "This quarter"}, {"last-quarter", "Last quarter"},
	{"6-months", "Last 6 months"}, {"12-months", "Last 12 months"}, {"this-year", "This year"},
}

// ReportPeriods returns the periods as value and text; the first is the default.
func ReportPeriods() [][2]string { return append([][2]string{}, reportPeriods...) }

// reportCredits are the ways to count leads by originator, by their names in URLs.
var reportCredits = [][2]string{{"started", "Started by"}, {"held", "Held by"}}

// ReportCredits returns the credits as value and text; the first is the default.
func ReportCredits() [][2]string { return append([][2]string{}, reportCredits...) }

// ReportDates returns what the days of a report mean, as value and text; the first is the default.
func ReportDates() [][2]string {
	return [][2]string{{"started", "Inquiries started"}, {"funded", "Funded"}}
}

// reportGroups are the groups by their names in URLs.
var reportGroups = [][2]string{{"originator", "Originator"}, {"month", "Month"}, {"state", "State"},
	{"source", "Source"}}

// ReportGroups returns the groups as value and text; the first is the default.
func ReportGroups() [][2]string { return append([][2]string{}, reportGroups...) }

// ReportGroup returns the text of a group.
func ReportGroup(group string) string { return OptionText(reportGroups, group) }

// outcomes are the outcomes of leads by their names in URLs.
var outcomes = [][2]string{
	{"open", "Open"}, {"funded", "Funded"}, {"declined", "Declined"}, {"withdrawn", "Withdrawn"}, {"canceled", "Canceled"},
	{"expired", "Expired"}, {"closed", "Closed without offers"}, {"fallout", "Declined, withdrawn, canceled or expired"},
	{"ended", "Ended without funding"},
}

// Outcome returns the text of an outcome.
func Outcome(outcome string) string { return OptionText(outcomes, outcome) }

// reaches are the stages of the funnel by their names in URLs.
var reaches = [][2]string{
	{"offers", "Offers ready"}, {"selected", "Offer selected"}, {"application", "Became an application"},
	{"funded", "Funded"}, {"no-application", "No application"},
}

// Reached returns the text of how far leads came.
func Reached(reach string) string { return OptionText(reaches, reach) }

// OptionText returns the text of one of several values; "" for an unknown value.
func OptionText(all [][2]string, value string) string {
	for _, one := range all {
		if one[0] == value {
			return one[1]
		}
	}
	return ""
}

// ByteOrderMark marks the file as UTF-8 for spreadsheets, which otherwise garble accented letters.
const ByteOrderMark = "\ufeff"

// EscapeFormula prevents a spreadsheet from reading a text as a formula: it adds an apostrophe
// before a text that, apart from leading whitespace, begins like one.
func EscapeFormula(text string) string {
	if strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") || strings.HasPrefix(text, "\n") {
		return "'" + text
	}
	if first := strings.TrimLeft(text, " \t\r\n\u00a0"); first != "" && strings.ContainsAny(first[:1], "=+-@") {
		return "'" + text
	}
	for _, wide := range []string{"＝", "＋", "－", "＠"} {
		if strings.HasPrefix(text, wide) {
			return "'" + text
		}
	}
	return text
}

// coverActions are the groups of what a covering originator can do, by their names in URLs.
var coverActions = [][2]string{
	{"sent", "Sent to the lender"}, {"contact", "Borrower contacted"}, {"viewed", "Borrower details viewed"},
	{"note", "Note added"}, {"follow-up", "Reminder or follow-up"},
	{"share", "Quote shared or revoked"}, {"repull", "Credit re-pull scheduled or canceled"},
	{"closed", "Closed or reopened"},
}

// CoverAction returns the text of a group.
func CoverAction(action string) string { return OptionText(coverActions, action) }
