// Package guard decides, around every handler, who is signed in and what they may reach. Areas that sign users in take
// from it what they need; no other area imports it.
//
// deps.go         the Guard and what it is built from, with its own routes
// guard.go        signed in, lead opened, action allowed: in this order, before a handler
// embed_guard.go  the same inside embeds: sessions, risky clicks
// sessions.go     browser sessions, as a gorilla session store; sessions_rotate.go, their next tokens
// step_up.go      step-up authentication; pending_form.go, the form that is saved meanwhile
// cookies.go      the cookies that are not sessions
// denials.go      denied requests, counted and audited
// live_updates.go the event streams; stream_limit.go, how many a user may have
// headers.go, middleware.go, policy_report.go   what applies to every response and request
package guard

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/internal/trace"
	"hearthline/web/page"
)

// Deps are what the guard is built from. Fields are required unless their comment allows nil or empty.
type Deps struct {
	Responder      *page.Responder
	BaseURL        *url.URL // as browsers see the portal; with https, cookies are Secure
	TrustedProxies []netip.Prefix
	Log            *slog.Logger
	Observe        func(page.RequestStats) // called for every request except live streams; may be nil
	Tracer         *trace.Tracer           // may be nil
	Sessions       SessionRows
	Accounts       *account.Service
	SSOName        func() string // the name of the single sign-on provider, or "" if there is none
	Desks          *desk.Service
	Embeds         *embed.Service // if nil, nobody may frame the desk
	// Redisplay shows a lead's form on its page. A form that was filled in inside an embed continues there.
	Redisplay page.Redisplay
}

// Guard puts its checks around the handlers of all areas.
type Guard struct {
	*page.Responder
	Sessions *Sessions
	Pending  *PendingForms
	StepUp   *StepUp
	Frames   *Frames
	Denials  Denials
	Live     *LiveUpdates

	desks     *desk.Service
	embeds    *embed.Service
	accounts  *account.Service
	filter    *requestFilter
	reports   *policyReports
	redisplay page.Redisplay
}

// New builds the guard.
func New(d Deps) *Guard {
	cookies := Cookies{Secure: d.BaseURL.Scheme == "https"}
	sessions := &Sessions{rows: d.Sessions, Now: func() time.Time { return d.Responder.Now() }, secure: cookies.Secure,
		acceptsProof: d.Accounts.AcceptsProof}
	frames := &Frames{Cookies: cookies, embeds: d.Embeds}
	return &Guard{
		Responder: d.Responder, Sessions: sessions, Frames: frames,
		Pending: &PendingForms{cookies: cookies, accounts: d.Accounts, embeds: d.Embeds},
		StepUp: &StepUp{Responder: d.Responder, accounts: d.Accounts, desks: d.Desks, ssoName: d.SSOName,
			sessions: sessions},
		Live:  &LiveUpdates{sessions: sessions, embeds: d.Embeds, closing: make(chan struct{})},
		desks: d.Desks, embeds: d.Embeds, accounts: d.Accounts, redisplay: d.Redisplay,
		filter: &requestFilter{
			Responder: d.Responder, baseURL: d.BaseURL, trustedProxies: d.TrustedProxies,
			log: &page.RequestLogger{Responder: d.Responder, Log: d.Log, Observe: d.Observe, Tracer: d.Tracer},
		},
		reports: &policyReports{log: d.Log, limit: page.NewMinuteLimit(ReportsPerMinute)},
	}
}

// Handler serves the routes with the guard around each of them. It panics if a route is not guarded.
func (g *Guard) Handler(routes []page.Route) http.Handler {
	return g.filter.wrap(g.Mount(routes, g.protect, g.withOptionalVisit), routes)
}

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
