package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
)

// Under this prefix the desk's own routes stand a second time, for the frame of one launch.
const embedPrefix = "/e/{client}/{launch}"

// embedded are routes as they stand inside frames: the same handlers and permissions.
// Where the full desk asks anew who is there, a frame asks once for what a CRM's word
// does not reach.
func embedded(blocks ...[]Route) []Route {
	var all []Route
	for _, route := range concat(blocks...) {
		route.Pattern, route.Name, route.Embedded = embedPrefix+route.Pattern, route.Name+", in a frame", true
		all = append(all, route)
	}
	return all
}

// framedGuard is the lock of a route inside a frame. Its order is that of the full desk:
// who is not signed in learns only that; whoever a CRM alone vouches for is asked who they
// are before anything of a borrower is opened; then the lead, the act, whether the request can
// be read, and last whether the press could have been a trick.
func (s *Server) framedGuard(route Route) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		client, launch := chi.URLParam(r, "client"), chi.URLParam(r, "launch")
		came, err := s.cameBy(r, client, launch)
		if err != nil && fault.KindOf(err) == fault.NotFound {
			return s.launchEnded(w, r, route, err)
		}
		if err != nil {
			return err
		}
		if !came.Signed() {
			return s.frameEnded(w, r, route, came.Origin)
		}
		v := s.framedVisit(r, came)
		// A session that was never used is the first to go when there are many.
		first := v.session.LastSeen.Equal(v.session.Created)
		if now := s.Now(); route.Class != Stream && renews(r) && (first || now.Sub(v.session.LastSeen) >= touchEvery) {
			if err := s.Embeds.Touch(r.Context(), came.Visit); err != nil {
				return err
			}
			v.session.LastSeen = now
			v.ends = ends(v.session)
		}
		w.Header().Set("Session-Expires", strconv.FormatInt(v.ends.UnixMilli(), 10))
		if err := s.refused.tooMany(v.user.UserID, s.Now()); err != nil {
			return err
		}
		r = r.WithContext(v.desk.Named(r.Context()))
		if v.user.Unconfirmed && !route.Permission.Unconfirmed() {
			return onward(w, r, v.base.Home())
		}
		if ok, err := s.openFramedLead(w, r, route); err != nil || !ok {
			return err
		}
		if !v.user.Can(route.Permission) {
			return fault.New(fault.Denied, "Your role does not include this.")
		}
		if err := route.readable(r); err != nil {
			return err
		}
		if !route.care().content(r, posted(r)) {
			return s.askForWindow(w, r)
		}
		return route.Handler(w, r)
	}
}

func (s *Server) framedVisit(r *http.Request, came framed) *visit {
	v := &visit{
		found: found{signedIn: true, user: came.User, session: came.Session, ends: came.Ends},
		base:  to.Embed(came.Client.Key, came.ID), framed: &came, desk: s.Desks.For(came.User.Actor),
	}
	v.desk.Beside(came.Launched)
	if !v.user.Unconfirmed {
		v.provedUntil(v.ends) // once for a frame, which asks for nothing else
	}
	trail := trailOf(r)
	trail.visit, trail.user = v, came.User.UserID
	return v
}

// recognisedInFrame knows who is in the frame to which an address without a route belongs.
func (s *Server) recognisedInFrame(r *http.Request) {
	pieces := strings.Split(r.URL.Path, "/")
	if pieces[1] != "e" || len(pieces) < 4 || s.Embeds == nil {
		return
	}
	if came, err := s.cameBy(r, pieces[2], pieces[3]); err == nil && came.Signed() {
		s.framedVisit(r, came)
	}
}

// openFramedLead opens the lead in the address; false when the answer has been given.
func (s *Server) openFramedLead(w http.ResponseWriter, r *http.Request, route Route) (bool, error) {
	if !route.opensLead() {
		return true, nil
	}
	v := visitOf(r)
	if !v.user.Role.Can(access.SeeLead) {
		trailOf(r).notTheirs = true
		return false, noSuchLead()
	}
	var err error
	if v.lead, err = v.desk.Lead(r.Context(), chi.URLParam(r, "app")); err == nil {
		return true, nil
	}
	if route.Away != nil && fault.KindOf(err) == fault.NotFound && v.user.Can(route.Permission) {
		return false, route.Away(w, r)
	}
	trailOf(r).notTheirs = fault.KindOf(err) == fault.NotFound
	return false, err
}

// launchEnded answers at a launch that is over or never was, which nobody tells apart, as
// where nobody is signed in. Where nothing may frame us any more nothing leads on: a page
// that stands there still is told that its session is over, and another finds nothing.
func (s *Server) launchEnded(w http.ResponseWriter, r *http.Request, route Route, none error) error {
	hosts := s.hosts(r)
	if hosts != "" {
		return s.frameEnded(w, r, route, hosts)
	}
	if r.Header.Get("HX-Request") == "true" || route.Class == Stream {
		return errSignedOut()
	}
	return none
}

// frameEnded tells who is not signed in how to come back: by the CRM, which is told too, and
// by nothing here.
func (s *Server) frameEnded(w http.ResponseWriter, r *http.Request, route Route, host string) error {
	base := to.Embed(chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	kept, err := s.holdLate(r, base)
	if err != nil {
		return err
	}
	if r.Header.Get("HX-Request") == "true" || route.Class == Stream {
		w.Header().Set("HX-Redirect", base.Ended(kept))
		return errSignedOut()
	}
	text := "Open the record again in your CRM to come back. What you typed in a draft is kept."
	if kept || r.URL.Query().Has("kept") {
		text = "Open the record again in your CRM to come back. What you typed waits there, an SSN apart."
	}
	page := s.doorPage(r, "Signed out")
	page.Framed, page.Host = true, host
	if !r.URL.Query().Has("left") { // who signed out is not to be led in again
		page.Ends = ending(0)
	}
	return s.show(w, r, http.StatusUnauthorized, views.FrameSaid(views.FrameSaidView{
		Page: page, Icon: "log-out", Title: "You are signed out here",
		Text: text, Forget: true,
	}))
}

// launched is the CRM's record of a visit, as its person may read it; nil outside frames.
func launched(r *http.Request) (*desk.Launched, error) {
	v := visitOf(r)
	if v == nil || v.framed == nil {
		return nil, nil
	}
	return v.desk.Launched(v.framed.Launched)
}
