package lead

import (
	"cmp"

	"hearthline/views/ui"
	"hearthline/views/words"
)

// cardView is the text of the card around the step's form.
func (s NextStepView) cardView() ui.NextStepCardView {
	w := words.StatusOf(s.StatusKey, s.Step)
	c := ui.NextStepCardView{
		ID: "step", Icon: w.Icon, Title: cmp.Or(s.Title, w.Title), Happened: cmp.Or(s.Happened, w.Happened), BorrowerScript: w.Script(words.English), BorrowerScriptES: w.Script(words.Spanish), SpanishFirst: s.Lang == words.Spanish,
		Elapsed: cmp.Or(s.OverdueText, s.Elapsed), Tone: w.Tone,
	}
	if s.setAsideUnanswered() {
		c.Title, c.Happened, c.BorrowerScript, c.BorrowerScriptES = "Set aside, treated as no offers", "The lender was not told and has decided nothing. It still waits for an answer.", "", ""
	}
	switch s.Mover {
	case "you":
		c.MoverText = "Your move"
		if c.Tone == "" {
			c.Tone = "yours"
		}
	case "borrower":
		c.MoverText = "With the borrower"
	case "lender":
		c.MoverText = "With the lender"
	}
	if next := cmp.Or(s.Next, w.Next); next != "" && s.StatusKey != "no-offers" {
		c.Next = "Next: " + words.LowerFirst(next)
		if s.UsualWait != "" {
			c.Next += " " + s.UsualWait
		}
	}
	return c
}

// setAsideUnanswered reports whether the user set the lead aside before the lender answered: then no text may
// speak for the lender.
func (s NextStepView) setAsideUnanswered() bool { return s.SetAside.Done && s.Step != "NO_OFFERS" }

// beforeOffers reports whether the inquiry has no offers yet.
func (s NextStepView) beforeOffers() bool {
	switch s.StatusKey {
	case "in-progress", "choose-property", "ssn-needed", "credit-frozen", "repull-due", "verify-liens", "more-assets", "payoff", "property-value":
		return true
	}
	return false
}

// setAsideLabel is the button's label; it does not repeat "no offers" when there are none.
func (s NextStepView) setAsideLabel() string {
	if s.StatusKey == "no-offers" {
		return "Set aside…"
	}
	return "Treat as no offers…"
}

// repeatedNotice reports that the lender asks for the same step again.
func (s NextStepView) repeatedNotice() ui.Notice {
	n := ui.Notice{Kind: "yours", Icon: "triangle-alert", Title: "The lender still asks for this,", Text: s.RepeatedAfter + ".", Role: "status"}
	if s.StatusKey == "ssn-needed" {
		n.Title, n.More = "Still no match", "Read the number back digit by digit."
	}
	if s.Attempt != "" {
		n.More = "Attempt " + s.Attempt + ". " + n.More
	}
	return n
}

// waitingNotice reports that twice the usual wait has passed.
func (s NextStepView) waitingNotice() ui.Notice {
	return ui.Notice{Icon: "hourglass", Title: "Nothing has changed yet.", More: s.StillWaiting + " You may try again, or wait."}
}

// required describes what the live lender requires with every answer to the step.
func (v IncomeView) required(debts bool) string {
	text := "The lender requires employment and annual gross pay."
	if debts {
		text = "The lender requires employment and annual gross pay, even if you only choose debts to pay off."
	}
	if v.Sent {
		text += " Filled in from the inquiry; correct what has changed."
	}
	return text
}

func contactHow(f ui.Form) ui.Field {
	of := f.Field(ui.Field{Name: "contact.how", Required: true})
	of.Options = ui.Choices(of.Value, [2]string{"call", "Call"}, [2]string{"text", "Text"}, [2]string{"email", "E-mail"}, [2]string{"link", "With the link"}, [2]string{"in-person", "In person"})
	return of
}

// class grays out debts that cannot be chosen.
func (d DebtRow) class() string {
	if d.Ineligible != "" {
		return "off"
	}
	return ""
}

// followUpButtonKind makes logging a contact the primary action if it is the user's move.
func (s NextStepView) followUpButtonKind() string {
	if s.Mover == "you" {
		return "pri"
	}
	return ""
}

func (f FreezeView) liftText() string {
	if f.LiftedUntil != "" {
		return f.LiftPlan + ", " + f.LiftedUntil + "."
	}
	return f.LiftPlan + "."
}

func (f FreezeView) repullText() string {
	if f.RepullAt == "" {
		return ""
	}
	text := "Credit is asked for " + f.RepullAt + ", once"
	if f.OnBehalfOf != "" {
		text += ", in the name of " + f.OnBehalfOf
	}
	return text + "."
}

func (f FreezeView) bureausField() ui.Field {
	field := f.LiftForm.Field(ui.Field{Name: "thaw.bureaus", ID: "thaw-thaw.bureaus", Label: "Lifted at", Hint: "Each bureau is lifted by itself. Leave it open when the borrower did not say."})
	field.Options = f.Bureaus
	return field
}

func (f FreezeView) planHasErrors() bool {
	return len(f.LiftForm.FieldErrors) > 0 || f.LiftForm.FormError != ""
}

func (f FreezeView) planTitle() string {
	if f.LiftPlan != "" {
		return "Change the plan…"
	}
	return "The borrower lifts it at a time: plan the re-pull…"
}
