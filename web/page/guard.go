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

// guard is the lock of a route. Its order tells a stranger nothing: who is not
// signed in learns only that; a lead that is not theirs does not exist, whatever
// the act; only then is the act itself judged, then whether the form can be read whole, and
// whether they must confirm first who they are, and only then does a handler look at it.
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
		trail := RequestLogOf(r)
		trail.Visit, trail.User = v, who.User.UserID
		w.Header().Set("Session-Expires", strconv.FormatInt(who.expiresAt.UnixMilli(), 10))
		v.Desk = s.Desks.For(who.User.Actor)
		v.setElevatedUntil(s.Accounts.ElevatedUntil(who.Session))
		if err := s.Denials.checkLimit(who.User.UserID, s.Now()); err != nil {
			return err
		}
		r = r.WithContext(v.Desk.WithActor(r.Context()))
		if route.opensLead() {
			if !who.User.Role.Can(access.SeeLead) {
				trail.leadHidden = true
				return ErrNoSuchLead()
			}
			if v.lead, err = v.Desk.Lead(r.Context(), chi.URLParam(r, "app")); err != nil {
				if route.LeadGone != nil && fault.KindOf(err) == fault.NotFound && who.User.Can(route.Permission) {
					return route.LeadGone(w, r)
				}
				trail.leadHidden = fault.KindOf(err) == fault.NotFound
				return err
			}
		}
		if !who.User.Can(route.Permission) {
			return fault.New(fault.Denied, "Your role does not include this.")
		}
		if err := route.readable(r); err != nil {
			return err
		}
		if route.StepUp.required(r) {
			if proved, err := s.ensureElevated(w, r, v); err != nil || !proved {
				return err
			}
		}
		return route.Handler(w, r)
	}
}

// WithOptionalVisit lets a page without a lock know who is signed in, so that it can show
// them their bar. Who cannot be recognised is a stranger here, whatever the cause. Under a
// CRM's addresses only who came by it is known: the full desk has no place in a frame.
func (s *Server) WithOptionalVisit(h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if crmClientInPath(r.URL.Path) != "" {
			s.identifyEmbedVisit(r)
			return h(w, r)
		}
		if who, err := s.Sessions.Current(r, false); err == nil && who.SignedIn {
			trail := RequestLogOf(r)
			trail.Visit, trail.User = &Visit{SessionState: who}, who.User.UserID
		}
		return h(w, r)
	}
}

func ErrNoSuchLead() error { return fault.New(fault.NotFound, "This lead does not exist for you.") }

// renewsSession says whether a request is a person's doing. The page's own refreshes say
// that they are not; a request can only ever give up a renewal by saying so.
func renewsSession(r *http.Request) bool { return r.Header.Get("Session-Renew") != "no" }

// requireSignIn sends a page to the log-in and back. A fragment or a stream is told
// 401, because a redirect would put the log-in page into the middle of another;
// a plain form goes to the log-in, and what it held waits behind it.
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

// htmxPageURL is the page that a fragment was asked from.
func htmxPageURL(r *http.Request) string {
	u, err := url.Parse(r.Header.Get("HX-Current-URL"))
	if err != nil {
		return ""
	}
	return SafeNext(u.RequestURI())
}

// Redirect answers 303: what follows is a GET.
func Redirect(w http.ResponseWriter, r *http.Request, address string) error {
	http.Redirect(w, r, address, http.StatusSeeOther) //nolint:gosec // addresses come from views/to, or from safeNext
	return nil
}

// SafeNext lets only a path of our own through, and none that would lead in a
// circle. Everything else is empty: nobody is sent to another site from here.
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

func (s *Server) NextOrHome(next string, who access.Actor) string {
	if next != "" {
		return next
	}
	return s.HomeURL(who)
}

// HomeURL is the first place that a person may see; the pipeline for all but
// administrators, who see no leads.
func (s *Server) HomeURL(who access.Actor) string {
	leads := to.Full.Leads(to.LeadsQuery{})
	places := s.permittedLinks(who, "", []ui.NavLink{
		{Href: leads}, {Href: to.Full.Admin("users")}, {Href: to.Full.Admin("audit")}, {Href: to.Full.Originators()}, {Href: to.Full.Account()},
	})
	if len(places) == 0 {
		return leads
	}
	return places[0].Href
}
