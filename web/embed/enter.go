package embed

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	view "hearthline/views/embed"
	pageview "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// EmbedStart exchanges the launch code, which the user's click posts, for a session in the embed.
func (h *Handlers) EmbedStart(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entry := h.newEmbedEntry(r, h.IframeCookieName(client))
	launch, err := h.Embeds.Enter(r.Context(), client, entry)
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
	h.SetIframeCookie(w, client, h.Embeds.BoundToken(client, launch.Person.UserID, value))
	layout := h.PublicLayout(r, "Opening")
	layout.Base, layout.Embedded, layout.HostOrigin, layout.EmbedExpiresIn = to.Embed(client, launch.ID), true,
		launch.Origin, page.MillisText(launch.CodeLifetime)
	return h.Render(w, r, http.StatusOK, view.FrameStorageCheck(view.FrameStorageCheckView{Page: layout, Client: client,
		NewTab: launch.TabCode}))
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
	h.SetTabCookie(w, client, h.Embeds.BoundToken(client, launch.Person.UserID, value))
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
