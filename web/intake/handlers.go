// Package intake has the pages for new inquiries: the form with its autosaved draft, drafts and
// their transfer, copying a lead to a new inquiry, the quick estimate, and the link on which a
// borrower continues alone.
package intake

import (
	"hearthline/web/page"
)

// Deps are what the intake area needs.
type Deps struct {
	*page.Responder
	Estimates     bool     // whether the quick estimate is enabled; otherwise its routes do not exist
	BorrowerLinks bool     // whether borrowers can continue alone, through a link
	TestVariants  []string // test variants that an inquiry may request; if empty, the choice is hidden
}

// Handlers answer the routes of the intake area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }
