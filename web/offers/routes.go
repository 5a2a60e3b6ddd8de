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
	d.Workspace.OverviewOffers = presentOverview
	return &Handlers{d, page.NewMinuteLimit(OpensPerMinute)}
}

// Routes returns the routes of this area. Those of a lead also exist inside embeds. The tab itself is a tab of the
// lead.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(page.InEmbeds(page.Concat(
		page.WithPermission(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/show", Name: "show the borrower",
				Handler: page.WithLead(h.BorrowerViewPage)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/offer-sheet", Name: "offer sheet",
				Handler: page.WithLead(h.OfferSheet)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/share", Name: "shared links", Handler: page.WithLead(h.SharePage)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/scenarios", Name: "scenarios",
				Handler: page.WithLeadForm(h.ChangeScenario)},
		}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/{app}/share/{id}/revoke", Name: "revoke a shared link",
				Handler: page.WithLead(h.RevokeShare)},
		}),
		page.WithPermission(access.ActOnLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/{app}/share", Name: "share a quote", Handler: page.WithLeadForm(h.Share)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/calculate-offers", Name: "calculate-offers",
				Handler: page.WithLeadForm(h.CalculateOffers)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers",
				Handler: page.WithLead(h.PayoffOffers)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff plan",
				Handler: page.WithLeadForm(h.SavePayoffPlan)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-costs", Name: "borrower costs",
				Handler: page.WithLead(h.BorrowerCosts)},
		}),
		page.WithPermission(access.SelectOffer, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/{app}/select-offer", Name: "select-offer",
				Handler: page.WithLeadForm(h.SelectOffer)},
		}),
	)), []page.Route{
		{Method: http.MethodGet, Pattern: "/q/{token}", Name: "shared quote", Public: true, Handler: h.SharedQuotePage},
		{Method: http.MethodGet, Pattern: "/brand/{file}", Name: "company brand", Public: true, Class: page.Probe,
			Handler: h.BrandFile},
	})
}
