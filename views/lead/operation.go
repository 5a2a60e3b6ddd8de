package lead

import "hearthline/views/ui"

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
		facts[i] = ui.FactOrDash(ui.LabelOf(c.Name)+", entered “"+c.Value+"”", "“"+c.Corrected+"”")
	}
	return facts
}
