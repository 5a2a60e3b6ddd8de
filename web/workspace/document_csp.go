package workspace

import (
	"net/http"
	"strings"
)

// DocumentCSP is a policy under which a document can do nothing: no script, no form, no requests.
// It may be framed where its page may.
func (s *Server) DocumentCSP(r *http.Request) string {
	return "sandbox; default-src 'none'; frame-ancestors " + s.FrameAncestors(r)
}

// InlinePDFCSP is the policy of a PDF that the browser itself displays. WebKit generates a page for
// the PDF, which is also subject to our policy and stays empty without scripts, our origin and
// styles. So the policy blocks everything but styles by name. Content that only pretends to be a
// document still runs nothing, because no script source is allowed; it cannot make requests or open
// windows.
func (s *Server) InlinePDFCSP(r *http.Request) string {
	blocked := []string{"script-src", "object-src", "connect-src", "img-src", "font-src", "media-src", "frame-src",
		"worker-src", "manifest-src", "base-uri", "form-action"}
	return "sandbox allow-scripts allow-same-origin; " + strings.Join(blocked, " 'none'; ") + " 'none'; frame-ancestors " +
		s.FrameAncestors(r)
}
