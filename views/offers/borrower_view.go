package offers

import (
	"slices"

	"hearthline/views/text"
	"hearthline/views/ui"
)

// BorrowerView is the page for a borrower: the company's page, without the portal's navigation. It has no name,
// address or score of the borrower, and no offer is emphasized. The PDF states the same.
type BorrowerView struct {
	Page       ui.BorrowerPage
	Lang       text.Lang
	Text       text.OfferSheet
	EnglishURL string
	SpanishURL string
	PDFURL     string // "" if there is none
	BackURL    string // the originator's way back; "" on a shared page
	Company    BorrowerCompany
	Heading    string
	Lede       []TextPart
	Offers     []BorrowerOffer
	HasMore    bool // not all offers are displayed
	Chart      BorrowerChart
	Debts      BorrowerDebts
	Terms      []ui.Fact
	Officer    BorrowerOfficer
	Dates      string
	Legal      []string
}

// BorrowerCompany is the company that speaks.
type BorrowerCompany struct {
	Name, NMLS string
	LogoURL    string // "" without a logo
	LogoWidth  string // in CSS pixels, at the height of LogoHeight
}

// TextPart is a part of a sentence.
type TextPart struct {
	Text   string
	Strong bool
}

// BorrowerOffer is one offer.
type BorrowerOffer struct {
	Term    string // "10 years"
	Dollars string // "$1,827"
	Cents   string // ".67"
	Per     string // "a month", "a month for 2 years"; "" without a payment
	Note    string // out of range: "up to $120,000"; replaces the payment
	Facts   []ui.Fact
}

// sameLabels reports whether the figures of all offers have the same labels, so that a list names them once.
func (v BorrowerView) sameLabels() bool {
	for _, o := range v.Offers {
		if !slices.EqualFunc(o.Facts, v.Offers[0].Facts, func(a, b ui.Fact) bool { return a.Label == b.Label }) {
			return false
		}
	}
	return true
}

// BorrowerDebts is what the line pays off.
type BorrowerDebts struct {
	Rows        []BorrowerDebt
	HasPayments bool // the borrower has reported what some of them cost a month
	Total       BorrowerDebt
	ToYou       string
}

// BorrowerDebt is one debt, or the total.
type BorrowerDebt struct{ Name, Balance, Payment string }

// BorrowerOfficer is whom to call: the loan officer, or the company where there is none.
type BorrowerOfficer struct{ Name, Initials, Subtitle, Phone, PhoneURL string }
