// Package lead presents the tabs of one lead other than its offers, and submits its forms: the form of the current
// step, documents, notes and follow-ups, what is revealed of the borrower, and receipts. Each present_*.go maps what
// the desk returns to a view model by plain functions.
package lead

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/views/to"
	"hearthline/web/page"
	"hearthline/web/workspace"
)

// Handlers answer the routes of the lead area.
type Handlers struct {
	*page.Responder
	workspace *workspace.Server
}

// New creates the handlers and registers the area's tabs.
func New(r *page.Responder, w *workspace.Server) *Handlers {
	h := &Handlers{r, w}
	h.registerTabs()
	return h
}

// Routes returns the routes of this area. All of them also exist inside embeds.
func (h *Handlers) Routes() []page.Route {
	return page.InEmbeds(page.Concat(h.tabRoutes(), h.actionRoutes(), h.receiptRoutes()))
}

// tabRoutes show one lead.
func (h *Handlers) tabRoutes() []page.Route {
	var tabs []page.Route
	for _, tab := range to.Tabs() {
		pattern, name := "/leads/{app}", "overview"
		if tab != to.Overview {
			pattern, name = pattern+"/"+string(tab), string(tab)
		}
		tabs = append(tabs, page.Get(pattern, "lead "+name, page.WithLead(h.workspace.ShowTab(tab))))
	}
	return page.Concat(
		page.WithPermission(access.SeeLead, tabs),
		page.WithPermission(access.DownloadDocument, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents/{doc}", Name: "document", Class: page.Download,
				Handler: page.WithLead(h.Document)},
		}),
		page.WithPermission(access.DownloadAll, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/documents.zip", Name: "documents zip", Class: page.Download,
				Handler: page.WithLead(h.DocumentsZip)},
		}),
	)
}

// actionRoutes act on one lead. Every POST performs the action that its path names.
func (h *Handlers) actionRoutes() []page.Route {
	action := func(name string, handle page.Handler) page.Route {
		return page.Post("/leads/{app}/"+name, name, handle)
	}
	forms := func(permission access.Permission) (routes []page.Route) {
		for _, o := range operationForms() {
			if o.permission == permission {
				routes = append(routes, action(string(o.operation), page.WithLeadForm(h.submitOperation(o))))
			}
		}
		return page.WithPermission(permission, routes)
	}
	return page.Concat(
		forms(access.ActOnLead),
		forms(access.SendSSN),
		page.WithPermission(access.ActOnLead, []page.Route{action("attributions", page.WithLeadForm(h.SetAttributions))}),
		forms(access.CancelInquiry),
		page.WithPermission(access.AnnotateLead, []page.Route{
			action("refresh", page.WithLead(h.RefreshLead)),
			action("set-aside", page.WithLeadForm(h.SetAside)),
			action("contact", page.WithLeadForm(h.ContactBorrower)),
			action("note", page.WithLeadForm(h.AddNote)),
			action("follow-up", page.WithLeadForm(h.FollowUp)),
			action("take-off", page.WithLeadForm(h.UnlinkRecord)),
		}),
		page.WithPermission(access.RevealBorrower, []page.Route{
			action("reveal", page.WithLeadForm(h.RevealBorrower)),
			{Method: http.MethodPost, Pattern: "/leads/{app}/loan-file", Name: "loan file", Class: page.Download,
				Handler: page.WithLead(h.LoanFile)},
		}),
		page.WithPermission(access.ContactBorrower, []page.Route{
			page.Get("/leads/{app}/borrower-link", "borrower link", page.WithLead(h.BorrowerLink)),
			page.Post("/leads/{app}/borrower-link", "borrower link, by button", page.WithLead(h.BorrowerLink)),
		}),
	)
}

// receiptRoutes show the receipt of an operation, whose lead may not be known.
func (h *Handlers) receiptRoutes() []page.Route {
	return page.WithPermission(access.SeeLead, []page.Route{
		page.Get("/operations/{id}", "receipt", page.WithReceipt(h.ReceiptPage)),
		page.Post("/operations/{id}", "mark as not received", page.WithReceipt(h.AbandonOperation)),
		page.Post("/operations/{id}/abandon", "abandon", page.WithReceipt(h.AbandonOperation)),
		page.Post("/operations/{id}/adopt", "add the application of a lost inquiry", page.WithReceipt(h.AdoptStart)),
	})
}
