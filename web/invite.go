package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/views"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// invitePage shows who is invited, and the form to invite somebody.
func (s *Server) invitePage(w http.ResponseWriter, r *http.Request, d Desk) error {
	return s.showInvite(w, r, d, http.StatusOK, &form{})
}

// invite sends somebody a link.
func (s *Server) invite(w http.ResponseWriter, r *http.Request, d Desk) error {
	in, err := d.Invitations()
	if err != nil {
		return err
	}
	f, err := readForm(r)
	if err != nil {
		return err
	}
	err = in.Invite(r.Context(), desk.Invitee{Name: f.text("name"), Email: f.text("email"), Role: access.Role(f.text("role")), Company: f.text("broker")})
	if fields := fault.FieldsOf(err); len(fields) > 0 {
		f.wrong = fields
		return s.showInvite(w, r, d, http.StatusUnprocessableEntity, f)
	}
	if err != nil {
		return err
	}
	return onward(w, r, to.Full.Invite())
}

// revokeInvitation takes one back.
func (s *Server) revokeInvitation(w http.ResponseWriter, r *http.Request, d Desk) error {
	in, err := d.Invitations()
	if err != nil {
		return err
	}
	if err := in.Revoke(r.Context(), chi.URLParam(r, "id")); err != nil {
		return err
	}
	return onward(w, r, to.Full.Invite())
}

// companyChoice is a company to choose from.
func companyChoice(c desk.Company) string {
	if c.ID == "" {
		return c.Name + " (the organization itself)"
	}
	return c.Name
}

func (s *Server) showInvite(w http.ResponseWriter, r *http.Request, d Desk, status int, f *form) error {
	in, err := d.Invitations()
	if err != nil {
		return err
	}
	waiting, err := in.List(r.Context())
	if err != nil {
		return err
	}
	companies, err := in.Companies(r.Context())
	if err != nil {
		return err
	}
	v := views.InviteView{Page: s.frame(r, "Invite"), Form: f.view("")}
	for _, role := range in.Roles() {
		v.Roles = append(v.Roles, [2]string{string(role), roleLine(access.Actor{Role: role})})
	}
	if len(v.Roles) > 1 {
		v.Roles = append([][2]string{{"", "Choose…"}}, v.Roles...)
	}
	for _, c := range companies {
		v.Companies = append(v.Companies, [2]string{c.Key(), companyChoice(c)})
	}
	who := s.viewer(r)
	for _, one := range waiting {
		v.Waiting = append(v.Waiting, views.InvitedRow{
			ID: one.ID, Name: one.Who.Name, Email: one.Who.Email, Line: roleLine(one.Who.Actor), Sent: who.moment(one.At), Ends: who.moment(one.Ends),
			Revoke: ui.Action{Label: "Take back the invitation of " + one.Who.Name, Icon: "trash-2", Kind: "ghost", IconOnly: true},
		})
	}
	return s.show(w, r, status, views.Invite(v))
}
