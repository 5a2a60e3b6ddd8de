package lead

import (
	"hearthline/views/ui"
	"hearthline/views/words"
)

func (v OperationView) operationText() words.Operation { return words.OperationOf(v.OperationName) }

// liveSubject is the lead that the live part follows, or any lead if the start was not found yet.
func (v OperationView) liveSubject() string {
	if v.App == "" {
		return ui.AnyLead
	}
	return v.App
}

// correctedFacts lists the values that were corrected before sending.
func (v OperationView) correctedFacts() []ui.Fact {
	facts := make([]ui.Fact, len(v.Corrected))
	for i, c := range v.Corrected {
		facts[i] = ui.FactOrDash(ui.LabelOf(c.Name)+", typed “"+c.Value+"”", "“"+c.Corrected+"”")
	}
	return facts
}

func (v OperationView) receiptView() ui.ReceiptView {
	s := words.OutcomeOf(v.OperationName, v.State, v.Since)
	note := ui.Notice{Kind: s.Kind, Icon: s.Icon, Title: s.Title, Text: s.Text, Role: "status"}
	if v.State == "unknown" && v.Since == "" {
		note.More = v.operationText().WhileUnknown
	}
	return ui.ReceiptView{Note: note, Steps: v.Steps, Number: v.Number}
}

// repeat is a warning above the form of an abandoned operation; for kinds that leave no evidence, the notice
// at the top already warns.
func (v OperationView) repeat() string {
	if v.State == "abandoned" {
		return v.warning()
	}
	return ""
}

func (v OperationView) warning() string { return words.RepeatOf(v.OperationName) }

// checkedWord is what the user confirms. Once the lead has moved on, "it did not arrive" may be untrue.
func (v OperationView) checkedWord() string {
	if v.Since != "" {
		return "I checked with the lender what became of it."
	}
	return "I asked, and it did not arrive."
}
