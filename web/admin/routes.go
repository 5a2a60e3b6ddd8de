// Package admin has the pages for administrators: users, requests, originators, licenses, consent texts, CRMs, the
// audit log, health, and what the portal uses of the lender's interface. The same licenses and branding, of their own
// company, are the settings page of a manager. No borrower appears on any of them.
package admin

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	deskadmin "hearthline/internal/desk/admin"
	deskcrm "hearthline/internal/desk/crm"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	view "hearthline/views/admin"
	"hearthline/views/to"
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
	conflict := []fault.Kind{fault.Conflict}
	directory := page.FormPage[*deskadmin.People]{Open: page.Desk.People, Render: h.renderOriginators,
		Next: page.To(to.Full.Admin("originators")), Kinds: conflict}
	person := page.FormPage[*deskadmin.People]{Open: page.Desk.People, Render: h.renderPerson, Kinds: conflict,
		Next: func(r *http.Request) string { return to.Person(chi.URLParam(r, "id")) }}
	requests := page.FormPage[*deskadmin.Requests]{Open: page.Desk.Requests, Render: h.renderRequests,
		Next: page.To(to.Full.Admin("requests")), Kinds: conflict}
	health := page.FormPage[*deskadmin.Installation]{Open: page.Desk.Installation, Render: h.renderHealth,
		Next: page.To(to.Full.Admin("health")), Kinds: conflict}
	branding := page.FormPage[*deskadmin.Branding]{Open: page.Desk.Branding, Render: h.renderBranding,
		Next: page.To(to.Branding()), IsSetting: true}
	licenses := page.FormPage[*deskadmin.Licenses]{Open: page.Desk.Licenses, Render: h.renderLicenses,
		Next: page.To(to.Licenses()), IsSetting: true}
	return page.Concat(
		page.WithPermission(access.SeeAudit, []page.Route{
			page.Get("/admin/audit", "audit", page.WithHandle(page.Desk.Audit, h.AuditPage)),
			{Method: http.MethodGet, Pattern: "/admin/audit/heads", Name: "audit heads", Class: page.Download,
				Handler: page.WithHandle(page.Desk.Audit, h.AuditHeads)},
		}),
		page.WithPermission(access.ManagePeople, []page.Route{
			page.Get("/admin/originators", "originators and accounts", directory.Page()),
			page.Post("/admin/originators/apply", "apply a change of the directory", directory.Change(applyDirectory)),
			page.Post("/admin/originators/discard", "discard a change of the directory", directory.Change(discardDirectory)),
			page.Post("/admin/originators/undo", "undo an account closure", directory.Change(undoDirectory)),
			page.Get("/admin/users", "users", page.WithHandle(page.Desk.People, h.PeoplePage)),
			page.Get("/admin/users/{id}", "user", person.Page()),
			page.Post("/admin/users/{id}/role", "change a role", person.Change(changeRole)),
			page.Post("/admin/users/{id}/sign-out", "sign a user out", person.Change(signPersonOut)),
			page.Post("/admin/users/{id}/email", "propose new email", person.Change(offerEmail)),
			page.Post("/admin/users/{id}/reset", "reset an account", person.Change(resetPerson)),
			page.Post("/admin/users/{id}/link", "request a single sign-on link", person.Change(linkPerson)),
			page.Post("/admin/users/{id}/close", "close an account", person.Change(closePerson)),
			page.Post("/admin/users/{id}/open", "reopen an account", person.Change(reopenPerson)),
			page.Post("/admin/users/{id}/disconnect", "disconnect a user's CRM", person.Change(disconnectPerson)),
			page.Get("/admin/requests", "requests", requests.Page()),
			page.Post("/admin/requests", "request single sign-on values", requests.Change(requestSSOValues)),
			page.Post("/admin/requests/{id}/approve", "approve a request", requests.Change(approveRequest)),
			page.Post("/admin/requests/{id}/decline", "decline a request", requests.Change(declineRequest)),
			page.Post("/admin/requests/{id}/withdraw", "withdraw a request", requests.Change(withdrawRequest)),
		}),
		page.WithPermission(access.ManageSettings, []page.Route{
			page.Get("/admin/policy", "policy", h.PolicyPage),
			page.Get("/admin/asvs", "ASVS", h.AsvsPage),
			page.Get("/admin/interface", "interface", page.WithHandle(page.Desk.Installation, h.InterfacePage)),
			page.Get("/admin/health", "system status", health.Page()),
			page.Post("/admin/health/payments", "use payment estimates again", health.Change(confirmPayments)),
			page.Get("/admin/licenses", "licenses", licenses.Page()),
			page.Post("/admin/licenses", "save a license", licenses.Change(setLicense)),
			{Method: http.MethodPost, Pattern: "/admin/licenses/import", Name: "import licenses", Upload: true,
				MaxFile: lead.MaxLicenseFile, Handler: importLicenses(licenses, page.Desk.Licenses)},
			page.Get("/admin/branding", "branding", branding.Page()),
			{Method: http.MethodPost, Pattern: "/admin/branding", Name: "save branding", Upload: true,
				Handler: branding.Change(saveBranding)},
			page.Get("/admin/texts", "consent texts", page.WithHandle(page.Desk.Licenses, h.TextsPage)),
		}),
		h.settingsRoutes(),
		h.crmRoutes(),
	)
}

