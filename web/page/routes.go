package page

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
)

// Class is how a route behaves towards the wire and the session.
type Class int

// The classes.
const (
	Page     Class = iota // a screen or a deed: renews the session
	Stream                // live updates: open for long, never renews the session
	Download              // a document or export, streamed
	Hook                  // called by machines without a session, from anywhere
	Probe                 // health checks and static files: not worth a log line
)

// Route is one line of the route table.
type Route struct {
	Method     string
	Pattern    string // chi's, without wildcards but in static files
	Name       string
	Permission access.Permission // needed of everyone but on public routes
	Public     bool              // nobody need be signed in; only names of publicRoutes
	Class      Class
	StepUp     StepUp // whether the person must have proved lately who they are
	Embedded   bool   // inside the frame of a launch, with a lock of its own
	SingleUse  bool   // getting it uses something up, so a HEAD, which looks and no more, does not stand for it
	Handler    Handler
	// LeadGone answers who may do this, but no longer has the lead; without it the lead does
	// not exist for them.
	LeadGone Handler
}

// PublicRouteNames are the doors without a lock. A name enters here only after two
// people have looked at it.
func PublicRouteNames() []string {
	return []string{"log-in page", "log in", "second factor", "give second factor", "passkey as second factor", "passkey challenge", "passkey", "sign-on", "signed on",
		"first visit", "activate", "passkey of a new account", "lost password", "reset", "outbox",
		"launch", "launch by a one-time address", "go on from a CRM", "go on in a tab", "is a sign-in kept", "card of a record",
		"help for CRMs", "static file", "health", "readiness", "partner webhook", "policy reports"}
}

// opensLead says whether the route lies under one lead, which the guard opens
// before anything else is looked at.
func (route Route) opensLead() bool {
	pattern := strings.TrimPrefix(route.Pattern, EmbedPrefix)
	return pattern == "/leads/{app}" || strings.HasPrefix(pattern, "/leads/{app}/")
}

// problem says what is wrong with a route, empty when nothing is.
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
	case route.Public && route.opensLead():
		return "is public and lies under a lead"
	}
	return ""
}

// Mount builds the router. A route that leaves a door open, or that stands twice,
// is a defect of the program and stops it at the start.
func (s *Server) Mount(routes []Route) http.Handler {
	router := chi.NewRouter()
	router.NotFound(s.adapt(nil, s.WithOptionalVisit(s.NotFound)))
	router.MethodNotAllowed(withAllowHeader(router, s.adapt(nil, s.WithOptionalVisit(s.methodNotAllowed))))
	seen := map[string]bool{}
	for _, route := range routes {
		key := route.Method + " " + route.Pattern
		if complaint := route.problem(); complaint != "" {
			panic("web: the route " + key + " " + complaint)
		}
		if seen[key] {
			panic("web: the route " + key + " stands twice")
		}
		seen[key] = true
		handler := s.adapt(&route, s.guard(route))
		router.Method(route.Method, route.Pattern, handler)
		if route.Method == http.MethodGet && route.Class != Stream && !route.SingleUse {
			router.Method(http.MethodHead, route.Pattern, handler)
		}
	}
	return router
}

// withAllowHeader says of an address which methods it knows, as RFC 9110 wants of a 405.
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

// WithPermission gives one permission to a block of routes, and asks those only of who has proved
// lately who they are where the permission says so.
func WithPermission(p access.Permission, routes []Route) []Route {
	for i := range routes {
		routes[i].Permission = p
		if p.NeedsStepUp() {
			routes[i].StepUp = StepUpAlways
		}
	}
	return routes
}

func Concat(blocks ...[]Route) []Route {
	var all []Route
	for _, b := range blocks {
		all = append(all, b...)
	}
	return all
}
