package page

import (
	"net/http"
	"slices"
	"strings"

	"hearthline/internal/access"
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
		{Label: "People", Href: to.Full.TeamPart("people"), Icon: "users",
			Keywords: "staff licenses offboarding onboarding accounts"},
		{Label: "Company settings", Href: to.Full.TeamPart("settings"), Icon: "settings",
			Keywords: "licenses NMLS expiration branding logo color CRM"},
		{Label: "Stuck leads", Href: to.Full.TeamPart("stuck"), Icon: "clock-alert", Keywords: "nudge waiting overdue"},
		{Label: "Unassigned leads", Href: to.Full.TeamPart("unassigned"), Icon: "users", Keywords: "departed"},
		{Label: "Assignment rules", Href: to.Full.TeamPart("rules"), Icon: "users",
			Keywords: "round robin automatic distribution unassigned"},
		{Label: "Absences", Href: to.Full.TeamPart("absences"), Icon: "calendar",
			Keywords: "vacation sick time off deputy cover out of office"},
		{Label: "Reports", Href: to.Full.Reports(), Icon: "file-text",
			Keywords: "funnel pull-through fallout figures statistics"},
		{Label: "Originators", Href: to.Full.Originators(), Icon: "users", Keywords: "directory loan officers people NMLS"},
		{Label: "Invite a user", Href: to.Full.Invite(), Icon: "mail", Keywords: "invitation assistant"},
		{Label: "Account and sign-in", Href: to.Full.Account(), Icon: "settings",
			Keywords: "settings password passkey time zone sessions shortcuts"},
	}
	for _, tab := range adminPages() {
		all = append(all, Destination{Label: tab.Label, Href: tab.Href, Icon: "settings", Keywords: "administration"})
	}
	return all
}

// Destinations returns the pages that exist where the user is and that they may open.
func (rs *Responder) Destinations(r *http.Request) []Destination {
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
		if rs.opens(v, d.Href) {
			d.Keys, d.Href = keys[d.Href], string(v.Base)+d.Href
			found = append(found, d)
		}
	}
	return append(found,
		Destination{Label: "Help", Href: v.Base.Help("start"), Icon: "info", Keywords: "documentation"},
		Destination{Label: "Keyboard shortcuts", Href: v.Base.Help("keyboard"), Icon: "info", Keywords: "keys help"},
	)
}

// adminPages lists the administration pages in the order of their tabs.
func adminPages() []ui.TabView {
	return []ui.TabView{
		{Label: "System status", Href: to.Full.Admin("health")},
		{Label: "Users", Href: to.Full.Admin("users")},
		{Label: "Requests", Href: to.Full.Admin("requests")},
		{Label: "Originators", Href: to.Full.Admin("originators")},
		{Label: "Licenses", Href: to.Full.Admin("licenses")},
		{Label: "Branding", Href: to.Full.Admin("branding")},
		{Label: "Consent texts", Href: to.Full.Admin("texts")},
		{Label: "CRMs", Href: to.Full.Admin("embed")},
		{Label: "Audit log", Href: to.Full.Admin("audit")},
		{Label: "Roles and permissions", Href: to.Full.Admin("policy")},
		{Label: "Lender interface", Href: to.Full.Admin("interface")},
		{Label: "ASVS", Href: to.Full.Admin("asvs")},
	}
}

// AdminTabs returns the tabs of the administration. It omits pages that do not exist or that the user may not see.
func (rs *Responder) AdminTabs(r *http.Request) []ui.TabView {
	var tabs []ui.TabView
	who := ActorOf(r)
	for _, tab := range adminPages() {
		if need, exists := rs.pages[tab.Href]; exists && who.Can(need) {
			tab.Current = tab.Href == r.URL.Path || strings.HasPrefix(r.URL.Path, tab.Href+"/")
			tabs = append(tabs, tab)
		}
	}
	return tabs
}

// Shortcuts returns the keyboard shortcuts that do something for this user, here or on another page.
func (rs *Responder) Shortcuts(r *http.Request) []ui.ShortcutGroup {
	v := VisitOf(r)
	if v == nil {
		return nil
	}
	who := v.User.Actor
	works := func(k ui.Shortcut) bool {
		switch {
		case k.Page != nil:
			return rs.opens(v, k.Page(to.Full))
		case k.Tab != "":
			return who.Can(access.SeeLead)
		case k.Reassigns:
			return v.Embed == nil && who.Can(access.ReassignLead)
		default:
			return true
		}
	}
	var groups []ui.ShortcutGroup
	for _, g := range ui.Shortcuts() {
		g.Shortcuts = slices.DeleteFunc(slices.Clone(g.Shortcuts), func(k ui.Shortcut) bool { return !works(k) })
		if len(g.Shortcuts) > 0 && (!g.OfLeads || who.Can(access.SeeLead)) {
			groups = append(groups, g)
		}
	}
	return groups
}

// opens reports whether a page exists where the user is, and is permitted for them. The path is that of the full desk.
func (rs *Responder) opens(v *Visit, path string) bool {
	pages := rs.pages
	if v.Embed != nil {
		pages = rs.embedPages
	}
	need, exists := pages[path]
	return exists && v.User.Can(need)
}

// addShortcuts adds what the scripts need: the shortcuts that open a page, unless the user has turned them off, and the
// lead that the page shows, whose actions the search offers.
func (rs *Responder) addShortcuts(r *http.Request, p *ui.Page) {
	v := VisitOf(r)
	if v.Lead != nil {
		p.Lead = string(v.Lead.App())
	}
	if !v.User.ShortcutsOff {
		p.Shortcuts, p.ShortcutPages = true, ui.ShortcutPages(v.Base, p.Lead, rs.Shortcuts(r))
	}
}
