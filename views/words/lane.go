package words

// Lane is a section of the pipeline. Every lead is in exactly one lane; All shows every lead.
type Lane struct {
	Key   string
	Label string
	Empty string // shown when the lane has no leads
	Hint  string // explains Empty
}

// Lanes returns the lanes in display order.
func Lanes() []Lane {
	return []Lane{
		{"today", "Today", "Nothing to do right now.", "Leads with something to do appear here, most urgent first."},
		{"offers", "Offers", "No offers to present.", "Leads appear here when the lender returns offers."},
		{"borrower", "With borrower", "No leads are waiting for a borrower.", "Leads waiting for a sign-in, a signature or a freeze lift stay here until it’s time to follow up."},
		{"lender", "With lender", "No leads are waiting for the lender.", "Leads stay here until the lender responds."},
		{"closing", "Closing", "No leads are closing.", "Completed inquiries and applications stay here until they fund."},
		{"ended", "Ended", "No leads have ended.", "Funded, canceled, withdrawn, declined and expired leads, and leads closed without offers, appear here."},
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
	return [][2]string{{"due", "Due date"}, {"oldest", "Oldest first"}, {"newest", "Newest first"}, {"updated", "Recently updated"}, {"amount", "Largest amount"}, {"started", "Start date (newest first)"}}
}

// Narrowings returns the ways to narrow a list across its lanes; the first does not narrow it.
func Narrowings() [][2]string {
	return [][2]string{{"", "All leads"}, {"open", "Open leads"}, {"overdue", "Overdue leads"}}
}
