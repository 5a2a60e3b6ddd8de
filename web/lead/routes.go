package lead

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/views/to"
	"hearthline/web/page"
)

// Routes returns the routes of this area. All of them also exist inside embeds.
func (s *Handlers) Routes() []page.Route {
	return page.InEmbeds(page.Concat(s.tabRoutes(), s.actionRoutes(), s.receiptRoutes()))
}

// tabRoutes show one lead.
func (s *Handlers) tabRoutes() []page.Route {
	var tabs []page.Route
	for _, tab := range to.Tabs() {
		pattern, name := "/leads/{app}", "overview"
		if tab != to.Overview {
			pattern, name = pattern+"/"+string(tab), string(tab)
		}
		tabs = append(tabs, page.Route{Method: http.MethodGet, Pattern: pattern, Name: "lead " + name, Handler: page.WithLead(s.LeadTab(tab))})
	}
	tabs = append(tabs,
		page.Route{Method: http.MethodGet, Pattern: "/leads/{app}/show", Name: "show the borrower", Handler: page.WithLead(s.BorrowerViewPage)},
		page.Route{Method: http.MethodGet, Pattern: "/leads/{app}/offer-sheet", Name: "offer sheet", Handler: page.WithLead(s.OfferSheet)},
	)
	return page.Concat(
		page.WithPermission(access.SeeLead, tabs),
		page.WithPermission(access.DownloadDocument, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents/{doc}", Name: "document", Class: page.Download, Handler: page.WithLead(s.Document)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents.zip", Name: "documents zip", Class: page.Download, Handler: page.WithLead(s.DocumentsZip)},
		}),
	)
}

// actionRoutes act on one lead. Every POST performs the action that its path names.
func (s *Handlers) actionRoutes() []page.Route {
	action := func(name string, handle page.Handler) page.Route {
		return page.Route{Method: http.MethodPost, Pattern: "/leads/{app}/" + name, Name: name, Handler: handle}
	}
	return page.Concat(
		page.WithPermission(access.ActOnLead, []page.Route{
			action("repull-credit", page.WithLeadForm(s.RepullCredit)),
			action("verify-liens", page.WithLeadForm(s.VerifyLiens)),
			action("add-income", page.WithLeadForm(s.AddIncome)),
			action("asset-depletion", page.WithLeadForm(s.AssetDepletion)),
			action("add-property-estimate", page.WithLeadForm(s.AddPropertyEstimate)),
			action("select-property", page.WithLeadForm(s.SelectProperty)),
			action("calculate-offers", page.WithLeadForm(s.CalculateOffers)),
			{Method: http.MethodGet, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers", Handler: page.WithLead(s.PayoffOffers)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/direct-debt-payoff-offers", Name: "payoff offers, worked out", Handler: page.WithLeadForm(s.SavePayoffPlan)},
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-costs", Name: "borrower costs", Handler: page.WithLead(s.BorrowerCosts)},
			action("attributions", page.WithLeadForm(s.SetAttributions)),
		}),
		page.WithPermission(access.SendSSN, []page.Route{action("add-ssn", page.WithLeadForm(s.AddSSN))}),
		page.WithPermission(access.SelectOffer, []page.Route{action("select-offer", page.WithLeadForm(s.SelectOffer))}),
		page.WithPermission(access.CancelInquiry, []page.Route{action("cancel", page.WithLeadForm(s.CancelInquiry))}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			action("refresh", page.WithLead(s.RefreshLead)),
			action("set-aside", page.WithLeadForm(s.SetAside)),
			action("contact", page.WithLeadForm(s.ContactBorrower)),
			action("note", page.WithLeadForm(s.AddNote)),
			action("follow-up", page.WithLeadForm(s.FollowUp)),
			action("take-off", page.WithLeadForm(s.UnlinkRecord)),
		}),
		page.WithPermission(access.RevealBorrower, []page.Route{
			action("reveal", page.WithLeadForm(s.RevealBorrower)),
		}),
		page.WithPermission(access.ContactBorrower, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/borrower-link", Name: "borrower link", Handler: page.WithLead(s.BorrowerLink)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/borrower-link", Name: "borrower link, pressed", Handler: page.WithLead(s.BorrowerLink)},
		}),
	)
}

// receiptRoutes show the receipt of an operation, whose lead may not be known.
func (s *Handlers) receiptRoutes() []page.Route {
	return page.WithPermission(access.SeeLead, []page.Route{
		{Method: http.MethodGet, Pattern: "/operations/{id}", Name: "receipt", Handler: page.WithReceipt(s.ReceiptPage)},
		{Method: http.MethodPost, Pattern: "/operations/{id}", Name: "give up", Handler: page.WithReceipt(s.AbandonOperation)},
		{Method: http.MethodPost, Pattern: "/operations/{id}/abandon", Name: "abandon", Handler: page.WithReceipt(s.AbandonOperation)},
	})
}
