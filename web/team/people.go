package team

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	deskadmin "hearthline/internal/desk/admin"
	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	pageview "hearthline/views/page"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// PeoplePage lists who works for the company, or whose account there is disabled.
func (h *Handlers) PeoplePage(w http.ResponseWriter, r *http.Request, team *deskteam.Team) error {
	if r.URL.Query().Get("show") == "disabled" {
		return h.renderDisabled(w, r, team)
	}
	found, err := team.People(r.Context())
	if err != nil {
		return err
	}
	model := presentPeople(h.Viewer(r), found)
	model.Page = h.Layout(r, "People")
	return h.Render(w, r, http.StatusOK, view.People(model))
}

func (h *Handlers) renderDisabled(w http.ResponseWriter, r *http.Request, team *deskteam.Team) error {
	found, err := team.Disabled(r.Context())
	if err != nil {
		return err
	}
	model := presentDisabled(h.Viewer(r), found)
	model.Page = h.Layout(r, "Disabled accounts")
	return h.Render(w, r, http.StatusOK, view.Disabled(model))
}

// renderPerson shows one user with their open work.
func (h *Handlers) renderPerson(w http.ResponseWriter, r *http.Request, team *deskteam.Team, f *form.Form) error {
	found, err := team.Person(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	model := presentPerson(h.Viewer(r), found, f)
	model.Page = h.Layout(r, found.DisplayName())
	return h.Render(w, r, page.FormStatus(f), view.Person(model))
}

// Offboard closes an account.
func (h *Handlers) Offboard(w http.ResponseWriter, r *http.Request, team *deskteam.Team, f *form.Form) error {
	options := deskteam.OffboardOptions{DraftsTo: f.Text("draftsTo"), LeaveUnassigned: f.IsChecked("leave.unassigned"),
		Unconfirmed: !f.IsChecked("confirm.close")}
	next := to.TeamPerson(chi.URLParam(r, "id"))
	if options.LeaveUnassigned {
		next = to.Full.TeamPart("unassigned")
	}
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return team.Offboard(r.Context(), chi.URLParam(r, "id"), options) },
		Redisplay: func() error { return h.renderPerson(w, r, team, f) }, Next: next, Kinds: []fault.Kind{fault.Conflict},
	})
}

// SetAssistant chooses for whom an assistant works.
func (h *Handlers) SetAssistant(w http.ResponseWriter, r *http.Request, team *deskteam.Team, f *form.Form) error {
	id := chi.URLParam(r, "id")
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return team.SetAssistant(r.Context(), id, page.AssistantChoice(f)) },
		Redisplay: func() error { return h.renderPerson(w, r, team, f) }, Next: to.TeamPerson(id),
		Kinds: []fault.Kind{fault.Conflict},
	})
}

// ResendInvitation sends a pending invitation again.
func (h *Handlers) ResendInvitation(w http.ResponseWriter, r *http.Request, invitations *deskadmin.Invitations) error {
	return page.NavigateAfter(w, r, invitations.Resend(r.Context(), chi.URLParam(r, "id")), afterInvitation(r))
}

// afterInvitation is where a user goes on after a change of an invitation: a manager to the people of the company.
func afterInvitation(r *http.Request) string {
	if page.Posted(r).Get("back") == "people" {
		return to.Full.TeamPart("people")
	}
	return to.Full.Invite()
}

// TeamPage shows the company's originators with their leads.
func (h *Handlers) TeamPage(w http.ResponseWriter, r *http.Request, team *deskteam.Team) error {
	found, err := team.Page(r.Context())
	if err != nil {
		return err
	}
	model := presentTeam(h.Viewer(r), found)
	model.Page = h.Layout(r, "Team")
	return h.Render(w, r, http.StatusOK, page.PartOrWhole(r, view.TeamPart(model), view.Team(model)))
}

// OriginatorsPage shows the lender's directory, as far as the user may see it.
func (h *Handlers) OriginatorsPage(w http.ResponseWriter, r *http.Request, dir *deskadmin.Directory) error {
	typed := strings.TrimSpace(r.URL.Query().Get("q"))
	typed = typed[:min(len(typed), 200)]
	found, err := dir.Find(r.Context(), typed)
	if err != nil {
		return err
	}
	model := page.PresentDirectory(h.Viewer(r), typed, found)
	model.Page = h.Layout(r, "Originators")
	return h.Render(w, r, http.StatusOK, pageview.Originators(model))
}

