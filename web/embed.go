package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/launch"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/views/words"
)

// Embeds lets people in from CRMs; *embed.Service does.
type Embeds interface {
	// Origins may frame a client's addresses.
	Origins(ctx context.Context, client string) []string
	Post(ctx context.Context, kind launch.Kind, client, raw string) (embed.Pressable, error)
	Call(ctx context.Context, client string, call launch.Call) (code string, err error)
	Door(ctx context.Context, client, code string) (embed.Pressable, error)
	Waiting(ctx context.Context, client, code string) (embed.Pressable, error)
	Enter(ctx context.Context, client string, e embed.Entering) (embed.Entered, error)
	EnterTab(ctx context.Context, client string, e embed.Entering) (embed.Entered, error)
	Find(ctx context.Context, client, launch string) (embed.Launched, error)
	Visit(ctx context.Context, client, launch, tokenHash string) (embed.Visit, error)
	Touch(ctx context.Context, v embed.Visit) error
	Leave(ctx context.Context, v embed.Visit) error
	Connect(ctx context.Context, person access.Actor, l embed.Launched, typed string) error
	Confirm(ctx context.Context, person access.Actor, l embed.Launched, typed string) error
	Confirmed(ctx context.Context, v embed.Visit, tokenHash string) (bool, error)
	CardByToken(ctx context.Context, ask embed.CardAsk, raw string) (embed.Card, error)
	CardByCall(ctx context.Context, ask embed.CardAsk, call launch.Call) (embed.Card, error)
}

// embedRoutes exist where CRMs may frame the desk. The doors are open, because a CRM's
// page or server comes to them without a session: what they are sent is verified.
func (s *Server) embedRoutes() []Route {
	if s.Embeds == nil {
		return nil
	}
	return concat(
		[]Route{
			{Method: http.MethodPost, Pattern: "/launch/{kind}/{client}", Name: "launch", Public: true, Class: Hook, Handler: s.unverified("launch", s.takeLaunch)},
			{Method: http.MethodGet, Pattern: "/launch/{kind}/{client}/{code}", Name: "launch by a one-time address", Public: true, Once: true, Handler: s.unverified("one-time address", s.launchDoor)},
			{Method: http.MethodPost, Pattern: "/e/{client}/start", Name: "go on from a CRM", Public: true, Handler: s.embedStart},
			{Method: http.MethodPost, Pattern: "/e/{client}/tab", Name: "go on in a tab", Public: true, Handler: s.embedTab},
			{Method: http.MethodGet, Pattern: embedPrefix + "/probe", Name: "is a sign-in kept", Public: true, Handler: s.embedProbe},
			{Method: http.MethodGet, Pattern: "/api/embed/{client}/records/{record}", Name: "card of a record", Public: true, Class: Hook, Handler: s.unverified("card", s.recordCard)},
		},
		block(access.UseAccount, []Route{
			{Method: http.MethodGet, Pattern: "/connect/{client}/{launch}", Name: "connect a CRM", Confirm: Always, Handler: s.connectPage},
			{Method: http.MethodPost, Pattern: "/connect/{client}/{launch}", Name: "connect", Confirm: Always, Handler: s.connect},
			{Method: http.MethodGet, Pattern: "/account/held/{launch}", Name: "carried from a frame", Handler: atDesk(s.carriedPage)},
		}),
		block(access.ManageSettings, []Route{
			{Method: http.MethodGet, Pattern: "/admin/embed", Name: "CRMs", Confirm: Always, Handler: atDesk(s.embedPage)},
			{Method: http.MethodPost, Pattern: "/admin/embed", Name: "save a CRM", Confirm: Always, Handler: atDesk(s.saveEmbed)},
			{Method: http.MethodPost, Pattern: "/admin/embed/{client}", Name: "decide on a CRM", Confirm: Always, Handler: atDesk(s.actOnEmbed)},
		}),
	)
}