// crmRoutes exist only when CRMs may embed the desk.
func (h *Handlers) crmRoutes() []page.Route {
	if !h.CRMs {
		return nil
	}
	crms := page.FormPage[*deskcrm.EmbedClients]{Open: page.Desk.EmbedClients, Render: h.renderCRMClients,
		Next: page.To(to.Full.Admin("embed")), Kinds: []fault.Kind{fault.Conflict}}
	events := page.FormPage[*deskcrm.EmbedClients]{Open: page.Desk.EmbedClients, Render: h.renderCRMEvents,
		Next:  func(r *http.Request) string { return to.EmbedEvents(chi.URLParam(r, "client")) },
		Kinds: []fault.Kind{fault.Conflict}}
	return page.WithPermission(access.ManageSettings, []page.Route{
		{Method: http.MethodGet, Pattern: "/admin/embed", Name: "CRMs", StepUp: page.StepUpAlways,
			Handler: page.WithHandle(page.Desk.EmbedClients, h.CrmClientsPage)},
		{Method: http.MethodPost, Pattern: "/admin/embed", Name: "save a CRM", StepUp: page.StepUpAlways,
			Handler: page.WithForm(page.Desk.EmbedClients, h.SaveCRMClient)},
		{Method: http.MethodPost, Pattern: "/admin/embed/{client}", Name: "approve or disable a CRM",
			StepUp: page.StepUpAlways, Handler: crms.Change(updateCRMClient)},
		{Method: http.MethodGet, Pattern: "/admin/embed/{client}/test", Name: "test of a CRM's launch",
			StepUp: page.StepUpAlways, Handler: page.WithNewForm(page.Desk.EmbedClients, h.CRMTrialPage)},
		{Method: http.MethodPost, Pattern: "/admin/embed/{client}/test", Name: "test a CRM's launch",
			StepUp: page.StepUpAlways, Handler: page.WithForm(page.Desk.EmbedClients, h.TryCRMLaunch)},
		{Method: http.MethodGet, Pattern: "/admin/embed/{client}/events", Name: "events of a CRM",
			StepUp: page.StepUpAlways, Handler: events.Page()},
		{Method: http.MethodPost, Pattern: "/admin/embed/{client}/events", Name: "change a CRM's events",
			StepUp: page.StepUpAlways, Handler: events.Change(updateCRMEvents)},
		{Method: http.MethodPost, Pattern: "/admin/embed/{client}/events/secret", Name: "new secret of a CRM's events",
			StepUp: page.StepUpAlways, Handler: page.WithNewForm(page.Desk.EmbedClients, h.NewCRMEventSecret)},
	})
}
