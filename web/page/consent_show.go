package page

import (
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/views"
	"hearthline/web/format"
)

func ConsentOf(v format.Viewer, text desk.ConsentText, borrower string) views.ConsentText {
	return views.ConsentText{
		Text: text.Text, Version: text.Version, Dated: format.Calendar(heloc.Date(text.Version)), Borrower: borrower, Person: format.PersonOf(v.Who),
	}
}
