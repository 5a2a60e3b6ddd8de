package pipeline

import "hearthline/views/ui"

// ViewsMenu is the menu of saved views on a list.
type ViewsMenu struct {
	Visible bool
	Title   string // "Views", or the name of the view that is shown
	Links   []ViewRow
	Text    string // the list that can be saved, in words
}

// ViewsView is the page of saved views.
type ViewsView struct {
	Page       ui.Page
	Form       ui.Form
	Save       *SaveViewForm // a list that could not be saved; nil for none
	Own        []ViewRow
	Shared     []ViewRow
	OpensFirst bool
}

// SaveViewForm saves a list.
type SaveViewForm struct {
	Action string
	Text   string
	Name   ui.Field
}

// ViewRow is one saved view with its actions.
type ViewRow struct {
	ID         string
	Name       string
	Href       string
	Text       string // which leads it lists
	Shared     bool
	Owner      string // who shares it; "" for the user's own
	First      bool
	Current    bool // the list that the page shows
	MayUnshare bool
	Rename     ui.Field
}

// searchNotSaved is what every form says that saves a list.
const searchNotSaved = "Filters and order are saved. Search text isn’t, because it may contain a borrower’s name."

// Add appends a group unless it is empty.
func (v *SearchView) Add(id, title string, hits []Hit) {
	if len(hits) > 0 {
		v.Groups = append(v.Groups, HitGroup{ID: id, Title: title, Hits: hits})
	}
}
