package text

// Mission is the text for one thing to practice in the demo.
type Mission struct {
	Title       string
	Happened    string // what happened at the lender, while a lead is at the step
	Task        string // what to do
	WithoutLead string // what to do first when there is no lead to practice on
}

// ReassignMission is the key of the one mission that is about no status.
const ReassignMission = "reassign"

var missionTasks = map[string]string{
	"choose-property": "Confirm the address with the borrower and choose the property.",
	"ssn-needed":      "Ask the borrower for the SSN and send it.",
	"credit-frozen":   "On the lead’s page, choose “Borrower lifts the freeze” in the demo bar. Then re-pull credit.",
	"verify-liens":    "Confirm every loan with the borrower and send the liens.",
	"more-assets":     "Enter the borrower’s other income or assets and send them.",
	"payoff":          "Choose the debts to pay off from the line and send them.",
	"property-value":  "Ask the borrower what the home would sell for and send the value.",
}

// MissionOf returns the mission of a status; for "", the reassignment, whose task depends on the role.
func MissionOf(status string) Mission {
	if status == "" {
		return Mission{Title: "Reassign a lead", WithoutLead: "Start a sample inquiry first."}
	}
	s := StatusOf(status, "")
	return Mission{Title: s.Chip, Happened: s.Happened, Task: missionTasks[status],
		WithoutLead: "Start a sample inquiry for this step first."}
}

// ReassignTask is what to do with a lead that is to be reassigned.
func ReassignTask(manager bool) string {
	if manager {
		return "Reassign it to another originator. As a manager, you can reassign any lead at your company."
	}
	return "Reassign it to another originator at your company; it then leaves your list. " +
		"You can reassign only your own leads."
}
