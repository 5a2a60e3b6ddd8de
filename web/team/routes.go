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
			{Method: http.MethodGet, Pattern: "/leads/{app}/reassign", Name: "hand-over page", Handler: page.WithLead(s.ReassignPage), LeadGone: page.WithDesk(s.AlreadyReassigned)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/reassign", Name: "reassign", Handler: page.WithLead(s.ReassignLead), LeadGone: page.WithDesk(s.AlreadyReassigned)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "take a hand-over back", Handler: page.WithDesk(s.UndoReassign)},
		})),
		page.WithPermission(access.ReassignLead, []page.Route{
			{Method: http.MethodPost, Pattern: "/reassignments", Name: "hand over several", Handler: page.WithDesk(s.BulkReassign)},
			{Method: http.MethodGet, Pattern: "/reassignments/{id}", Name: "hand-over run", Handler: page.WithDesk(s.BulkReassignPage)},
			{Method: http.MethodPost, Pattern: "/reassignments/{id}/retry", Name: "retry hand-overs", Handler: page.WithDesk(s.RetryBulkReassign)},
		}),
		page.WithPermission(access.SeeTeam, []page.Route{
			{Method: http.MethodGet, Pattern: "/team/unassigned", Name: "unassigned leads", Handler: page.WithDesk(s.UnassignedPage)},
			{Method: http.MethodPost, Pattern: "/team/unassigned/{id}", Name: "give on what somebody left", Handler: page.WithDesk(s.ReassignDeparted)},
		}),
		page.WithPermission(access.SeeDirectory, []page.Route{
			{Method: http.MethodGet, Pattern: "/originators", Name: "directory", Handler: page.WithDesk(s.OriginatorsPage)},
		}),
		page.WithPermission(access.InvitePeople, []page.Route{
			{Method: http.MethodGet, Pattern: "/invite", Name: "invitations", Handler: page.WithDesk(s.InvitePage)},
			{Method: http.MethodPost, Pattern: "/invite", Name: "invite", Handler: page.WithDesk(s.Invite)},
			{Method: http.MethodPost, Pattern: "/invite/{id}/revoke", Name: "revoke an invitation", Handler: page.WithDesk(s.RevokeInvitation)},
		}),
	)
}
