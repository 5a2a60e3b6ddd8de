package guard

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/fault"
	view "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/web/page"
)

// embedGuard guards a route inside an embed. Users who are not signed in learn nothing else.
func (g *Guard) embedGuard(route page.Route) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		client, launch := chi.URLParam(r, "client"), chi.URLParam(r, "launch")
		embedVisit, err := g.Frames.FindEmbedVisit(r, client, launch)
		if fault.Is(err, fault.NotFound) {
			return g.renderLaunchEnded(w, r, route, err)
		}
		if err != nil {
			return err
		}
		if !embedVisit.SignedIn() {
			return g.renderEmbedSignedOut(w, r, route, embedVisit.Origin)
		}
		v := g.newEmbedVisit(r, embedVisit)
		// A session that was never used is the first to be evicted when a user has many, so the
		// first request always counts as activity.
		first := v.Session.LastSeen.Equal(v.Session.Created)
		if now := g.Now(); route.Class != page.Stream && renewsSession(r) &&
			(first || now.Sub(v.Session.LastSeen) >= touchInterval) {
			if err := g.embeds.Touch(r.Context(), embedVisit.Visit); err != nil {
				return err
			}
			v.Session.LastSeen = now
			v.ExpiresAt = page.SessionExpiry(v.Session)
		}
		return g.serve(w, r, route)
	}
}

func (g *Guard) newEmbedVisit(r *http.Request, embedVisit page.EmbedVisit) *page.Visit {
	v := &page.Visit{
		SessionState: page.SessionState{SignedIn: true, User: embedVisit.User, Session: embedVisit.Session,
			ExpiresAt: embedVisit.Ends},
		Base: to.Embed(embedVisit.Client.Key, embedVisit.ID), Embed: &embedVisit, Desk: g.desks.For(embedVisit.User.Actor),
	}
	v.Desk.SetLaunchRecord(embedVisit.VerifiedLaunch)
	if !v.User.VouchedByCRM {
		v.SetElevatedUntil(v.ExpiresAt) // an embed asks for one step-up and no more
	}
	reqLog := page.RequestLogOf(r)
	reqLog.Visit, reqLog.User = v, embedVisit.User.UserID
	return v
}

// identifyEmbedVisit finds the user of the embed to which a URL without a route belongs.
func (g *Guard) identifyEmbedVisit(r *http.Request) {
	pieces := strings.Split(r.URL.Path, "/")
	if pieces[1] != "e" || len(pieces) < 4 || g.embeds == nil {
		return
	}
	if embedVisit, err := g.Frames.FindEmbedVisit(r, pieces[2], pieces[3]); err == nil && embedVisit.SignedIn() {
		g.newEmbedVisit(r, embedVisit)
	}
}

// renderLaunchEnded answers a launch that has ended or never existed as if nobody were signed in;
// the response is the same for both. If the CRM may no longer embed us, the response has no link to
// continue: scripts and streams learn that the session is over, and a page gets a 404.
func (g *Guard) renderLaunchEnded(w http.ResponseWriter, r *http.Request, route page.Route, notFound error) error {
	hosts := g.CRMOrigins(r)
	if hosts != "" {
		return g.renderEmbedSignedOut(w, r, route, hosts)
	}
	if r.Header.Get("HX-Request") == "true" || route.Class == page.Stream {
		return page.ErrSignedOut()
	}
	return notFound
}

// renderEmbedSignedOut explains how to come back: through the CRM, which is also notified, because
// nothing on this page can sign a user in.
func (g *Guard) renderEmbedSignedOut(w http.ResponseWriter, r *http.Request, route page.Route, host string) error {
	base := to.Embed(chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	saved, err := g.Pending.savePendingAfterEmbedEnd(r, base)
	if err != nil {
		return err
	}
	if r.Header.Get("HX-Request") == "true" || route.Class == page.Stream {
		w.Header().Set("HX-Redirect", base.SessionEnded(saved))
		return page.ErrSignedOut()
	}
	text := "Open the record again in your CRM to continue. Drafts are saved."
	if saved || r.URL.Query().Has("kept") {
		text = "Open the record again in your CRM to continue. Your entries are saved, except SSNs."
	}
	layout := g.PublicLayout(r, "Signed out")
	layout.Embedded, layout.HostOrigin = true, host
	if !r.URL.Query().Has("left") { // a user who signed out is not signed in again automatically
		layout.EmbedExpiresIn = page.MillisText(0)
	}
	return g.Render(w, r, http.StatusUnauthorized, view.EmbedMessage(view.EmbedMessageView{
		Page: layout, Icon: "log-out", Title: "You’re signed out",
		Text: text, ForgetRecord: true,
	}))
}
