package ui

import (
	"strings"

	"hearthline/views/to"
)

// Shortcut is a key, or two pressed one after the other, and what it does. The script, the list that "?" opens and the
// help page all come from the table below.
type Shortcut struct {
	// as keys.js names it: "j", "X" with Shift, "gl" for g and then l; "" for keys of the browser or the palette
	ID    string
	Keys  []string // as displayed
	Joint string   // between the displayed keys: "then", "or", ""
	Label string
	Page  func(to.Base) string // the page that it opens; nil if it acts on the current page
	Tab   to.Tab               // the tab of the current lead that it opens
	// Reassigns is set for shortcuts of lists in which the user can select leads to reassign.
	Reassigns bool
}

// ShortcutGroup is the shortcuts of one place.
type ShortcutGroup struct {
	Title     string
	Shortcuts []Shortcut
	OfLeads   bool // only for users who see leads
}

// Shortcuts returns all of them. Nobody may change them.
func Shortcuts() []ShortcutGroup { return allShortcuts }

var allShortcuts = makeShortcuts()

func makeShortcuts() []ShortcutGroup {
	leads := func(b to.Base) string { return b.Leads(to.LeadsQuery{}) }
	newLead := func(b to.Base) string { return b.NewLead("") }
	inbox := func(b to.Base) string { return b.Notifications("") }
	unassigned := func(b to.Base) string { return b.TeamPart("unassigned") }
	return []ShortcutGroup{
		{Title: "Anywhere", Shortcuts: []Shortcut{
			{Keys: []string{"Ctrl", "K"}, Label: "Search or jump to"},
			{ID: "/", Keys: []string{"/"}, Label: "Search this list, or everywhere"},
			{ID: "n", Keys: []string{"n"}, Label: "New inquiry", Page: newLead},
			{Keys: []string{"Ctrl", "Enter"}, Label: "Send the form"},
			{ID: "?", Keys: []string{"?"}, Label: "These shortcuts"},
		}},
		{Title: "Go to", Shortcuts: []Shortcut{
			goTo("l", "Leads", leads),
			{ID: "go", Keys: []string{"g", "o"}, Joint: "then", Label: "This lead’s offers", Tab: to.Offers},
			{ID: "gp", Keys: []string{"g", "p"}, Joint: "then", Label: "This lead’s documents", Tab: to.Documents},
			goTo("n", "Notifications", inbox),
			goTo("d", "Drafts", to.Base.Drafts),
			goTo("e", "Quick estimate", to.Base.Prequalify),
			goTo("t", "Team", to.Base.Team),
			goTo("u", "Unassigned leads", unassigned),
			goTo("r", "Reports", to.Base.Reports),
			goTo("a", "Account and sign-in", to.Base.Account),
		}},
		{Title: "In a list", Shortcuts: []Shortcut{
			{ID: "j", Keys: []string{"j", "↓"}, Joint: "or", Label: "Next"},
			{ID: "k", Keys: []string{"k", "↑"}, Joint: "or", Label: "Previous"},
			{Keys: []string{"Enter"}, Label: "Open"},
			{ID: ".", Keys: []string{"."}, Label: "In Today: start the row’s action. On a lead: next in Today"},
			{ID: "x", Keys: []string{"x"}, Label: "Select", Reassigns: true},
			{ID: "X", Keys: []string{"Shift", "X"}, Label: "Select all on this page", Reassigns: true},
			{ID: "r", Keys: []string{"r"}, Label: "Reassign selected", Reassigns: true},
		}},
		{Title: "Offers", OfLeads: true, Shortcuts: []Shortcut{
			{Keys: []string{"←", "↑", "↓", "→"}, Label: "Choose an offer"},
			{Keys: []string{"Enter"}, Label: "Select the chosen offer"},
			{ID: "p", Keys: []string{"p"}, Label: "Pin to compare"},
			{ID: "d", Keys: []string{"d"}, Label: "Change the draw"},
		}},
	}
}

func goTo(key, label string, page func(to.Base) string) Shortcut {
	return Shortcut{ID: "g" + key, Keys: []string{"g", key}, Joint: "then", Label: label, Page: page}
}

// OffersGridID is the id of the grid of offers, in which offer_keys.js moves the focus.
const OffersGridID = "offers-grid"

// ChooseOffer is the fragment with which the shortcut to a lead's offers also moves the focus into the grid. No element
// has it as its id: the browser would take the focus away again when it goes to that element.
const ChooseOffer = "#choose"

// ShortcutPages is the value of data-keys: the shortcuts that open a page, each with its URL, as keys.js reads it.
func ShortcutPages(b to.Base, app string, groups []ShortcutGroup) string {
	var pairs []string
	for _, g := range groups {
		for _, s := range g.Shortcuts {
			switch {
			case s.Page != nil:
				pairs = append(pairs, s.ID+"="+s.Page(b))
			case s.Tab == to.Offers && app != "":
				pairs = append(pairs, s.ID+"="+b.LeadTab(app, s.Tab)+ChooseOffer)
			case s.Tab != "" && app != "":
				pairs = append(pairs, s.ID+"="+b.LeadTab(app, s.Tab))
			}
		}
	}
	return strings.Join(pairs, " ")
}
