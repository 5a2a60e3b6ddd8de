package web

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/words"
)

// embedStart exchanges the code of the press for a session in the frame.
func (s *Server) embedStart(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entering := s.entering(r, s.frameCookie(client))
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
	s.keepInFrame(w, client, s.Embeds.Marked(client, in.Person.UserID, value))
	page := s.doorPage(r, "Opening")
	page.Base, page.Framed, page.Host, page.Ends = to.Embed(client, in.ID), true, in.Origin, ending(in.Good)
	return s.show(w, r, http.StatusOK, views.Opening(views.OpeningView{Page: page, Client: client, Tab: in.Tab}))
}

// showOver answers a press that came too late, and lets the CRM open the record anew.
func (s *Server) showOver(w http.ResponseWriter, r *http.Request) error {
	said := words.FrameFailureOf(http.StatusConflict)
	page := s.doorPage(r, said.Title)
	page.Framed, page.Host, page.Ends = true, s.hosts(r), ending(0)
	return s.show(w, r, http.StatusConflict, views.FrameSaid(views.FrameSaidView{
		Page: page, Icon: said.Icon, Title: said.Title, Text: fault.Public(embed.ErrOver) + " " + said.Text,
	}))
}

// ending is how long a page is good for something, as the script reads it.
func ending(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// entering is a press with a fresh token for what comes of it.
func (s *Server) entering(r *http.Request, cookie string) (value string, e embed.Entering) {
	value, hash := account.NewToken()
	e = embed.Entering{Code: posted(r).Get("code"), Before: before(r, cookie), Session: access.Session{
		IDHash: hash, Network: network(middleware.GetClientIPAddr(r.Context())), Browser: browser(r.UserAgent()),
	}}
	return value, e
}

// embedTab exchanges the second code for a session in a tab of its own, which reaches as
// far as the frame's and no farther.
func (s *Server) embedTab(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	value, entering := s.entering(r, s.tabCookie(client))
	in, err := s.Embeds.EnterTab(r.Context(), client, entering)
	if err != nil {
		return err
	}
	s.keepInTab(w, client, s.Embeds.Marked(client, in.Person.UserID, value))
	return redirect(w, r, to.Embed(client, in.ID).Home())
}

// embedProbe says whether the browser sent the sign-in of the frame, and nothing else.
func (s *Server) embedProbe(w http.ResponseWriter, r *http.Request) error {
	came, err := s.cameBy(r, chi.URLParam(r, "client"), chi.URLParam(r, "launch"))
	if err != nil {
		return err
	}
	if came.Signed() && !came.tab {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return say(w, "no sign-in")
}

// leaveFrame signs out of a frame.
func (s *Server) leaveFrame(w http.ResponseWriter, r *http.Request) error {
	v := visitOf(r)
	if err := s.Embeds.Leave(r.Context(), v.framed.Visit); err != nil {
		return err
	}
	client := v.framed.Client.Key
	if v.framed.tab {
		s.keepInTab(w, client, "")
	} else {
		s.keepInFrame(w, client, "")
	}
	w.Header().Del("Session-Expires")
	if inPlace(r) {
		return onward(w, r, v.base.Left())
	}
	page := s.doorPage(r, "Signed out")
	page.Framed, page.Host = true, v.framed.Origin
	return s.show(w, r, http.StatusOK, views.FrameSaid(views.FrameSaidView{
		Page: page, Icon: "log-out", Title: "You are signed out here", Text: "Open the record again in your CRM to come back.", Forget: true,
	}))
}
