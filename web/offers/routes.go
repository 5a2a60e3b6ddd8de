// Package offers presents what the lender priced: the workbench, quotes, payoffs, comparing and selecting offers, and
// the page and PDF for the borrower. Each present_*.go maps what the desk returns to a view model by plain functions.
package offers

import (
	"net/http"

	"github.com/go-chi/httprate"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/views/to"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// Handlers answer the routes of the offers area.
type Handlers struct {
	Deps
	opens *httprate.RateLimiter
}

// Deps are what the offers area needs.
type Deps struct {
	*page.Responder
	Workspace *workspace.Server
	Desks     *desk.Service
	Origin    string // of the portal, as browsers see it: the beginning of a shared link
}

// New creates the handlers and registers the offers tab.
func New(d Deps) *Handlers {
	d.Workspace.Register(to.Offers, presentTab)
	d.Workspace.OverviewOffers, d.Workspace.OffersNews = presentOverview, presentNews
	return &Handlers{d, page.NewMinuteLimit(OpensPerMinute)}
}

// Routes returns the routes of this area. Those of a lead also exist inside embeds. The tab itself is a tab of the
// lead.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(page.InEmbeds(page.Concat(
		page.WithPermission(access.SeeLead, []page.Route{
			page.Get("/leads/{app}/show", "show the borrower", page.WithLead(h.BorrowerViewPage)),
			page.Get("/leads/{app}/offer-sheet", "offer sheet", page.WithLead(h.OfferSheet)),
			page.Get("/leads/{app}/share", "shared links", page.WithLead(h.SharePage)),
			page.Post("/leads/{app}/scenarios", "scenarios", page.WithLeadForm(h.ChangeScenario)),
		}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			page.Post("/leads/{app}/share/{id}/revoke", "revoke a shared link", page.WithLead(h.RevokeShare)),
		}),
		page.WithPermission(access.ActOnLead, []page.Route{
			page.Post("/leads/{app}/share", "share a quote", page.WithLeadForm(h.Share)),
			page.Post("/leads/{app}/calculate-offers", "calculate-offers", page.WithLeadForm(h.CalculateOffers)),
			page.Get("/leads/{app}/direct-debt-payoff-offers", "payoff offers", page.WithLead(h.PayoffOffers)),
			page.Post("/leads/{app}/direct-debt-payoff-offers", "payoff plan", page.WithLeadForm(h.SavePayoffPlan)),
			page.Get("/leads/{app}/borrower-costs", "borrower costs", page.WithLead(h.BorrowerCosts)),
		}),
		page.WithPermission(access.SelectOffer, []page.Route{
			page.Post("/leads/{app}/select-offer", "select-offer", page.WithLeadForm(h.SelectOffer)),
		}),
	)), page.WithoutSignIn([]page.Route{
		page.Get("/q/{token}", "shared quote", h.SharedQuotePage),
		{Method: http.MethodGet, Pattern: "/brand/{file}", Name: "company brand", Class: page.Probe,
			Handler: h.BrandFile},
	}))
}
