package text

import (
	"strings"

	"hearthline/internal/lead"
)

// launchFieldTypes describes what a field of a launch contains.
var launchFieldTypes = map[lead.LaunchFieldType]string{
	lead.LaunchText:    "Text",
	lead.LaunchDate:    "Date: YYYY-MM-DD or MM/DD/YYYY",
	lead.LaunchDollars: "Dollars",
	lead.LaunchPercent: "Percent",
	lead.LaunchPhone:   "10-digit phone number",
	lead.LaunchEmail:   "Email address",
	lead.LaunchState:   "State, by its name or two letters",
	lead.LaunchZIP:     "ZIP code: 5 or 9 digits",
	lead.LaunchYesNo:   "true or false, as text",
}

// LaunchFields returns name, type and example of every field that a launch can fill in.
func LaunchFields() (rows [][]string) {
	for _, f := range lead.LaunchFields() {
		kind := launchFieldTypes[f.Type]
		if f.Type == lead.LaunchChoice {
			kind = "One of " + strings.Join(lead.LaunchChoices(f.Name), ", ")
		}
		rows = append(rows, []string{f.Name, kind, f.Example})
	}
	return rows
}
