package offers

import (
	"slices"

	"hearthline/views/ui"
)

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
}
