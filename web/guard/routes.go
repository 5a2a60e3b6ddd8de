package guard

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/web/page"
)

// Routes returns the routes of sessions, step-ups, pending forms and live updates.
func (g *Guard) Routes() []page.Route {
	routes := page.WithPermission(access.UseAccount, []page.Route{
		page.Get("/account/confirm", "confirm your identity", g.StepUp.StepUpPage),
		page.Post("/account/confirm", "confirm", g.StepUp.SubmitStepUp),
		page.Get("/account/session", "stay signed in", renewSession),
		page.Post("/account/held", "keep unsent input", g.Pending.SavePendingForm),
		{Method: http.MethodGet, Pattern: "/events", Name: "events", Class: page.Stream, Embeddable: true,
			Handler: g.Live.Events},
		{Method: http.MethodGet, Pattern: "/lender-state", Name: "state of the lender", Embeddable: true,
			Handler: g.LenderState},
	})
	if g.embeds != nil {
		routes = append(routes, page.WithPermission(access.UseAccount, []page.Route{
			page.Get("/account/held/{launch}", "resume from a frame", page.WithDesk(g.ResumeFromEmbedPage)),
		})...)
	}
	return append(routes, page.Route{Method: http.MethodPost, Pattern: "/policy-reports", Name: "policy reports",
		Public: true, Class: page.Hook, Handler: g.reports.receive})
}

// EmbeddedRoutes returns the routes that exist only inside embeds.
func (g *Guard) EmbeddedRoutes() []page.Route {
	return page.Concat(
		page.WithPermission(access.SeePipeline, []page.Route{
			page.Get("/account/session", "stay signed in", renewSession),
		}),
		page.WithPermission(access.SeeLead, []page.Route{
			page.Get("/account/held", "resume after sign-in", g.EmbedPendingFormPage),
			page.Post("/account/held", "keep unsent input", g.Pending.SaveEmbedPendingForm),
		}),
	)
}

// renewSession has nothing left to do: the guard has already renewed the session, unless the
// request declined it, and set the header with the session's end.
func renewSession(w http.ResponseWriter, _ *http.Request) error {
	w.WriteHeader(http.StatusNoContent)
	return nil
}
