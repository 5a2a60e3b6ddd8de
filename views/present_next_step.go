package views

import (
	"strconv"

	"hearthline/views/ui"
	"hearthline/views/words"
)

// cardView is the text of the card around the step's form.
func (s NextStepView) cardView() ui.NextStepCardView {
	w := words.StatusOf(s.StatusKey, s.Step)
	c := ui.NextStepCardView{
		ID: "step", Icon: w.Icon, Title: firstNonEmpty(s.Title, w.Title), Happened: firstNonEmpty(s.Happened, w.Happened), BorrowerScript: w.Script(words.English), BorrowerScriptES: w.Script(words.Spanish), SpanishFirst: s.Lang == words.Spanish,
		Elapsed: firstNonEmpty(s.OverdueText, s.Elapsed), Tone: w.Tone,
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
	if next := firstNonEmpty(s.Next, w.Next); next != "" && s.StatusKey != "no-offers" {
		c.Next = "Next: " + lowerFirst(next)
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

func (c ConsentText) consentView(f Form, prefix string) ui.ConsentView {
	attested := "I read this text to the borrower and heard the answer."
	if c.Borrower != "" {
		attested = "I read this text to " + c.Borrower + " and heard the answer."
	}
	recorded := "Recorded with my name and the time."
	if c.ReadBy != "" {
		recorded = "Recorded with my name, " + c.ReadBy + ", and the time."
	}
	method := f.field(ui.Field{Name: "consent.method", ID: prefix + "consent.method", Required: true})
	method.Options = ui.Choices(method.Value, words.Consents()...)
	return ui.ConsentView{
		Text: c.Text, Version: c.Version, EffectiveDate: c.EffectiveDate, Method: method,
		Attested: f.field(ui.Field{Name: "consent.attested", ID: prefix + "consent.attested", Label: attested, Optional: recorded, Required: true}),
	}
}

// incomeFields are the money fields of income, under "income" or
// "applicant.income".
func incomeFields(f Form, group, prefix string) []ui.Field {
	out := make([]ui.Field, 0, 6)
	for _, n := range []string{"grossAnnualIncome", "otherAnnualIncome", "annualRetirementIncome", "annualInvestmentIncome", "annualBusinessIncome", "savingsAmount"} {
		name := group + "." + n
		field := ui.Field{Name: name, ID: prefix + name}
		if n != "grossAnnualIncome" {
			field.Optional = "if any"
		}
		out = append(out, f.field(field))
	}
	return out
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

func requiredIf(required bool, f ui.Field) ui.Field {
	f.Required = required
	return f
}

func employmentField(f Form, group, prefix string, live bool) ui.Field {
	name := group + ".employmentType"
	return f.selectField(ui.Field{Name: name, ID: prefix + name}, words.Employments(live))
}

func contactHow(f Form) ui.Field {
	of := f.field(ui.Field{Name: "contact.how", Required: true})
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

// lienRow is one lien of a form, "liens" or "property.liens".
type lienRow struct {
	form   Form
	group  string
	index  string
	number int // its number, starting at one
}

// lienRows returns the rows of a form, at least minRows.
func lienRows(f Form, group string, minRows int) []lienRow {
	indexes := f.rowIndexes(group)
	out := make([]lienRow, 0, len(indexes)+1)
	for i, index := range indexes {
		out = append(out, lienRow{f, group, index, i + 1})
	}
	for i := len(out); i < minRows; i++ {
		out = append(out, lienRow{f, group, strconv.Itoa(i), i + 1})
	}
	return out
}

func lienRowTemplate(group string) lienRow { return lienRow{Form{}, group, "__i__", 0} }

func (r lienRow) name(of string) string { return r.group + "." + r.index + "." + of }

func (r lienRow) field(of, span string) ui.Field {
	return r.form.field(ui.Field{Name: r.name(of), Label: controlLabels[of], Span: span})
}

func (r lienRow) originationDate() ui.Field {
	f := r.field("originationDate", "c2")
	f.Mode, f.Placeholder = "numeric", "mm/dd/yyyy"
	return f
}

func (r lienRow) rowView() ui.RowView {
	v := ui.RowView{
		Index: r.index, Nth: ui.Ordinal(r.number), Noun: "lien",
		Remove: ui.Action{Label: "Remove this lien", Name: "row.remove", Value: r.group + "." + r.index},
	}
	if r.index == "__i__" {
		v.Nth = "New"
	}
	if r.lenderID() != "" {
		v.HasChip, v.Chip = true, ui.ChipView{Icon: "search", Label: "Found by the lender"}
	}
	return v
}

func (r lienRow) lenderID() string { return r.form.Value(r.name("lienUuid")) }

func lienRowsView(group string) ui.RowsView {
	return ui.RowsView{ID: group, Add: ui.Action{Label: "Add a lien", Name: "row.add", Value: group}}
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
	field := f.LiftForm.field(ui.Field{Name: "thaw.bureaus", ID: "thaw-thaw.bureaus", Label: "Lifted at", Hint: "Each bureau is lifted by itself. Leave it open when the borrower did not say."})
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
