package page

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	view "hearthline/views/page"
	"hearthline/views/text"
)

// PresentConsent maps a consent text. borrower is the name that it shows.
func PresentConsent(v text.Viewer, consent desk.ConsentText, borrower string) view.ConsentText {
	return view.ConsentText{
		Text: consent.Text, Version: consent.Version, EffectiveDate: text.Date(heloc.Date(consent.Version)),
		Borrower: borrower, ReadBy: text.PersonWithNMLS(v.Who),
	}
}
