package to

import (
	"net/url"
	"slices"
	"strings"
)

// LeadsQuery is the state of a list; the URL contains all of it. The zero value is the default list.
type LeadsQuery struct {
	View       string // today, offers, borrower, lender, closing, ended, all
	Q          string // the search text
	Step       string // filter by status or step
	State      string // two letters
	Originator string // originator uuid, or NoOriginator, for managers
	Only       string // open or overdue
	Started    string // when the inquiry started: a month, "2026-09", a day, "2026-09-15", or two, "2026-09..2026-11"
	Dates      string // "funded": Started means when the lead was funded
	StartedBy  string // originator uuid, or NoOriginator if it is not known who started it
	Moved      string // "true": held by somebody other than who started it, or by nobody
	Reached    string // how far it came: offers, selected, application, funded, no-application
	// open, or how it ended; fallout is every end at the lender without funding, ended every end without funding
	Outcome string
	Source  string // portal, crm, adopted, unknown
	Left    string // a step that it has left
	Sort    string // due, oldest, newest, updated, amount
	After   string // key of the last row of the previous page
}

// NoState filters the leads whose state is not known.
const NoState = "NONE"

// NoOriginator filters the leads that have no originator.
const NoOriginator = "none"

// InView is the same list in another lane, starting at its first page.
func (q LeadsQuery) InView(view string) LeadsQuery {
	q.View, q.After = view, ""
	return q
}

// AfterKey is the page after the row with this key; "" is the first page.
func (q LeadsQuery) AfterKey(key string) LeadsQuery {
	q.After = key
	return q
}

// Filtered reports whether anything besides lane and order narrows the list.
func (q LeadsQuery) Filtered() bool {
	return q.Q != "" || q.Step != "" || q.State != "" || q.Originator != "" || q.Only != "" || q.Cohort()
}

// Start reports whether this is the first page of an unfiltered list.
func (q LeadsQuery) Start() bool { return q.After == "" && !q.Filtered() }

// Cohort reports whether a filter of the reports narrows the list.
func (q LeadsQuery) Cohort() bool {
	return q.Started != "" || q.StartedBy != "" || q.Moved != "" || q.Reached != "" || q.Outcome != "" ||
		q.Source != "" || q.Left != ""
}

// WithoutCohort is the same list without the filters of the reports, starting at its first page.
func (q LeadsQuery) WithoutCohort() LeadsQuery {
	q.Started, q.Dates, q.StartedBy, q.Moved, q.Reached, q.Outcome, q.Source = "", "", "", "", "", "", ""
	q.Left, q.After = "", ""
	if q.Sort == "started" {
		q.Sort = ""
	}
	return q
}

// CohortValues lists the filters of the reports by their parameters' names.
func (q LeadsQuery) CohortValues() [][2]string {
	return [][2]string{{"started", q.Started}, {"dates", q.Dates}, {"started-by", q.StartedBy}, {"moved", q.Moved},
		{"reached", q.Reached}, {"outcome", q.Outcome}, {"source", q.Source}, {"left", q.Left}}
}

// Encode returns the list for a form that repeats it elsewhere, without a page.
func (q LeadsQuery) Encode() string {
	_, encoded, _ := strings.Cut(q.AfterKey("").apply(""), "?")
	return encoded
}

func (q LeadsQuery) apply(address string) string {
	return query(address, "view", q.View, "q", q.Q, "step", q.Step, "state", q.State,
		"originator", q.Originator, "only", q.Only, "started", q.Started, "dates", q.Dates,
		"started-by", q.StartedBy, "moved", q.Moved, "reached", q.Reached, "outcome", q.Outcome,
		"source", q.Source, "left", q.Left, "sort", q.Sort, "after", q.After)
}

// Saved is the list without what was searched for and at its first page: what a saved view consists of.
func (q LeadsQuery) Saved() LeadsQuery {
	q.Q, q.After = "", ""
	return q
}

// Params is the query of the list's URL.
func (q LeadsQuery) Params() string { return strings.TrimPrefix(q.apply(""), "?") }

// NextToday returns the URL of the next lead in Today, after the one the user finished.
func (b Base) NextToday(after string) string {
	return b.at("leads", "next") + "?" + url.Values{"after": {after}}.Encode()
}

// Leads is the pipeline.
func (b Base) Leads(q LeadsQuery) string { return q.apply(b.at("leads")) }

