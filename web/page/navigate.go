package page

import (
	"net/http"
	"net/url"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// Redirect answers with 303, so that the next request is a GET.
func Redirect(w http.ResponseWriter, r *http.Request, address string) error {
	http.Redirect(w, r, address, http.StatusSeeOther) //nolint:gosec // addresses come from views/to, or from safeNext
	return nil
}

// SafeNext returns the path to continue at if it is a path of the portal that cannot cause a
// redirect loop. Otherwise it returns an empty string, so that it never redirects to another site. A
// path with dot segments would not be where a browser goes.
func SafeNext(next string) string {
	if !strings.HasPrefix(next, "/") || strings.ContainsAny(next, "\\\t\r\n") {
		return ""
	}
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || strings.HasPrefix(u.Path, "//") ||
		strings.Contains(u.Path+"/", "/../") || strings.Contains(u.Path+"/", "/./") {
		return ""
	}
	switch u.Path {
	case "/", "/logout", "/events", "/account/confirm":
		return ""
	}
	if u.Path == "/login" || strings.HasPrefix(u.Path, "/login/") {
		return ""
	}
	return (&url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}).String()
}

// NextOrHome returns next after a sign-in. If next is empty, it returns what opens the user's first saved view, for
// users who have chosen that, or the user's home page.
func (rs *Responder) NextOrHome(next string, who access.Actor) string {
	if next != "" {
		return next
	}
	if first := to.Full.FirstView(); who.OpensView && len(rs.permittedLinks(who, "", []ui.NavLink{{Href: first}})) > 0 {
		return first
	}
	return rs.HomeURL(who)
}

// HomeURL returns the first page that the user may see: the pipeline for everybody but
// administrators, who see no leads.
func (rs *Responder) HomeURL(who access.Actor) string {
	leads := to.Full.Leads(to.LeadsQuery{})
	links := rs.permittedLinks(who, "", []ui.NavLink{
		{Href: leads}, {Href: to.Full.Admin("users")}, {Href: to.Full.Admin("audit")}, {Href: to.Full.Originators()},
		{Href: to.Full.Account()},
	})
	if len(links) == 0 {
		return leads
	}
	return links[0].Href
}

// AfterWriteURL returns where the user goes after a write: the lead, or the receipt if it is
// unknown whether the write arrived.
func AfterWriteURL(base to.Base, op lead.Operation, app heloc.AppID) string {
	if op.State == lead.OpUnknown || op.State == lead.OpSent || app == "" {
		return base.Operation(op.ID)
	}
	return base.Lead(string(app))
}

// NavigateTo sends the user to the page after a write. Redirecting a fragment would put that page
// into the middle of the current one, so htmx gets a header instead. So does a form that our script
// sent inside an embed, because it must not add to the history of the surrounding page.
func NavigateTo(w http.ResponseWriter, r *http.Request, address string) error {
	if IsFragment(r) || IsEmbedScriptPost(r) {
		w.Header().Set("HX-Redirect", address)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return Redirect(w, r, address)
}

// NavigateAfter is NavigateTo, unless the change before it failed.
func NavigateAfter(w http.ResponseWriter, r *http.Request, change error, address string) error {
	if change != nil {
		return change
	}
	return NavigateTo(w, r, address)
}

// IsEmbedScriptPost reports whether our script sent a form inside an embed. The script follows the
// redirect that we name, and shows any other response in place of its page.
func IsEmbedScriptPost(r *http.Request) bool {
	v := VisitOf(r)
	return r.Method == http.MethodPost && r.Header.Get("HX-Request") == "true" && v != nil && v.Embed != nil
}

// IsReadOnly reports whether a request only reads.
func IsReadOnly(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}
