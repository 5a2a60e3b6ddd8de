// Package admin has the handles of administrators.
//
//	people.go, invitations.go  accounts
//	requests.go  changes that require two administrators
//	directory.go, licenses.go  the lender's directory, licenses
//	health.go, branding.go, audit.go  the installation, brands, the audit
package admin

import (
	"cmp"
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/approval"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// People is the accounts, for the users who administer them. They see only the number of leads and drafts.
type People struct{ d core.Desk }

// OpenPeople returns the accounts; fault.Denied without the permission.
func OpenPeople(d core.Desk) (*People, error) {
	return core.Opened(&People{d}, d.May(access.ManagePeople))
}

// List returns all accounts, the enabled ones first.
func (p *People) List(ctx context.Context) ([]access.Staff, error) {
	if err := p.d.May(access.ManagePeople); err != nil {
		return nil, err
	}
	if err := p.d.AuditDaily(ctx, access.ManagePeople, store.ActionUsersRead, "users:list"); err != nil {
		return nil, err
	}
	return p.d.Store.Staff(ctx)
}

// Person is one account, and the work that would need a new owner if it were closed.
type Person struct {
	access.Staff
	Leads         int // open leads of their originator
	Drafts        int // unsent drafts
	Assignees     []lead.Assignee
	DepartureRuns []lead.DepartureRun // reassignments of their leads that this administrator started

	Requests []approval.Listed // pending ones about them
	SSO      bool              // single sign-on is set up and not linked to the account

	DirectoryEmail string             // their email in the lender's directory, when it differs
	EmailOffer     account.EmailOffer // an email change that waits for their confirmation; zero for none

	Originators []lead.Originator // for whom they can work; only for an assistant
}

// Find reads one account; fault.NotFound when it does not exist.
func (p *People) Find(ctx context.Context, id string) (Person, error) {
	if err := p.d.May(access.ManagePeople); err != nil {
		return Person{}, err
	}
	all, err := p.d.Store.Staff(ctx)
	if err != nil {
		return Person{}, err
	}
	at := slices.IndexFunc(all, func(s access.Staff) bool { return s.UserID == id })
	if at < 0 {
		return Person{}, fault.New(fault.NotFound, "This account doesn’t exist.")
	}
	if err := p.d.AuditDaily(ctx, access.ManagePeople, store.ActionUsersRead, "user:"+id); err != nil {
		return Person{}, err
	}
	one := Person{Staff: all[at]}
	leads, err := p.leadsOf(ctx, one.Actor)
	if err != nil {
		return one, err
	}
	one.Leads = len(leads)
	if one.Drafts, err = p.d.Store.CountTransferableDrafts(ctx, store.UserScopeOf(one.Actor)); err != nil {
		return one, err
	}
	if one.Assignees, err = p.assignees(ctx, one.Staff, all); err != nil {
		return one, err
	}
	if one.Originators, err = p.d.OriginatorsFor(ctx, one.Actor); err != nil {
		return one, err
	}
	if one.DepartureRuns, err = p.d.DepartureRuns(ctx, id); err != nil {
		return one, err
	}
	if one.EmailOffer, err = p.d.Accounts.PendingEmailOffer(ctx, id); err != nil {
		return one, err
	}
	if one.Requests, err = p.requestsAbout(ctx, id); err != nil {
		return one, err
	}
	if p.d.Accounts.SSOName() != "" {
		linked, err := p.d.Store.HasIdentity(ctx, id)
		if one.SSO = !linked; err != nil {
			return one, err
		}
	}
	one.DirectoryEmail, err = p.directoryEmail(ctx, one.Actor)
	return one, err
}

// directoryEmail returns the user's email in the lender's directory when it differs from the account's email.
func (p *People) directoryEmail(ctx context.Context, who access.Actor) (string, error) {
	if who.OriginatorUUID == "" {
		return "", nil
	}
	o, err := p.d.Store.Originator(ctx, heloc.OriginatorID(who.OriginatorUUID))
	if fault.Is(err, fault.NotFound) || err == nil && o.RemovedAt != 0 {
		return "", nil
	}
	if email := account.FoldEmail(o.Email); email != who.Email {
		return email, err
	}
	return "", err
}

// assignees lists the colleagues of the user who can take their leads.
func (p *People) assignees(ctx context.Context, who access.Staff, all []access.Staff) ([]lead.Assignee, error) {
	users := make([]access.User, len(all))
	for i, s := range all {
		users[i] = s.User
	}
	return p.d.AssigneesAmong(ctx, who.Actor, heloc.OriginatorID(who.OriginatorUUID), users)
}

// ChangeRole changes a user's role, or requests it if the role gives more access. Open leads of a user whose new role
// does not work on leads become unassigned. Nobody can change their own role, so there is always an administrator.
func (p *People) ChangeRole(ctx context.Context, id string, role access.Role, reason string) error {
	if err := p.mayChange(id); err != nil {
		return err
	}
	if _, ok := access.ParseRole(string(role)); !ok {
		return fault.InvalidField("role", "Choose a role")
	}
	user, err := p.d.Store.User(ctx, id)
	if err != nil {
		return err
	}
	switch {
	case role == access.Originator && user.OriginatorUUID == "":
		return fault.InvalidField("role", "Originators must be in the lender’s directory. "+
			"They set up their own account with the email listed there")
	case (role == access.Manager || role == access.Assistant) && user.BrokerID == "" && user.Organization == "":
		return fault.InvalidField("role",
			"This role needs a company, and this account has none. Invite the user to a company instead")
	case user.Role.Raises(role):
		return p.request(ctx, approval.Ask{Kind: access.RequestRole, Subject: user, Role: role, Reason: reason})
	}
	return p.write(ctx, func(tx *store.Tx) error {
		if now, err := tx.User(ctx, id); err != nil || now.Role != user.Role || now.Company() != user.Company() {
			return cmp.Or(err, error(fault.New(fault.Conflict, "This account changed in the meantime. Reload the page.")))
		}
		return tx.ChangeRole(ctx, p.d.Actor, id, role)
	})
}

// SignOut ends all sessions of a user and does not change their account.
func (p *People) SignOut(ctx context.Context, id string) error {
	if err := p.mayChange(id); err != nil {
		return err
	}
	return p.write(ctx, func(tx *store.Tx) error {
		user, err := tx.User(ctx, id)
		if err != nil {
			return err
		}
		_, err = tx.SignOut(ctx, p.d.Actor, user.UserID)
		return err
	})
}

// Reset ends a user's sessions and mails them a link with which they set up their sign-in again. Nobody else ever
// knows their password. If shut is true, only that link opens the account from now on. For a manager or an
// administrator, it creates a request instead.
func (p *People) Reset(ctx context.Context, id string, shut bool, reason string) error {
	if err := p.mayChange(id); err != nil {
		return err
	}
	user, err := p.d.Store.User(ctx, id)
	if err != nil {
		return err
	}
	if user.Role.Privileged() {
		return p.request(ctx, approval.Ask{Kind: access.RequestReset, Subject: user, Lock: shut, Reason: reason})
	}
	_, err = p.d.Accounts.ResetAccount(ctx, p.d.ActingUnder(access.ManagePeople), user.Email, shut)
	return err
}

// OfferEmail offers a user a new email for their account. They accept it with the link that is mailed there and with
// their sign-in factors. A field error names the control email.
func (p *People) OfferEmail(ctx context.Context, id, email string) error {
	if err := p.mayChange(id); err != nil {
		return err
	}
	return p.d.Accounts.OfferEmail(ctx, p.d.ActingUnder(access.ManagePeople), id, email)
}

// Reopen enables a closed account. Leads that were reassigned stay with their new originator; leads that are still in
// the unassigned queue are returned. If the lender's directory closed the account, Reopen also restores everything
// else that the closure removed. For an administrator, it creates a request instead.
func (p *People) Reopen(ctx context.Context, id, reason string) error {
	if err := p.d.May(access.ManagePeople); err != nil {
		return err
	}
	user, err := p.d.Store.User(ctx, id)
	if err != nil {
		return err
	}
	if user.Role == access.Admin {
		return p.request(ctx, approval.Ask{Kind: access.RequestReopen, Subject: user, Reason: reason})
	}
	closed, err := p.d.Store.Closures(ctx)
	if err != nil {
		return err
	}
	of := func(c lead.Closure) bool { return c.UserID == id }
	if slices.ContainsFunc(closed, of) {
		return p.UndoClosures(ctx, of)
	}
	return p.write(ctx, func(tx *store.Tx) error { return tx.ReopenUser(ctx, p.d.Actor, id) })
}

// write runs a change in one transaction in which it checks the permission again: when two administrators close each
// other's account at the same time, one of them remains.
func (p *People) write(ctx context.Context, change func(tx *store.Tx) error) error {
	return p.d.WriteBy(ctx, access.ManagePeople, change)
}

// mayChange also refuses what users may not do to their own account.
func (p *People) mayChange(id string) error {
	if err := p.d.May(access.ManagePeople); err != nil || id != p.d.Actor.UserID {
		return err
	}
	return fault.New(fault.Denied,
		"You can’t change your own role, email or sign-in link, or disable your own account. Ask another administrator.")
}

// CloseOptions decides what happens to a user's work when their account is closed. Assignee is a colleague's
// originator, or empty: then the leads stay in the unassigned queue of the company, and its manager reassigns them.
type CloseOptions struct{ Assignee string }

// Close closes an account immediately, as Offboard does, and moves its work to a colleague. It transfers the drafts at
// once. The leads wait in the unassigned queue while a background run reassigns them with their scheduled work, because
// the lender decides each one.
func (p *People) Close(ctx context.Context, id string, l CloseOptions) error {
	if err := p.mayChange(id); err != nil {
		return err
	}
	one, err := p.Find(ctx, id)
	if err != nil {
		return err
	}
	var assignee lead.Assignee
	if l.Assignee != "" {
		at := slices.IndexFunc(one.Assignees, func(t lead.Assignee) bool { return string(t.UUID) == l.Assignee })
		if at < 0 {
			return lead.AssigneeError("Choose an originator")
		}
		assignee = one.Assignees[at]
	}
	leads, err := p.leadsOf(ctx, one.Actor)
	if err != nil {
		return err
	}
	if one.Disabled && assignee.UUID == "" {
		return lead.AssigneeError("Choose an originator")
	}
	return p.write(ctx, func(tx *store.Tx) error {
		if err := p.reassignWork(ctx, tx, one.User, assignee, leads); err != nil {
			return err
		}
		err := p.d.Accounts.Close(ctx, tx, p.d.Actor, one.UserID)
		if one.Disabled && fault.Is(err, fault.Conflict) {
			return nil // it was closed for good before, and only its work was left
		}
		return err
	})
}

// reassignWork transfers the drafts of somebody who leaves to their successor, and starts to reassign the leads.
// Without a successor, it does nothing.
func (p *People) reassignWork(ctx context.Context, tx *store.Tx, from access.User, to lead.Assignee,
	leads []lead.Row) error {
	if to.UUID == "" {
		return nil
	}
	if to.UserID != "" {
		if err := p.d.TransferAllDrafts(ctx, tx, store.UserScopeOf(from.Actor), to.UserID); err != nil {
			return err
		}
	}
	for chunk := range slices.Chunk(leads, lead.MaxBulkLeads) {
		if err := p.d.StartDepartureRun(ctx, tx, from.UserID, to.UUID, chunk); err != nil {
			return err
		}
	}
	return nil
}

// leadsOf returns an originator's open leads, and those that stayed at their company when the directory dropped them.
func (p *People) leadsOf(ctx context.Context, who access.Actor) ([]lead.Row, error) {
	leads, err := p.d.Store.OpenLeadsOf(ctx, heloc.OriginatorID(who.OriginatorUUID))
	if err != nil {
		return nil, err
	}
	left, err := p.d.Store.DepartedLeads(ctx, who.Company(), heloc.OriginatorID(who.OriginatorUUID))
	return append(leads, left...), err
}

// CRMs lists the CRM sign-ins that are linked to a user's account.
func (p *People) CRMs(ctx context.Context, userID string) ([]embed.Link, error) {
	if err := p.d.May(access.ManagePeople); err != nil {
		return nil, err
	}
	return p.d.Embeds.Links(ctx, userID)
}

// DisconnectCRM unlinks one of them, for example after a CRM sign-in was stolen or a CRM seat went to another user.
func (p *People) DisconnectCRM(ctx context.Context, userID, id string) error {
	if err := p.d.May(access.ManagePeople); err != nil {
		return err
	}
	return p.d.Embeds.Disconnect(ctx, p.d.ActingUnder(access.ManagePeople), userID, id)
}
