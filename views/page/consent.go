package page

import (
	"strings"

	"hearthline/views/text"
	"hearthline/views/ui"
)

func (c ConsentText) consentView(f ui.Form, prefix string) ui.ConsentView {
	attested := "The borrower heard or read this disclosure and agreed."
	if c.Borrower != "" {
		attested = c.Borrower + " heard or read this disclosure and agreed."
	}
	recorded := "Your name and the time are recorded."
	switch {
	case strings.Contains(c.ReadBy, "NMLS"):
		recorded = "Your name and NMLS ID (" + c.ReadBy + ") and the time are recorded."
	case c.ReadBy != "":
		recorded = "Your name (" + c.ReadBy + ") and the time are recorded."
	}
	method := f.Field(ui.Field{Name: "consent.method", ID: prefix + "consent.method", Required: true})
	method.Options = ui.Choices(method.Value, text.Consents()...)
	return ui.ConsentView{
		Text: c.Text, Version: c.Version, Method: method,
		Attested: f.Field(ui.Field{Name: "consent.attested", ID: prefix + "consent.attested", Label: attested,
			Optional: recorded, Required: true}),
	}
}
