package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// People is the accounts, for the users who administer them. They see only the number of leads and drafts.
type People struct{ d *Desk }

// People returns the accounts; fault.Denied without the permission.
func (d *Desk) People() (*People, error) {
	if err := d.may(access.ManagePeople); err != nil {
		return nil, err
	}
	return &People{d}, nil
}

// List returns all accounts, the enabled ones first.
func (p *People) List(ctx context.Context) ([]access.Staff, error) {
	if err := p.d.may(access.ManagePeople); err != nil {
		return nil, err
	}
	return p.d.store.Staff(ctx)
}

// Person is one account, and the work that would need a new owner if it were closed.
type Person struct {
	access.Staff
	Leads         int // open leads of their originator
	Drafts        int // unsent drafts
	Assignees     []Assignee
	DepartureRuns []DepartureRun // reassignments of their leads that this administrator started

	DirectoryEmail string             // their email in the lender's directory, when it differs
	EmailOffer     account.EmailOffer // an email change that waits for their confirmation; zero for none
}

// Assignee is a colleague who can take leads. Only a colleague with an account can take drafts too.
type Assignee struct {
	lead.Originator
	UserID string
}

// DepartureRun is the progress of a bulk reassignment of leads.
type DepartureRun struct{ Total, Waiting, Sent, Stopped int }

// Find reads one account; fault.NotFound when it does not exist.
func (p *People) Find(ctx context.Context, id string) (Person, error) {
	if err := p.d.may(access.ManagePeople); err != nil {
		return Person{}, err
	}
	all, err := p.d.store.Staff(ctx)
	if err != nil {
		return Person{}, err
	}
	at := slices.IndexFunc(all, func(s access.Staff) bool { return s.UserID == id })
	if at < 0 {
		return Person{}, fault.New(fault.NotFound, "This account doesn’t exist.")
	}
	one := Person{Staff: all[at]}
	leads, err := p.leadsOf(ctx, one.Actor)
	if err != nil {
		return one, err
	}
	one.Leads = len(leads)
	if one.Drafts, err = p.d.store.CountTransferableDrafts(ctx, store.UserScopeOf(one.Actor)); err != nil {
		return one, err
	}
	if one.Assignees, err = p.assignees(ctx, one.Staff, all); err != nil {
		return one, err
	}
	if one.DepartureRuns, err = p.departureRuns(ctx, id); err != nil {
		return one, err
	}
	if one.EmailOffer, err = p.d.accounts.PendingEmailOffer(ctx, id); err != nil {
		return one, err
	}
	one.DirectoryEmail, err = p.directoryEmail(ctx, one.Actor)
	return one, err
}

// directoryEmail returns the user's email in the lender's directory when it differs from the account's email.
func (p *People) directoryEmail(ctx context.Context, who access.Actor) (string, error) {
	if who.OriginatorUUID == "" {
		return "", nil
	}
	o, err := p.d.store.Originator(ctx, heloc.OriginatorID(who.OriginatorUUID))
	if fault.Is(err, fault.NotFound) || err == nil && o.RemovedAt != 0 {
		return "", nil
	}
	if email := account.FoldEmail(o.Email); email != who.Email {
		return email, err
	}
	return "", err
}

// assignees lists the user's colleagues who are in the directory.
func (p *People) assignees(ctx context.Context, who access.Staff, all []access.Staff) ([]Assignee, error) {
	list, err := p.d.colleagues(ctx, who.BrokerID, who.Organization)
	users := make([]access.User, len(all))
	for i, s := range all {
		users[i] = s.User
	}
	var colleagues []Assignee
	for _, o := range list {
		if o.RemovedAt != 0 || string(o.UUID) == who.OriginatorUUID {
			continue
		}
		if t, can := assigneeOf(o, users); can {
			colleagues = append(colleagues, t)
		}
	}
	return colleagues, err
}

