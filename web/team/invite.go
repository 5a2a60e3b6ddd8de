package team

import (
	"net/http"

	deskadmin "hearthline/internal/desk/admin"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	view "hearthline/views/team"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
	"hearthline/web/form"
	"hearthline/web/page"
)

// Invite emails an invitation, or requests another administrator's approval of it.
func (h *Handlers) Invite(w http.ResponseWriter, r *http.Request, invitations *deskadmin.Invitations,
	f *form.Form) error {
	invitee := deskadmin.Invitee{Name: f.Text("name"), Email: f.Email("email"), Role: access.Role(f.Text("role")),
		Company: f.Text("broker"), Reason: f.Text("reason")}
	next := to.Full.Invite()
	if invitations.NeedsApproval() {
		next = to.Full.Admin("requests")
	}
	return page.Apply(w, r, page.Change{
		Form: f, Run: func() error { return invitations.Invite(r.Context(), invitee) },
		Redisplay: func() error { return h.renderInvite(w, r, invitations, f) }, Next: next,
		Kinds: []fault.Kind{fault.Conflict},
	})
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
	v := view.InviteView{Page: h.Layout(r, "Invite a user"), Form: f.View(""),
		NeedsApproval: invitations.NeedsApproval()}
	for _, role := range invitations.Roles() {
		v.Roles = append(v.Roles, [2]string{string(role), text.RoleText(access.Actor{Role: role})})
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
	return h.Render(w, r, page.FormStatus(f), view.Invite(v))
}
