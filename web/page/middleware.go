package page

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"

	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/static"
)

// Wrap adds the middleware for every request around the router. From the outermost to the
// innermost: the client's address, the request log, the headers, and the checks for requests from
// other sites.
func (s *Server) Wrap(router http.Handler, routes []Route) http.Handler {
	return s.withClientIP(s.withRequestLog(s.withHeaders(s.rejectCrossSiteWrites(s.rejectCrossSiteLoads(router), routes))))
}

// withClientIP determines the client's address. X-Forwarded-For is trusted only from the configured
// proxies, and ignored if none are configured.
func (s *Server) withClientIP(next http.Handler) http.Handler {
	if len(s.TrustedProxies) == 0 {
		return middleware.ClientIPFromRemoteAddr(next)
	}
	trusted := make([]string, len(s.TrustedProxies))
	for i, p := range s.TrustedProxies {
		trusted[i] = p.String()
	}
	return middleware.ClientIPFromXFF(trusted...)(next)
}

// rejectCrossSiteWrites rejects writes that another site's page sends. Requests without browser
// headers pass, because they have no cookie from a browser. For a browser that sends only Origin,
// the library compares just the host with the request's Host header; here the whole Origin must be
// ours.
func (s *Server) rejectCrossSiteWrites(next http.Handler, routes []Route) http.Handler {
	p := http.NewCrossOriginProtection()
	// Behind a proxy, the Host header may differ from the host that browsers use.
	if err := p.AddTrustedOrigin(s.BaseURL.Scheme + "://" + s.BaseURL.Host); err != nil {
		panic("web: base URL: " + err.Error())
	}
	for _, route := range routes {
		if route.Class == Hook {
			p.AddInsecureBypassPattern(route.Method + " " + route.Pattern)
		}
	}
	p.SetDenyHandler(s.adapt(nil, func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Denied, "This request came from another site. Open Hearthline directly and try again.")
	}))
	protected := p.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && r.Header.Get("Sec-Fetch-Site") == "" && !s.isOwnOrigin(r, origin) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}
		protected.ServeHTTP(w, r)
	})
}

// isOwnOrigin reports whether an Origin is the portal's. This is the public origin or, on plain
// http, which is served on loopback only, the host of the request.
func (s *Server) isOwnOrigin(r *http.Request, origin string) bool {
	return origin == s.BaseURL.Scheme+"://"+s.BaseURL.Host || !s.secure() && origin == "http://"+r.Host
}

// isReadOnly reports whether a request only reads.
func isReadOnly(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// rejectCrossSiteLoads rejects requests by which another site loads something other than a
// top-level page, such as an image, a script, a frame or a fetch. Links from other sites work. Our
// own pages may load static files as anything, and everything else only as a page or a fetch, so
// that injected markup cannot run a page as a script. A CRM's iframe counts as a page under that
// CRM's URLs, and can only be entered at /launch/.
func (s *Server) rejectCrossSiteLoads(next http.Handler) http.Handler {
	refuse := s.adapt(nil, func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Denied, "Another site tried to load this page. Open Hearthline directly.")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, kind := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Dest")
		crossSite := site == "cross-site" || site == "same-site"
		frame := kind == "iframe" && crmClientInPath(r.URL.Path) != ""
		navigation := r.Header.Get("Sec-Fetch-Mode") == "navigate" && (kind == "document" || frame && strings.HasPrefix(r.URL.Path, "/launch/"))
		allowed := strings.HasPrefix(r.URL.Path, static.Prefix) || slices.Contains([]string{"", "document", "empty", "report"}, kind) || frame
		fragmentNavigation := r.Header.Get("HX-Request") == "true" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
		if crossSite && isReadOnly(r) && !navigation || !allowed || fragmentNavigation {
			refuse(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ClientOf describes the client of a request for sign-in checks and records.
func ClientOf(r *http.Request) account.ClientInfo {
	return account.ClientInfo{
		Address: httprate.CanonicalizeIP(middleware.GetClientIP(r.Context())), Network: NetworkPrefix(middleware.GetClientIPAddr(r.Context())), Browser: DeviceName(r),
	}
}

// NetworkPrefix truncates a client's address to a /24 or a /48, which shows only its rough
// location.
func NetworkPrefix(addr netip.Addr) string {
	bits := 48
	if addr.Is4() {
		bits = 24
	}
	p, err := addr.Prefix(bits)
	if err != nil {
		return ""
	}
	return p.String()
}
