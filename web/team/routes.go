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
			page.Post("/operations/{id}/undo", "undo a reassignment", page.WithReceipt(h.UndoReassign)),
		})),
		page.WithPermission(access.ReassignLead, []page.Route{
			page.Get("/reassignments", "reassign the leads of a list",
				page.WithHandle(page.Desk.BulkReassignments, h.ReassignListPage)),
			page.Post("/reassignments", "reassign several leads", page.WithForm(page.Desk.BulkReassignments, h.BulkReassign)),
			page.Get("/reassignments/{id}", "bulk reassignment",
				page.WithHandle(page.Desk.BulkReassignments, h.BulkReassignPage)),
			page.Post("/reassignments/{id}/retry", "retry reassignments",
				page.WithHandle(page.Desk.BulkReassignments, h.RetryBulkReassign)),
			page.Post("/reassignments/{id}/undo", "undo a bulk reassignment",
				page.WithForm(page.Desk.BulkReassignments, h.UndoBulkReassign)),
		}),
		page.WithPermission(access.SeeLeadAudit, []page.Route{
			page.Get("/team/audit", "who looked at a borrower", page.WithHandle(page.Desk.Search, h.AuditSearchPage)),
			page.Post("/team/audit", "search for a borrower’s audit", page.WithHandle(page.Desk.Search, h.AuditSearch)),
			page.Get("/leads/{app}/audit", "lead audit", page.WithLead(h.LeadAuditPage)),
			{Method: http.MethodGet, Pattern: "/leads/{app}/audit.csv", Name: "lead audit as a file", Class: page.Download,
				Handler: page.WithLead(h.LeadAuditCSV)},
		}),
		page.WithPermission(access.PlanAbsence, []page.Route{
			page.Get("/team/absences", "absences", page.WithHandle(page.Desk.Absences, h.AbsencesPage)),
			page.Post("/team/absences", "enter an absence", page.WithForm(page.Desk.Absences, h.EnterAbsence)),
			page.Get("/team/absences/{id}", "absence", page.WithHandle(page.Desk.Absences, h.AbsencePage)),
			page.Post("/team/absences/{id}", "change an absence", page.WithForm(page.Desk.Absences, h.ChangeAbsence)),
			page.Post("/team/absences/{id}/end", "end an absence",
				page.WithActionOn(page.Desk.Absences, (*deskteam.Absences).End, to.Full.TeamPart("absences"))),
			page.Post("/team/absences/{id}/delete", "delete an absence",
				page.WithActionOn(page.Desk.Absences, (*deskteam.Absences).Delete, to.Full.TeamPart("absences"))),
			page.Post("/team/absences/{id}/seen", "dismiss an absence",
				page.WithActionOn(page.Desk.Absences, (*deskteam.Absences).MarkSeen, to.Full.Leads(to.LeadsQuery{}))),
		}),
		page.WithPermission(access.SeeTeam, []page.Route{
			page.Get("/team", "team", page.WithHandle(page.Desk.Team, h.TeamPage)),
			page.Get("/team/people", "people", page.WithHandle(page.Desk.Team, h.PeoplePage)),
			page.Get("/team/people/{id}", "person", page.WithNewForm(page.Desk.Team, h.renderPerson)),
			page.Get("/team/stuck", "stuck leads", page.WithHandle(page.Desk.Team, h.StuckPage)),
			page.Post("/leads/{app}/nudge", "nudge", page.WithLeadForm(h.Nudge)),
			page.Get("/team/unassigned", "unassigned leads", page.WithHandle(page.Desk.Team, h.UnassignedPage)),
			page.Get("/team/rules", "assignment rules", page.WithHandle(page.Desk.Rules, h.RulesPage)),
			page.Post("/team/rules", "set assignment rules", page.WithForm(page.Desk.Rules, h.SaveRules)),
			page.Post("/team/rules/dry-run", "try assignment rules", page.WithForm(page.Desk.Rules, h.TryRules)),
			page.Post("/team/rules/pause", "pause assignment rules",
				page.WithAction(page.Desk.Rules, (*deskreassign.Rules).Pause, to.Full.TeamPart("rules"))),
			page.Post("/team/rules/resume", "resume assignment rules",
				page.WithAction(page.Desk.Rules, (*deskreassign.Rules).Resume, to.Full.TeamPart("rules"))),
			page.Get("/team/out/{id}", "who is out", page.WithHandle(page.Desk.BulkReassignments, h.OutPage)),
			page.Post("/team/out/{id}", "split the leads of who is out",
				page.WithForm(page.Desk.BulkReassignments, h.StartOut)),
			page.Post("/team/out/{id}/return", "return leads early",
				page.WithHandle(page.Desk.BulkReassignments, h.ReturnNow)),
			page.Get("/team/returns/{id}", "who is back", page.WithHandle(page.Desk.BulkReassignments, h.ReturnPage)),
			page.Post("/team/returns/{id}", "choose who keeps leads",
				page.WithForm(page.Desk.BulkReassignments, h.AnswerReturn)),
			page.Post("/team/unassigned/{id}", "reassign a departed user's work",
				page.WithForm(page.Desk.Team, h.ReassignDeparted)),
		}),
		page.WithPermission(access.OffboardPeople, []page.Route{
			page.Post("/team/people/{id}/close", "disable a colleague's account", page.WithForm(page.Desk.Team, h.Offboard)),
		}),
		page.WithPermission(access.SeeDirectory, []page.Route{
			page.Get("/originators", "directory", page.WithHandle(page.Desk.Directory, h.OriginatorsPage)),
		}),
		page.WithPermission(access.InvitePeople, []page.Route{
			page.Get("/invite", "invitations", page.WithNewForm(page.Desk.Invitations, h.renderInvite)),
			page.Post("/invite", "invite", page.WithForm(page.Desk.Invitations, h.Invite)),
			page.Post("/invite/requests/{id}/withdraw", "withdraw a request to invite",
				page.WithHandle(page.Desk.Invitations, h.WithdrawInvite)),
			page.Post("/team/people/{id}/assistant", "choose for whom an assistant works",
				page.WithForm(page.Desk.Team, h.SetAssistant)),
			page.Post("/invite/{id}/resend", "send an invitation again",
				page.WithHandle(page.Desk.Invitations, h.ResendInvitation)),
			page.Post("/invite/{id}/revoke", "revoke an invitation", page.WithHandle(page.Desk.Invitations, h.RevokeInvitation)),
		}),
	)
}
