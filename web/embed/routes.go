// Package embed connects CRMs to the portal: it verifies launches, signs users in inside the iframe
// or in a separate tab, connects CRM users to accounts, and serves the card for the CRM's server.
package embed

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/embed"
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
	Origin   string // of the portal, as browsers see it
}

// Handlers answer the routes of the embedding area.
type Handlers struct{ Deps }

// New creates the handlers.
func New(d Deps) *Handlers { return &Handlers{d} }

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(
		[]page.Route{
			{Method: http.MethodPost, Pattern: "/launch/{kind}/{client}", Name: "launch", Public: true, Class: page.Hook,
				Handler: h.Launches.LimitUnverified("launch", h.ReceiveLaunch)},
			{Method: http.MethodGet, Pattern: "/launch/{kind}/{client}/{code}", Name: "launch by a one-time URL", Public: true,
				SingleUse: true, Handler: h.Launches.LimitUnverified("one-time address", h.RedeemLaunchURL)},
			{Method: http.MethodPost, Pattern: "/e/{client}/start", Name: "continue from a CRM", Public: true,
				Handler: h.EmbedStart},
			{Method: http.MethodPost, Pattern: "/e/{client}/tab", Name: "continue in a tab", Public: true, Handler: h.EmbedTab},
			{Method: http.MethodGet, Pattern: page.EmbedPrefix + "/probe", Name: "sign-in cookie check", Public: true,
				Handler: h.EmbedProbe},
			{Method: http.MethodGet, Pattern: "/api/embed/{client}/records/{record}", Name: "record card", Public: true,
				Class: page.Hook, Handler: h.Launches.LimitUnverified("card", h.RecordCRMCard)},
		},
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
			{Method: http.MethodGet, Pattern: "/", Name: "record", Handler: page.WithDesk(h.EmbedHome)},
			{Method: http.MethodPost, Pattern: "/confirmed", Name: "step-up status", Handler: h.EmbedStepUpDone},
		}),
		page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodPost, Pattern: "/logout", Name: "sign out", Handler: h.EmbedSignOut},
		}),
		page.WithPermission(access.AnnotateLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/record", Name: "the record's lead",
				Handler: page.WithDeskForm(h.LinkLeadToRecord)},
		}),
	)
}
