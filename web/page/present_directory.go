package page

import (
	"strconv"

	"hearthline/internal/lead"

	"hearthline/internal/heloc"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// SearchResultText states how many people were found, or why nobody was.
func SearchResultText(typed string, result lead.DirectoryResult) string {
	switch {
	case result.Total > len(result.People) && typed == "":
		return "First " + strconv.Itoa(len(result.People)) + " of " + strconv.Itoa(result.Total)
	case result.Total > len(result.People):
		return "First " + strconv.Itoa(len(result.People)) + " of " + strconv.Itoa(result.Total) +
			". Enter more of the name to narrow the list"
	case result.Total > 0:
		return text.Pluralize(result.Total, "originator", "originators")
	case result.LenderSilent:
		return "No originator here has this email, and the lender isn’t responding. Try again in a minute."
	case result.LenderAsked:
		return "No originator at your company has this email, in Hearthline or with the lender."
	case typed != "":
		return "No match. Enter a full email to look it up with the lender."
	default:
		return "No other originators yet."
	}
}

// PresentDirectory maps the result of a directory search. The caller sets Page.
func PresentDirectory(v text.Viewer, typed string, result lead.DirectoryResult) view.OriginatorsView {
	model := view.OriginatorsView{
		Query: typed, ResultText: text.Pluralize(result.Total, "originator", "originators"),
		ReadText: "Not loaded from the lender yet",
		Empty:    ui.EmptyView{Icon: "users", Title: "No originators found.", Text: SearchResultText(typed, result)},
	}
	if result.Total > 0 {
		model.ResultText = SearchResultText(typed, result)
	}
	if !result.SyncedAt.IsZero() {
		model.ReadText = "Updated from the lender " + v.AgeText(result.SyncedAt)
	}
	for _, o := range result.People {
		row := view.PersonRow{
			ID: string(o.UUID), Name: text.JoinNonEmpty(" ", o.FirstName, o.MiddleName, o.LastName),
			Email: o.Email, Phone: heloc.FormatPhone(o.Phone), NMLS: o.NMLS,
			Company: o.BrokerName, CompanyNMLS: o.BrokerNMLS, LastSeen: v.AgeText(text.TimeOfMillis(o.SyncedAt)),
		}
		if o.BrokerID == "" {
			row.Company = o.Organization
		}
		if o.RemovedAt != 0 {
			row.NotInDirectory = "Removed by the lender, " + v.DateTimeInText(text.TimeOfMillis(o.RemovedAt))
		}
		model.People = append(model.People, row)
	}
	return model
}
