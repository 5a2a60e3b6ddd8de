package team

import (
	"strings"

	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/lead"

	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/web/page"
)

// presentAssigneeSearch maps the originators that a search found, with their NMLS numbers to tell apart people with the
// same name. Those who may not act in the property's state cannot be chosen.
func presentAssigneeSearch(v text.Viewer, typed string, found deskreassign.Targets) view.PersonSearchView {
	search := view.PersonSearchView{Query: typed, ResultText: page.SearchResultText(typed, found.DirectoryResult)}
	for _, t := range found.List {
		note := text.JoinNonEmpty(" · ", text.NMLSOrUnknown(t.NMLS), t.BrokerName, t.Email, licensesText(t),
			awayText(v, t.Availability))
		search.People = append(search.People, ui.Option{Value: string(t.UUID), Label: t.Name(), Note: note,
			Disabled: t.Barred()})
	}
	return search
}

// licensesText states what is known about an originator's licenses in the states of the properties. An unknown license
// is no reason to reject a reassignment; it tells the user to ask first.
func licensesText(t deskreassign.Target) string {
	if len(t.Held) == 0 {
		return missingLicenses(t)
	}
	return text.JoinNonEmpty(". ", missingLicenses(t), "Licensed: "+strings.Join(t.Held, ", "))
}

// awayText says why an originator would not see a lead now; empty if they can.
func awayText(v text.Viewer, a lead.Availability) string {
	if a.HasAccount && a.Absence == nil && !a.NoLeads {
		return ""
	}
	return availabilityText(v, a)
}
