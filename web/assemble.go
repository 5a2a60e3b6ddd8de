// Package web assembles the areas of the portal into one server.
//
//	assemble.go     the Server and its areas
//	route_table.go  every route with its permission
//	webhook.go, health.go, demo.go   handlers that belong to no area
//
// Each area is a package that holds its handlers and presenters and imports no sibling. What they share is
// in page (answering requests), form (parsing forms) and format (values as text).
package web

import (
	"net/http"

	"hearthline/internal/heloc"
	webaccount "hearthline/web/account"
	"hearthline/web/admin"
	webembed "hearthline/web/embed"
	"hearthline/web/help"
	"hearthline/web/intake"
	"hearthline/web/lead"
	"hearthline/web/offers"
	"hearthline/web/page"
	"hearthline/web/pipeline"
	"hearthline/web/signin"
	"hearthline/web/team"
	"hearthline/web/workspace"
)

// Server answers every request of the portal.
type Server struct {
	*page.Server
	signin    *signin.Handlers
	account   *webaccount.Handlers
	pipeline  *pipeline.Handlers
	intake    *intake.Handlers
	workspace *workspace.Server
	lead      *lead.Handlers
	offers    *offers.Handlers
	team      *team.Handlers
	embed     *webembed.Handlers
	adminView *admin.Handlers
	help      *help.Handlers
}

// New builds the server. It panics when the route table has a route without a permission that is not listed as
// public.
func New(deps page.Deps) *Server { return newServer(deps, nil) }

// newServer also installs the routes in more. Tests use them to exercise the guards.
func newServer(deps page.Deps, more []page.Route) *Server {
	core := page.NewCore(deps)
	frame := workspace.New(core)
	s := &Server{
		Server: core, signin: signin.New(core), account: webaccount.New(core), pipeline: pipeline.New(core), intake: intake.New(core),
		workspace: frame, lead: lead.New(core, frame), offers: offers.New(core, frame), team: team.New(core), embed: webembed.New(core), adminView: admin.New(core), help: help.New(core),
	}
	core.Redisplay = s.redisplayForm
	s.Install(append(s.routes(), more...))
	return s
}

// redisplayForm renders a lead's form again with its errors: on the reassignment page, or on the lead's own page.
func (s *Server) redisplayForm(w http.ResponseWriter, r *http.Request, l page.Lead, a page.SubmittedForm) error {
	if a.Action == string(heloc.OpReassign) {
		return s.team.RenderReassign(w, r, l, a)
	}
	return s.workspace.Redisplay(w, r, l, a)
}
