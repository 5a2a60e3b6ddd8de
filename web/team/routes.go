package team

import (
	"net/http"

	"hearthline/internal/access"
	"hearthline/web/page"
)

// Routes returns the routes of this area.
func (s *Handlers) Routes() []page.Route {
	return page.Concat(
		page.InEmbeds(page.WithPermission(access.ReassignLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/reassign", Name: "reassign page", Handler: page.WithLead(s.ReassignPage), LeadGone: page.WithDesk(s.AlreadyReassigned)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/reassign", Name: "reassign", Handler: page.WithLeadForm(s.ReassignLead), LeadGone: page.WithDesk(s.AlreadyReassigned)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "undo a reassignment", Handler: page.WithReceipt(s.UndoReassign)},
		})),
		page.WithPermission(access.ReassignLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/reassignments", Name: "reassign the leads of a list", Handler: page.WithHandle(page.Desk.BulkReassignments, s.ReassignListPage)},
			{Method: http.MethodPost, Pattern: "/reassignments", Name: "reassign several leads", Handler: page.WithForm(page.Desk.BulkReassignments, s.BulkReassign)},
			{Method: http.MethodGet, Pattern: "/reassignments/{id}", Name: "bulk reassignment", Handler: page.WithHandle(page.Desk.BulkReassignments, s.BulkReassignPage)},
			{Method: http.MethodPost, Pattern: "/reassignments/{id}/retry", Name: "retry reassignments", Handler: page.WithHandle(page.Desk.BulkReassignments, s.RetryBulkReassign)},
			{Method: http.MethodPost, Pattern: "/reassignments/{id}/undo", Name: "undo a bulk reassignment", Handler: page.WithForm(page.Desk.BulkReassignments, s.UndoBulkReassign)},
		}),
		page.WithPermission(access.SeeTeam, []page.Route{
			{Method: http.MethodGet, Pattern: "/team", Name: "team", Handler: page.WithHandle(page.Desk.Team, s.TeamPage)},
			{Method: http.MethodGet, Pattern: "/team/stuck", Name: "stuck leads", Handler: page.WithHandle(page.Desk.Team, s.StuckPage)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/nudge", Name: "nudge", Handler: page.WithLeadForm(s.Nudge)},
			{Method: http.MethodGet, Pattern: "/team/unassigned", Name: "unassigned leads", Handler: page.WithHandle(page.Desk.Team, s.UnassignedPage)},
			{Method: http.MethodPost, Pattern: "/team/unassigned/{id}", Name: "reassign a departed user's work", Handler: page.WithForm(page.Desk.Team, s.ReassignDeparted)},
		}),
		page.WithPermission(access.SeeDirectory, []page.Route{
			{Method: http.MethodGet, Pattern: "/originators", Name: "directory", Handler: page.WithHandle(page.Desk.Directory, s.OriginatorsPage)},
		}),
		page.WithPermission(access.InvitePeople, []page.Route{
			{Method: http.MethodGet, Pattern: "/invite", Name: "invitations", Handler: page.WithHandle(page.Desk.Invitations, s.InvitePage)},
			{Method: http.MethodPost, Pattern: "/invite", Name: "invite", Handler: page.WithForm(page.Desk.Invitations, s.Invite)},
			{Method: http.MethodPost, Pattern: "/invite/{id}/revoke", Name: "revoke an invitation", Handler: page.WithHandle(page.Desk.Invitations, s.RevokeInvitation)},
		}),
	)
}
