package offers

import (
	"slices"

	"hearthline/views/offersheet"
	"hearthline/views/text"
	"hearthline/views/ui"
	"hearthline/views/workspace"
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

// ShareView is the page on which an originator shares a quote by a link, and revokes links.
type ShareView struct {
	Page       ui.Page
	Name       string // of the borrower, for the originator only
	BackURL    string
	Action     string      // where the form is sent; "" if nothing can be shared
	CannotText string      // why nothing can be shared
	Selection  [][2]string // hidden controls: what to share
	Summary    []ui.Fact
	Offers     []ShareOffer // the first of those that the link shows
	More       string       // "Also 8 more offers."; "" if these are all
	Form       ui.Form      // expires, lang
	Days       []ui.Option
	Languages  []ui.Option
	Links      []ShareLink
}

// ShareOffer is one offer that the link will show.
type ShareOffer struct {
	Term, Payment, Rate, Fee string
}

// justShared reports whether a link was just created; then the links come first.
func (v ShareView) justShared() bool {
	return slices.ContainsFunc(v.Links, func(l ShareLink) bool { return l.IsNew })
}

// ShareLink is one link.
type ShareLink struct {
	ID         string
	URL        string // "" unless it shows the quote
	PreviewURL string // the same, without being counted as an opening
	QRPath     string
	QRViewBox  string
	What       string // "$60,000, three offers, English"
	Created    string
	Status     string // "Expires …", "Expired …", "Revoked …"
	Opened     string
	RevokeURL  string // "" if it cannot be revoked
	IsNew      bool
	// for the newest link that shows its quote: how to send it, and its progress
	Send  *workspace.SendView
	Ticks []workspace.Tick
	Ask   workspace.AskView
}
