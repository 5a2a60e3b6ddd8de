package guard

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5/middleware"

	"hearthline/internal/fault"
	"hearthline/static"
	"hearthline/views/to"
	"hearthline/web/page"
)

// requestFilter is what applies to every request, before a route is found.
type requestFilter struct {
	*page.Responder
	baseURL        *url.URL
	trustedProxies []netip.Prefix
	log            *page.RequestLogger
}

// wrap adds the middleware for every request around the router. From the outermost to the
// innermost: the client's address, the request log, the headers, the host, and the checks for requests from
// other sites.
func (f *requestFilter) wrap(router http.Handler, routes []page.Route) http.Handler {
	return f.withClientIP(f.log.Wrap(f.withHeaders(f.rejectOtherHosts(
		f.rejectCrossSiteWrites(f.rejectCrossSiteLoads(router), routes)))))
}

// rejectOtherHosts accepts plain http (served on loopback only) only under the names of this machine and the base
// URL's host. Under another name, a site whose name resolves to this machine could read the portal via a browser here.
// The port is the client's choice and proves nothing. With https, the certificate prevents that, and a proxy may send
// another Host.
func (f *requestFilter) rejectOtherHosts(next http.Handler) http.Handler {
	if f.baseURL.Scheme == "https" {
		return next
	}
	names := []string{f.baseURL.Hostname(), "localhost", "127.0.0.1", "::1"}
	refuse := f.Adapt(nil, func(http.ResponseWriter, *http.Request) error {
		return &page.StatusError{Status: http.StatusMisdirectedRequest,
			Message: "Hearthline can’t be opened at this address. Use " + f.baseURL.String() + "."}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := (&url.URL{Host: r.Host}).Hostname(); !slices.Contains(names, host) {
			refuse(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// withClientIP determines the client's address. X-Forwarded-For is trusted only from the configured
// proxies, and ignored if none are configured.
func (f *requestFilter) withClientIP(next http.Handler) http.Handler {
	if len(f.trustedProxies) == 0 {
		return middleware.ClientIPFromRemoteAddr(next)
	}
	trusted := make([]string, len(f.trustedProxies))
	for i, p := range f.trustedProxies {
		trusted[i] = p.String()
	}
	return middleware.ClientIPFromXFF(trusted...)(next)
}

// rejectCrossSiteWrites rejects writes that another site's page sends. Requests without browser
// headers pass, because they have no cookie from a browser. For a browser that sends only Origin,
// the library compares just the host with the request's Host header; here the whole Origin must be
// ours.
func (f *requestFilter) rejectCrossSiteWrites(next http.Handler, routes []page.Route) http.Handler {
	p := http.NewCrossOriginProtection()
	// Behind a proxy, the Host header may differ from the host that browsers use.
	if err := p.AddTrustedOrigin(f.baseURL.Scheme + "://" + f.baseURL.Host); err != nil {
		panic("web: base URL: " + err.Error())
	}
	for _, route := range routes {
		if route.Class == page.Hook {
			p.AddInsecureBypassPattern(route.Method + " " + route.Pattern)
		}
	}
	p.SetDenyHandler(f.Adapt(nil, func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Denied, "This request came from another site. Open Hearthline directly and try again.")
	}))
	protected := p.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" && r.Header.Get("Sec-Fetch-Site") == "" &&
			!f.isOwnOrigin(origin) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
		}
		protected.ServeHTTP(w, r)
	})
}

// isOwnOrigin reports whether an Origin is the base URL's. The request's Host proves nothing: the sender chooses it.
func (f *requestFilter) isOwnOrigin(origin string) bool {
	return origin == f.baseURL.Scheme+"://"+f.baseURL.Host
}

// rejectCrossSiteLoads rejects requests by which another site loads something other than a
// top-level page, such as an image, a script, a frame or a fetch. Links from other sites work. Our
// own pages may load static files and a company's brand as anything, the service worker as what it
// is, and everything else only as a page or a fetch, so that injected markup cannot run a page as a
// script. A CRM's iframe counts as a page under that CRM's URLs, and can only be entered at /launch/.
// Pages of CRMs load the script that embeds the desk.
func (f *requestFilter) rejectCrossSiteLoads(next http.Handler) http.Handler {
	refuse := f.Adapt(nil, func(http.ResponseWriter, *http.Request) error {
		return fault.New(fault.Denied, "Another site tried to load this page. Open Hearthline directly.")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site, kind := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Dest")
		crossSite := site == "cross-site" || site == "same-site"
		frame := kind == "iframe" && page.CRMClientInPath(r.URL.Path) != ""
		navigation := r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
			(kind == "document" || frame && strings.HasPrefix(r.URL.Path, "/launch/"))
		allowed := strings.HasPrefix(r.URL.Path, static.Prefix) || strings.HasPrefix(r.URL.Path, to.BrandPrefix) ||
			slices.Contains([]string{"", "document", "empty", "report"}, kind) || frame ||
			kind == "serviceworker" && r.URL.Path == to.ServiceWorker()
		fragmentNavigation := r.Header.Get("HX-Request") == "true" && r.Header.Get("Sec-Fetch-Mode") == "navigate"
		shared := kind == "script" && static.IsShared(r.URL.Path)
		if crossSite && page.IsReadOnly(r) && !navigation && !shared || !allowed || fragmentNavigation {
			refuse(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}
