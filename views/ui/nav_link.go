package ui

// NavLink is a navigation link.
type NavLink struct {
	Label    string
	Href     string
	Icon     string // in menus only
	Count    string // "3" unread; "" for none
	Of       string // what Count counts, if it is updated live: "unassigned"
	CountURL string // from where it is updated
	Current  bool
}

// NavCountID is the id of a live count in the navigation, by which it is fetched alone. The menu of a narrow page has
// the same count with the suffix "-menu".
func NavCountID(of string) string { return "count-" + of }
