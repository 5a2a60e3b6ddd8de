package page

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	view "hearthline/views/page"
	"hearthline/web/format"
)

// PresentConsent maps a consent text. borrower is the name that it shows.
func PresentConsent(v format.Viewer, text desk.ConsentText, borrower string) view.ConsentText {
	return view.ConsentText{
		Text: text.Text, Version: text.Version, EffectiveDate: format.Date(heloc.Date(text.Version)), Borrower: borrower, ReadBy: format.PersonWithNMLS(v.Who),
	}
}
