// Package intake has the pages for new inquiries: the form with its autosaved draft, drafts and
// their transfer, copying a lead to a new inquiry, the quick estimate, and the link on which a
// borrower continues alone.
package intake

import (
	"net/http"

	deskintake "hearthline/internal/desk/intake"

	"hearthline/internal/access"
	"hearthline/views/to"
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

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(
		page.InEmbeds(page.WithPermission(access.PrepareDraft, []page.Route{
			page.Get("/leads/new", "new inquiry", h.IntakePage),
			page.Get("/leads/new/license", "license in a state", page.WithDesk(h.StateLicense)),
			{Method: http.MethodPost, Pattern: "/leads/import", Name: "import a loan file", Upload: true,
				MaxFile: deskintake.MaxImportSize, Handler: page.WithForm(page.Desk.Drafts, h.ImportDraft)},
			page.Get("/drafts", "drafts", page.WithHandle(page.Desk.Drafts, h.DraftsPage)),
			page.Post("/drafts/{id}", "save draft", page.WithForm(page.Desk.Drafts, h.SaveDraft)),
			page.Post("/drafts/{id}/delete", "delete draft",
				page.WithActionOn(page.Desk.Drafts, (*deskintake.Drafts).Delete, to.Full.Drafts())),
			page.Post("/drafts/{id}/hand", "transfer a draft", page.WithForm(page.Desk.Drafts, h.TransferDraft)),
		})),
		page.InEmbeds(page.WithPermission(access.StartInquiry, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads", Name: "start", StepUp: page.StepUpWithSSN,
				Handler: page.WithForm(page.Desk.Intake, h.StartInquiry)},
		})),
		h.borrowerLinkRoutes(),
		h.estimateRoutes(),
		page.InEmbeds(page.WithPermission(access.RevealBorrower, []page.Route{
			// The new draft is filled with what was sent, so this reveals borrower details.
			page.Post("/leads/{app}/clone", "clone", page.WithLead(h.CloneLead)),
		})),
	)
}

// borrowerLinkRoutes exist only when the lender has a borrower site.
func (h *Handlers) borrowerLinkRoutes() []page.Route {
	if !h.BorrowerLinks {
		return nil
	}
	return page.InEmbeds(page.WithPermission(access.StartInquiry, []page.Route{
		page.Post("/drafts/{id}/link", "borrower link of a draft", page.WithForm(page.Desk.Drafts, h.DraftBorrowerLink)),
	}))
}

// estimateRoutes exist only when the lender offers estimates.
func (h *Handlers) estimateRoutes() []page.Route {
	if !h.Estimates {
		return nil
	}
	return page.InEmbeds(page.WithPermission(access.Prequalify, []page.Route{
		page.Get("/prequalify", "quick estimate", page.WithHandle(page.Desk.Estimates, h.EstimatePage)),
		{Method: http.MethodPost, Pattern: "/prequalify", Name: "request an estimate", StepUp: page.StepUpWithSSN,
			Handler: page.WithForm(page.Desk.Estimates, h.RequestEstimate)},
	}))
}
