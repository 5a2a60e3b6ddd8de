package guard

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	view "hearthline/views/page"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
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

// Embeds have their own cookies, one name for each CRM, so that a session in an iframe and one in a
// tab are never mixed up.

// IframeCookieName names the cookie of sessions inside the CRM's iframe. The cookie is partitioned:
// the browser sends it only within that CRM's pages. That requires Secure, which browsers also
// allow on localhost without TLS.
func (c Cookies) IframeCookieName(client string) string { return c.name("e-" + client) }

// TabCookieName names the cookie of sessions in a separate tab.
func (c Cookies) TabCookieName(client string) string { return c.name("t-" + client) }

// SetIframeCookie sets the session cookie of an iframe; an empty value deletes it.
func (c Cookies) SetIframeCookie(w http.ResponseWriter, client, value string) {
	setEmbedCookie(w, &http.Cookie{Name: c.IframeCookieName(client), Value: value, Secure: true,
		SameSite: http.SameSiteNoneMode, Partitioned: true})
}

// SetTabCookie sets the session cookie of a separate tab; an empty value deletes it.
func (c Cookies) SetTabCookie(w http.ResponseWriter, client, value string) {
	setEmbedCookie(w, &http.Cookie{Name: c.TabCookieName(client), Value: value, Secure: c.Secure,
		SameSite: http.SameSiteLaxMode})
}

func setEmbedCookie(w http.ResponseWriter, c *http.Cookie) {
	c.Path, c.HttpOnly = "/", true
	if c.Value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// SetVisitCookie sets the session cookie of a visit in an embed, whether it is in an iframe or in a tab.
func (c Cookies) SetVisitCookie(w http.ResponseWriter, v *page.EmbedVisit, value string) {
	if v.InTab {
		c.SetTabCookie(w, v.Client.Key, value)
	} else {
		c.SetIframeCookie(w, v.Client.Key, value)
	}
}

// Frames finds the sessions of embeds, and sets their cookies.
type Frames struct {
	Cookies
	embeds *embed.Service // nil if nobody may frame the desk
}

// FindEmbedVisit finds the session of a launch by the iframe's cookie, or else by the tab's.
func (f *Frames) FindEmbedVisit(r *http.Request, client, launch string) (page.EmbedVisit, error) {
	var last page.EmbedVisit
	for _, name := range []string{f.IframeCookieName(client), f.TabCookieName(client)} {
		v, err := f.embeds.Visit(r.Context(), client, launch, CookieTokenHash(r, name))
		if last = (page.EmbedVisit{Visit: v, InTab: name == f.TabCookieName(client)}); err != nil || v.SignedIn() {
			return last, err
		}
	}
	return last, nil
}

// CookieTokenHash returns the hash of the token in the browser's cookie, whether or not the token
// is valid.
func CookieTokenHash(r *http.Request, name string) string {
	if c, err := r.Cookie(name); err == nil {
		return account.HashToken(embed.ParseBoundToken(c.Value))
	}
	return ""
}

// requireOwnWindow sends a user to the full desk for an action that must not be clickjacked. It
// saves what they typed: an inquiry as a draft, a lead's form as a pending form.
func (g *Guard) requireOwnWindow(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	message := view.EmbedMessageView{
		Icon: "external-link", Title: "Continue in a new tab",
		Text: "For security, this can’t be done inside another page, where something could cover the button. " +
			"Nothing was sent.",
		Action: ui.Action{Label: "Open in a new tab", Kind: "pri", Icon: "external-link", NewTab: true},
	}
	switch {
	case v.Lead != nil:
		if err := g.Pending.savePendingForWindow(r, v); err != nil {
			return err
		}
		message.Text += " Your entries are carried over, except SSNs and confirmations."
		message.Action.Href = to.EmbedPendingForm(v.Embed.ID)
	case strings.HasSuffix(r.URL.Path, "/undo"):
		message.Action.Label, message.Action.Href = "Open leads in a new tab", to.Full.Leads(to.LeadsQuery{})
	default:
		draft, err := g.saveAsDraft(r, v.Desk)
		if err != nil {
			return err
		}
		message.Text += " Your entries are saved as a draft, without the SSN and the consent."
		message.Action.Label, message.Action.Href = "Open the draft in a new tab", to.Full.NewLead(draft)
	}
	message.Page = g.Layout(r, message.Title)
	if r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Retarget", "closest form")
		return g.Render(w, r, http.StatusForbidden, view.EmbedInlineMessage(message))
	}
	return g.Render(w, r, http.StatusForbidden, view.EmbedMessage(message))
}

// saveAsDraft saves the submitted intake form as a draft.
func (g *Guard) saveAsDraft(r *http.Request, d page.Desk) (draft string, err error) {
	f, err := page.ReadForm(r)
	if err != nil {
		return "", err
	}
	drafts, err := d.Drafts()
	if err != nil {
		return "", err
	}
	draft = form.DraftIDOrNew(f.Values.Get("draft"))
	_, err = drafts.Save(r.Context(), draft, f.DraftValues())
	return draft, err
}
