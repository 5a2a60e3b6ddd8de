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
			{Method: http.MethodGet, Pattern: "/admin/audit", Name: "audit",
				Handler: page.WithHandle(page.Desk.Audit, h.AuditPage)},
			{Method: http.MethodGet, Pattern: "/admin/audit/heads", Name: "audit heads", Class: page.Download,
				Handler: page.WithHandle(page.Desk.Audit, h.AuditHeads)},
		}),
		page.WithPermission(access.ManagePeople, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/originators", Name: "originators and accounts",
				Handler: page.WithNewForm(page.Desk.People, h.renderOriginators)},
			{Method: http.MethodPost, Pattern: "/admin/originators/apply", Name: "apply a change of the directory",
				Handler: h.changeOriginators(applyDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/discard", Name: "discard a change of the directory",
				Handler: h.changeOriginators(discardDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/undo", Name: "undo an account closure",
				Handler: h.changeOriginators(undoDirectory)},
			{Method: http.MethodGet, Pattern: "/admin/users", Name: "users",
				Handler: page.WithHandle(page.Desk.People, h.PeoplePage)},
			{Method: http.MethodGet, Pattern: "/admin/users/{id}", Name: "user",
				Handler: page.WithNewForm(page.Desk.People, h.renderPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/role", Name: "change a role",
				Handler: h.changePerson(changeRole)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/sign-out", Name: "sign a user out",
				Handler: h.changePerson(signPersonOut)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/email", Name: "propose new email",
				Handler: h.changePerson(offerEmail)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/reset", Name: "reset an account",
				Handler: h.changePerson(resetPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/link", Name: "request a single sign-on link",
				Handler: h.changePerson(linkPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/close", Name: "close an account",
				Handler: h.changePerson(closePerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/open", Name: "reopen an account",
				Handler: h.changePerson(reopenPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/disconnect", Name: "disconnect a user's CRM",
				Handler: h.changePerson(disconnectPerson)},
			{Method: http.MethodGet, Pattern: "/admin/requests", Name: "requests",
				Handler: page.WithNewForm(page.Desk.Requests, h.renderRequests)},
			{Method: http.MethodPost, Pattern: "/admin/requests", Name: "request single sign-on values",
				Handler: h.changeRequests(requestSSOValues)},
			{Method: http.MethodPost, Pattern: "/admin/requests/{id}/approve", Name: "approve a request",
				Handler: h.changeRequests(approveRequest)},
			{Method: http.MethodPost, Pattern: "/admin/requests/{id}/decline", Name: "decline a request",
				Handler: h.changeRequests(declineRequest)},
			{Method: http.MethodPost, Pattern: "/admin/requests/{id}/withdraw", Name: "withdraw a request",
				Handler: h.changeRequests(withdrawRequest)},
		}),
		page.WithPermission(access.ManageSettings, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/policy", Name: "policy", Handler: h.PolicyPage},
			{Method: http.MethodGet, Pattern: "/admin/asvs", Name: "ASVS", Handler: h.AsvsPage},
			{Method: http.MethodGet, Pattern: "/admin/interface", Name: "interface",
				Handler: page.WithHandle(page.Desk.Installation, h.InterfacePage)},
			{Method: http.MethodGet, Pattern: "/admin/health", Name: "system status",
				Handler: page.WithNewForm(page.Desk.Installation, h.renderHealth)},
			{Method: http.MethodPost, Pattern: "/admin/health/payments", Name: "use payment estimates again",
				Handler: page.WithForm(page.Desk.Installation, h.ConfirmPayments)},
			{Method: http.MethodGet, Pattern: "/admin/licenses", Name: "licenses",
				Handler: page.WithNewForm(page.Desk.Licenses, h.renderLicenses)},
			{Method: http.MethodPost, Pattern: "/admin/licenses", Name: "save a license",
				Handler: page.WithForm(page.Desk.Licenses, h.SetLicense)},
			{Method: http.MethodGet, Pattern: "/admin/branding", Name: "branding",
				Handler: page.WithNewForm(page.Desk.Branding, h.renderBranding)},
			{Method: http.MethodPost, Pattern: "/admin/branding", Name: "save branding", Upload: true,
				Handler: page.WithForm(page.Desk.Branding, h.SaveBranding)},
			{Method: http.MethodGet, Pattern: "/admin/texts", Name: "consent texts",
				Handler: page.WithHandle(page.Desk.Licenses, h.TextsPage)},
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
