package page

import (
	"hearthline/views/ui"
	"hearthline/views/words"
)

func (c ConsentText) consentView(f ui.Form, prefix string) ui.ConsentView {
	attested := "I read this text to the borrower and heard the answer."
	if c.Borrower != "" {
		attested = "I read this text to " + c.Borrower + " and heard the answer."
	}
	recorded := "Recorded with my name and the time."
	if c.ReadBy != "" {
		recorded = "Recorded with my name, " + c.ReadBy + ", and the time."
	}
	method := f.Field(ui.Field{Name: "consent.method", ID: prefix + "consent.method", Required: true})
	method.Options = ui.Choices(method.Value, words.Consents()...)
	return ui.ConsentView{
		Text: c.Text, Version: c.Version, EffectiveDate: c.EffectiveDate, Method: method,
		Attested: f.Field(ui.Field{Name: "consent.attested", ID: prefix + "consent.attested", Label: attested, Optional: recorded, Required: true}),
	}
}
