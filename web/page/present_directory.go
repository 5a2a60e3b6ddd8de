package page

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/views/ui"
	"hearthline/web/format"
	"strconv"
)

// SearchResultText says how many were found, or why nobody was.
func SearchResultText(typed string, f desk.DirectoryResult) string {
	switch {
	case f.Total > len(f.People):
		return "The first " + strconv.Itoa(len(f.People)) + " of " + strconv.Itoa(f.Total) + "; type more of the name"
	case f.Total > 0:
		return format.Pluralize(f.Total, "person", "people")
	case f.LenderSilent:
		return "Nobody here has this e-mail, and the lender does not answer. Try again in a moment."
	case f.LenderAsked:
		return "Nobody of this company has this e-mail, neither here nor at the lender."
	case typed != "":
		return "Nobody fits. Type the full e-mail, and the lender is asked."
	default:
		return "Nobody else is known here yet."
	}
}

// PresentDirectory maps it. Page is the caller's.
func PresentDirectory(v format.Viewer, typed string, f desk.DirectoryResult) views.OriginatorsView {
	view := views.OriginatorsView{
		Query: typed, ResultText: SearchResultText(typed, f), ReadText: "Not read from the lender yet",
		Empty: ui.EmptyView{Icon: "users", Title: "Nobody here.", Text: SearchResultText(typed, f)},
	}
	if !f.SyncedAt.IsZero() {
		view.ReadText = "Read from the lender " + v.AgeText(f.SyncedAt)
	}
	for _, o := range f.People {
		row := views.PersonRow{
			ID: string(o.UUID), Name: format.JoinNonEmpty(" ", o.FirstName, o.MiddleName, o.LastName), Email: o.Email, Phone: heloc.FormatPhone(o.Phone), NMLS: o.NMLS,
			Company: o.BrokerName, CompanyNMLS: o.BrokerNMLS, LastSeen: v.AgeText(format.TimeOfMillis(o.SyncedAt)),
		}
		if o.BrokerID == "" {
			row.Company = o.Organization
		}
		if o.RemovedAt != 0 {
			row.NotInDirectory = "No longer there, " + v.DateTimeInText(format.TimeOfMillis(o.RemovedAt))
		}
		view.People = append(view.People, row)
	}
	return view
}
