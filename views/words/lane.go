package words

// Lane is a place of the pipeline; every lead stands in exactly one, and All
// shows them together.
type Lane struct {
	Key   string
	Label string
	Empty string // what the list says when nothing is in it
	Hint  string // and what that means
}

// Lanes in the order in which they stand.
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

// LaneOf is the lane with this key; today for one we do not know.
func LaneOf(key string) Lane {
	lanes := Lanes()
	for _, l := range lanes {
		if l.Key == key {
			return l
		}
	}
	return lanes[0]
}

// Sorts are the orders of the list.
func Sorts() [][2]string {
	return [][2]string{{"due", "Due first"}, {"oldest", "Oldest first"}, {"newest", "Newest first"}, {"updated", "Last changed first"}, {"amount", "Largest amount first"}}
}
