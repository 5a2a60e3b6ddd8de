package page

import (
	"strings"

	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// CandidateOption is a colleague to choose, with what decides between colleagues. Their NMLS ID tells people with the
// same name apart.
func CandidateOption(v text.Viewer, c lead.Candidate, value string) ui.Option {
	return ui.Option{Value: value, Label: c.DisplayName(), Note: text.JoinNonEmpty(" · ", text.NMLSOrUnknown(c.NMLS),
		LicensesText(c), OpenText(c), AwayText(v, c))}
}

// CandidateChoices are colleagues in a drop-down list, by their originator or, otherwise, by their account.
func CandidateChoices(v text.Viewer, all []lead.Candidate, byOriginator bool) [][2]string {
	choices := [][2]string{{"", "Choose…"}}
	for _, c := range all {
		value := c.UserID
		if byOriginator {
			value = string(c.UUID)
		}
		o := CandidateOption(v, c, value)
		choices = append(choices, [2]string{o.Value, text.JoinNonEmpty(" · ", o.Label, o.Note)})
	}
	return choices
}

// OpenText is how many open leads a candidate has, if the user may know.
func OpenText(c lead.Candidate) string {
	if !c.Load {
		return ""
	}
	return text.Pluralize(c.Open, "open lead", "open leads")
}

// LicensesText states what is known about a candidate's licenses in the states of the work. An unknown license is no
// reason to refuse; it tells the user to ask first.
func LicensesText(c lead.Candidate) string {
	if len(c.Held) == 0 {
		return MissingLicensesText(c)
	}
	return text.JoinNonEmpty(". ", MissingLicensesText(c), "Licensed: "+strings.Join(c.Held, ", "))
}

// MissingLicensesText says for which states a candidate has no license on file, or may not act.
func MissingLicensesText(c lead.Candidate) string {
	var parts []string
	if len(c.Missing) > 0 {
		parts = append(parts, "Not licensed: "+strings.Join(c.Missing, ", "))
	}
	if len(c.Unknown) > 0 {
		parts = append(parts, "No license on file: "+strings.Join(c.Unknown, ", "))
	}
	return strings.Join(parts, ". ")
}

// AwayText says why a candidate would not see their work now; empty if they can.
func AwayText(v text.Viewer, c lead.Candidate) string {
	if c.HasAccount && c.Absence == nil && !c.NoLeads {
		return ""
	}
	return AvailabilityText(v, c)
}

// AvailabilityText says what is known about whether a candidate can work now.
func AvailabilityText(v text.Viewer, c lead.Candidate) string {
	switch {
	case c.Disabled:
		return "Account disabled"
	case c.NoLeads:
		return "Can’t work on leads"
	case !c.HasAccount:
		return "No account"
	case c.Absence != nil && c.Absence.IsOut():
		return "Out through " + text.Date(c.Absence.LastDay)
	case c.Absence != nil:
		return "Absent through " + text.Date(c.Absence.LastDay)
	case c.SeenAt == 0:
		return "Never signed in"
	default:
		return "Last seen " + v.DateTimeInText(text.TimeOfMillis(c.SeenAt))
	}
}
