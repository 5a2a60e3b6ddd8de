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
		{"today", "Today", "Nothing is waiting for you.", "What needs you comes here by itself, the most urgent first."},
		{"offers", "Offers", "No offers to present.", "When the lender has priced a line, it comes here."},
		{"borrower", "With borrower", "Nothing is with a borrower.", "Sign-ins, signatures and credit freezes wait here until it is time to chase."},
		{"lender", "With lender", "The lender owes you nothing.", "What was just sent stands here until the lender answers."},
		{"closing", "Closing", "Nothing is closing.", "Applications stand here until the money is sent."},
		{"ended", "Ended", "Nothing has ended yet.", "Funded, cancelled, withdrawn, declined and expired leads, and those set aside."},
		{"all", "All", "No leads yet.", "Start an inquiry, or add one by its id."},
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
	return [][2]string{{"due", "Due first"}, {"oldest", "Oldest first"}, {"newest", "Newest first"}, {"updated", "Last changed first"}, {"amount", "Largest amount first"}}
}
