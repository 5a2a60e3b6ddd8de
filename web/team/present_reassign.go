package team

import (
	"strings"

	"hearthline/internal/desk"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/views/words"
	"hearthline/web/format"
	"hearthline/web/page"
)

// presentAssigneeSearch maps whom a search found: each with the NMLS number, by which two people of
// one name are told.
func presentAssigneeSearch(typed string, f desk.DirectoryResult) views.PersonSearchView {
	v := views.PersonSearchView{Query: typed, ResultText: page.SearchResultText(typed, f)}
	for _, o := range f.People {
		v.People = append(v.People, ui.Option{Value: string(o.UUID), Label: o.Name(), Note: format.JoinNonEmpty(" · ", format.NMLSOrUnknown(o.NMLS), o.BrokerName, o.Email, licensedStatesText(f.Licenses[o.UUID]))})
	}
	return v
}

// licensedStatesText say what is known of somebody's licences where the properties lie. Not known is
// no reason to refuse, but to ask before they have the borrower.
func licensedStatesText(known []desk.LicenseInState) string {
	said := map[desk.LicenseStatus]string{desk.LicenseHeld: "licensed in ", desk.LicenseUnknown: "not known to be licensed in ", desk.LicenseMissing: "not licensed in "}
	var all []string
	for _, held := range []desk.LicenseStatus{desk.LicenseMissing, desk.LicenseUnknown, desk.LicenseHeld} {
		var names []string
		for _, in := range known {
			if in.LicenseStatus == held {
				names = append(names, words.State(in.State))
			}
		}
		if len(names) > 0 {
			all = append(all, said[held]+strings.Join(names, ", "))
		}
	}
	return strings.Join(all, ", ")
}
