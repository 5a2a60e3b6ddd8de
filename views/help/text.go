// Package help contains the help pages and the sample files that they show.
package help

import (
	"slices"
	"strings"

	"hearthline/views/to"
	"hearthline/views/ui"
)

// KeyboardPage is the key of the page that lists the shortcuts, which depend on the user.
const KeyboardPage = "keyboard"

// pages lists the pages in order: URL segment, name, and contents.
var pages = []struct {
	key, title string
	sections   func(base to.Base) []Section
}{
	{"start", "Your first day", sameForAllBases(helpStart)},
	{"steps", "Each step, and what to do", sameForAllBases(helpSteps)},
	{"offers", "Offers", sameForAllBases(helpOffers)},
	{"reassign", "Reassigning leads", sameForAllBases(helpReassign)},
	{"receipts", "Receipts", sameForAllBases(helpReceipts)},
	{KeyboardPage, "Keyboard", sameForAllBases(helpKeyboard)},
	{"words", "Terms", sameForAllBases(helpWords)},
	{"crm", "For CRM administrators", helpCRM},
	{"crm-custom", "Your own CRM", helpCRMCustom},
	{"crm-salesforce", "Salesforce", helpCRMSalesforce},
	{"crm-hubspot", "HubSpot", helpCRMHubSpot},
	{"crm-dynamics", "Dynamics and Power Apps", helpCRMDynamics},
}

// Pages returns the links between the pages. Pages about one kind of CRM are included only if the current
// page is about CRMs.
func Pages(base to.Base, current string) []ui.NavLink {
	var out []ui.NavLink
	for _, p := range pages {
		if strings.HasPrefix(p.key, "crm-") && !strings.HasPrefix(current, "crm") {
			continue
		}
		out = append(out, ui.NavLink{Label: p.title, Href: base.Help(p.key), Current: p.key == current})
	}
	return out
}

// Page returns the page with this key, or false if there is none. The caller fills Page.
func Page(base to.Base, key string) (View, bool) {
	for _, p := range pages {
		if p.key == key {
			return View{Title: p.title, Pages: Pages(base, key), Sections: p.sections(base)}, true
		}
	}
	return View{}, false
}

// PublicPages returns the keys of the pages for readers without an account: CRM administrators.
func PublicPages() []string {
	var keys []string
	for _, p := range pages {
		if strings.HasPrefix(p.key, "crm") {
			keys = append(keys, p.key)
		}
	}
	return keys
}

// Public returns a public page without the links to pages that require signing in.
func (v View) Public() View {
	v.Pages = slices.DeleteFunc(v.Pages, func(l ui.NavLink) bool {
		return !slices.ContainsFunc(PublicPages(), func(key string) bool { return l.Href == to.Full.Help(key) })
	})
	return v
}

// sameForAllBases adapts a page that does not depend on the base.
func sameForAllBases(sections func() []Section) func(to.Base) []Section {
	return func(to.Base) []Section { return sections() }
}

func (t Table) columns() []ui.Column {
	out := make([]ui.Column, len(t.Columns))
	for i, label := range t.Columns {
		out[i].Label = label
	}
	return out
}

// isTableOnly reports whether a section contains only its table.
func (s Section) isTableOnly() bool {
	return len(s.Table.Columns) > 0 && len(s.Text)+len(s.Terms)+len(s.Steps)+len(s.Code)+len(s.More) == 0
}
