// Package embed connects CRMs to the portal: it verifies launches, signs users in inside the iframe
// or in a separate tab, connects CRM users to accounts, and serves the card for the CRM's server.
package embed

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/views/to"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// Deps are what the embedding area needs.
type Deps struct {
	*page.Responder
	*guard.Frames
	Pending  *guard.PendingForms
	Launches *guard.LaunchLimits
	Embeds   *embed.Service
	Accounts *account.Service
	Origin   string // of the portal, as browsers see it
}

// Handlers answer the routes of the embedding area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(
		page.WithoutSignIn([]page.Route{
			{Method: http.MethodPost, Pattern: "/launch/{kind}/{client}", Name: "launch", Class: page.Hook,
				Handler: h.Launches.LimitUnverified("launch", h.ReceiveLaunch)},
			{Method: http.MethodGet, Pattern: "/launch/{kind}/{client}/{code}", Name: "launch by a one-time URL",
				SingleUse: true, Handler: h.Launches.LimitUnverified("one-time address", h.RedeemLaunchURL)},
			page.Post("/e/{client}/start", "continue from a CRM", h.EmbedStart),
			page.Post("/e/{client}/tab", "continue in a tab", h.EmbedTab),
			page.Post("/confirm/{client}", "confirm with a passkey", h.ConfirmByPasskey),
			page.Get(page.EmbedPrefix+"/probe", "sign-in cookie check", h.EmbedProbe),
			{Method: http.MethodGet, Pattern: "/api/embed/{client}/records/{record}", Name: "record card",
				Class: page.Hook, Handler: h.Launches.LimitUnverified("card", h.RecordCRMCard)},
			{Method: http.MethodGet, Pattern: "/api/embed/{client}/leads", Name: "status of leads",
				Class: page.Hook, Handler: h.Launches.LimitUnverified("card", h.ListCRMLeads)},
			page.Get(to.HelpOpenAPI(), "calls of CRMs, as OpenAPI", h.OpenAPI),
		}),
		page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/connect/{client}/{launch}", Name: "connect a CRM", StepUp: page.StepUpAlways,
				Handler: h.ConnectCRMPage},
			{Method: http.MethodPost, Pattern: "/connect/{client}/{launch}", Name: "connect", StepUp: page.StepUpAlways,
				Handler: page.WithDeskForm(h.ConnectCRM)},
		}),
	)
}

// EmbeddedRoutes returns the routes that exist only inside embeds.
func (h *Handlers) EmbeddedRoutes() []page.Route {
	return page.Concat(
		page.WithPermission(access.SeePipeline, []page.Route{
			page.Get("/", "record", page.WithDesk(h.EmbedHome)),
			page.Post("/confirmed", "step-up status", h.EmbedStepUpDone),
		}),
		page.WithPermission(access.UseAccount, []page.Route{
			page.Post("/logout", "sign out", h.EmbedSignOut),
		}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			page.Post("/record", "the record's lead", page.WithDeskForm(h.LinkLeadToRecord)),
		}),
	)
}
