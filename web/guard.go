package web

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/views/to"
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
		return s.framedGuard(route)
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.sessions.find(r, route.Class != Stream && renews(r))
		if err != nil {
			return err
		}
		if !who.signedIn {
			return s.askToSignIn(w, r, route, who)
		}
		if who.session.Role != who.user.Role && route.Class != Stream && renews(r) {
			if err := s.sessions.turn(w, r, &who); err != nil {
				return err
			}
		}
		v := &visit{found: who}
		trail := trailOf(r)
		trail.visit, trail.user = v, who.user.UserID
		w.Header().Set("Session-Expires", strconv.FormatInt(who.ends.UnixMilli(), 10))
		v.desk = s.Desks.For(who.user.Actor)
		v.provedUntil(s.Accounts.ProvedUntil(who.session))
		if err := s.refused.tooMany(who.user.UserID, s.Now()); err != nil {
			return err
		}
		r = r.WithContext(v.desk.Named(r.Context()))
		if route.opensLead() {
			if !who.user.Role.Can(access.SeeLead) {
				trail.notTheirs = true
				return noSuchLead()
			}
			if v.lead, err = v.desk.Lead(r.Context(), chi.URLParam(r, "app")); err != nil {
				if route.Away != nil && fault.KindOf(err) == fault.NotFound && who.user.Can(route.Permission) {
					return route.Away(w, r)
				}
				trail.notTheirs = fault.KindOf(err) == fault.NotFound
				return err
			}
		}
		if !who.user.Can(route.Permission) {
			return fault.New(fault.Denied, "Your role does not include this.")
		}
		if err := route.readable(r); err != nil {
			return err
		}
		if route.Confirm.asked(r) {
			if proved, err := s.proved(w, r, v); err != nil || !proved {
				return err
			}
		}
		return route.Handler(w, r)
	}
}

// recognised lets a page without a lock know who is signed in, so that it can show
// them their bar. Who cannot be recognised is a stranger here, whatever the cause. Under a
// CRM's addresses only who came by it is known: the full desk has no place in a frame.
func (s *Server) recognised(h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if clientIn(r.URL.Path) != "" {
			s.recognisedInFrame(r)
			return h(w, r)
		}
		if who, err := s.sessions.find(r, false); err == nil && who.signedIn {
			trail := trailOf(r)
			trail.visit, trail.user = &visit{found: who}, who.user.UserID
		}
		return h(w, r)
	}
}

func noSuchLead() error { return fault.New(fault.NotFound, "This lead does not exist for you.") }

// renews says whether a request is a person's doing. The page's own refreshes say
// that they are not; a request can only ever give up a renewal by saying so.
func renews(r *http.Request) bool { return r.Header.Get("Session-Renew") != "no" }

// askToSignIn sends a page to the log-in and back. A fragment or a stream is told
// 401, because a redirect would put the log-in page into the middle of another;
// a plain form goes to the log-in, and what it held waits behind it.
func (s *Server) askToSignIn(w http.ResponseWriter, r *http.Request, route Route, who found) error {
	if r.Method == http.MethodPost && who.ended {
		if err := s.holdOver(w, r, who); err != nil {
			return err
		}
	}
	switch {
	case r.Header.Get("HX-Request") == "true":
		w.Header().Set("HX-Redirect", to.Login(currentPage(r)))
		return errSignedOut()
	case route.Class == Stream:
		return errSignedOut()
	case safe(r) && r.URL.RequestURI() != "/":
		return redirect(w, r, to.Login(safeNext(r.URL.RequestURI())))
	default:
		return redirect(w, r, to.Login(""))
	}
}

// currentPage is the page that a fragment was asked from.
func currentPage(r *http.Request) string {
	u, err := url.Parse(r.Header.Get("HX-Current-URL"))
	if err != nil {
		return ""
	}
	return safeNext(u.RequestURI())
}

// redirect answers 303: what follows is a GET.
func redirect(w http.ResponseWriter, r *http.Request, address string) error {
	http.Redirect(w, r, address, http.StatusSeeOther) //nolint:gosec // addresses come from views/to, or from safeNext
	return nil
}
