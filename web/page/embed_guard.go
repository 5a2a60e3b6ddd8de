package page

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
)

// Under this prefix the desk's own routes stand a second time, for the frame of one launch.
const EmbedPrefix = "/e/{client}/{launch}"

// embedded are routes as they stand inside frames: the same handlers and permissions.
// Where the full desk asks anew who is there, a frame asks once for what a CRM's word
// does not reach.
func Embedded(blocks ...[]Route) []Route {
	var all []Route
	for _, route := range Concat(blocks...) {
		route.Pattern, route.Name, route.Embedded = EmbedPrefix+route.Pattern, route.Name+", in a frame", true
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
		came, err := s.CameBy(r, client, launch)
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
		first := v.Session.LastSeen.Equal(v.Session.Created)
		if now := s.Now(); route.Class != Stream && renews(r) && (first || now.Sub(v.Session.LastSeen) >= touchEvery) {
			if err := s.Embeds.Touch(r.Context(), came.Visit); err != nil {
				return err
			}
			v.Session.LastSeen = now
			v.ends = Ends(v.Session)
		}
		w.Header().Set("Session-Expires", strconv.FormatInt(v.ends.UnixMilli(), 10))
		if err := s.Refused.tooMany(v.User.UserID, s.Now()); err != nil {
			return err
		}
		r = r.WithContext(v.Desk.Named(r.Context()))
		if v.User.Unconfirmed && !route.Permission.Unconfirmed() {
			return Onward(w, r, v.Base.Home())
		}
		if ok, err := s.openFramedLead(w, r, route); err != nil || !ok {
			return err
		}
		if !v.User.Can(route.Permission) {
			return fault.New(fault.Denied, "Your role does not include this.")
		}
		if err := route.readable(r); err != nil {
			return err
		}
		if !route.Care().Content(r, Posted(r)) {
			return s.askForWindow(w, r)
		}
		return route.Handler(w, r)
	}
}

func (s *Server) framedVisit(r *http.Request, came framed) *Visit {
	v := &Visit{
		Found: Found{SignedIn: true, User: came.User, Session: came.Session, ends: came.Ends},
		Base:  to.Embed(came.Client.Key, came.ID), Framed: &came, Desk: s.Desks.For(came.User.Actor),
	}
	v.Desk.Beside(came.Launched)
	if !v.User.Unconfirmed {
		v.provedUntil(v.ends) // once for a frame, which asks for nothing else
	}
	trail := TrailOf(r)
	trail.Visit, trail.User = v, came.User.UserID
	return v
}

// recognisedInFrame knows who is in the frame to which an address without a route belongs.
func (s *Server) recognisedInFrame(r *http.Request) {
	pieces := strings.Split(r.URL.Path, "/")
	if pieces[1] != "e" || len(pieces) < 4 || s.Embeds == nil {
		return
	}
	if came, err := s.CameBy(r, pieces[2], pieces[3]); err == nil && came.Signed() {
		s.framedVisit(r, came)
	}
}

// openFramedLead opens the lead in the address; false when the answer has been given.
func (s *Server) openFramedLead(w http.ResponseWriter, r *http.Request, route Route) (bool, error) {
	if !route.opensLead() {
		return true, nil
	}
	v := VisitOf(r)
	if !v.User.Role.Can(access.SeeLead) {
		TrailOf(r).notTheirs = true
		return false, NoSuchLead()
	}
	var err error
	if v.lead, err = v.Desk.Lead(r.Context(), chi.URLParam(r, "app")); err == nil {
		return true, nil
	}
	if route.Away != nil && fault.KindOf(err) == fault.NotFound && v.User.Can(route.Permission) {
		return false, route.Away(w, r)
	}
	TrailOf(r).notTheirs = fault.KindOf(err) == fault.NotFound
	return false, err
}

// launchEnded answers at a launch that is over or never was, which nobody tells apart, as
// where nobody is signed in. Where nothing may frame us any more nothing leads on: a page
// that stands there still is told that its session is over, and another finds nothing.
func (s *Server) launchEnded(w http.ResponseWriter, r *http.Request, route Route, none error) error {
	hosts := s.Hosts(r)
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
	page := s.DoorPage(r, "Signed out")
	page.Framed, page.Host = true, host
	if !r.URL.Query().Has("left") { // who signed out is not to be led in again
		page.Ends = Ending(0)
	}
	return s.Show(w, r, http.StatusUnauthorized, views.FrameSaid(views.FrameSaidView{
		Page: page, Icon: "log-out", Title: "You are signed out here",
		Text: text, Forget: true,
	}))
}

// launched is the CRM's record of a visit, as its person may read it; nil outside frames.
func Launched(r *http.Request) (*desk.Launched, error) {
	v := VisitOf(r)
	if v == nil || v.Framed == nil {
		return nil, nil
	}
	return v.Desk.Launched(v.Framed.Launched)
}

// ending is how long a page is good for something, as the script reads it.
func Ending(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
