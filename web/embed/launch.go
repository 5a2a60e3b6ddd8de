package embed

import (
	"cmp"
	"errors"
	"io"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	view "hearthline/views/embed"
	pageview "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// ReceiveLaunch accepts a CRM's signed post. It signs nobody in and sets no cookie: a page asks the
// user whether to continue, once in each browser session.
func (h *Handlers) ReceiveLaunch(w http.ResponseWriter, r *http.Request) error {
	kind := launch.Kind(chi.URLParam(r, "kind"))
	if kind == launch.KindCall {
		return h.receiveSignedCall(w, r)
	}
	control := map[launch.Kind]string{launch.KindToken: "launch_token", launch.KindCanvas: "signed_request"}[kind]
	if control == "" {
		return h.NotFound(w, r)
	}
	form := page.FormOf(r) // the guard leaves parsing to the handler, because a signed call is not a form
	if form.Err != nil {
		return form.Err
	}
	p, err := h.Embeds.LaunchByPost(r.Context(), kind, chi.URLParam(r, "client"), form.Values.Get(control))
	if err != nil {
		return err
	}
	page.RequestLogOf(r).AddAttr("launch", p.ID)
	return h.openLaunch(w, r, p)
}

// receiveSignedCall returns a one-time URL for the user's browser to a CRM's server.
func (h *Handlers) receiveSignedCall(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	client := chi.URLParam(r, "client")
	code, err := h.Embeds.LaunchByCall(r.Context(), client, signedCall(r, string(body)))
	if err != nil {
		return err
	}
	address := h.Origin + to.LaunchCode(string(launch.KindCall), client, code)
	return page.WriteJSON(w, http.StatusOK, map[string]string{"url": address})
}

// signedCall returns the request in the form in which its headers sign it.
func signedCall(r *http.Request, body string) launch.Call {
	return launch.Call{Method: r.Method, Query: r.URL.RawQuery, Body: body,
		Timestamp: r.Header.Get("X-HubSpot-Request-Timestamp"), Signature: r.Header.Get("X-HubSpot-Signature-v3")}
}

// RedeemLaunchURL accepts the code of a one-time URL, which only opens the page that asks whether
// to continue.
func (h *Handlers) RedeemLaunchURL(w http.ResponseWriter, r *http.Request) error {
	if launch.Kind(chi.URLParam(r, "kind")) != launch.KindCall {
		return h.NotFound(w, r)
	}
	p, err := h.Embeds.RedeemLaunchURL(r.Context(), chi.URLParam(r, "client"), chi.URLParam(r, "code"))
	if err != nil {
		return err
	}
	return h.openLaunch(w, r, p)
}

// openLaunch opens the record of a CRM user who has already continued in this browser, and asks everybody else.
func (h *Handlers) openLaunch(w http.ResponseWriter, r *http.Request, p embed.PendingLaunch) error {
	if cookie, err := r.Cookie(h.IframeCookieName(p.Client.Key)); err == nil {
		launch, resumed, err := h.Embeds.Resume(r.Context(), p.VerifiedLaunch, cookie.Value)
		if err != nil {
			return err
		}
		if resumed {
			return h.renderOpening(w, r, launch)
		}
	}
	return h.renderLaunch(w, r, http.StatusOK, p, "")
}

// renderOpening renders the page that continues to the record, or to the leads if there is none: the record's page asks
// users vouched for only by a CRM to confirm their identity first.
func (h *Handlers) renderOpening(w http.ResponseWriter, r *http.Request, launch embed.EnteredLaunch) error {
	base := to.Embed(launch.Client.Key, launch.ID)
	layout := h.PublicLayout(r, "Opening")
	layout.Base, layout.Embedded, layout.HostOrigin = base, true, launch.Origin
	opening := view.FrameStorageCheckView{Client: launch.Client.Key, Next: base.Home(), NewTab: launch.TabCode}
	if launch.TabCode != "" {
		layout.EmbedExpiresIn = page.MillisText(launch.CodeLifetime)
	}
	if !launch.HasRecord() && launch.Session.Level < 2 {
		opening.Next = base.Leads(to.LeadsQuery{})
	}
	opening.Page = layout
	return h.Render(w, r, http.StatusOK, view.FrameStorageCheck(opening))
}

func (h *Handlers) renderLaunch(w http.ResponseWriter, r *http.Request, status int, p embed.PendingLaunch,
	message string) error {
	title := "Open this record in Hearthline"
	if !p.HasRecord() {
		title = "Open Hearthline"
	}
	layout := h.PublicLayout(r, title)
	layout.Embedded, layout.HostOrigin, layout.EmbedExpiresIn = true, p.Origin, page.MillisText(p.CodeLifetime)
	return h.Render(w, r, status, view.Launch(view.LaunchView{
		Page: layout, Client: p.Client.Key, CRM: p.Client.Name, CRMUser: crmUserText(p.VerifiedLaunch), Person: p.Person.Name,
		Company: p.Person.BrokerName, Code: p.Code, MatchCode: p.MatchCode, ConnectURL: to.Connect(p.Client.Key, p.ID),
		Error: message,
	}))
}

// crmUserText returns a CRM user's name and email as the CRM reports them.
func crmUserText(l embed.VerifiedLaunch) string {
	return cmp.Or(text.JoinNonEmpty(", ", l.Name, l.Email), "an unnamed user")
}

// EmbedStart exchanges the launch code, which the user's click posts, for a session in the embed. A page that waits for
// its user to connect posts the code too, and continues once the user has typed its letters at top level.
func (h *Handlers) EmbedStart(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entry := h.newEmbedEntry(r, h.IframeCookieName(client))
	entry.Waiting = page.Posted(r).Has("waiting")
	launch, err := h.Embeds.Enter(r.Context(), client, entry)
	if entry.Waiting && (errors.Is(err, embed.ErrNotConnected) || errors.Is(err, embed.ErrCodeExpired)) {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if errors.Is(err, embed.ErrNotConnected) {
		p, lookupErr := h.Embeds.PendingLaunch(r.Context(), client, entry.Code)
		if lookupErr != nil {
			return lookupErr
		}
		return h.renderLaunch(w, r, http.StatusUnprocessableEntity, p,
			"Not connected yet. Enter the letters in the new tab first.")
	}
	if errors.Is(err, embed.ErrCodeExpired) {
		return h.renderLaunchOver(w, r)
	}
	if err != nil {
		return err
	}
	h.SetIframeCookie(w, client, h.Embeds.BoundToken(launch.VerifiedLaunch, value))
	return h.renderOpening(w, r, launch)
}

// renderLaunchOver responds to a click after the code has expired, and lets the CRM launch the
// record again.
func (h *Handlers) renderLaunchOver(w http.ResponseWriter, r *http.Request) error {
	texts := text.EmbedFailureOf(http.StatusConflict)
	layout := h.PublicLayout(r, texts.Title)
	layout.Embedded, layout.HostOrigin, layout.EmbedExpiresIn = true, h.CRMOrigins(r), page.MillisText(0)
	return h.Render(w, r, http.StatusConflict, pageview.EmbedMessage(pageview.EmbedMessageView{
		Page: layout, Icon: texts.Icon, Title: texts.Title, Text: fault.Public(embed.ErrCodeExpired) + " " + texts.Text,
	}))
}

// newEmbedEntry creates an entry request with a new session token.
func (h *Handlers) newEmbedEntry(r *http.Request, cookie string) (value string, e embed.EnterRequest) {
	value, hash := account.NewToken()
	e = embed.EnterRequest{Code: page.Posted(r).Get("code"), PreviousHash: guard.CookieTokenHash(r, cookie),
		Session: access.Session{
			IDHash: hash, Network: page.NetworkPrefix(middleware.GetClientIPAddr(r.Context())),
			Browser: page.BrowserFamily(r.UserAgent()),
		}}
	return value, e
}

// EmbedTab exchanges the second code for a session in a separate tab, which has the same
// permissions as the embed's session.
func (h *Handlers) EmbedTab(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entry := h.newEmbedEntry(r, h.TabCookieName(client))
	launch, err := h.Embeds.EnterTab(r.Context(), client, entry)
	if err != nil {
		return err
	}
	h.SetTabCookie(w, client, h.Embeds.BoundToken(launch.VerifiedLaunch, value))
	return page.Redirect(w, r, to.Embed(client, launch.ID).Home())
}

// EmbedProbe reports whether the browser sent the embed's session cookie, and nothing else.
func (h *Handlers) EmbedProbe(w http.ResponseWriter, r *http.Request) error {
	visit, err := h.FindEmbedVisit(r, chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	if err != nil {
		return err
	}
	if visit.SignedIn() && !visit.InTab {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return page.WriteText(w, "no sign-in")
}

// EmbedSignOut ends an embedded session.
func (h *Handlers) EmbedSignOut(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	if err := h.Embeds.EndVisit(r.Context(), v.Embed.Visit); err != nil {
		return err
	}
	h.SetVisitCookie(w, v.Embed, "")
	w.Header().Del("Session-Expires")
	if page.IsEmbedScriptPost(r) {
		return page.NavigateTo(w, r, v.Base.SignedOut())
	}
	layout := h.PublicLayout(r, "Signed out")
	layout.Embedded, layout.HostOrigin = true, v.Embed.Origin
	return h.Render(w, r, http.StatusOK, pageview.EmbedMessage(pageview.EmbedMessageView{
		Page: layout, Icon: "log-out", Title: "You’re signed out", Text: "Open the record again in your CRM to continue.",
		ForgetRecord: true,
	}))
}
