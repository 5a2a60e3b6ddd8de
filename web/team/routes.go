// Package team has the pages for managers: reassigning one lead or many, the unassigned queue, people, absences,
// invitations and the directory of originators. Originators enter their own absences here.
package team

import (
	"net/http"

	deskreassign "hearthline/internal/desk/reassign"
	deskteam "hearthline/internal/desk/team"

	"hearthline/internal/access"
	"hearthline/views/to"
	"hearthline/web/page"
)

// Handlers answer the routes of the team area.
type Handlers struct{ *page.Responder }

// New creates the handlers.
func New(r *page.Responder) *Handlers { return &Handlers{r} }

// Routes returns the routes of this area.
func (h *Handlers) Routes() []page.Route {
	return page.Concat(
		page.InEmbeds(page.WithPermission(access.ReassignLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/leads/{app}/reassign", Name: "reassign page",
				Handler: page.WithLead(h.ReassignPage), LeadGone: page.WithDesk(h.AlreadyReassigned)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/reassign", Name: "reassign",
				Handler: page.WithLeadForm(h.ReassignLead), LeadGone: page.WithDesk(h.AlreadyReassigned)},
			{Method: http.MethodPost, Pattern: "/operations/{id}/undo", Name: "undo a reassignment",
				Handler: page.WithReceipt(h.UndoReassign)},
		})),
		page.WithPermission(access.ReassignLead, []page.Route{
			{Method: http.MethodGet, Pattern: "/reassignments", Name: "reassign the leads of a list",
				Handler: page.WithHandle(page.Desk.BulkReassignments, h.ReassignListPage)},
			{Method: http.MethodPost, Pattern: "/reassignments", Name: "reassign several leads",
				Handler: page.WithForm(page.Desk.BulkReassignments, h.BulkReassign)},
			{Method: http.MethodGet, Pattern: "/reassignments/{id}", Name: "bulk reassignment",
				Handler: page.WithHandle(page.Desk.BulkReassignments, h.BulkReassignPage)},
			{Method: http.MethodPost, Pattern: "/reassignments/{id}/retry", Name: "retry reassignments",
				Handler: page.WithHandle(page.Desk.BulkReassignments, h.RetryBulkReassign)},
			{Method: http.MethodPost, Pattern: "/reassignments/{id}/undo", Name: "undo a bulk reassignment",
				Handler: page.WithForm(page.Desk.BulkReassignments, h.UndoBulkReassign)},
		}),
		page.WithPermission(access.PlanAbsence, []page.Route{
			{Method: http.MethodGet, Pattern: "/team/absences", Name: "absences",
				Handler: page.WithHandle(page.Desk.Absences, h.AbsencesPage)},
			{Method: http.MethodPost, Pattern: "/team/absences", Name: "enter an absence",
				Handler: page.WithForm(page.Desk.Absences, h.EnterAbsence)},
			{Method: http.MethodGet, Pattern: "/team/absences/{id}", Name: "absence",
				Handler: page.WithHandle(page.Desk.Absences, h.AbsencePage)},
			{Method: http.MethodPost, Pattern: "/team/absences/{id}", Name: "change an absence",
				Handler: page.WithForm(page.Desk.Absences, h.ChangeAbsence)},
			{Method: http.MethodPost, Pattern: "/team/absences/{id}/end", Name: "end an absence",
				Handler: page.WithActionOn(page.Desk.Absences, (*deskteam.Absences).End, to.Full.TeamPart("absences"))},
			{Method: http.MethodPost, Pattern: "/team/absences/{id}/delete", Name: "delete an absence",
				Handler: page.WithActionOn(page.Desk.Absences, (*deskteam.Absences).Delete, to.Full.TeamPart("absences"))},
			{Method: http.MethodPost, Pattern: "/team/absences/{id}/seen", Name: "dismiss an absence",
				Handler: page.WithActionOn(page.Desk.Absences, (*deskteam.Absences).MarkSeen, to.Full.Leads(to.LeadsQuery{}))},
		}),
		page.WithPermission(access.SeeTeam, []page.Route{
			{Method: http.MethodGet, Pattern: "/team", Name: "team", Handler: page.WithHandle(page.Desk.Team, h.TeamPage)},
			{Method: http.MethodGet, Pattern: "/team/people", Name: "people",
				Handler: page.WithHandle(page.Desk.Team, h.PeoplePage)},
			{Method: http.MethodGet, Pattern: "/team/people/{id}", Name: "person",
				Handler: page.WithNewForm(page.Desk.Team, h.renderPerson)},
			{Method: http.MethodGet, Pattern: "/team/stuck", Name: "stuck leads",
				Handler: page.WithHandle(page.Desk.Team, h.StuckPage)},
			{Method: http.MethodPost, Pattern: "/leads/{app}/nudge", Name: "nudge", Handler: page.WithLeadForm(h.Nudge)},
			{Method: http.MethodGet, Pattern: "/team/unassigned", Name: "unassigned leads",
				Handler: page.WithHandle(page.Desk.Team, h.UnassignedPage)},
			{Method: http.MethodGet, Pattern: "/team/rules", Name: "assignment rules",
				Handler: page.WithHandle(page.Desk.Rules, h.RulesPage)},
			{Method: http.MethodPost, Pattern: "/team/rules", Name: "set assignment rules",
				Handler: page.WithForm(page.Desk.Rules, h.SaveRules)},
			{Method: http.MethodPost, Pattern: "/team/rules/pause", Name: "pause assignment rules",
				Handler: page.WithAction(page.Desk.Rules, (*deskreassign.Rules).Pause, to.Full.TeamPart("rules"))},
			{Method: http.MethodPost, Pattern: "/team/rules/resume", Name: "resume assignment rules",
				Handler: page.WithAction(page.Desk.Rules, (*deskreassign.Rules).Resume, to.Full.TeamPart("rules"))},
			{Method: http.MethodPost, Pattern: "/team/unassigned/{id}", Name: "reassign a departed user's work",
				Handler: page.WithForm(page.Desk.Team, h.ReassignDeparted)},
		}),
		page.WithPermission(access.OffboardPeople, []page.Route{
			{Method: http.MethodPost, Pattern: "/team/people/{id}/close", Name: "disable a colleague's account",
				Handler: page.WithForm(page.Desk.Team, h.Offboard)},
		}),
		page.WithPermission(access.SeeDirectory, []page.Route{
			{Method: http.MethodGet, Pattern: "/originators", Name: "directory",
				Handler: page.WithHandle(page.Desk.Directory, h.OriginatorsPage)},
		}),
		page.WithPermission(access.InvitePeople, []page.Route{
			{Method: http.MethodGet, Pattern: "/invite", Name: "invitations",
				Handler: page.WithNewForm(page.Desk.Invitations, h.renderInvite)},
			{Method: http.MethodPost, Pattern: "/invite", Name: "invite",
				Handler: page.WithForm(page.Desk.Invitations, h.Invite)},
			{Method: http.MethodPost, Pattern: "/invite/{id}/resend", Name: "send an invitation again",
				Handler: page.WithHandle(page.Desk.Invitations, h.ResendInvitation)},
			{Method: http.MethodPost, Pattern: "/invite/{id}/revoke", Name: "revoke an invitation",
				Handler: page.WithHandle(page.Desk.Invitations, h.RevokeInvitation)},
		}),
	)
}
