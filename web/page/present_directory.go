package page

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	view "hearthline/views/page"
	"hearthline/views/ui"
	"hearthline/web/format"
	"strconv"
)

// SearchResultText states how many people were found, or why nobody was.
func SearchResultText(typed string, result desk.DirectoryResult) string {
	switch {
	case result.Total > len(result.People):
		return "The first " + strconv.Itoa(len(result.People)) + " of " + strconv.Itoa(result.Total) + "; type more of the name"
	case result.Total > 0:
		return format.Pluralize(result.Total, "person", "people")
	case result.LenderSilent:
		return "Nobody here has this e-mail, and the lender does not answer. Try again in a moment."
	case result.LenderAsked:
		return "Nobody of this company has this e-mail, neither here nor at the lender."
	case typed != "":
		return "Nobody fits. Type the full e-mail, and the lender is asked."
	default:
		return "Nobody else is known here yet."
	}
}

// PresentDirectory maps the result of a directory search. The caller sets Page.
func PresentDirectory(v format.Viewer, typed string, result desk.DirectoryResult) view.OriginatorsView {
	model := view.OriginatorsView{
		Query: typed, ResultText: SearchResultText(typed, result), ReadText: "Not read from the lender yet",
		Empty: ui.EmptyView{Icon: "users", Title: "Nobody here.", Text: SearchResultText(typed, result)},
	}
	if !result.SyncedAt.IsZero() {
		model.ReadText = "Read from the lender " + v.AgeText(result.SyncedAt)
	}
	for _, o := range result.People {
		row := view.PersonRow{
			ID: string(o.UUID), Name: format.JoinNonEmpty(" ", o.FirstName, o.MiddleName, o.LastName), Email: o.Email, Phone: heloc.FormatPhone(o.Phone), NMLS: o.NMLS,
			Company: o.BrokerName, CompanyNMLS: o.BrokerNMLS, LastSeen: v.AgeText(format.TimeOfMillis(o.SyncedAt)),
		}
		if o.BrokerID == "" {
			row.Company = o.Organization
		}
		if o.RemovedAt != 0 {
			row.NotInDirectory = "No longer there, " + v.DateTimeInText(format.TimeOfMillis(o.RemovedAt))
		}
		model.People = append(model.People, row)
	}
	return model
}
