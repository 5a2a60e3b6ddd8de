// Package admin has the pages for administrators: users, requests, originators, licenses, consent texts, CRMs, the
// audit log, health, and what the portal uses of the lender's interface. No borrower appears on any of them.
package admin

import (
	"net/http"

	"hearthline/internal/access"
	view "hearthline/views/admin"
	"hearthline/web/page"
)

// Deps are what the administration area needs.
type Deps struct {
	*page.Responder
	Origin     string              // of the portal, as browsers see it
	CRMs       bool                // whether CRMs may embed the desk; otherwise their page does not exist
	RouteTable func() []page.Route // every route of the portal, for the policy page
}

// Handlers answer the routes of the administration area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }

// layout returns the layout of an administration page.
func (h *Handlers) layout(r *http.Request, title, intro string) view.LayoutView {
	return view.LayoutView{Page: h.Layout(r, title), Title: title, Intro: intro, Tabs: h.AdminTabs(r)}
}

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(
		page.WithPermission(access.SeeAudit, []page.Route{
			page.Get("/admin/audit", "audit", page.WithHandle(page.Desk.Audit, h.AuditPage)),
			{Method: http.MethodGet, Pattern: "/admin/audit/heads", Name: "audit heads", Class: page.Download,
				Handler: page.WithHandle(page.Desk.Audit, h.AuditHeads)},
		}),
		page.WithPermission(access.ManagePeople, []page.Route{
			page.Get("/admin/originators", "originators and accounts", page.WithNewForm(page.Desk.People, h.renderOriginators)),
			page.Post("/admin/originators/apply", "apply a change of the directory", h.changeOriginators(applyDirectory)),
			page.Post("/admin/originators/discard", "discard a change of the directory", h.changeOriginators(discardDirectory)),
			page.Post("/admin/originators/undo", "undo an account closure", h.changeOriginators(undoDirectory)),
			page.Get("/admin/users", "users", page.WithHandle(page.Desk.People, h.PeoplePage)),
			page.Get("/admin/users/{id}", "user", page.WithNewForm(page.Desk.People, h.renderPerson)),
			page.Post("/admin/users/{id}/role", "change a role", h.changePerson(changeRole)),
			page.Post("/admin/users/{id}/sign-out", "sign a user out", h.changePerson(signPersonOut)),
			page.Post("/admin/users/{id}/email", "propose new email", h.changePerson(offerEmail)),
			page.Post("/admin/users/{id}/reset", "reset an account", h.changePerson(resetPerson)),
			page.Post("/admin/users/{id}/link", "request a single sign-on link", h.changePerson(linkPerson)),
			page.Post("/admin/users/{id}/close", "close an account", h.changePerson(closePerson)),
			page.Post("/admin/users/{id}/open", "reopen an account", h.changePerson(reopenPerson)),
			page.Post("/admin/users/{id}/disconnect", "disconnect a user's CRM", h.changePerson(disconnectPerson)),
			page.Get("/admin/requests", "requests", page.WithNewForm(page.Desk.Requests, h.renderRequests)),
			page.Post("/admin/requests", "request single sign-on values", h.changeRequests(requestSSOValues)),
			page.Post("/admin/requests/{id}/approve", "approve a request", h.changeRequests(approveRequest)),
			page.Post("/admin/requests/{id}/decline", "decline a request", h.changeRequests(declineRequest)),
			page.Post("/admin/requests/{id}/withdraw", "withdraw a request", h.changeRequests(withdrawRequest)),
		}),
		page.WithPermission(access.ManageSettings, []page.Route{
			page.Get("/admin/policy", "policy", h.PolicyPage),
			page.Get("/admin/asvs", "ASVS", h.AsvsPage),
			page.Get("/admin/interface", "interface", page.WithHandle(page.Desk.Installation, h.InterfacePage)),
			page.Get("/admin/health", "system status", page.WithNewForm(page.Desk.Installation, h.renderHealth)),
			page.Post("/admin/health/payments", "use payment estimates again",
				page.WithForm(page.Desk.Installation, h.ConfirmPayments)),
			page.Get("/admin/licenses", "licenses", page.WithNewForm(page.Desk.Licenses, h.renderLicenses)),
			page.Post("/admin/licenses", "save a license", page.WithForm(page.Desk.Licenses, h.SetLicense)),
			page.Get("/admin/branding", "branding", page.WithNewForm(page.Desk.Branding, h.renderBranding)),
			{Method: http.MethodPost, Pattern: "/admin/branding", Name: "save branding", Upload: true,
				Handler: page.WithForm(page.Desk.Branding, h.SaveBranding)},
			page.Get("/admin/texts", "consent texts", page.WithHandle(page.Desk.Licenses, h.TextsPage)),
		}),
		h.crmRoutes(),
	)
}

// crmRoutes exist only when CRMs may embed the desk.
func (h *Handlers) crmRoutes() []page.Route {
	if !h.CRMs {
		return nil
	}
	return page.WithPermission(access.ManageSettings, []page.Route{
		{Method: http.MethodGet, Pattern: "/admin/embed", Name: "CRMs", StepUp: page.StepUpAlways,
			Handler: page.WithHandle(page.Desk.EmbedClients, h.CrmClientsPage)},
		{Method: http.MethodPost, Pattern: "/admin/embed", Name: "save a CRM", StepUp: page.StepUpAlways,
			Handler: page.WithForm(page.Desk.EmbedClients, h.SaveCRMClient)},
		{Method: http.MethodPost, Pattern: "/admin/embed/{client}", Name: "approve or disable a CRM",
			StepUp: page.StepUpAlways, Handler: page.WithForm(page.Desk.EmbedClients, h.UpdateCRMClient)},
	})
}
