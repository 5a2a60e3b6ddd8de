package to

// LeadsQuery is the state of a list; all of it stands in the address. The
// zero value is the list as it opens.
type LeadsQuery struct {
	View       string // today, offers, borrower, lender, closing, ended, all
	Q          string // what was typed into search
	Step       string // standing or step filter
	State      string // two letters
	Originator string // originator uuid, for managers
	Sort       string // due, oldest, newest, updated, amount
	After      string // key of the last row of the page before
}

// InView is the same list in another lane, from its first page.
func (q LeadsQuery) InView(view string) LeadsQuery {
	q.View, q.After = view, ""
	return q
}

// AfterKey is the page that follows the row with this key; "" is the first page.
func (q LeadsQuery) AfterKey(key string) LeadsQuery {
	q.After = key
	return q
}

// Filtered tells whether anything besides lane and order narrows the list.
func (q LeadsQuery) Filtered() bool {
	return q.Q != "" || q.Step != "" || q.State != "" || q.Originator != ""
}

func (q LeadsQuery) apply(address string) string {
	return query(address, "view", q.View, "q", q.Q, "step", q.Step, "state", q.State,
		"originator", q.Originator, "sort", q.Sort, "after", q.After)
}

// Leads is the pipeline.
func (b Base) Leads(q LeadsQuery) string { return q.apply(b.at("leads")) }

// LeadsCSV is the same list as a file.
func (b Base) LeadsCSV(q LeadsQuery) string { return q.apply(b.at("leads.csv")) }

// LeadsICS is what is coming up, for a calendar.
func (b Base) LeadsICS() string { return b.at("leads.ics") }

// NewLead is the intake; draft is "" for an empty one.
func (b Base) NewLead(draft string) string { return query(b.at("leads", "new"), "draft", draft) }

// StateLicense says whether the person may act in the state that the form names.
func (b Base) StateLicense() string { return b.at("leads", "new", "licence") }

// NewLeadSample is the intake filled with one of the demo's samples.
func (b Base) NewLeadSample(sample string) string {
	return query(b.at("leads", "new"), "sample", sample)
}

// StartLead takes the POST of the intake.
func (b Base) StartLead() string { return b.at("leads") }

// Adopt takes the id of an inquiry that was begun elsewhere.
func (b Base) Adopt() string { return b.at("leads", "adopt") }

// MarkSeen notes that the news above the list have been read; it takes a POST.
func (b Base) MarkSeen() string { return b.at("leads", "seen") }

// Drafts lists what has not been sent.
func (b Base) Drafts() string { return b.at("drafts") }

// Draft takes the autosave.
func (b Base) Draft(id string) string { return b.at("drafts", id) }

// DraftDelete takes a POST.
func (b Base) DraftDelete(id string) string { return b.at("drafts", id, "delete") }

// DraftBorrowerLink makes the link on which its borrower goes on alone; it takes a POST.
func (b Base) DraftBorrowerLink(id string) string { return b.at("drafts", id, "link") }

// DraftTransfer gives a draft to a colleague.
func (b Base) DraftTransfer(id string) string { return b.at("drafts", id, "hand") }

// Lead is the workspace.
func (b Base) Lead(app string) string { return b.at("leads", app) }

// Tab is a part of the workspace with an address of its own.
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

// Tabs in the order in which they stand.
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

// LeadActions are what a POST under a lead can do: the interface's operations by its
// own names, then what is ours alone.
func LeadActions() []string {
	return []string{
		"add-ssn", "repull-credit", "verify-liens", "add-income", "asset-depletion", "add-property-estimate",
		"select-property", "calculate-offers", "select-offer", "cancel", "attributions", "reassign",
		"refresh", "reveal", "contact", "note", "follow-up", "set-aside", "take-off", "clone",
	}
}

// LeadAction takes the POST of one of Acts.
func (b Base) LeadAction(app, operation string) string { return b.at("leads", app, operation) }

// LeadReads are the fragments and pages under a lead that only read.
func LeadReads() []string {
	return []string{"direct-debt-payoff-offers", "borrower-costs", "borrower-link", "offer-sheet", "show"}
}

// LeadRead is one of Reads.
func (b Base) LeadRead(app, what string) string { return b.at("leads", app, what) }

// QuotesQuery is a look at the quotes that were kept; the zero value is the offers of now.
type QuotesQuery struct {
	Quote string // one of them, as it was
	After string // the list begins after this one
}

// Quotes is the offers of a lead with the quotes that were made.
func (b Base) Quotes(app string, q QuotesQuery) string {
	return query(b.LeadTab(app, Offers), "quote", q.Quote, "after", q.After)
}

// PayoffQuery asks for the offers that pay off debts, by their account ids.
type PayoffQuery struct {
	Accounts []string
	Amount   string // "60,000", the draw that is looked at
}

// Payoff is the offers that pay off debts.
func (b Base) Payoff(app string, q PayoffQuery) string {
	var pairs []string
	for _, id := range q.Accounts {
		pairs = append(pairs, "accountId", id)
	}
	return query(b.LeadRead(app, "direct-debt-payoff-offers"), append(pairs, "amount", q.Amount)...)
}

// CostsQuery asks what an offer costs at a draw.
type CostsQuery struct {
	Offer  string
	Amount string // "60,000"
}

// Costs is what an offer costs before it is selected.
func (b Base) Costs(app string, q CostsQuery) string {
	return query(b.LeadRead(app, "borrower-costs"), "offer.offerUuid", q.Offer, "offer.selectedOfferAmount", q.Amount)
}

// OfferSheetQuery is what a borrower is shown of the offers; the zero value is all of them
// at the amount that was wanted.
type OfferSheetQuery struct {
	Amount      string   // "60,000"
	RateType    string   // "FIXED" or "FLOATING": the kind that the grid shows
	Fee         string   // "2.99": the only fee that the grid shows
	Discounts   []string // to be selected, by their types
	Offers      []string
	Autopay     bool
	CreditUnion bool
	Quote       string   // a quote kept, as it was
	Accounts    []string // debts that are paid off of it
	Lang        string   // "es"; "" is English
}

// OfferSheet is what the borrower is shown: "show", the page, or "offer-sheet", the paper.
func (b Base) OfferSheet(app, what string, q OfferSheetQuery) string {
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
	pairs = append(pairs, "autoPayDiscountEnabled", flag(q.Autopay), "cuDiscountEnabled", flag(q.CreditUnion), "quote", q.Quote, "lang", q.Lang)
	return query(b.LeadRead(app, what), pairs...)
}

// Document streams one document.
func (b Base) Document(app, doc string) string { return b.at("leads", app, "documents", doc) }

// DocumentsZip streams all of them.
func (b Base) DocumentsZip(app string) string { return b.at("leads", app, "documents.zip") }
