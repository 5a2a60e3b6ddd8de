package offers

import (
	"slices"

	"hearthline/views/offersheet"
	"hearthline/views/text"
	"hearthline/views/ui"
)

// BorrowerView is the page for a borrower: the company's page, without the portal's navigation. It has no name,
// address or score of the borrower, and no offer is emphasized. The PDF states the same.
type BorrowerView struct {
	offersheet.Sheet
	Page       ui.BorrowerPage
	Text       text.OfferSheet
	EnglishURL string
	SpanishURL string
	PDFURL     string // "" if there is none
	BackURL    string // the originator's way back; "" on a shared page
	LogoDigest string // "" without a logo
	LogoWidth  string // in CSS pixels
	Initials   string // of the loan officer; "" if there is only the company to call
	PhoneURL   string
}

// sameLabels reports whether the figures of all offers have the same labels, so that a list names them once.
func (v BorrowerView) sameLabels() bool {
	same := func(a, b [2]string) bool { return a[0] == b[0] }
	return !slices.ContainsFunc(v.Offers, func(o offersheet.Offer) bool {
		return !slices.EqualFunc(o.Facts, v.Offers[0].Facts, same)
	})
}
