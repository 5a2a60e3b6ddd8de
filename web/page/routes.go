package page

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/trace"
	"hearthline/web/form"
)

// Class determines how requests to a route affect the session, the connection and the log.
type Class int

// The classes of routes.
const (
	Page     Class = iota // a page or an action; renews the session
	Stream                // live updates; stays open for long and never renews the session
	Download              // a document or an export, streamed
	Hook                  // called by machines without a session, from anywhere
	Probe                 // health checks and static files; not logged unless they fail
)

// Route is one row of the route table.
type Route struct {
	Method     string
	Pattern    string // in chi's syntax, without wildcards except for static files
	Name       string
	Permission access.Permission // required of everybody, except on public routes
	Public     bool              // no sign-in required; only for names in PublicRouteNames
	// OptionalUser is set on public pages that show the navigation to users who are signed in.
	OptionalUser bool
	Class        Class
	StepUp       StepUp // whether the user must have stepped up recently
	Embeddable   bool   // the route also exists inside embeds
	Embedded     bool   // inside an embed, with its own guard
	Upload       bool   // the form may have a file
	MaxFile      int64  // with Upload: how much of a file is kept, if more than other forms may have; see readFile
	SingleUse    bool   // a GET uses something up, so a HEAD must not call the handler
	Handler      Handler
	// LeadGone answers a user who has the permission but no longer has the lead. Without it, the
	// lead does not exist for them.
	LeadGone Handler
}

// Get returns the route of a page.
func Get(pattern, name string, handler Handler) Route {
	return Route{Method: http.MethodGet, Pattern: pattern, Name: name, Handler: handler}
}

// Post returns the route of an action.
func Post(pattern, name string, handler Handler) Route {
	return Route{Method: http.MethodPost, Pattern: pattern, Name: name, Handler: handler}
}

// PublicRouteNames lists the routes that need no sign-in. Two people must review every addition.
func PublicRouteNames() []string {
	return []string{"sign-in page", "sign in", "second factor", "submit second factor", "passkey as second factor",
		"passkey challenge", "passkey", "single sign-on", "single sign-on response",
		"set up an account", "activate", "passkey of a new account", "lost password", "reset", "outbox",
		"launch", "launch by a one-time URL", "continue from a CRM", "continue in a tab", "confirm with a passkey",
		"sign-in cookie check",
		"record card", "status of leads", "calls of CRMs, as OpenAPI", "samples for CRMs", "help for CRMs",
		"calendar feed", "static file", "service worker", "company brand", "shared quote",
		"health", "readiness", "partner webhook", "policy reports"}
}

// OpensLead reports whether the route is under one lead. The guard opens that lead before it looks
// at anything else.
func (route Route) OpensLead() bool {
	pattern := strings.TrimPrefix(route.Pattern, EmbedPrefix)
	return pattern == "/leads/{app}" || strings.HasPrefix(pattern, "/leads/{app}/")
}

// problem describes what is wrong with a route, or is empty if nothing is.
func (route Route) problem() string {
	switch {
	case route.Handler == nil || route.Name == "":
		return "has no handler or no name"
	case route.Public && !slices.Contains(PublicRouteNames(), route.Name):
		return "is public without being on the list of public routes"
	case route.Public && route.Permission != "":
		return "is public and asks for a permission"
	case !route.Public && !slices.Contains(access.Permissions(), route.Permission):
		return fmt.Sprintf("asks for the permission %q, which does not exist", route.Permission)
	case route.Public && route.OpensLead():
		return "is public and lies under a lead"
	}
	return ""
}

