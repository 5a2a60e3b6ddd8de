package guard

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/trace"
	view "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/web/page"
)

// protect puts the checks of a route around its handler, and audits what they deny. An action for which the desk
// requires a step-up saves its form and asks for it, as if the route had required it.
func (g *Guard) protect(route page.Route) page.Handler {
	h := g.guard(route)
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		t := page.RequestLogOf(r)
		if err == nil || t.Answered() || r.Context().Err() != nil && errors.Is(err, context.Canceled) {
			return err
		}
		if v := t.Visit; fault.Is(err, fault.StepUpRequired) && v != nil && v.Embed == nil && page.FormOf(r).Err == nil {
			if saveErr := g.StepUp.requireStepUp(w, r, v); saveErr == nil {
				t.Err = err
				return nil
			}
		}
		status, _ := page.StatusAndMessage(err)
		g.auditDenial(r, status)
		return err
	}
}

// guard checks a route's requests. The order of its checks reveals nothing to users without access: a user
// who is not signed in learns nothing else, and a lead that is not theirs does not exist, whatever
// the action. Then it checks the permission, whether the form can be parsed completely, and whether
// a step-up is needed; only then does the handler run.
func (g *Guard) guard(route page.Route) page.Handler {
	if route.Public {
		h := route.Handler
		if route.OptionalUser {
			h = g.withOptionalVisit(h)
		}
		return func(w http.ResponseWriter, r *http.Request) error {
			if err := route.CheckReadable(r); err != nil {
				return err
			}
			return h(w, r)
		}
	}
	if route.Embedded {
		return g.embedGuard(route)
	}
	return func(w http.ResponseWriter, r *http.Request) error {
		who, err := g.Sessions.Current(r, route.Class != page.Stream && renewsSession(r))
		if err != nil {
			return err
		}
		if !who.SignedIn {
			return g.requireSignIn(w, r, route, who)
		}
		if who.Session.Role != who.User.Role && route.Class != page.Stream && renewsSession(r) {
			if err := g.Sessions.rotateForRole(w, r, &who); err != nil {
				return err
			}
		}
		v := &page.Visit{SessionState: who, Desk: g.desks.For(who.User.Actor)}
		v.SetElevatedUntil(g.accounts.ElevatedUntil(who.Session))
		reqLog := page.RequestLogOf(r)
		reqLog.Visit, reqLog.User = v, who.User.UserID
		return g.serve(w, r, route)
	}
}

// serve checks what a signed-in user may do, and runs the handler. A user vouched for only by a CRM must confirm
// their identity before any borrower data is opened. The last check is, inside an embed, whether the click could have
// been hijacked and, in the full desk, whether the user must step up.
func (g *Guard) serve(w http.ResponseWriter, r *http.Request, route page.Route) error {
	v := page.VisitOf(r)
	w.Header().Set("Session-Expires", strconv.FormatInt(v.ExpiresAt.UnixMilli(), 10))
	if err := g.Denials.checkLimit(v.Session.IDHash, g.Now()); err != nil {
		return err
	}
	r = r.WithContext(v.Desk.WithActor(r.Context()))
	if v.User.VouchedByCRM && !route.Permission.AllowsVouchedByCRM() {
		return page.NavigateTo(w, r, v.Base.Home())
	}
	if open, err := g.openLead(w, r, route); err != nil || !open {
		return err
	}
	if !v.User.Can(route.Permission) {
		return fault.New(fault.Denied, "Your role doesn’t include this.")
	}
	if err := route.CheckReadable(r); err != nil {
		return err
	}
	if err := g.discardResumed(r, v.Session.IDHash); err != nil {
		return err
	}
	switch {
	case route.Embedded:
		if !route.Risk().Accepts(r, page.Posted(r)) {
			return g.requireOwnWindow(w, r)
		}
	case route.StepUp.Required(r):
		if elevated, err := g.StepUp.ensureElevated(w, r, v); err != nil || !elevated {
			return err
		}
	}
	return route.Handler(w, r)
}

// discardResumed deletes the saved form that a request submits, so that it is offered only once.
func (g *Guard) discardResumed(r *http.Request, session string) error {
	if posted := page.Posted(r); posted.Has(view.ResumedControl) {
		posted.Del(view.ResumedControl)
		return g.accounts.DiscardPendingForm(r.Context(), session)
	}
	return nil
}

// openLead opens the lead in the URL. It returns false if the response is already written.
func (g *Guard) openLead(w http.ResponseWriter, r *http.Request, route page.Route) (bool, error) {
	if !route.OpensLead() {
		return true, nil
	}
	v := page.VisitOf(r)
	if !v.User.Role.Can(access.SeeLead) {
		page.RequestLogOf(r).LeadHidden = true
		return false, page.ErrNoSuchLead()
	}
	ctx, span := trace.Start(r.Context(), "open lead")
	defer span.End()
	var err error
	if v.Lead, err = v.Desk.Lead(ctx, chi.URLParam(r, "app")); err == nil {
		return true, nil
	}
	if route.LeadGone != nil && fault.Is(err, fault.NotFound) && v.User.Can(route.Permission) {
		return false, route.LeadGone(w, r)
	}
	page.RequestLogOf(r).LeadHidden = fault.Is(err, fault.NotFound)
	return false, err
}

// withOptionalVisit finds out who is signed in on a page that does not require it, so that the page
// can show the navigation. A user who cannot be identified counts as signed out, whatever the
// cause. Under a CRM's URLs it looks for embedded sessions only, because the full desk must not
// appear in an embed.
func (g *Guard) withOptionalVisit(h page.Handler) page.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if page.CRMClientInPath(r.URL.Path) != "" {
			g.identifyEmbedVisit(r)
			return h(w, r)
		}
		if who, err := g.Sessions.Current(r, false); err == nil && who.SignedIn {
			reqLog := page.RequestLogOf(r)
			reqLog.Visit, reqLog.User = &page.Visit{SessionState: who}, who.User.UserID
		}
		return h(w, r)
	}
}

// renewsSession reports whether the user caused the request. The page's own refreshes declare that
// they do not renew the session; the header can only decline a renewal, never request one.
func renewsSession(r *http.Request) bool { return r.Header.Get("Session-Renew") != "no" }

// requireSignIn redirects to the sign-in page, which leads back afterwards. A fragment or a stream
// gets a 401, because a redirect would put the sign-in page into the middle of another page. A
// plain form is redirected, and its content is saved until the user has signed in.
func (g *Guard) requireSignIn(w http.ResponseWriter, r *http.Request, route page.Route, who page.SessionState) error {
	if r.Method == http.MethodPost && who.Expired {
		if err := g.Pending.savePendingAfterExpiry(w, r, who); err != nil {
			return err
		}
	}
	switch {
	case r.Header.Get("HX-Request") == "true":
		w.Header().Set("HX-Redirect", to.SignIn(htmxPageURL(r)))
		return page.ErrSignedOut()
	case route.Class == page.Stream:
		return page.ErrSignedOut()
	case page.IsReadOnly(r) && r.URL.RequestURI() != "/":
		return page.Redirect(w, r, to.SignIn(page.SafeNext(r.URL.RequestURI())))
	default:
		return page.Redirect(w, r, to.SignIn(""))
	}
}

// htmxPageURL returns the URL of the page that requested the fragment.
func htmxPageURL(r *http.Request) string {
	u, err := url.Parse(r.Header.Get("HX-Current-URL"))
	if err != nil {
		return ""
	}
	return page.SafeNext(u.RequestURI())
}
