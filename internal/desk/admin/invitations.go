package admin

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/approval"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
)

// Invitations invites users: a manager to their own company, an administrator to any. Originators get their
// accounts only through the lender's directory, where a manager finds those of the company.
type Invitations struct{ d core.Desk }

// OpenInvitations returns the invitations; fault.Denied without the permission.
func OpenInvitations(d core.Desk) (*Invitations, error) {
	return core.Opened(&Invitations{d}, d.May(access.InvitePeople))
}

// Company is a broker company of the directory, or the organization itself when originators work for it directly.
// Then ID is empty.
type Company struct{ ID, Name, Organization string }

// Key identifies the company in forms. For a broker company it is its id.
func (c Company) Key() string { return access.CompanyOf(c.ID, c.Organization) }

// Invitee is the user to invite, and their role.
type Invitee struct {
	Name, Email string
	Role        access.Role
	Company     string // Key of a manager's or assistant's company; a manager can invite only to their own
	Reason      string // why, of a request that somebody else decides

	Assistant core.AssistantChoice // for the role of an assistant
}

// Roles lists the roles that this user may invite.
func (i *Invitations) Roles() []access.Role { return i.d.Actor.Role.Invites() }

// companyFilter selects the invitations that the user sees: an administrator sees all, which is an empty filter, and
// a manager those of their company.
func (i *Invitations) companyFilter() string {
	if i.d.Actor.Role == access.Admin {
		return ""
	}
	return i.d.Company()
}

// Companies lists the companies that a user can be invited to; only an administrator chooses among them.
func (i *Invitations) Companies(ctx context.Context) ([]Company, error) {
	if err := i.d.May(access.InvitePeople); err != nil {
		return nil, err
	}
	if i.d.Actor.Role != access.Admin {
		return nil, nil
	}
	all, err := i.d.Store.AllOriginators(ctx)
	if err != nil {
		return nil, err
	}
	var companies []Company
	for _, o := range all {
		c := Company{o.BrokerID, o.Company(), o.Organization}
		if o.RemovedAt == 0 && c.Name != "" && !slices.Contains(companies, c) {
			companies = append(companies, c)
		}
	}
	slices.SortFunc(companies, func(a, b Company) int { return strings.Compare(a.Name, b.Name) })
	return companies, nil
}

// Invite sends a link for a manager, and requests an administrator's approval where it takes two people: for every
// invitation of an administrator, and for a manager whom a manager invites. Its field errors name the controls name,
// email, role, broker and reason.
func (i *Invitations) Invite(ctx context.Context, in Invitee) error {
	if err := i.d.May(access.InvitePeople); err != nil {
		return err
	}
	who := access.User{Actor: access.Actor{Name: strings.TrimSpace(in.Name), Email: in.Email, Role: in.Role,
		TimeZone: i.d.Actor.TimeZone}}
	var wrong []fault.Field
	if in.Role != access.Originator { // their name is in the directory
		wrong = account.NameAndEmailErrors(who.Name, who.Email)
	}
	if !slices.Contains(i.Roles(), in.Role) {
		wrong = append(wrong, fault.Field{Name: "role", Message: "Choose a role"})
	} else if err := cmp.Or(i.assignCompany(ctx, &who, in.Company), i.choose(ctx, &who, in.Assistant)); err != nil {
		if len(fault.FieldsOf(err)) == 0 {
			return err
		}
		wrong = append(wrong, fault.FieldsOf(err)...)
	}
	if i.NeedsApproval(in.Role) {
		wrong = append(wrong, approval.ReasonErrors(in.Reason)...)
	}
	if len(wrong) > 0 {
		return fault.InvalidFields(wrong...)
	}
	by := i.d.ActingUnder(access.InvitePeople)
	if !i.NeedsApproval(in.Role) {
		return i.d.Accounts.Invite(ctx, by, who, who.Company())
	}
	err := i.d.Approvals().Create(ctx, by, approval.Ask{Kind: access.RequestInvite, Subject: who, Reason: in.Reason})
	if other := fault.FieldsOf(err); len(other) > 0 && other[0].Name == "broker" && i.d.Actor.Role != access.Admin {
		return fault.InvalidField("email", "This email can’t be invited to your company. Enter a different email")
	}
	return err
}

// NeedsApproval reports whether the user's invitation to a role is a request that an administrator decides.
func (i *Invitations) NeedsApproval(role access.Role) bool {
	return i.d.Actor.Role == access.Admin || role.Privileged()
}

// InviteRequest is a manager's request to invite another manager, which waits for an administrator.
type InviteRequest struct {
	ID      string
	User    access.User
	Own     bool  // this user made it
	At      int64 // milliseconds
	Expires int64
}