// Mount builds the router; guard puts the checks around the handler of a route. It panics on a route that is not
// guarded or that is registered twice, so that the defect stops the program at the start.
func (rs *Responder) Mount(routes []Route,
	guard func(Route) Handler, withOptionalVisit func(Handler) Handler) http.Handler {
	router := chi.NewRouter()
	router.NotFound(rs.Adapt(nil, withOptionalVisit(rs.NotFound)))
	router.MethodNotAllowed(withAllowHeader(router, rs.Adapt(nil, withOptionalVisit(rs.methodNotAllowed))))
	seen := map[string]bool{}
	for _, route := range routes {
		key := route.Method + " " + route.Pattern
		if problem := route.problem(); problem != "" {
			panic("web: the route " + key + " " + problem)
		}
		if seen[key] {
			panic("web: the route " + key + " is registered twice")
		}
		seen[key] = true
		guarded := route
		guarded.Handler = route.traced()
		handler := rs.Adapt(&route, guard(guarded))
		router.Method(route.Method, route.Pattern, handler)
		if route.Method == http.MethodGet && route.Class != Stream && !route.SingleUse {
			router.Method(http.MethodHead, route.Pattern, handler)
		}
	}
	return router
}

// traced runs the handler in a span that is named for the route, so that a trace separates it from the work of the
// guard. A stream has no such span, because it would last as long as the page is open.
func (route Route) traced() Handler {
	if route.Class == Stream {
		return route.Handler
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		ctx, span := trace.Start(r.Context(), "handle "+route.Name)
		defer span.End()
		return route.Handler(w, r.WithContext(ctx))
	}
}

// withAllowHeader lists the methods that a URL supports, as RFC 9110 requires for a 405.
func withAllowHeader(router chi.Routes, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
			if router.Match(chi.NewRouteContext(), method, r.URL.Path) {
				w.Header().Add("Allow", method)
			}
		}
		next(w, r)
	}
}

// WithPermission sets one permission for a group of routes. If the permission requires a step-up,
// so do the routes.
func WithPermission(p access.Permission, routes []Route) []Route {
	for i := range routes {
		routes[i].Permission = p
		if p.NeedsStepUp() {
			routes[i].StepUp = StepUpAlways
		}
	}
	return routes
}

// WithoutSignIn makes routes public.
func WithoutSignIn(routes []Route) []Route {
	for i := range routes {
		routes[i].Public = true
	}
	return routes
}

// Concat joins groups of routes into one table.
func Concat(blocks ...[]Route) []Route {
	return slices.Concat(blocks...)
}

// EmbedPrefix is the URL prefix under which the desk's routes are mounted a second time, for one
// embedded launch.
const EmbedPrefix = "/e/{client}/{launch}"

// InEmbeds marks routes that also exist inside embeds.
func InEmbeds(routes []Route) []Route {
	for i := range routes {
		routes[i].Embeddable = true
	}
	return routes
}

// AsEmbedded returns copies of the routes for use inside an embed, with the same handlers and
// permissions. Where the full desk asks for a new step-up, an embed asks once for whatever a CRM's
// word does not cover.
func AsEmbedded(routes []Route) []Route {
	embedded := slices.Clone(routes)
	for i := range embedded {
		route := &embedded[i]
		route.Pattern, route.Name, route.Embedded, route.Embeddable = EmbedPrefix+route.Pattern,
			route.Name+", in a frame", true, false
	}
	return embedded
}

// StepUp determines when a route requires a recent step-up.
type StepUp int

// The values of StepUp.
const (
	StepUpNever   StepUp = iota
	StepUpWithSSN        // when the form contains an SSN
	StepUpAlways
)

// Required reports whether this request needs a step-up.
func (s StepUp) Required(r *http.Request) bool {
	switch s {
	case StepUpAlways:
		return true
	case StepUpWithSSN:
		return len(SsnControlsIn(Posted(r))) > 0
	default:
		return false
	}
}

// SsnControlsIn returns the names of the controls that contain an SSN, in order.
func SsnControlsIn(posted url.Values) []string {
	var names []string
	for name, values := range posted {
		if form.IsSecretControl(name) && strings.TrimSpace(strings.Join(values, "")) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
