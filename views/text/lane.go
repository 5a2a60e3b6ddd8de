package text

// TodayKey is the view of the leads whose move is the user's. It is the only view across lanes besides "all".
const TodayKey = "today"

// Lane is a view of the pipeline: one of the lanes, of which every lead is in exactly one, or Today or All, which are
// lists across lanes.
type Lane struct {
	Key   string
	Label string
	Empty string // shown when the lane has no leads
	Hint  string // explains Empty
}

// Lanes returns the views in the order of the tabs.
func Lanes() []Lane {
	return []Lane{
		{TodayKey, "Today", "Nothing to do right now.", "Leads in any lane that need your action or attention: " +
			"first what’s about to expire, then your steps, then follow-ups."},
		{"blocked", "Blocked", "No leads are blocked.",
			"Leads wait here until the lender has the answer, document or re-pull that a step needs."},
		{"offers", "Offers", "No offers to present.", "Leads appear here when the lender returns offers."},
		{"borrower", "With borrower", "No leads are waiting for a borrower.",
			"Leads waiting for a sign-in, a signature or a freeze lift. When it’s time to follow up, they appear in Today too."},
		{"lender", "With lender", "No leads are waiting for the lender.", "Leads stay here until the lender responds."},
		{"closing", "Closing", "No leads are closing.", "Completed inquiries and applications stay here until they fund."},
		{"ended", "Ended", "No leads have ended.",
			"Funded, canceled, withdrawn, declined and expired leads, and leads closed without offers, appear here."},
		{"all", "All", "No leads yet.", "Start an inquiry, or add one by its application ID."},
	}
}

// LaneOf returns the lane with this key, or today if the key is unknown.
func LaneOf(key string) Lane {
	lanes := Lanes()
	for _, l := range lanes {
		if l.Key == key {
			return l
		}
	}
	return lanes[0]
}

// Sorts returns the sort orders of the list.
func Sorts() [][2]string {
	return [][2]string{{"due", "Due date"}, {"oldest", "Oldest first"}, {"newest", "Newest first"},
		{"updated", "Recently updated"}, {"amount", "Largest amount"}, {"started", "Start date (newest first)"}}
}

// Narrowings returns the ways to narrow a list across its lanes; the first does not narrow it.
func Narrowings() [][2]string {
	return [][2]string{{"", "All leads"}, {"open", "Open leads"}, {"overdue", "Overdue leads"}}
}

var leadTabs = map[string]string{
	"": "Overview", "offers": "Offers", "property": "Property and liens", "underwriting": "Underwriting",
	"documents": "Documents", "funding": "Funding", "history": "History", "activity": "Activity",
}

// LeadTab is the name of a lead's tab by its segment in the URL; "" is the lead itself.
func LeadTab(tab string) string { return leadTabs[tab] }
