package page

import (
	"net/http"
	"slices"

	"hearthline/internal/access"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// Shortcuts returns the keyboard shortcuts that do something for this user, here or on another page.
func (s *Responder) Shortcuts(r *http.Request) []ui.ShortcutGroup {
	v := VisitOf(r)
	if v == nil {
		return nil
	}
	who := v.User.Actor
	works := func(k ui.Shortcut) bool {
		switch {
		case k.Page != nil:
			return s.opens(v, k.Page(to.Full))
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
func (s *Responder) opens(v *Visit, path string) bool {
	pages := s.pages
	if v.Embed != nil {
		pages = s.embedPages
	}
	need, exists := pages[path]
	return exists && v.User.Can(need)
}

// addShortcuts adds what the scripts need: the shortcuts that open a page, unless the user has turned them off, and the
// lead that the page shows, whose actions the search offers.
func (s *Responder) addShortcuts(r *http.Request, p *ui.Page) {
	v := VisitOf(r)
	if v.Lead != nil {
		p.Lead = string(v.Lead.App())
	}
	if !v.User.ShortcutsOff {
		p.Shortcuts, p.ShortcutPages = true, ui.ShortcutPages(v.Base, p.Lead, s.Shortcuts(r))
	}
}
