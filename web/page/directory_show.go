package page

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/web/format"
	"strconv"
)

// foundWords says how many were found, or why nobody was.
func FoundWords(typed string, f desk.Found) string {
	switch {
	case f.All > len(f.People):
		return "The first " + strconv.Itoa(len(f.People)) + " of " + strconv.Itoa(f.All) + "; type more of the name"
	case f.All > 0:
		return format.Counted(f.All, "person", "people")
	case f.Silent:
		return "Nobody here has this e-mail, and the lender does not answer. Try again in a moment."
	case f.Asked:
		return "Nobody of this company has this e-mail, neither here nor at the lender."
	case typed != "":
		return "Nobody fits. Type the full e-mail, and the lender is asked."
	default:
		return "Nobody else is known here yet."
	}
}

// showDirectory maps it. Page is the caller's.
func ShowDirectory(v format.Viewer, typed string, f desk.Found) views.OriginatorsView {
	view := views.OriginatorsView{
		Query: typed, Found: FoundWords(typed, f), Fresh: "Not read from the lender yet",
		Empty: ui.EmptyView{Icon: "users", Title: "Nobody here.", Text: FoundWords(typed, f)},
	}
	if !f.SyncedAt.IsZero() {
		view.Fresh = "Read from the lender " + v.Age(f.SyncedAt)
	}
	for _, o := range f.People {
		row := views.PersonRow{
			ID: string(o.UUID), Name: format.Joined(" ", o.FirstName, o.MiddleName, o.LastName), Email: o.Email, Phone: heloc.FormatPhone(o.Phone), NMLS: o.NMLS,
			Company: o.BrokerName, CompanyNMLS: o.BrokerNMLS, Seen: v.Age(format.Instant(o.SyncedAt)),
		}
		if o.BrokerID == "" {
			row.Company = o.Organization
		}
		if o.GoneAt != 0 {
			row.Gone = "No longer there, " + v.Within(format.Instant(o.GoneAt))
		}
		view.People = append(view.People, row)
	}
	return view
}
