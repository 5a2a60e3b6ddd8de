package page

import (
	"net/http"
	"strings"
)

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
