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

// embedStart exchanges the code of the press for a session in the frame.
func (s *Handlers) EmbedStart(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entering := s.entering(r, s.FrameCookie(client))
	in, err := s.Embeds.Enter(r.Context(), client, entering)
	if errors.Is(err, embed.ErrNotConnected) {
		p, again := s.Embeds.Waiting(r.Context(), client, entering.Code)
		if again != nil {
			return again
		}
		return s.showLaunch(w, r, http.StatusUnprocessableEntity, p, "Not connected yet. Enter the letters in the new tab first.")
	}
	if errors.Is(err, embed.ErrOver) {
		return s.showOver(w, r)
	}
	if err != nil {
		return err
	}
	s.KeepInFrame(w, client, s.Embeds.Marked(client, in.Person.UserID, value))
	shown := s.DoorPage(r, "Opening")
	shown.Base, shown.Framed, shown.Host, shown.Ends = to.Embed(client, in.ID), true, in.Origin, page.Ending(in.Good)
	return s.Show(w, r, http.StatusOK, views.Opening(views.OpeningView{Page: shown, Client: client, Tab: in.Tab}))
}

// showOver answers a press that came too late, and lets the CRM open the record anew.
func (s *Handlers) showOver(w http.ResponseWriter, r *http.Request) error {
	said := words.FrameFailureOf(http.StatusConflict)
	shown := s.DoorPage(r, said.Title)
	shown.Framed, shown.Host, shown.Ends = true, s.Hosts(r), page.Ending(0)
	return s.Show(w, r, http.StatusConflict, views.FrameSaid(views.FrameSaidView{
		Page: shown, Icon: said.Icon, Title: said.Title, Text: fault.Public(embed.ErrOver) + " " + said.Text,
	}))
}

// entering is a press with a fresh token for what comes of it.
func (s *Handlers) entering(r *http.Request, cookie string) (value string, e embed.Entering) {
	value, hash := account.NewToken()
	e = embed.Entering{Code: page.Posted(r).Get("code"), Before: page.Before(r, cookie), Session: access.Session{
		IDHash: hash, Network: page.Network(middleware.GetClientIPAddr(r.Context())), Browser: page.Browser(r.UserAgent()),
	}}
	return value, e
}

// embedTab exchanges the second code for a session in a tab of its own, which reaches as
// far as the frame's and no farther.
func (s *Handlers) EmbedTab(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entering := s.entering(r, s.TabCookie(client))
	in, err := s.Embeds.EnterTab(r.Context(), client, entering)
	if err != nil {
		return err
	}
	s.KeepInTab(w, client, s.Embeds.Marked(client, in.Person.UserID, value))
	return page.Redirect(w, r, to.Embed(client, in.ID).Home())
}

// embedProbe says whether the browser sent the sign-in of the frame, and nothing else.
func (s *Handlers) EmbedProbe(w http.ResponseWriter, r *http.Request) error {
	came, err := s.CameBy(r, chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	if err != nil {
		return err
	}
	if came.Signed() && !came.Tab {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return page.Say(w, "no sign-in")
}

// leaveFrame signs out of a frame.
func (s *Handlers) LeaveFrame(w http.ResponseWriter, r *http.Request) error {
	v := page.VisitOf(r)
	if err := s.Embeds.Leave(r.Context(), v.Framed.Visit); err != nil {
		return err
	}
	client := v.Framed.Client.Key
	if v.Framed.Tab {
		s.KeepInTab(w, client, "")
	} else {
		s.KeepInFrame(w, client, "")
	}
	w.Header().Del("Session-Expires")
	if page.InPlace(r) {
		return page.Onward(w, r, v.Base.Left())
	}
	page := s.DoorPage(r, "Signed out")
	page.Framed, page.Host = true, v.Framed.Origin
	return s.Show(w, r, http.StatusOK, views.FrameSaid(views.FrameSaidView{
		Page: page, Icon: "log-out", Title: "You are signed out here", Text: "Open the record again in your CRM to come back.", Forget: true,
	}))
}
