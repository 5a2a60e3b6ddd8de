package to

// Views is where a user manages saved views.
func (b Base) Views() string { return b.at("views") }

// SaveView saves the list of a query; it takes a POST.
func (b Base) SaveView(q LeadsQuery) string { return q.apply(b.at("views")) }

// FirstView opens the user's first saved view; a POST sets whether it opens when they sign in.
func (b Base) FirstView() string { return b.at("views", "first") }

// ViewName renames a saved view.
func (b Base) ViewName(id string) string { return b.at("views", id) }

// ViewAction is another action on a saved view: delete, up, share, unshare.
func (b Base) ViewAction(id, action string) string { return b.at("views", id, action) }
