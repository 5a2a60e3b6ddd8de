package page

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// guard protects a route. The order of its checks reveals nothing to users without access: a user
// who is not signed in learns nothing else, and a lead that is not theirs does not exist, whatever
// the action. Then it checks the permission, whether the form can be parsed completely, and whether
// a step-up is needed; only then does the handler run.
func (s *Server) guard(route Route) Handler {
	if route.Public {
		return func(w http.ResponseWriter, r *http.Request) error {
			if err := route.readable(r); err != nil {
				return err
			}
			return route.Handler(w, r)
		}
	}
	if route.Embedded {
		return s.embedGuard(route)
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.Sessions.Current(r, route.Class != Stream && renewsSession(r))
		if err != nil {
			return err
		}
		if !who.SignedIn {
			return s.requireSignIn(w, r, route, who)
		}
		if who.Session.Role != who.User.Role && route.Class != Stream && renewsSession(r) {
			if err := s.Sessions.rotateForRole(w, r, &who); err != nil {
				return err
			}
		}
		v := &Visit{SessionState: who}
		reqLog := RequestLogOf(r)
		reqLog.Visit, reqLog.User = v, who.User.UserID
		w.Header().Set("Session-Expires", strconv.FormatInt(who.expiresAt.UnixMilli(), 10))
		v.Desk = s.Desks.For(who.User.Actor)
		v.setElevatedUntil(s.Accounts.ElevatedUntil(who.Session))
		if err := s.Denials.checkLimit(who.User.UserID, s.Now()); err != nil {
			return err
		}
		r = r.WithContext(v.Desk.WithActor(r.Context()))
		if route.opensLead() {
			if !who.User.Role.Can(access.SeeLead) {
				reqLog.leadHidden = true
				return ErrNoSuchLead()
			}
			if v.lead, err = v.Desk.Lead(r.Context(), chi.URLParam(r, "app")); err != nil {
				if route.LeadGone != nil && fault.KindOf(err) == fault.NotFound && who.User.Can(route.Permission) {
					return route.LeadGone(w, r)
				}
				reqLog.leadHidden = fault.KindOf(err) == fault.NotFound
				return err
			}
		}
		if !who.User.Can(route.Permission) {
			return fault.New(fault.Denied, "Your role doesn’t include this.")
		}
		if err := route.readable(r); err != nil {
			return err
		}
		if route.StepUp.required(r) {
			if elevated, err := s.ensureElevated(w, r, v); err != nil || !elevated {
				return err
			}
		}
		return route.Handler(w, r)
	}
}

// WithOptionalVisit finds out who is signed in on a page that does not require it, so that the page
// can show the navigation. A user who cannot be identified counts as signed out, whatever the
// cause. Under a CRM's URLs it looks for embedded sessions only, because the full desk must not
// appear in an embed.
func (s *Server) WithOptionalVisit(h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if crmClientInPath(r.URL.Path) != "" {
			s.identifyEmbedVisit(r)
			return h(w, r)
		}
		if who, err := s.Sessions.Current(r, false); err == nil && who.SignedIn {
			reqLog := RequestLogOf(r)
			reqLog.Visit, reqLog.User = &Visit{SessionState: who}, who.User.UserID
		}
		return h(w, r)
	}
}

// ErrNoSuchLead returns the error for a lead that does not exist for this user.
func ErrNoSuchLead() error {
	return fault.New(fault.NotFound, "Lead not found, or you don’t have access.")
}

// renewsSession reports whether the user caused the request. The page's own refreshes declare that
// they do not renew the session; the header can only decline a renewal, never request one.
func renewsSession(r *http.Request) bool { return r.Header.Get("Session-Renew") != "no" }

// requireSignIn redirects to the sign-in page, which leads back afterwards. A fragment or a stream
// gets a 401, because a redirect would put the sign-in page into the middle of another page. A
// plain form is redirected, and its content is saved until the user has signed in.
func (s *Server) requireSignIn(w http.ResponseWriter, r *http.Request, route Route, who SessionState) error {
	if r.Method == http.MethodPost && who.expired {
		if err := s.savePendingAfterExpiry(w, r, who); err != nil {
			return err
		}
	}
	switch {
	case r.Header.Get("HX-Request") == "true":
		w.Header().Set("HX-Redirect", to.SignIn(htmxPageURL(r)))
		return errSignedOut()
	case route.Class == Stream:
		return errSignedOut()
	case isReadOnly(r) && r.URL.RequestURI() != "/":
		return Redirect(w, r, to.SignIn(SafeNext(r.URL.RequestURI())))
	default:
		return Redirect(w, r, to.SignIn(""))
	}
}

// htmxPageURL returns the URL of the page that requested the fragment.
func htmxPageURL(r *http.Request) string {
	u, err := url.Parse(r.Header.Get("HX-Current-URL"))
	if err != nil {
		return ""
	}
	return SafeNext(u.RequestURI())
}

// Redirect answers with 303, so that the next request is a GET.
func Redirect(w http.ResponseWriter, r *http.Request, address string) error {
	http.Redirect(w, r, address, http.StatusSeeOther) //nolint:gosec // addresses come from views/to, or from safeNext
	return nil
}

// SafeNext returns the path to continue at if it is a path of the portal that cannot cause a
// redirect loop. Otherwise it returns an empty string, so that it never redirects to another site.
func SafeNext(next string) string {
	if !strings.HasPrefix(next, "/") || strings.ContainsAny(next, "\\\t\r\n") {
		return ""
	}
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || strings.HasPrefix(u.Path, "//") {
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

// NextOrHome returns next, or the user's home page if next is empty.
func (s *Server) NextOrHome(next string, who access.Actor) string {
	if next != "" {
		return next
	}
	return s.HomeURL(who)
}

// HomeURL returns the first page that the user may see: the pipeline for everybody but
// administrators, who see no leads.
func (s *Server) HomeURL(who access.Actor) string {
	leads := to.Full.Leads(to.LeadsQuery{})
	links := s.permittedLinks(who, "", []ui.NavLink{
		{Href: leads}, {Href: to.Full.Admin("users")}, {Href: to.Full.Admin("audit")}, {Href: to.Full.Originators()}, {Href: to.Full.Account()},
	})
	if len(links) == 0 {
		return leads
	}
	return links[0].Href
}