// LeadsCSV is the same list as a CSV file.
func (b Base) LeadsCSV(q LeadsQuery) string { return q.apply(b.at("leads.csv")) }

// Dates is the page of the upcoming dates.
func (b Base) Dates() string { return b.at("leads", "dates") }

// Calendar is the page with which a user subscribes to their dates; a POST creates the secret URL.
func (b Base) Calendar() string { return b.at("calendar") }

// CalendarEnd ends the subscription.
func (b Base) CalendarEnd() string { return b.at("calendar", "end") }

// CalendarFeed is the secret URL of a user's dates, without the origin.
func CalendarFeed(token string) string { return "/calendar/" + url.PathEscape(token) + ".ics" }

// LeadsICS is the calendar of upcoming dates.
func (b Base) LeadsICS() string { return b.at("leads.ics") }

// NewLead is the intake; draft is "" for an empty form.
func (b Base) NewLead(draft string) string { return query(b.at("leads", "new"), "draft", draft) }

// StateLicense reports whether the user may act in the state that the form names.
func (b Base) StateLicense() string { return b.at("leads", "new", "license") }

// NewLeadSample is the intake filled with one of the demo samples.
func (b Base) NewLeadSample(sample string) string {
	return query(b.at("leads", "new"), "sample", sample)
}

// StartLead receives the POST of the intake.
func (b Base) StartLead() string { return b.at("leads") }

// ImportLead reads a loan file for a review; it takes a POST.
func (b Base) ImportLead() string { return b.at("leads", "import") }

// ImportReview is the review of a loan file, and takes a POST with what its user selected.
func (b Base) ImportReview(id string) string { return b.at("leads", "import", id) }

// DiscardImport deletes the review of a loan file; it takes a POST.
func (b Base) DiscardImport(id string) string { return b.at("leads", "import", id, "discard") }

// Adopt adds an inquiry that was started elsewhere, by its id.
func (b Base) Adopt() string { return b.at("leads", "adopt") }

// LeadsDisplay stores the user's choice of columns and row height and returns to the list.
func (b Base) LeadsDisplay(q LeadsQuery) string { return q.apply(b.at("leads", "display")) }

// MarkSeen marks the updates above the list as read; it takes a POST.
func (b Base) MarkSeen() string { return b.at("leads", "seen") }

// Drafts lists the unsent drafts.
func (b Base) Drafts() string { return b.at("drafts") }

// Draft receives the autosave.
func (b Base) Draft(id string) string { return b.at("drafts", id) }

// DraftDelete deletes a draft; it takes a POST.
func (b Base) DraftDelete(id string) string { return b.at("drafts", id, "delete") }

// DraftBorrowerLink creates the link with which the borrower completes the draft; it takes a POST.
func (b Base) DraftBorrowerLink(id string) string { return b.at("drafts", id, "link") }

// DraftTransfer transfers a draft to a colleague.
func (b Base) DraftTransfer(id string) string { return b.at("drafts", id, "hand") }

// Lead is the workspace.
func (b Base) Lead(app string) string { return b.at("leads", app) }

// Tab is a part of the workspace that has its own URL.
type Tab string

// The tabs of a lead; Overview is the workspace itself.
const (
	Overview     Tab = ""
	Offers       Tab = "offers"
	Property     Tab = "property"
	Underwriting Tab = "underwriting"
	Documents    Tab = "documents"
	Funding      Tab = "funding"
	History      Tab = "history"
	Activity     Tab = "activity"
)

// Tabs returns the tabs in display order.
func Tabs() []Tab {
	return []Tab{Overview, Offers, Property, Underwriting, Documents, Funding, History, Activity}
}

// LeadTab is one tab.
func (b Base) LeadTab(app string, tab Tab) string {
	if tab == Overview {
		return b.Lead(app)
	}
	return b.at("leads", app, string(tab))
}

// LeadTabLists returns the URL of a tab whose lists start after the given keys, passed as pairs of list name and key.
func (b Base) LeadTabLists(app string, tab Tab, pairs ...string) string {
	return query(b.LeadTab(app, tab), pairs...)
}

// LeadAction is the URL to which an action on a lead is posted: an operation of the interface, by its name, or one of
// the portal's own actions.
func (b Base) LeadAction(app, operation string) string { return b.at("leads", app, operation) }