// assigneeOf returns an originator with the account that can take drafts; false if all of their accounts are closed or
// cannot work on leads.
func assigneeOf(o lead.Originator, users []access.User) (t Assignee, can bool) {
	t, can = Assignee{Originator: o}, true
	for _, u := range users {
		if u.OriginatorUUID != string(o.UUID) {
			continue
		}
		if can = !u.Disabled && u.Can(access.ActOnLead); can {
			t.UserID = u.UserID
			break
		}
	}
	return t, can
}

// ChangeRole changes a user's role. The open leads of somebody whose new role does not work on leads become unassigned.
// Nobody can change their own role, so there is always an administrator.
func (p *People) ChangeRole(ctx context.Context, id string, role access.Role) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	if _, ok := access.ParseRole(string(role)); !ok {
		return fault.InvalidFields(fault.Field{Name: "role", Message: "Choose a role"})
	}
	if err := p.refuseSelf(id); err != nil {
		return err
	}
	var effects accountEffects
	err := p.write(ctx, func(tx *store.Tx) error {
		user, err := tx.User(ctx, id)
		if err != nil {
			return err
		}
		switch {
		case role == access.Originator && user.OriginatorUUID == "":
			return fault.InvalidFields(fault.Field{Name: "role", Message: "Originators must be in the lender’s directory. They set up their own account with the email listed there"})
		case (role == access.Manager || role == access.Assistant) && user.BrokerID == "" && user.Organization == "":
			return fault.InvalidFields(fault.Field{Name: "role", Message: "This role needs a company, and this account has none. Invite the user to a company instead"})
		}
		err = tx.ChangeRole(ctx, p.d.Actor, id, role)
		effects = effectsOn(store.UserScopeOf(user.Actor).Company, tx)
		return err
	})
	if err == nil {
		effects.publish(p.d.hub)
	}
	return err
}

// SignOut ends all sessions of a user and does not change their account.
func (p *People) SignOut(ctx context.Context, id string) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	if err := p.refuseSelf(id); err != nil {
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
// knows their password. If shut is true, only that link opens the account from now on.
func (p *People) Reset(ctx context.Context, id string, shut bool) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	if err := p.refuseSelf(id); err != nil {
		return err
	}
	user, err := p.d.store.User(ctx, id)
	if err != nil {
		return err
	}
	_, err = p.d.accounts.ResetAccount(ctx, p.d.actingUnder(access.ManagePeople), user.Email, shut)
	return err
}

// OfferEmail offers a user a new email for their account. They accept it with the link that is mailed there and with
// their sign-in factors. A field error names the control email.
func (p *People) OfferEmail(ctx context.Context, id, email string) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	if err := p.refuseSelf(id); err != nil {
		return err
	}
	return p.d.accounts.OfferEmail(ctx, p.d.actingUnder(access.ManagePeople), id, email)
}

// Reopen enables a closed account. Leads that were reassigned stay with their new originator; leads that are still in the
// unassigned queue are returned. If the lender's directory closed the account, Reopen also restores everything else that the closure removed.
func (p *People) Reopen(ctx context.Context, id string) error {
	if err := p.d.may(access.ManagePeople); err != nil {
		return err
	}
	closed, err := p.d.store.Closures(ctx)
	if err != nil {
		return err
	}
	of := func(c lead.Closure) bool { return c.UserID == id }
	if slices.ContainsFunc(closed, of) {
		return p.UndoClosures(ctx, of)
	}
	var returned []lead.Row
	err = p.write(ctx, func(tx *store.Tx) error {
		defer func() { returned = tx.Returned }()
		return tx.ReopenUser(ctx, p.d.Actor, id)
	})
	if err == nil {
		p.d.publishReturned(returned)
	}
	return err
}

// write runs a change in one transaction in which it checks the permission again: when two administrators close each
// other's account at the same time, one of them remains.
func (p *People) write(ctx context.Context, change func(tx *store.Tx) error) error {
	return p.d.store.WriteBy(ctx, p.d.actingUnder(access.ManagePeople), change)
}

// refuseSelf refuses what users may not do to their own account.
func (p *People) refuseSelf(id string) error {
	if id == p.d.Actor.UserID {
		return fault.New(fault.Denied, "You can’t change your own role or email, or disable your own account. Ask another administrator.")
	}
	return nil
}
