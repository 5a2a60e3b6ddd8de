package team

import (
	"strconv"

	"hearthline/internal/desk"
	view "hearthline/views/team"
	"hearthline/views/text"
)

// presentDisabled maps the disabled accounts. The caller sets Page.
func presentDisabled(v text.Viewer, people []desk.DisabledPerson) view.DisabledView {
	var model view.DisabledView
	if len(people) == desk.MaxDisabledPeople {
		model.Note = "The " + strconv.Itoa(len(people)) + " accounts that were disabled last."
	}
	for _, p := range people {
		row := presentPersonRow(v, p.TeamPerson)
		model.People = append(model.People, view.DisabledRow{PersonRow: row, When: v.DateTime(text.TimeOfMillis(p.DisabledAt)), By: disablerText(v, p)})
	}
	return model
}

// disablerText says who disabled an account.
func disablerText(v text.Viewer, p desk.DisabledPerson) string {
	switch p.By {
	case desk.DisablerColleague:
		if p.ByID == v.Who.UserID {
			return "You"
		}
		return text.OrDash(p.ByName)
	case desk.DisablerAdmin:
		return "An administrator"
	case desk.DisablerFormer:
		return "A former user"
	case desk.DisablerDirectory:
		return "Hearthline, because the lender’s directory no longer listed this person"
	case desk.DisablerSystem:
		return "Hearthline, by a command on the server"
	default:
		return "Not recorded"
	}
}
