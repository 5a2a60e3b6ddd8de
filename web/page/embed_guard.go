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

// AsEmbedded are routes as they stand inside frames: the same handlers and permissions.
// Where the full desk asks anew who is there, a frame asks once for what a CRM's word
// does not reach.
func AsEmbedded(blocks ...[]Route) []Route {
	var all []Route
	for _, route := range Concat(blocks...) {
		route.Pattern, route.Name, route.Embedded = EmbedPrefix+route.Pattern, route.Name+", in a frame", true
		all = append(all, route)
	}
	return all
}

// embedGuard is the lock of a route inside a frame. Its order is that of the full desk:
// who is not signed in learns only that; whoever a CRM alone vouches for is asked who they
// are before anything of a borrower is opened; then the lead, the act, whether the request can
// be read, and last whether the press could have been a trick.
func (s *Server) embedGuard(route Route) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		client, launch := chi.URLParam(r, "client"), chi.URLParam(r, "launch")
		came, err := s.FindEmbedVisit(r, client, launch)
		if err != nil && fault.KindOf(err) == fault.NotFound {
			return s.renderLaunchEnded(w, r, route, err)
		}
		if err != nil {
			return err
		}
		if !came.SignedIn() {
			return s.renderEmbedSignedOut(w, r, route, came.Origin)
		}
		v := s.newEmbedVisit(r, came)
		// A session that was never used is the first to go when there are many.
		first := v.Session.LastSeen.Equal(v.Session.Created)
		if now := s.Now(); route.Class != Stream && renewsSession(r) && (first || now.Sub(v.Session.LastSeen) >= touchInterval) {
			if err := s.Embeds.Touch(r.Context(), came.Visit); err != nil {
				return err
			}
			v.Session.LastSeen = now
			v.expiresAt = SessionExpiry(v.Session)
		}
		w.Header().Set("Session-Expires", strconv.FormatInt(v.expiresAt.UnixMilli(), 10))
		if err := s.Denials.checkLimit(v.User.UserID, s.Now()); err != nil {
			return err
		}
		r = r.WithContext(v.Desk.WithActor(r.Context()))
		if v.User.VouchedByCRM && !route.Permission.AllowsVouchedByCRM() {
			return NavigateTo(w, r, v.Base.Home())
		}
		if ok, err := s.openEmbedLead(w, r, route); err != nil || !ok {
			return err
		}
		if !v.User.Can(route.Permission) {
			return fault.New(fault.Denied, "Your role does not include this.")
		}
		if err := route.readable(r); err != nil {
			return err
		}
		if !route.Risk().Accepts(r, Posted(r)) {
			return s.requireOwnWindow(w, r)
		}
		return route.Handler(w, r)
	}
}

func (s *Server) newEmbedVisit(r *http.Request, came EmbedVisit) *Visit {
	v := &Visit{
		SessionState: SessionState{SignedIn: true, User: came.User, Session: came.Session, expiresAt: came.Ends},
		Base:         to.Embed(came.Client.Key, came.ID), Embed: &came, Desk: s.Desks.For(came.User.Actor),
	}
	v.Desk.SetLaunchRecord(came.VerifiedLaunch)
	if !v.User.VouchedByCRM {
		v.setElevatedUntil(v.expiresAt) // once for a frame, which asks for nothing else
	}
	trail := RequestLogOf(r)
	trail.Visit, trail.User = v, came.User.UserID
	return v
}

// identifyEmbedVisit knows who is in the frame to which an address without a route belongs.
func (s *Server) identifyEmbedVisit(r *http.Request) {
	pieces := strings.Split(r.URL.Path, "/")
	if pieces[1] != "e" || len(pieces) < 4 || s.Embeds == nil {
		return
	}
	if came, err := s.FindEmbedVisit(r, pieces[2], pieces[3]); err == nil && came.SignedIn() {
		s.newEmbedVisit(r, came)
	}
}

// openEmbedLead opens the lead in the address; false when the answer has been given.
func (s *Server) openEmbedLead(w http.ResponseWriter, r *http.Request, route Route) (bool, error) {
	if !route.opensLead() {
		return true, nil
	}
	v := VisitOf(r)
	if !v.User.Role.Can(access.SeeLead) {
		RequestLogOf(r).leadHidden = true
		return false, ErrNoSuchLead()
	}
	var err error
	if v.lead, err = v.Desk.Lead(r.Context(), chi.URLParam(r, "app")); err == nil {
		return true, nil
	}
	if route.LeadGone != nil && fault.KindOf(err) == fault.NotFound && v.User.Can(route.Permission) {
		return false, route.LeadGone(w, r)
	}
	RequestLogOf(r).leadHidden = fault.KindOf(err) == fault.NotFound
	return false, err
}

// renderLaunchEnded answers at a launch that is over or never was, which nobody tells apart, as
// where nobody is signed in. Where nothing may frame us any more nothing leads on: a page
// that stands there still is told that its session is over, and another finds nothing.
func (s *Server) renderLaunchEnded(w http.ResponseWriter, r *http.Request, route Route, none error) error {
	hosts := s.CrmOrigins(r)
	if hosts != "" {
		return s.renderEmbedSignedOut(w, r, route, hosts)
	}
	if r.Header.Get("HX-Request") == "true" || route.Class == Stream {
		return errSignedOut()
	}
	return none
}

// renderEmbedSignedOut tells who is not signed in how to come back: by the CRM, which is told too, and
// by nothing here.
func (s *Server) renderEmbedSignedOut(w http.ResponseWriter, r *http.Request, route Route, host string) error {
	base := to.Embed(chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	kept, err := s.savePendingAfterEmbedEnd(r, base)
	if err != nil {
		return err
	}
	if r.Header.Get("HX-Request") == "true" || route.Class == Stream {
		w.Header().Set("HX-Redirect", base.SessionEnded(kept))
		return errSignedOut()
	}
	text := "Open the record again in your CRM to come back. What you typed in a draft is kept."
	if kept || r.URL.Query().Has("kept") {
		text = "Open the record again in your CRM to come back. What you typed waits there, an SSN apart."
	}
	page := s.PublicLayout(r, "Signed out")
	page.Embedded, page.HostOrigin = true, host
	if !r.URL.Query().Has("left") { // who signed out is not to be led in again
		page.EmbedExpiresIn = MillisText(0)
	}
	return s.Render(w, r, http.StatusUnauthorized, views.EmbedMessage(views.EmbedMessageView{
		Page: page, Icon: "log-out", Title: "You are signed out here",
		Text: text, ForgetRecord: true,
	}))
}

// LaunchedRecord is the CRM's record of a visit, as its person may read it; nil outside frames.
func LaunchedRecord(r *http.Request) (*desk.CRMLaunch, error) {
	v := VisitOf(r)
	if v == nil || v.Embed == nil {
		return nil, nil
	}
	return v.Desk.CRMLaunch(v.Embed.VerifiedLaunch)
}

// MillisText is how long a page is good for something, as the script reads it.
func MillisText(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
