package offers

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/web/page"
)

// Routes returns the routes of this area. Those of a lead also exist inside embeds. The tab itself is a tab of the lead.
func (s *Handlers) Routes() []page.Route {
	return page.Concat(page.InEmbeds(page.Concat(
		page.WithPermission(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/show", Name: "show the borrower", Handler: page.WithLead(s.BorrowerViewPage)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/offer-sheet", Name: "offer sheet", Handler: page.WithLead(s.OfferSheet)},
		}),
		page.WithPermission(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/share", Name: "shared links", Handler: page.WithLead(s.SharePage)},
		}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/{app}/share/{id}/revoke", Name: "revoke a shared link", Handler: page.WithLead(s.RevokeShare)},
		}),
		page.WithPermission(access.ActOnLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/{app}/share", Name: "share a quote", Handler: page.WithLeadForm(s.Share)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/calculate-offers", Name: "calculate-offers", Handler: page.WithLeadForm(s.CalculateOffers)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers", Handler: page.WithLead(s.PayoffOffers)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff plan", Handler: page.WithLeadForm(s.SavePayoffPlan)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-costs", Name: "borrower costs", Handler: page.WithLead(s.BorrowerCosts)},
		}),
		page.WithPermission(access.SelectOffer, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/{app}/select-offer", Name: "select-offer", Handler: page.WithLeadForm(s.SelectOffer)},
		}),
	)), []page.Route{
		{Method: http.MethodGet, Pattern: "/q/{token}", Name: "shared quote", Public: true, Handler: s.SharedQuotePage},
		{Method: http.MethodGet, Pattern: "/brand/{file}", Name: "company brand", Public: true, Class: page.Probe, Handler: s.BrandFile},
	})
}
