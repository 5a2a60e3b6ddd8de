package text

// coverActions are the groups of what a covering originator can do, by their names in URLs.
var coverActions = [][2]string{
	{"sent", "Sent to the lender"}, {"contact", "Borrower contacted"}, {"viewed", "Borrower details viewed"},
	{"note", "Note added"}, {"follow-up", "Reminder or follow-up"},
	{"share", "Quote shared or revoked"}, {"repull", "Credit re-pull scheduled or canceled"},
	{"closed", "Closed or reopened"},
}

// CoverAction returns the text of a group.
func CoverAction(action string) string { return OptionText(coverActions, action) }
