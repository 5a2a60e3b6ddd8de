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

// Wrap puts around the router what holds for every request, the outermost first:
// where it comes from, its trail, its headers, and who may have sent it.
func (s *Server) Wrap(router http.Handler, routes []Route) http.Handler {
	return s.withClientIP(s.withRequestLog(s.withHeaders(s.rejectCrossSiteWrites(s.rejectCrossSiteLoads(router), routes))))
}

// withClientIP finds the client's address. X-Forwarded-For is believed only from the
// proxies that were named; with none named it is not looked at.
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

// rejectCrossSiteWrites refuses a deed that another site's page sends. Requests without the
// headers of a browser pass: they carry no cookie that a browser lent them. Of a browser
// that tells its Origin alone, the library compares the host with the one that was asked
// for; here the Origin is ours, whole, or it is another site's.
func (s *Server) rejectCrossSiteWrites(next http.Handler, routes []Route) http.Handler {
	p := http.NewCrossOriginProtection()
	// Behind a proxy the Host may not be the one that browsers see.
	if err := p.AddTrustedOrigin(s.BaseURL.Scheme + "://" + s.BaseURL.Host); err != nil {
		panic("web: base URL: " + err.Error())
	}
	for _, route := range routes {
		if route.Class == Hook {
			p.AddInsecureBypassPattern(route.Method + " " + route.Pattern)
		}
	}
	p.SetDenyHandler(s.adapt(nil, func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Denied, "This request came from another site. Open the portal itself and try again.")
	}))
	protected := p.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && r.Header.Get("Sec-Fetch-Site") == "" && !s.isOwnOrigin(r, origin) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}
		protected.ServeHTTP(w, r)
	})
}

// isOwnOrigin says whether an Origin is the portal's: its public one, or on plain http, which
// only loopback serves, the name under which it was asked.
func (s *Server) isOwnOrigin(r *http.Request, origin string) bool {
	return origin == s.BaseURL.Scheme+"://"+s.BaseURL.Host || !s.secure() && origin == "http://"+r.Host
}

// isReadOnly says whether a request only reads.
func isReadOnly(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// rejectCrossSiteLoads refuses to be loaded by another site as anything but a page of its
// own: not as an image, a script, a frame or a fetch. A link may lead here. Our own
// pages load static files in every way and everything else as a page or a fetch alone,
// so that markup which somebody planted cannot run a page as a script. A CRM's frame is a
// page too, under that CRM's addresses, and begins at /launch/ alone.
func (s *Server) rejectCrossSiteLoads(next http.Handler) http.Handler {
	refuse := s.adapt(nil, func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Denied, "Another site tried to load this. Open the portal itself.")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, kind := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Dest")
		foreign := site == "cross-site" || site == "same-site"
		frame := kind == "iframe" && crmClientInPath(r.URL.Path) != ""
		visit := r.Header.Get("Sec-Fetch-Mode") == "navigate" && (kind == "document" || frame && strings.HasPrefix(r.URL.Path, "/launch/"))
		ours := strings.HasPrefix(r.URL.Path, static.Prefix) || slices.Contains([]string{"", "document", "empty", "report"}, kind) || frame
		part := r.Header.Get("HX-Request") == "true" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
		if foreign && isReadOnly(r) && !visit || !ours || part {
			refuse(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ClientOf is where a request comes from, for who looks at log-ins.
func ClientOf(r *http.Request) account.ClientInfo {
	return account.ClientInfo{
		Address: httprate.CanonicalizeIP(middleware.GetClientIP(r.Context())), Network: NetworkPrefix(middleware.GetClientIPAddr(r.Context())), Browser: DeviceName(r),
	}
}

// NetworkPrefix is a client's address cut to what says where somebody is, roughly: a
// /24 or a /48.
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
