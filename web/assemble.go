// Package web assembles the areas of the portal into one server.
//
//	assemble.go   the Server, its areas and their routes
//	machine_routes.go, webhook.go, health.go   routes that machines call
//
// Each area is a package that holds its routes, handlers and presenters and imports no sibling. What they share is
// in page (answering requests), form (parsing forms) and format (values as text); guard puts the checks around all of
// them.
package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/desk"
	"hearthline/internal/embed"
	"hearthline/internal/heloc"
	"hearthline/internal/trace"
	"hearthline/static"
	webaccount "hearthline/web/account"
	"hearthline/web/admin"
	"hearthline/web/demo"
	webembed "hearthline/web/embed"
	"hearthline/web/guard"
	"hearthline/web/help"
	"hearthline/web/intake"
	"hearthline/web/lead"
	"hearthline/web/offers"
	"hearthline/web/page"
	"hearthline/web/pipeline"
	"hearthline/web/reports"
	"hearthline/web/signin"
	"hearthline/web/team"
	"hearthline/web/workspace"
)

// Deps are the dependencies and settings of the server. Fields are required unless their comment
// allows nil or empty.
type Deps struct {
	BaseURL        *url.URL // as browsers see the portal; with https, cookies are Secure
	TrustedProxies []netip.Prefix
	Log            *slog.Logger
	Now            func() time.Time

	Sessions       guard.SessionRows
	Accounts       *account.Service
	SSO            signin.SSO // if nil, Accounts
	Desks          *desk.Service
	Embeds         *embed.Service          // embedding in CRMs; if nil, nobody may frame the desk
	ObserveRequest func(page.RequestStats) // called for every request except live streams; may be nil
	Tracer         *trace.Tracer           // traces of requests; may be nil

	DemoPeople  []signin.DemoPerson // listed on the sign-in page; empty outside of the demo
	Outbox      signin.Outbox       // demo only: the unsent emails, visible to everybody
	DemoControl page.DemoControl    // demo only; if nil, its routes do not exist

	Estimates     bool     // whether the quick estimate is enabled; otherwise its routes do not exist
	BorrowerLinks bool     // whether borrowers can continue alone, through a link
	TestVariants  []string // test variants that an inquiry may request; if empty, the choice is hidden

	Webhooks      WebhookReceiver // if nil, webhooks get a 404
	WebhookTokens func() []string // the valid tokens of the webhook URL
	Ready         func(ctx context.Context) error
	OtherFiles    static.Others // the style sheets and scripts of other releases; may be nil
}

// area is a part of the portal with its own routes.
type area interface {
	Routes() []page.Route
}

// embeddedArea has routes that exist only inside embeds.
type embeddedArea interface {
	EmbeddedRoutes() []page.Route
}

// Server answers every request of the portal.
type Server struct {
	Deps
	responder   *page.Responder
	guard       *guard.Guard
	areas       []area
	handler     http.Handler
	lastUnready atomic.Value // string: why the last readiness check failed; "" if it succeeded
}

// New builds the server. It panics when a route has no permission and is not listed as public.
func New(deps Deps) *Server { return NewWithRoutes(deps, nil) }

// NewWithRoutes is New with more routes. Tests use them to exercise the guards.
func NewWithRoutes(deps Deps, more []page.Route) *Server {
	if deps.SSO == nil {
		deps.SSO = deps.Accounts
	}
	responder := &page.Responder{Now: deps.Now, DemoControl: deps.DemoControl}
	if deps.Embeds != nil {
		responder.FrameOrigins = deps.Embeds.Origins
	}
	frame, teams := workspace.New(responder), team.New(responder)
	s := &Server{Deps: deps, responder: responder}
	s.guard = guard.New(guard.Deps{
		Responder: responder, BaseURL: deps.BaseURL, TrustedProxies: deps.TrustedProxies,
		Log: deps.Log, Observe: deps.ObserveRequest, Tracer: deps.Tracer,
		Sessions: deps.Sessions, Accounts: deps.Accounts, SSOName: deps.SSO.SSOName, Desks: deps.Desks, Embeds: deps.Embeds,
		// A lead's form belongs to the reassignment page, or to the lead's own page.
		Redisplay: func(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm) error {
			if a.Action == string(heloc.OpReassign) {
				return teams.RenderReassign(w, r, l, a)
			}
			return frame.Redisplay(w, r, l, a)
		},
	})
	origin, cookies := deps.BaseURL.Scheme+"://"+deps.BaseURL.Host, s.guard.Frames.Cookies
	s.areas = []area{
		s.guard, lead.New(responder, frame),
		offers.New(offers.Deps{Responder: responder, Workspace: frame, Desks: deps.Desks, Origin: origin}), teams,
		signin.New(signin.Deps{
			Responder: responder, Cookies: cookies, Sessions: s.guard.Sessions, StepUp: s.guard.StepUp, Accounts: deps.Accounts,
			SSO: deps.SSO, Outbox: deps.Outbox, DemoPeople: deps.DemoPeople, Origin: origin,
		}),
		webaccount.New(webaccount.Deps{Responder: responder, Cookies: cookies}),
		pipeline.New(pipeline.Deps{Responder: responder, Feeds: deps.Desks, Origin: origin}),
		intake.New(intake.Deps{Responder: responder, Estimates: deps.Estimates, BorrowerLinks: deps.BorrowerLinks,
			TestVariants: deps.TestVariants}),
		admin.New(admin.Deps{Responder: responder, Origin: origin, CRMs: deps.Embeds != nil, RouteTable: s.Routes}),
		help.New(responder, origin), reports.New(responder),
		machines{s}, demo.New(responder),
	}
	if deps.Embeds != nil {
		s.areas = append(s.areas, webembed.New(webembed.Deps{
			Responder: responder, Frames: s.guard.Frames, Pending: s.guard.Pending, Launches: guard.NewLaunchLimits(),
			Embeds: deps.Embeds, Accounts: deps.Accounts, Origin: origin,
		}))
	}
	routes := append(s.Routes(), more...)
	responder.SetRoutes(routes)
	s.handler = s.guard.Handler(routes)
	return s
}

// Routes returns the routes of all areas, and those that also or only exist inside embeds, sorted by URL.
func (s *Server) Routes() []page.Route {
	var all, embedded []page.Route
	for _, a := range s.areas {
		all = append(all, a.Routes()...)
		if own, ok := a.(embeddedArea); ok {
			embedded = append(embedded, own.EmbeddedRoutes()...)
		}
	}
	if s.Embeds != nil {
		for _, route := range all {
			if route.Embeddable {
				embedded = append(embedded, route)
			}
		}
		all = append(all, page.AsEmbedded(embedded)...)
	}
	slices.SortStableFunc(all, func(a, b page.Route) int {
		return cmp.Or(cmp.Compare(a.Pattern, b.Pattern), cmp.Compare(a.Method, b.Method))
	})
	return all
}

// Guard returns the guard of every route, for tests that change its limits.
func (s *Server) Guard() *guard.Guard { return s.guard }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// OpenStreams returns how many event streams are open.
func (s *Server) OpenStreams() int { return s.guard.Live.Open() }

// Close ends the event streams, which would otherwise delay a shutdown. Pass it to
// http.Server.RegisterOnShutdown.
func (s *Server) Close() { s.guard.Live.Close() }
