package views

import (
	"strconv"

	"hearthline/views/ui"
	"hearthline/views/words"
)

// card is the frame of the step in words.
func (s StepView) card() ui.CardView {
	w := words.StandingOf(s.Key, s.Step)
	c := ui.CardView{
		ID: "step", Icon: w.Icon, Title: or(s.Title, w.Title), What: or(s.What, w.What), Say: w.Say(words.English), SayES: w.Say(words.Spanish), InES: s.Lang == words.Spanish,
		Clock: or(s.Late, s.Clock), Tone: w.Tone,
	}
	if s.stopped() {
		c.Title, c.What, c.Say, c.SayES = "Set aside, treated as no offers", "The lender was not told and has decided nothing. It still waits for an answer.", "", ""
	}
	switch s.Mover {
	case "you":
		c.Move = "Your move"
		if c.Tone == "" {
			c.Tone = "yours"
		}
	case "borrower":
		c.Move = "With the borrower"
	case "lender":
		c.Move = "With the lender"
	}
	if next := or(s.Next, w.Next); next != "" && s.Key != "no-offers" {
		c.Next = "Next: " + lower(next)
		if s.Usual != "" {
			c.Next += " " + s.Usual
		}
	}
	return c
}

// stopped tells whether the person gave the lead up before the lender answered:
// then nothing may be said in the lender's name.
func (s StepView) stopped() bool { return s.SetAside.Done && s.Step != "NO_OFFERS" }

// blocked tells whether the inquiry stands before its offers.
func (s StepView) blocked() bool {
	switch s.Key {
	case "in-progress", "choose-property", "ssn-needed", "credit-frozen", "repull-due", "verify-liens", "more-assets", "payoff", "property-value":
		return true
	}
	return false
}

// setAside names the way out; where there are no offers it says no such thing twice.
func (s StepView) setAside() string {
	if s.Key == "no-offers" {
		return "Set aside…"
	}
	return "Treat as no offers…"
}

// again says that the lender asks for the same thing once more.
func (s StepView) again() ui.Notice {
	n := ui.Notice{Kind: "yours", Icon: "triangle-alert", Title: "The lender still asks for this,", Text: s.Again + ".", Role: "status"}
	if s.Key == "ssn-needed" {
		n.Title, n.More = "Still no match", "Read the number back digit by digit."
	}
	if s.Attempt != "" {
		n.More = "Attempt " + s.Attempt + ". " + n.More
	}
	return n
}

// still says that twice the usual wait has passed.
func (s StepView) still() ui.Notice {
	return ui.Notice{Icon: "hourglass", Title: "Nothing has changed yet.", More: s.Still + " You may try again, or wait."}
}

func (c ConsentText) field(f Form, prefix string) ui.ConsentView {
	attested := "I read this text to the borrower and heard the answer."
	if c.Borrower != "" {
		attested = "I read this text to " + c.Borrower + " and heard the answer."
	}
	recorded := "Recorded with my name and the time."
	if c.Person != "" {
		recorded = "Recorded with my name, " + c.Person + ", and the time."
	}
	method := f.field(ui.Field{Name: "consent.method", ID: prefix + "consent.method", Required: true})
	method.Options = ui.Choices(method.Value, words.Consents()...)
	return ui.ConsentView{
		Text: c.Text, Version: c.Version, Dated: c.Dated, Method: method,
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

// required says what the live lender wants to know with every answer of the step.
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
	return f.choice(ui.Field{Name: name, ID: prefix + name}, words.Employments(live))
}

func contactHow(f Form) ui.Field {
	of := f.field(ui.Field{Name: "contact.how", Required: true})
	of.Options = ui.Choices(of.Value, [2]string{"call", "Call"}, [2]string{"text", "Text"}, [2]string{"email", "E-mail"}, [2]string{"link", "With the link"}, [2]string{"in-person", "In person"})
	return of
}

// debtClass greys out what cannot be chosen.
func (d DebtRow) class() string {
	if d.Reason != "" {
		return "off"
	}
	return ""
}

// lienRow is one lien of a form, "liens" or "property.liens".
type lienRow struct {
	form  Form
	group string
	index string
	n     int // its number, counted from one
}

// lienRows are the rows of a form, at least one.
func lienRows(f Form, group string, least int) []lienRow {
	indexes := f.rows(group)
	out := make([]lienRow, 0, len(indexes)+1)
	for i, index := range indexes {
		out = append(out, lienRow{f, group, index, i + 1})
	}
	for i := len(out); i < least; i++ {
		out = append(out, lienRow{f, group, strconv.Itoa(i), i + 1})
	}
	return out
}

func lienPattern(group string) lienRow { return lienRow{Form{}, group, "__i__", 0} }

func (r lienRow) name(of string) string { return r.group + "." + r.index + "." + of }

func (r lienRow) field(of, span string) ui.Field {
	return r.form.field(ui.Field{Name: r.name(of), Label: labels[of], Span: span})
}

func (r lienRow) opened() ui.Field {
	f := r.field("originationDate", "c2")
	f.Mode, f.Placeholder = "numeric", "mm/dd/yyyy"
	return f
}

func (r lienRow) row() ui.RowView {
	v := ui.RowView{
		Index: r.index, Nth: ui.Ordinal(r.n), Noun: "lien",
		Remove: ui.Action{Label: "Remove this lien", Name: "row.remove", Value: r.group + "." + r.index},
	}
	if r.index == "__i__" {
		v.Nth = "New"
	}
	if r.found() != "" {
		v.HasChip, v.Chip = true, ui.ChipView{Icon: "search", Label: "Found by the lender"}
	}
	return v
}

func (r lienRow) found() string { return r.form.Value(r.name("lienUuid")) }

func addLien(group string) ui.RowsView {
	return ui.RowsView{ID: group, Add: ui.Action{Label: "Add a lien", Name: "row.add", Value: group}}
}

// chaseKind makes the note of a contact the primary act when it is your move.
func (s StepView) chaseKind() string {
	if s.Mover == "you" {
		return "pri"
	}
	return ""
}

func (f FreezeView) lifted() string {
	if f.Until != "" {
		return f.Lifted + ", " + f.Until + "."
	}
	return f.Lifted + "."
}

func (f FreezeView) askAt() string {
	if f.AskAt == "" {
		return ""
	}
	text := "Credit is asked for " + f.AskAt + ", once"
	if f.Who != "" {
		text += ", in the name of " + f.Who
	}
	return text + "."
}

func (f FreezeView) bureaus() ui.Field {
	field := f.Lift.field(ui.Field{Name: "thaw.bureaus", ID: "thaw-thaw.bureaus", Label: "Lifted at", Hint: "Each bureau is lifted by itself. Leave it open when the borrower did not say."})
	field.Options = f.Bureaus
	return field
}

func (f FreezeView) planOpen() bool { return len(f.Lift.Wrong) > 0 || f.Lift.Refused != "" }

func (f FreezeView) planTitle() string {
	if f.Lifted != "" {
		return "Change the plan…"
	}
	return "The borrower lifts it at a time: plan the re-pull…"
}