// LeadRead is a read-only fragment or page under a lead.
func (b Base) LeadRead(app, what string) string { return b.at("leads", app, what) }

// QuotesQuery selects saved quotes; the zero value is the current offers.
type QuotesQuery struct {
	Quote string // one saved quote
	After string // the list starts after this quote
}

// Quotes is a lead's offers with the saved quotes.
func (b Base) Quotes(app string, q QuotesQuery) string {
	return query(b.LeadTab(app, Offers), "quote", q.Quote, "after", q.After)
}

// PayoffQuery requests the offers that pay off debts, by account id.
type PayoffQuery struct {
	Accounts []string
	Amount   string // "60,000", the draw to display
}

// Payoff is the offers that pay off debts.
func (b Base) Payoff(app string, q PayoffQuery) string {
	var pairs []string
	for _, id := range q.Accounts {
		pairs = append(pairs, "accountId", id)
	}
	return query(b.LeadRead(app, "direct-debt-payoff-offers"), append(pairs, "amount", q.Amount)...)
}

// CostsQuery requests what an offer costs at a draw.
type CostsQuery struct {
	Offer  string
	Amount string // "60,000"
}

// Costs is what an offer costs before it is selected.
func (b Base) Costs(app string, q CostsQuery) string {
	return query(b.LeadRead(app, "borrower-costs"), "offer.offerUuid", q.Offer, "offer.selectedOfferAmount", q.Amount)
}

// OfferSheetQuery selects the offers to show to a borrower; the zero value is all of them at the requested
// amount.
type OfferSheetQuery struct {
	Amount      string   // "60,000"
	RateType    string   // "FIXED" or "FLOATING": the kind to show
	Fee         string   // "2.99": the only fee to show
	Discounts   []string // types of the discounts to select
	Offers      []string
	Autopay     bool
	CreditUnion bool
	Quote       string   // a saved quote
	Accounts    []string // the debts to pay off
	Lang        string   // "es"; "" is English
}

// OfferSheet shows offers to the borrower: "show" is the page, "offer-sheet" the PDF.
func (b Base) OfferSheet(app, what string, q OfferSheetQuery) string {
	return query(b.LeadRead(app, what), q.pairs()...)
}

// pairs are the parameters of the query with their values.
func (q OfferSheetQuery) pairs() []string {
	flag := func(on bool) string {
		if on {
			return "true"
		}
		return ""
	}
	pairs := []string{"amount", q.Amount, "rateType", q.RateType, "originationFee", q.Fee}
	for _, kind := range q.Discounts {
		pairs = append(pairs, "offer.selectedDiscounts", kind)
	}
	for _, id := range q.Offers {
		pairs = append(pairs, "offer", id)
	}
	for _, id := range q.Accounts {
		pairs = append(pairs, "accountId", id)
	}
	return append(pairs, "autoPayDiscountEnabled", flag(q.Autopay), "cuDiscountEnabled", flag(q.CreditUnion), "quote",
		q.Quote, "lang", q.Lang)
}

// Controls are the parameters that have a value, for a form that selects the same.
func (q OfferSheetQuery) Controls() [][2]string {
	var all [][2]string
	for pair := range slices.Chunk(q.pairs(), 2) {
		if pair[1] != "" {
			all = append(all, [2]string(pair))
		}
	}
	return all
}

// Share creates a link to what an OfferSheetQuery selects.
func (b Base) Share(app string) string { return b.at("leads", app, "share") }

// ShareSelection is the page that shares what a query selects.
func (b Base) ShareSelection(app string, q OfferSheetQuery) string {
	return b.OfferSheet(app, "share", q)
}

// ShareCreated is the page of the links with a new one. It still shows what was shared, so that the form shares the
// same.
func (b Base) ShareCreated(app, id string, q OfferSheetQuery) string {
	return query(b.Share(app), append(q.pairs(), "link", id)...) + "#link-" + url.PathEscape(id)
}

// ShareRevoke revokes a link.
func (b Base) ShareRevoke(app, id string) string { return b.at("leads", app, "share", id, "revoke") }

// Document streams one document.
func (b Base) Document(app, doc string) string { return b.at("leads", app, "documents", doc) }

// DocumentsZip streams all of them.
func (b Base) DocumentsZip(app string) string { return b.at("leads", app, "documents.zip") }

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
