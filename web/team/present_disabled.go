package team

import (
	"strconv"

	deskteam "hearthline/internal/desk/team"

	view "hearthline/views/team"
	"hearthline/views/text"
)

// presentDisabled maps the disabled accounts. The caller sets Page.
func presentDisabled(v text.Viewer, people []deskteam.DisabledPerson) view.DisabledView {
	var model view.DisabledView
	if len(people) == deskteam.MaxDisabledPeople {
		model.Note = "The " + strconv.Itoa(len(people)) + " accounts that were disabled last."
	}
	for _, p := range people {
		row := presentPersonRow(v, p.Person)
		model.People = append(model.People, view.DisabledRow{PersonRow: row,
			When: v.DateTime(text.TimeOfMillis(p.DisabledAt)), By: disablerText(v, p)})
	}
	return model
}

// disablerText says who disabled an account.
func disablerText(v text.Viewer, p deskteam.DisabledPerson) string {
	switch p.By {
	case deskteam.DisablerColleague:
		if p.ByID == v.Who.UserID {
			return "You"
		}
		return text.OrDash(p.ByName)
	case deskteam.DisablerAdmin:
		return "An administrator"
	case deskteam.DisablerFormer:
		return "A former user"
	case deskteam.DisablerDirectory:
		return "Hearthline, because the lender’s directory no longer listed this person"
	case deskteam.DisablerSystem:
		return "Hearthline, by a command on the server"
	default:
		return "Not recorded"
	}
}
