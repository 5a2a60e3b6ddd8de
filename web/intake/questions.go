package intake

import (
	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/heloc"
	view "hearthline/views/intake"
	"hearthline/web/form"
)

// intakeQuestions returns what the form asks about unlikely entries, answered or not.
func intakeQuestions(in heloc.Inquiry, unit deskintake.UnitReason) []view.DraftNote {
	var asked []view.DraftNote
	if unit != "" {
		asked = append(asked, view.DraftNote{Name: form.ConfirmNoUnit, Text: unitQuestion(unit)})
	}
	for _, q := range form.Questions(in) {
		asked = append(asked, view.DraftNote{Name: q.Control, Text: q.Text})
	}
	return asked
}

// unitQuestion asks for the unit, and says why.
func unitQuestion(reason deskintake.UnitReason) string {
	switch reason {
	case deskintake.UnitNumberRange:
		return "This address has a range of street numbers. Which unit is it?"
	case deskintake.UnitNoNumber:
		return "This address mentions a unit or a multi-unit building but has no unit number. Which unit is it?"
	case deskintake.UnitMatched:
		return "The lender found several units at this street number for another inquiry. Which unit is it?"
	default:
		return "Another inquiry at this street number has a unit. Which unit is it?"
	}
}
