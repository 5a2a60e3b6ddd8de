package form

import (
	"strings"

	"hearthline/internal/heloc"
	"hearthline/views/text"
)

// The controls that confirm an unlikely entry. Each is a required checkbox once its question is asked.
const (
	ConfirmLienBalance     = "confirm.lienBalance"
	ConfirmLiensAboveValue = "confirm.liensAboveValue"
	ConfirmNoUnit          = "confirm.noUnit"
)

// Question asks whether an unlikely entry is right.
type Question struct {
	Control string // the checkbox that answers it
	Text    string
}

// Questions returns the questions about an inquiry's amounts. Both are possible, so they are asked and not refused:
// a balance above its original amount is usually a typing error, and so are liens above the home's value.
func Questions(in heloc.Inquiry) []Question {
	var asked []Question
	var above []string
	owed, known := heloc.Money(0), in.Property.EstimatedValue
	for i, l := range in.Property.Liens {
		if l.CurrentBalance == nil {
			continue
		}
		owed += *l.CurrentBalance
		if l.OriginalBalance != nil && *l.CurrentBalance > *l.OriginalBalance {
			above = append(above, "The "+text.Ordinal(i+1)+" lien’s current balance, "+text.Money(*l.CurrentBalance)+
				", is above its original amount, "+text.Money(*l.OriginalBalance)+".")
		}
	}
	if len(above) > 0 {
		asked = append(asked, Question{ConfirmLienBalance, strings.Join(above, " ") + " Is this right?"})
	}
	if known != nil && owed > *known {
		asked = append(asked, Question{ConfirmLiensAboveValue, "The current balances add up to " + text.Money(owed) +
			", more than the stated value, " + text.Money(*known) + ". Is this right?"})
	}
	return asked
}

// ask records an error for each question about the inquiry that is not answered.
func (f *Form) ask(in heloc.Inquiry) {
	for _, q := range Questions(in) {
		if !f.IsChecked(q.Control) {
			f.AddError(q.Control, "Correct the amounts, or check this box if they’re right.")
		}
	}
}
