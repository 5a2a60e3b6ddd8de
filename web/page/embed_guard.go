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
	view "hearthline/views/page"
	"hearthline/views/to"
)

// EmbedPrefix is the URL prefix under which the desk's routes are mounted a second time, for one
// embedded launch.
const EmbedPrefix = "/e/{client}/{launch}"

// AsEmbedded returns copies of the routes for use inside an embed, with the same handlers and
// permissions. Where the full desk asks for a new step-up, an embed asks once for whatever a CRM's
// word does not cover.
func AsEmbedded(blocks ...[]Route) []Route {
	var all []Route
	for _, route := range Concat(blocks...) {
		route.Pattern, route.Name, route.Embedded = EmbedPrefix+route.Pattern, route.Name+", in a frame", true
		all = append(all, route)
	}
	return all
}

// embedGuard guards a route inside an embed. It checks in the same order as the full desk: users
// who are not signed in learn nothing else; users vouched for only by a CRM must confirm their
// identity before any borrower data is opened; then come the lead, the permission, whether the
// request can be parsed, and finally whether the click could have been clickjacked.
func (s *Server) embedGuard(route Route) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		client, launch := chi.URLParam(r, "client"), chi.URLParam(r, "launch")
		embedVisit, err := s.FindEmbedVisit(r, client, launch)
		if err != nil && fault.KindOf(err) == fault.NotFound {
			return s.renderLaunchEnded(w, r, route, err)
		}
		if err != nil {
			return err
		}
		if !embedVisit.SignedIn() {
			return s.renderEmbedSignedOut(w, r, route, embedVisit.Origin)
		}
		v := s.newEmbedVisit(r, embedVisit)
		// A session that was never used is the first to be evicted when a user has many, so the
		// first request always counts as activity.
		first := v.Session.LastSeen.Equal(v.Session.Created)
		if now := s.Now(); route.Class != Stream && renewsSession(r) && (first || now.Sub(v.Session.LastSeen) >= touchInterval) {
			if err := s.Embeds.Touch(r.Context(), embedVisit.Visit); err != nil {
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
			return fault.New(fault.Denied, "Your role doesn’t include this.")
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

func (s *Server) newEmbedVisit(r *http.Request, embedVisit EmbedVisit) *Visit {
	v := &Visit{
		SessionState: SessionState{SignedIn: true, User: embedVisit.User, Session: embedVisit.Session, expiresAt: embedVisit.Ends},
		Base:         to.Embed(embedVisit.Client.Key, embedVisit.ID), Embed: &embedVisit, Desk: s.Desks.For(embedVisit.User.Actor),
	}
	v.Desk.SetLaunchRecord(embedVisit.VerifiedLaunch)
	if !v.User.VouchedByCRM {
		v.setElevatedUntil(v.expiresAt) // an embed asks for one step-up and no more
	}
	reqLog := RequestLogOf(r)
	reqLog.Visit, reqLog.User = v, embedVisit.User.UserID
	return v
}

// identifyEmbedVisit finds the user of the embed to which a URL without a route belongs.
func (s *Server) identifyEmbedVisit(r *http.Request) {
	pieces := strings.Split(r.URL.Path, "/")
	if pieces[1] != "e" || len(pieces) < 4 || s.Embeds == nil {
		return
	}
	if embedVisit, err := s.FindEmbedVisit(r, pieces[2], pieces[3]); err == nil && embedVisit.SignedIn() {
		s.newEmbedVisit(r, embedVisit)
	}
}

// openEmbedLead opens the lead in the URL. It returns false if the response is already written.
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

// renderLaunchEnded answers a launch that has ended or never existed as if nobody were signed in;
// the response is the same for both. If the CRM may no longer embed us, the response has no link to
// continue: scripts and streams learn that the session is over, and a page gets a 404.
func (s *Server) renderLaunchEnded(w http.ResponseWriter, r *http.Request, route Route, notFound error) error {
	hosts := s.CrmOrigins(r)
	if hosts != "" {
		return s.renderEmbedSignedOut(w, r, route, hosts)
	}
	if r.Header.Get("HX-Request") == "true" || route.Class == Stream {
		return errSignedOut()
	}
	return notFound
}

// renderEmbedSignedOut explains how to come back: through the CRM, which is also notified, because
// nothing on this page can sign a user in.
func (s *Server) renderEmbedSignedOut(w http.ResponseWriter, r *http.Request, route Route, host string) error {
	base := to.Embed(chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	saved, err := s.savePendingAfterEmbedEnd(r, base)
	if err != nil {
		return err
	}
	if r.Header.Get("HX-Request") == "true" || route.Class == Stream {
		w.Header().Set("HX-Redirect", base.SessionEnded(saved))
		return errSignedOut()
	}
	text := "Open the record again in your CRM to continue. Drafts are saved."
	if saved || r.URL.Query().Has("kept") {
		text = "Open the record again in your CRM to continue. Your entries are saved, except SSNs."
	}
	page := s.PublicLayout(r, "Signed out")
	page.Embedded, page.HostOrigin = true, host
	if !r.URL.Query().Has("left") { // a user who signed out is not signed in again automatically
		page.EmbedExpiresIn = MillisText(0)
	}
	return s.Render(w, r, http.StatusUnauthorized, view.EmbedMessage(view.EmbedMessageView{
		Page: page, Icon: "log-out", Title: "You’re signed out",
		Text: text, ForgetRecord: true,
	}))
}

// LaunchedRecord returns the CRM record of an embedded visit as its user may read it, or nil
// outside of embeds.
func LaunchedRecord(r *http.Request) (*desk.CRMLaunch, error) {
	v := VisitOf(r)
	if v == nil || v.Embed == nil {
		return nil, nil
	}
	return v.Desk.CRMLaunch(v.Embed.VerifiedLaunch)
}

// MillisText formats a duration in milliseconds, as the script reads it.
func MillisText(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
