package text

// reportSources are the sources of inquiries by their names in URLs.
var reportSources = [][2]string{
	{"portal", "Started in Hearthline"}, {"crm", "Started from a CRM record"}, {"adopted", "Added by application ID"},
	{"unknown", "Not recorded"},
}

// ReportSources returns the sources as value and text.
func ReportSources() [][2]string { return append([][2]string{}, reportSources...) }

// ReportSource returns the text of a source.
func ReportSource(source string) string { return OptionText(reportSources, source) }

// reportPeriods are the periods by their names in URLs.
var reportPeriods = [][2]string{
	{"3-months", "Last 3 months"}, {"this-month", "This month"}, {"last-month", "Last month"},
	{"6-months", "Last 6 months"}, {"12-months", "Last 12 months"}, {"this-year", "This year"},
}

// ReportPeriods returns the periods as value and text; the first is the default.
func ReportPeriods() [][2]string { return append([][2]string{}, reportPeriods...) }

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
