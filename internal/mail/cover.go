package mail

// Cover is what a covering originator is told about an absence. It names colleagues, and no borrower and no lead.
type Cover struct {
	To, Name    string
	Absent      string // who is absent
	By          string // who entered, changed or ended it; empty when an account was disabled or moved
	Days        string // on which the recipient covers, or no longer does
	FormerDays  string // before a change; empty for no change
	AbsencesURL string
}

// CoverAsked asks the recipient to cover, or says on which days now.
func CoverAsked(c Cover) Message {
	absent, by := OneLine(c.Absent), OneLine(c.By)
	subject, whom := "You were asked to cover for "+absent, absent
	if by == absent {
		whom = "them"
	}
	first := by + " asked you to cover for " + whom + ", " + c.Days + "."
	if c.FormerDays != "" {
		subject = "The days you cover for " + absent + " were changed"
		first = by + " changed the days on which you cover for " + whom + ": " + c.Days + " instead of " + c.FormerDays + "."
	}
	return newMessage(c.To, c.Name, subject, first, "You can see and work on their leads on those days.",
		"See the absences:\n"+c.AbsencesURL)
}

// CoverEnded says that the recipient no longer covers.
func CoverEnded(c Cover) Message {
	absent, by, planned := OneLine(c.Absent), OneLine(c.By), ", which was planned for "+c.Days
	first := by + " ended your coverage for " + absent + planned + "."
	switch by {
	case "":
		first = "Your coverage for " + absent + planned + ", has ended."
	case absent:
		first = by + " ended your coverage for them" + planned + "."
	}
	return newMessage(c.To, c.Name, "You no longer cover for "+absent, first, "See the absences:\n"+c.AbsencesURL)
}
