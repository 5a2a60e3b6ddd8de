package page

import (
	"net/http"

	"hearthline/views/to"
	"hearthline/views/ui"
)

// Destination is a page that the search offers, by its name.
type Destination struct {
	Label, Href, Icon string
	Keywords          string   // other words by which it is found
	Keys              []string // its shortcut, if it has one and the user's shortcuts are on
}

// allDestinations lists the pages without URL parameters, in the full desk.
func allDestinations() []Destination {
	all := []Destination{
		{Label: "New inquiry", Href: to.Full.NewLead(""), Icon: "plus", Keywords: "start lead application"},
		{Label: "Leads", Href: to.Full.Leads(to.LeadsQuery{}), Icon: "inbox", Keywords: "pipeline list today"},
		{Label: "Saved views", Href: to.Full.Views(), Icon: "list-filter", Keywords: "filters lists"},
		{Label: "Notifications", Href: to.Full.Notifications(""), Icon: "bell", Keywords: "inbox"},
		{Label: "Drafts", Href: to.Full.Drafts(), Icon: "file-text"},
		{Label: "Quick estimate", Href: to.Full.Prequalify(), Icon: "calculator", Keywords: "prequalify"},
		{Label: "Team", Href: to.Full.Team(), Icon: "users", Keywords: "people manager"},
		{Label: "People", Href: to.Full.TeamPart("people"), Icon: "users", Keywords: "staff licenses offboarding onboarding accounts"},
		{Label: "Stuck leads", Href: to.Full.TeamPart("stuck"), Icon: "clock-alert", Keywords: "nudge waiting overdue"},
		{Label: "Unassigned leads", Href: to.Full.TeamPart("unassigned"), Icon: "users", Keywords: "departed"},
		{Label: "Assignment rules", Href: to.Full.TeamPart("rules"), Icon: "users", Keywords: "round robin automatic distribution unassigned"},
		{Label: "Absences", Href: to.Full.TeamPart("absences"), Icon: "calendar", Keywords: "vacation sick time off deputy cover out of office"},
		{Label: "Reports", Href: to.Full.Reports(), Icon: "file-text", Keywords: "funnel pull-through fallout figures statistics"},
		{Label: "Originators", Href: to.Full.Originators(), Icon: "users", Keywords: "directory loan officers people NMLS"},
		{Label: "Invite a user", Href: to.Full.Invite(), Icon: "mail", Keywords: "invitation assistant"},
		{Label: "Account and sign-in", Href: to.Full.Account(), Icon: "settings", Keywords: "settings password passkey time zone sessions shortcuts"},
	}
	for _, tab := range adminPages() {
		all = append(all, Destination{Label: tab.Label, Href: tab.Href, Icon: "settings", Keywords: "administration"})
	}
	return all
}

// Destinations returns the pages that exist where the user is and that they may open.
func (s *Responder) Destinations(r *http.Request) []Destination {
	v := VisitOf(r)
	keys := map[string][]string{}
	if !v.User.ShortcutsOff {
		for _, g := range ui.Shortcuts() {
			for _, k := range g.Shortcuts {
				if k.Page != nil {
					keys[k.Page(to.Full)] = k.Keys
				}
			}
		}
	}
	var found []Destination
	for _, d := range allDestinations() {
		if s.opens(v, d.Href) {
			d.Keys, d.Href = keys[d.Href], string(v.Base)+d.Href
			found = append(found, d)
		}
	}
	return append(found,
		Destination{Label: "Help", Href: v.Base.Help("start"), Icon: "info", Keywords: "documentation"},
		Destination{Label: "Keyboard shortcuts", Href: v.Base.Help("keyboard"), Icon: "info", Keywords: "keys help"},
	)
}