// takeLaunch takes a CRM's signed post. Nobody is signed in by it, and no cookie is set: a
// page asks whether to go on.
func (s *Server) takeLaunch(w http.ResponseWriter, r *http.Request) error {
	kind := launch.Kind(chi.URLParam(r, "kind"))
	if kind == launch.KindCall {
		return s.takeCall(w, r)
	}
	control := map[launch.Kind]string{launch.KindToken: "launch_token", launch.KindCanvas: "signed_request"}[kind]
	if control == "" {
		return s.notFound(w, r)
	}
	if err := r.ParseForm(); err != nil {
		return unreadable(err)
	}
	p, err := s.Embeds.Post(r.Context(), kind, chi.URLParam(r, "client"), r.PostForm.Get(control))
	if err != nil {
		return err
	}
	trailOf(r).note("launch", p.ID)
	return s.showLaunch(w, r, http.StatusOK, p, "")
}

// takeCall answers a CRM's server with a one-time address for its person's browser.
func (s *Server) takeCall(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	client := chi.URLParam(r, "client")
	code, err := s.Embeds.Call(r.Context(), client, signedCall(r, string(body)))
	if err != nil {
		return err
	}
	address := s.BaseURL.Scheme + "://" + s.BaseURL.Host + to.LaunchDoor(string(launch.KindCall), client, code)
	return answerJSON(w, http.StatusOK, map[string]string{"url": address})
}

// signedCall is a call as its headers say it was signed.
func signedCall(r *http.Request, body string) launch.Call {
	return launch.Call{Method: r.Method, Query: r.URL.RawQuery, Body: body, Timestamp: r.Header.Get("X-HubSpot-Request-Timestamp"), Signature: r.Header.Get("X-HubSpot-Signature-v3")}
}

// launchDoor takes the code of a one-time address, which buys the question and no more.
func (s *Server) launchDoor(w http.ResponseWriter, r *http.Request) error {
	if launch.Kind(chi.URLParam(r, "kind")) != launch.KindCall {
		return s.notFound(w, r)
	}
	p, err := s.Embeds.Door(r.Context(), chi.URLParam(r, "client"), chi.URLParam(r, "code"))
	if err != nil {
		return err
	}
	return s.showLaunch(w, r, http.StatusOK, p, "")
}

func (s *Server) showLaunch(w http.ResponseWriter, r *http.Request, status int, p embed.Pressable, wrong string) error {
	page := s.doorPage(r, "Open in Hearthline")
	page.Framed, page.Host, page.Ends = true, p.Origin, ending(p.Good)
	return s.show(w, r, status, views.Launch(views.LaunchView{
		Page: page, Client: p.Client.Key, CRM: p.Client.Name, LogIn: logInOf(p.Launched), Person: p.Person.Name, Company: p.Person.BrokerName,
		Code: p.Code, Match: p.Match, Connect: to.Connect(p.Client.Key, p.ID), Wrong: wrong,
	}))
}

// logInOf is a log-in of a CRM as the CRM names it.
func logInOf(l embed.Launched) string {
	var said []string
	for _, text := range []string{l.Name, l.Email} {
		if text != "" {
			said = append(said, text)
		}
	}
	if len(said) == 0 {
		return "a person without a name"
	}
	return strings.Join(said, ", ")
}

// embedStart exchanges the code of the press for a session in the frame.
func (s *Server) embedStart(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	if err := r.ParseForm(); err != nil {
		return unreadable(err)
	}
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
	s.keepInFrame(w, client, value)
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
	e = embed.Entering{Code: r.PostForm.Get("code"), Before: before(r, cookie), Session: access.Session{
		IDHash: hash, Network: network(middleware.GetClientIPAddr(r.Context())), Browser: browser(r.UserAgent()),
	}}
	return value, e
}

// embedTab exchanges the second code for a session in a tab of its own, which reaches as
// far as the frame's and no farther.
func (s *Server) embedTab(w http.ResponseWriter, r *http.Request) error {
	client := chi.URLParam(r, "client")
	if err := r.ParseForm(); err != nil {
		return unreadable(err)
	}
	value, entering := s.entering(r, s.tabCookie(client))
	in, err := s.Embeds.EnterTab(r.Context(), client, entering)
	if err != nil {
		return err
	}
	s.keepInTab(w, client, value)
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

// frameLinks are the few places inside a frame.
func (s *Server) frameLinks(v *visit, here string) []ui.NavLink {
	links := []ui.NavLink{{Label: "This record", Href: v.base.Home()}, {Label: "My leads", Href: v.base.Leads(to.LeadsQuery{})}}
	for i, l := range links {
		links[i].Current = l.Href == here
	}
	return links
}
