package text

import "hearthline/internal/lead"

// ClaimOf describes what a single response from the lender would remove from a lead.
func ClaimOf(c lead.Claim) string {
	switch {
	case c.Originator != "":
		return "The lender says that another originator has this lead."
	case c.Ended || c.Step.Ended():
		return "The lender says that this inquiry has ended."
	case c.Step == "" && c.Reversed:
		return "The lender says that this inquiry is no longer converted or funded."
	case c.Step == "":
		return "The lender’s last response shows less of this lead than before."
	case c.Step.InProgress():
		return "The lender says that it’s processing this inquiry again."
	default:
		return "The lender says that this inquiry is at another step: " + StepName(c.Step) + "."
	}
}
