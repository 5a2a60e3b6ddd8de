package web

import (
	"context"
	"net/http"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/views/to"
	"hearthline/views/ui"
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
	// What a browser keeps says whose it is beyond the session's end.
	Marked(client, userID, token string) string
	Late(ctx context.Context, client, launch, kept string) (embed.Launched, error)
	Places(l embed.Launched) []string
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

// frameLinks are the few places inside a frame.
func (s *Server) frameLinks(v *visit, here string) []ui.NavLink {
	links := []ui.NavLink{{Label: "This record", Href: v.base.Home()}, {Label: "My leads", Href: v.base.Leads(to.LeadsQuery{})}}
	for i, l := range links {
		links[i].Current = l.Href == here
	}
	return links
}
