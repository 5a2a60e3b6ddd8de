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

// showFind maps whom a search found: each with the NMLS number, by which two people of
// one name are told.
func showFind(typed string, f desk.Found) views.FindView {
	v := views.FindView{Query: typed, Found: page.FoundWords(typed, f)}
	for _, o := range f.People {
		v.People = append(v.People, ui.Option{Value: string(o.UUID), Label: o.Name(), Note: format.Joined(" · ", format.NmlsOf(o.NMLS), o.BrokerName, o.Email, licenceWords(f.Licences[o.UUID]))})
	}
	return v
}

// licenceWords say what is known of somebody's licences where the properties lie. Not known is
// no reason to refuse, but to ask before they have the borrower.
func licenceWords(known []desk.InState) string {
	said := map[desk.Licensed]string{desk.LicenceHeld: "licensed in ", desk.LicenceUnknown: "not known to be licensed in ", desk.LicenceMissing: "not licensed in "}
	var all []string
	for _, held := range []desk.Licensed{desk.LicenceMissing, desk.LicenceUnknown, desk.LicenceHeld} {
		var names []string
		for _, in := range known {
			if in.Licensed == held {
				names = append(names, words.State(in.State))
			}
		}
		if len(names) > 0 {
			all = append(all, said[held]+strings.Join(names, ", "))
		}
	}
	return strings.Join(all, ", ")
}
