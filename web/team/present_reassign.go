package team

import (
	"strings"

	"hearthline/internal/desk"
	view "hearthline/views/team"
	"hearthline/views/ui"
	"hearthline/web/format"
	"hearthline/web/page"
)

// presentAssigneeSearch maps the people that a search found, with their NMLS numbers to tell apart
// people with the same name.
func presentAssigneeSearch(typed string, result desk.DirectoryResult) view.PersonSearchView {
	v := view.PersonSearchView{Query: typed, ResultText: page.SearchResultText(typed, result)}
	for _, o := range result.People {
		v.People = append(v.People, ui.Option{Value: string(o.UUID), Label: o.Name(), Note: format.JoinNonEmpty(" · ", format.NMLSOrUnknown(o.NMLS), o.BrokerName, o.Email, licensedStatesText(result.Licenses[o.UUID]))})
	}
	return v
}

// licensedStatesText states what is known about an originator's licenses in the states of the
// properties. An unknown license is no reason to reject a reassignment; it tells the user to ask
// first.
func licensedStatesText(known []desk.LicenseInState) string {
	prefixes := map[desk.LicenseStatus]string{desk.LicenseHeld: "Licensed: ", desk.LicenseUnknown: "No license on file: ", desk.LicenseMissing: "Not licensed: "}
	var all []string
	for _, status := range []desk.LicenseStatus{desk.LicenseMissing, desk.LicenseUnknown, desk.LicenseHeld} {
		var names []string
		for _, in := range known {
			if in.LicenseStatus == status {
				names = append(names, in.State)
			}
		}
		if len(names) > 0 {
			all = append(all, prefixes[status]+strings.Join(names, ", "))
		}
	}
	return strings.Join(all, ". ")
}
