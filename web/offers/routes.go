package offers

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/web/page"
)

// Routes returns the routes of this area. All of them also exist inside embeds. The tab itself is a tab of the lead.
func (s *Handlers) Routes() []page.Route {
	return page.InEmbeds(page.Concat(
		page.WithPermission(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/show", Name: "show the borrower", Handler: page.WithLead(s.BorrowerViewPage)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/offer-sheet", Name: "offer sheet", Handler: page.WithLead(s.OfferSheet)},
		}),
		page.WithPermission(access.ActOnLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/{app}/calculate-offers", Name: "calculate-offers", Handler: page.WithLeadForm(s.CalculateOffers)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers", Handler: page.WithLead(s.PayoffOffers)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff plan", Handler: page.WithLeadForm(s.SavePayoffPlan)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-costs", Name: "borrower costs", Handler: page.WithLead(s.BorrowerCosts)},
		}),
		page.WithPermission(access.SelectOffer, []page.Route{
			{Method: http.MethodPost, Pattern: "/leads/{app}/select-offer", Name: "select-offer", Handler: page.WithLeadForm(s.SelectOffer)},
		}),
	))
}