// Invite emails an invitation, or requests another administrator's approval of it.
func (h *Handlers) Invite(w http.ResponseWriter, r *http.Request, invitations *deskadmin.Invitations,
	f *form.Form) error {
	invitee := deskadmin.Invitee{Name: f.Text("name"), Email: f.Email("email"), Role: access.Role(f.Text("role")),
		Company: f.Text("broker"), Reason: f.Text("reason"),
		Assistant: page.AssistantChoice(f)}
	next := to.Full.Invite()
	if page.VisitOf(r).User.Role == access.Admin {
		next = to.Full.Admin("requests")
	}
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return invitations.Invite(r.Context(), invitee) },
		Redisplay: func() error { return h.renderInvite(w, r, invitations, f) }, Next: next,
		Kinds: []fault.Kind{fault.Conflict},
	})
}

// WithdrawInvite withdraws the user's request to invite somebody.
func (h *Handlers) WithdrawInvite(w http.ResponseWriter, r *http.Request, invitations *deskadmin.Invitations) error {
	return page.NavigateAfter(w, r, invitations.Withdraw(r.Context(), chi.URLParam(r, "id")), to.Full.Invite())
}

// RevokeInvitation revokes a pending invitation.
func (h *Handlers) RevokeInvitation(w http.ResponseWriter, r *http.Request, invitations *deskadmin.Invitations) error {
	return page.NavigateAfter(w, r, invitations.Revoke(r.Context(), chi.URLParam(r, "id")), afterInvitation(r))
}

// companyOptionText is the label of a company in a list of choices.
func companyOptionText(c deskadmin.Company) string {
	if c.ID == "" {
		return c.Name + " (organization)"
	}
	return c.Name
}

// renderInvite lists the pending invitations and shows the form to invite somebody.
func (h *Handlers) renderInvite(w http.ResponseWriter, r *http.Request, invitations *deskadmin.Invitations,
	f *form.Form) error {
	pending, err := invitations.List(r.Context())
	if err != nil {
		return err
	}
	companies, err := invitations.Companies(r.Context())
	if err != nil {
		return err
	}
	requested, err := invitations.Requested(r.Context())
	if err != nil {
		return err
	}
	directory, err := invitations.WithoutAccount(r.Context())
	if err != nil {
		return err
	}
	originators, err := invitations.Originators(r.Context())
	if err != nil {
		return err
	}
	v := view.InviteView{Page: h.Layout(r, "Invite a user"), Form: f.View(""),
		NeedsApproval: page.VisitOf(r).User.Role == access.Admin}
	for _, role := range invitations.Roles() {
		v.Roles = append(v.Roles, [2]string{string(role), text.RoleText(access.Actor{Role: role})})
	}
	rank := map[heloc.OriginatorID]int{} // those with an account come first
	for _, o := range directory {
		rank[o.UUID] = 1
	}
	slices.SortStableFunc(originators, func(a, b lead.Originator) int { return cmp.Compare(rank[a.UUID], rank[b.UUID]) })
	v.Assistant = page.PresentAssistant(access.Actor{}, originators, f)
	if v.NeedsApproval {
		v.Assistant.Hint = "For an assistant. With none checked, they see no leads until a manager chooses " +
			"whom they work for."
	}
	if len(v.Roles) > 1 {
		v.Roles = append([][2]string{{"", "Choose…"}}, v.Roles...)
	}
	for _, c := range companies {
		v.Companies = append(v.Companies, [2]string{c.Key(), companyOptionText(c)})
	}
	who := h.Viewer(r)
	for _, one := range pending {
		v.Pending = append(v.Pending, view.InvitationRow{
			ID: one.ID, Name: one.User.Name, Email: one.User.Email, Subtitle: text.RoleText(one.User.Actor),
			Sent: who.DateTime(one.At), Expires: who.DateTime(one.Expires),
			Revoke: ui.Action{Label: "Revoke invitation for " + one.User.Name, Icon: "trash-2", Kind: "ghost", IconOnly: true},
		})
	}
	for _, one := range requested {
		v.Requested = append(v.Requested, presentInviteRequest(who, one))
	}
	for _, o := range directory {
		v.Originators = append(v.Originators, view.InvitableRow{Name: o.Name(),
			Sub: text.JoinNonEmpty(" · ", text.NMLSOrUnknown(o.NMLS), o.Email), Email: o.Email})
	}
	return h.Render(w, r, page.FormStatus(f), view.Invite(v))
}

func presentInviteRequest(v text.Viewer, one deskadmin.InviteRequest) view.InvitationRow {
	return view.InvitationRow{ID: one.ID, Name: one.User.Name, Email: one.User.Email,
		Subtitle: text.RoleText(one.User.Actor), Sent: v.DateTime(text.TimeOfMillis(one.At)),
		Expires: v.DateTime(text.TimeOfMillis(one.Expires)), Own: one.Own}
}
