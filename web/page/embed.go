package page

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Risk is the harm that a clickjacked action inside an embed could do. It decides how sure we must
// be that the user meant the click.
type Risk int

// The levels of risk.
const (
	RiskLow    Risk = iota // clickjacking would do no lasting harm
	RiskMedium             // sends or reveals borrower data
	RiskHigh               // decides something: the browser itself must have verified that the button was visible
)

// Risk returns the risk of a route's action.
func (route Route) Risk() Risk {
	pattern := strings.TrimPrefix(route.Pattern, EmbedPrefix)
	ends := func(action string) bool { return strings.HasSuffix(pattern, action) }
	switch {
	case route.Method != http.MethodPost:
		return RiskLow
	case slices.ContainsFunc([]string{"/select-offer", "/cancel", "/reassign", "/reveal", "/undo", "/take-off", "/clone",
		"/loan-file"}, ends):
		return RiskHigh
	case pattern == "/leads" || slices.ContainsFunc([]string{"/link", "/borrower-link", "/add-ssn", "/repull-credit",
		"/verify-liens", "/asset-depletion", "/add-income", "/add-property-estimate", "/select-property", "/attributions",
		"/share", "/set-aside"}, ends):
		return RiskMedium
	default:
		return RiskLow
	}
}

// Accepts reports whether a request comes from a click that is sure enough for the risk. Nothing
// can cover a page in its own window, and only the browser knows reliably whether a page is in one,
// whatever cookie it sends. Inside an embed our own script reports whether the browser verified
// that the button was visible, or that this browser cannot. A request without any browser headers
// does not come from a browser with an embedded session.
func (risk Risk) Accepts(r *http.Request, form url.Values) bool {
	kind := r.Header.Get("Sec-Fetch-Dest")
	if risk == RiskLow || kind == "document" {
		return true
	}
	switch form.Get("frame.seen") {
	case "true":
		return true
	case "unjudged":
		return risk == RiskMedium
	default:
		return risk == RiskMedium && kind == "" && r.Header.Get("Sec-Fetch-Site") == ""
	}
}

// NoFrameAncestors is the policy of a URL that nobody may frame.
const NoFrameAncestors = "'none'"

// FrameAncestors lists the origins that may frame a URL. It depends only on the URL, before the
// user is identified, so that errors have the same policy.
func (rs *Responder) FrameAncestors(r *http.Request) string {
	if hosts := rs.CRMOrigins(r); hosts != "" {
		return hosts
	}
	return NoFrameAncestors
}

// CRMOrigins returns the origins of the CRM to which a URL belongs, separated by spaces.
func (rs *Responder) CRMOrigins(r *http.Request) string {
	client := CRMClientInPath(r.URL.Path)
	if client == "" || rs.FrameOrigins == nil {
		return ""
	}
	return strings.Join(rs.FrameOrigins(r.Context(), client), " ")
}

// CRMClientInPath returns the CRM client to which a URL belongs, or "" for the portal's own URLs.
func CRMClientInPath(path string) string {
	pieces := strings.Split(path, "/")
	switch {
	case len(pieces) > 2 && pieces[1] == "e":
		return pieces[2]
	case len(pieces) > 3 && pieces[1] == "launch":
		return pieces[3]
	default:
		return ""
	}
}

// IsAheadOfVisit reports whether a browser or a maker of previews fetches a page that nobody has opened yet.
func IsAheadOfVisit(r *http.Request) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Moz", "X-Purpose"} {
		value := strings.ToLower(r.Header.Get(name))
		if strings.Contains(value, "prefetch") || strings.Contains(value, "prerender") || strings.Contains(value, "preview") {
			return true
		}
	}
	return false
}

// IsFromOtherSite reports whether another site has sent the browser here.
func IsFromOtherSite(r *http.Request) bool {
	from := r.Header.Get("Sec-Fetch-Site")
	return from == "cross-site" || from == "same-site"
}
