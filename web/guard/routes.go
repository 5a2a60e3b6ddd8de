package guard

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/web/page"
)

// Routes returns the routes of sessions, step-ups, pending forms and live updates.
func (g *Guard) Routes() []page.Route {
	routes := page.WithPermission(access.UseAccount, []page.Route{
		{Method: http.MethodGet, Pattern: "/account/confirm", Name: "confirm your identity", Handler: g.StepUp.StepUpPage},
		{Method: http.MethodPost, Pattern: "/account/confirm", Name: "confirm", Handler: g.StepUp.SubmitStepUp},
		{Method: http.MethodGet, Pattern: "/account/session", Name: "stay signed in", Handler: renewSession},
		{Method: http.MethodPost, Pattern: "/account/held", Name: "keep unsent input", Handler: g.Pending.SavePendingForm},
		{Method: http.MethodGet, Pattern: "/events", Name: "events", Class: page.Stream, Embeddable: true,
			Handler: g.Live.Events},
		{Method: http.MethodGet, Pattern: "/lender-state", Name: "state of the lender", Embeddable: true,
			Handler: g.LenderState},
	})
	if g.embeds != nil {
		routes = append(routes, page.WithPermission(access.UseAccount, []page.Route{
			{Method: http.MethodGet, Pattern: "/account/held/{launch}", Name: "resume from a frame",
				Handler: page.WithDesk(g.ResumeFromEmbedPage)},
		})...)
	}
	return append(routes, page.Route{Method: http.MethodPost, Pattern: "/policy-reports", Name: "policy reports",
		Public: true, Class: page.Hook, Handler: g.reports.receive})
}

// EmbeddedRoutes returns the routes that exist only inside embeds.
func (g *Guard) EmbeddedRoutes() []page.Route {
	return page.Concat(
		page.WithPermission(access.SeePipeline, []page.Route{
			{Method: http.MethodGet, Pattern: "/account/session", Name: "stay signed in", Handler: renewSession},
		}),
		page.WithPermission(access.SeeLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/account/held", Name: "resume after sign-in", Handler: g.EmbedPendingFormPage},
			{Method: http.MethodPost, Pattern: "/account/held", Name: "keep unsent input",
				Handler: g.Pending.SaveEmbedPendingForm},
		}),
	)
}

// renewSession has nothing left to do: the guard has already renewed the session, unless the
// request declined it, and set the header with the session's end.
func renewSession(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}
