// Package admin has the pages for administrators: users, originators, licenses, consent texts, CRMs, the audit
// log, health, and what the portal uses of the lender's interface. No borrower appears on any of them.
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
func (s *Handlers) layout(r *http.Request, title, intro string) view.LayoutView {
	return view.LayoutView{Page: s.Layout(r, title), Title: title, Intro: intro, Tabs: s.AdminTabs(r)}
}

// Routes returns the routes of this area.
func (s *Handlers) Routes() []page.Route {
	return page.Concat(
		page.WithPermission(access.SeeAudit, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/audit", Name: "audit", Handler: page.WithHandle(page.Desk.Audit, s.AuditPage)},
			{Method: http.MethodGet, Pattern: "/admin/audit/heads", Name: "audit heads", Class: page.Download, Handler: page.WithHandle(page.Desk.Audit, s.AuditHeads)},
		}),
		page.WithPermission(access.ManagePeople, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/originators", Name: "originators and accounts", Handler: page.WithNewForm(page.Desk.People, s.renderOriginators)},
			{Method: http.MethodPost, Pattern: "/admin/originators/apply", Name: "apply a change of the directory", Handler: s.changeOriginators(applyDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/discard", Name: "discard a change of the directory", Handler: s.changeOriginators(discardDirectory)},
			{Method: http.MethodPost, Pattern: "/admin/originators/undo", Name: "undo an account closure", Handler: s.changeOriginators(undoDirectory)},
			{Method: http.MethodGet, Pattern: "/admin/users", Name: "users", Handler: page.WithHandle(page.Desk.People, s.PeoplePage)},
			{Method: http.MethodGet, Pattern: "/admin/users/{id}", Name: "user", Handler: page.WithNewForm(page.Desk.People, s.renderPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/role", Name: "change a role", Handler: s.changePerson(changeRole)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/sign-out", Name: "sign a user out", Handler: s.changePerson(signPersonOut)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/email", Name: "propose new email", Handler: s.changePerson(offerEmail)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/reset", Name: "reset an account", Handler: s.changePerson(resetPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/close", Name: "close an account", Handler: s.changePerson(closePerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/open", Name: "reopen an account", Handler: s.changePerson(reopenPerson)},
			{Method: http.MethodPost, Pattern: "/admin/users/{id}/disconnect", Name: "disconnect a user's CRM", Handler: s.changePerson(disconnectPerson)},
		}),
		page.WithPermission(access.ManageSettings, []page.Route{
			{Method: http.MethodGet, Pattern: "/admin/policy", Name: "policy", Handler: s.PolicyPage},
			{Method: http.MethodGet, Pattern: "/admin/asvs", Name: "ASVS", Handler: s.AsvsPage},
			{Method: http.MethodGet, Pattern: "/admin/interface", Name: "interface", Handler: page.WithHandle(page.Desk.Installation, s.InterfacePage)},
			{Method: http.MethodGet, Pattern: "/admin/health", Name: "system status", Handler: page.WithNewForm(page.Desk.Installation, s.renderHealth)},
			{Method: http.MethodPost, Pattern: "/admin/health/payments", Name: "use payment estimates again", Handler: page.WithForm(page.Desk.Installation, s.ConfirmPayments)},
			{Method: http.MethodGet, Pattern: "/admin/licences", Name: "licenses", Handler: page.WithNewForm(page.Desk.Licenses, s.renderLicenses)},
			{Method: http.MethodPost, Pattern: "/admin/licences", Name: "save a license", Handler: page.WithForm(page.Desk.Licenses, s.SetLicense)},
			{Method: http.MethodGet, Pattern: "/admin/branding", Name: "branding", Handler: page.WithNewForm(page.Desk.Branding, s.renderBranding)},
			{Method: http.MethodPost, Pattern: "/admin/branding", Name: "save branding", Upload: true, Handler: page.WithForm(page.Desk.Branding, s.SaveBranding)},
			{Method: http.MethodGet, Pattern: "/admin/texts", Name: "consent texts", Handler: page.WithHandle(page.Desk.Licenses, s.TextsPage)},
		}),
		s.crmRoutes(),
	)
}

// crmRoutes exist only when CRMs may embed the desk.
func (s *Handlers) crmRoutes() []page.Route {
	if !s.CRMs {
		return nil
	}
	return page.WithPermission(access.ManageSettings, []page.Route{
		{Method: http.MethodGet, Pattern: "/admin/embed", Name: "CRMs", StepUp: page.StepUpAlways, Handler: page.WithHandle(page.Desk.EmbedClients, s.CrmClientsPage)},
		{Method: http.MethodPost, Pattern: "/admin/embed", Name: "save a CRM", StepUp: page.StepUpAlways, Handler: page.WithForm(page.Desk.EmbedClients, s.SaveCRMClient)},
		{Method: http.MethodPost, Pattern: "/admin/embed/{client}", Name: "approve or disable a CRM", StepUp: page.StepUpAlways, Handler: page.WithForm(page.Desk.EmbedClients, s.UpdateCRMClient)},
	})
}
