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
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/words"
	"hearthline/web/page"
)

// EmbedStart exchanges the code of the press for a session in the frame.
func (s *Handlers) EmbedStart(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entering := s.newEmbedEntry(r, s.IframeCookieName(client))
	in, err := s.Embeds.Enter(r.Context(), client, entering)
	if errors.Is(err, embed.ErrNotConnected) {
		p, again := s.Embeds.PendingLaunch(r.Context(), client, entering.Code)
		if again != nil {
			return again
		}
		return s.renderLaunch(w, r, http.StatusUnprocessableEntity, p, "Not connected yet. Enter the letters in the new tab first.")
	}
	if errors.Is(err, embed.ErrCodeExpired) {
		return s.renderLaunchOver(w, r)
	}
	if err != nil {
		return err
	}
	s.SetIframeCookie(w, client, s.Embeds.BoundToken(client, in.Person.UserID, value))
	shown := s.PublicLayout(r, "Opening")
	shown.Base, shown.Embedded, shown.HostOrigin, shown.EmbedExpiresIn = to.Embed(client, in.ID), true, in.Origin, page.MillisText(in.CodeLifetime)
	return s.Render(w, r, http.StatusOK, views.FrameStorageCheck(views.FrameStorageCheckView{Page: shown, Client: client, NewTab: in.TabCode}))
}

// renderLaunchOver answers a press that came too late, and lets the CRM open the record anew.
func (s *Handlers) renderLaunchOver(w http.ResponseWriter, r *http.Request) error {
	said := words.EmbedFailureOf(http.StatusConflict)
	shown := s.PublicLayout(r, said.Title)
	shown.Embedded, shown.HostOrigin, shown.EmbedExpiresIn = true, s.CrmOrigins(r), page.MillisText(0)
	return s.Render(w, r, http.StatusConflict, views.EmbedMessage(views.EmbedMessageView{
		Page: shown, Icon: said.Icon, Title: said.Title, Text: fault.Public(embed.ErrCodeExpired) + " " + said.Text,
	}))
}

// newEmbedEntry is a press with a fresh token for what comes of it.
func (s *Handlers) newEmbedEntry(r *http.Request, cookie string) (value string, e embed.EnterRequest) {
	value, hash := account.NewToken()
	e = embed.EnterRequest{Code: page.Posted(r).Get("code"), PreviousHash: page.CookieTokenHash(r, cookie), Session: access.Session{
		IDHash: hash, Network: page.NetworkPrefix(middleware.GetClientIPAddr(r.Context())), Browser: page.BrowserFamily(r.UserAgent()),
	}}
	return value, e
}

// EmbedTab exchanges the second code for a session in a tab of its own, which reaches as
// far as the frame's and no farther.
func (s *Handlers) EmbedTab(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entering := s.newEmbedEntry(r, s.TabCookieName(client))
	in, err := s.Embeds.EnterTab(r.Context(), client, entering)
	if err != nil {
		return err
	}
	s.SetTabCookie(w, client, s.Embeds.BoundToken(client, in.Person.UserID, value))
	return page.Redirect(w, r, to.Embed(client, in.ID).Home())
}

// EmbedProbe says whether the browser sent the sign-in of the frame, and nothing else.
func (s *Handlers) EmbedProbe(w http.ResponseWriter, r *http.Request) error {
	came, err := s.FindEmbedVisit(r, chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	if err != nil {
		return err
	}
	if came.SignedIn() && !came.InTab {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return page.WriteText(w, "no sign-in")
}

// EmbedSignOut signs out of a frame.
func (s *Handlers) EmbedSignOut(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	if err := s.Embeds.EndVisit(r.Context(), v.Embed.Visit); err != nil {
		return err
	}
	client := v.Embed.Client.Key
	if v.Embed.InTab {
		s.SetTabCookie(w, client, "")
	} else {
		s.SetIframeCookie(w, client, "")
	}
	w.Header().Del("Session-Expires")
	if page.IsEmbedScriptPost(r) {
		return page.NavigateTo(w, r, v.Base.SignedOut())
	}
	page := s.PublicLayout(r, "Signed out")
	page.Embedded, page.HostOrigin = true, v.Embed.Origin
	return s.Render(w, r, http.StatusOK, views.EmbedMessage(views.EmbedMessageView{
		Page: page, Icon: "log-out", Title: "You are signed out here", Text: "Open the record again in your CRM to come back.", ForgetRecord: true,
	}))
}