// Requested lists the waiting requests of the company's managers; an administrator sees them with all others.
func (i *Invitations) Requested(ctx context.Context) ([]InviteRequest, error) {
	if err := i.d.May(access.InvitePeople); err != nil || i.d.Actor.Role == access.Admin {
		return nil, err
	}
	all, err := i.d.Approvals().List(ctx)
	var requested []InviteRequest
	for _, l := range all {
		if l.Ask.Kind == access.RequestInvite && l.ByManager && l.Waits(i.d.Now()) &&
			l.Ask.Subject.Company() == i.d.Company() {
			requested = append(requested, InviteRequest{l.ID, l.Ask.Subject, l.RequestedBy == i.d.Actor.UserID, l.CreatedAt,
				l.ExpiresAt})
		}
	}
	return requested, err
}

// Withdraw withdraws the user's own request; fault.NotFound for any other.
func (i *Invitations) Withdraw(ctx context.Context, id string) error {
	requested, err := i.Requested(ctx)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(requested, func(r InviteRequest) bool { return r.ID == id && r.Own }) {
		return fault.New(fault.NotFound, "This request is no longer pending.")
	}
	return i.d.Approvals().Withdraw(ctx, i.d.ActingUnder(access.InvitePeople), id)
}

// WithoutAccount lists the originators of the user's company who are in the lender's directory, have no account and
// were not invited.
func (i *Invitations) WithoutAccount(ctx context.Context) ([]lead.Originator, error) {
	if err := i.d.May(access.InvitePeople); err != nil || !slices.Contains(i.Roles(), access.Originator) {
		return nil, err
	}
	pending, err := i.List(ctx)
	if err != nil {
		return nil, err
	}
	accounts, err := i.d.Availability(ctx)
	if err != nil {
		return nil, err
	}
	people, err := i.d.Colleagues(ctx, i.d.Actor.BrokerID, i.d.Actor.Organization)
	return slices.DeleteFunc(people, func(o lead.Originator) bool {
		a := accounts[o.UUID]
		return o.RemovedAt != 0 || o.Email == "" || a.HasAccount || a.Disabled ||
			slices.ContainsFunc(pending, func(p account.PendingInvitation) bool {
				return p.User.OriginatorUUID == string(o.UUID)
			})
	}), err
}

// choose sets for whom an invited assistant will work.
func (i *Invitations) choose(ctx context.Context, who *access.User, c core.AssistantChoice) (err error) {
	if who.Role == access.Assistant {
		who.Reassigns = c.Reassigns
		who.WorksFor, err = c.WorksFor(ctx, i.d.Store.Queries, who.Actor)
	}
	return err
}

// Originators lists the originators that an assistant invited by this user can work for; none for an administrator, who
// has not chosen a company yet.
func (i *Invitations) Originators(ctx context.Context) ([]lead.Originator, error) {
	if err := i.d.May(access.InvitePeople); err != nil || i.d.Actor.Role == access.Admin {
		return nil, err
	}
	return i.d.Store.OriginatorsAtWork(ctx, i.d.Actor.CompanyScope())
}

// assignCompany sets the company of an invited user.
func (i *Invitations) assignCompany(ctx context.Context, who *access.User, key string) error {
	switch {
	case i.d.Actor.Role != access.Admin:
		who.BrokerID, who.BrokerName, who.Organization = i.d.Actor.BrokerID, i.d.Actor.BrokerName, i.d.Actor.Organization
		return nil
	case who.Role == access.Admin:
		return nil
	}
	companies, err := i.Companies(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(companies, func(c Company) bool { return c.Key() == key })
	if at < 0 {
		return fault.InvalidField("broker", "Choose a company")
	}
	c := companies[at]
	if who.BrokerID, who.Organization = c.ID, c.Organization; c.ID != "" {
		who.BrokerName = c.Name
	}
	return nil
}

// List returns the pending invitations.
func (i *Invitations) List(ctx context.Context) ([]account.PendingInvitation, error) {
	if err := i.d.May(access.InvitePeople); err != nil {
		return nil, err
	}
	return i.d.Accounts.Invitations(ctx, i.companyFilter())
}

// Revoke revokes an invitation.
func (i *Invitations) Revoke(ctx context.Context, id string) error {
	if err := i.d.May(access.InvitePeople); err != nil {
		return err
	}
	return i.d.Accounts.RevokeInvitation(ctx, i.d.ActingUnder(access.InvitePeople), id, i.companyFilter())
}

// Resend sends a pending invitation again, with a new link that replaces the earlier one. An administrator requests a
// new one instead.
func (i *Invitations) Resend(ctx context.Context, id string) error {
	pending, err := i.List(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(pending, func(p account.PendingInvitation) bool { return p.ID == id })
	if at < 0 || !slices.Contains(i.Roles(), pending[at].User.Role) || pending[at].User.Role.Privileged() {
		return fault.New(fault.NotFound, "This invitation no longer exists.")
	}
	return i.d.Accounts.ResendInvitation(ctx, i.d.ActingUnder(access.InvitePeople), pending[at])
}
