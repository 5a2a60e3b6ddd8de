package to

// LeadURLs builds the URLs of one lead, so that a view model carries the lead once.
type LeadURLs struct {
	Base Base
	App  string // the lead's application id
}

// Overview is the lead's first tab.
func (l LeadURLs) Overview() string { return l.Base.Lead(l.App) }

// Tab is a tab of the lead.
func (l LeadURLs) Tab(t Tab) string { return l.Base.LeadTab(l.App, t) }

// Action receives the POST of an operation on the lead.
func (l LeadURLs) Action(name string) string { return l.Base.LeadAction(l.App, name) }

// Read is one of the lead's pages beside its tabs.
func (l LeadURLs) Read(name string) string { return l.Base.LeadRead(l.App, name) }
