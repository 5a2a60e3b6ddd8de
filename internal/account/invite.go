package account

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// PendingInvitation is an invitation that was not used yet.
type PendingInvitation struct {
	ID      string
	User    access.User
	ByID    string // who sent it
	At      time.Time
	Expires time.Time
}

// Invite sends a link on behalf of a colleague. It refuses an administrator acting alone, and only the operator may
// invite a manager or an administrator this way. The desk checks whether the colleague may invite this user. An
// originator must be in the lender's directory, at the company of the invitation. An error names the control name,
// email, role or broker.
func (s *Service) Invite(ctx context.Context, by access.By, who access.User, company string) error {
	if by.Role == access.Admin || who.Role.Privileged() && !by.IsOperator() {
		return errTakesTwo()
	}
	var err error
	if who.Role == access.Originator {
		who, err = s.inviteeInDirectory(ctx, who)
	} else {
		who, err = s.CheckInvitee(ctx, who)
	}
	if err != nil {
		return err
	}
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		_, err := s.addLink(ctx, tx, newLink{kind: LinkInvite, who: who, by: by.UserID, byName: by.Name, company: company})
		return err
	})
}

// inviteeInDirectory returns the originator with the email address of an invited user, who must be at their company and
// have no account. An originator at another company gets the same error as an unknown address.
func (s *Service) inviteeInDirectory(ctx context.Context, who access.User) (access.User, error) {
	email := typedEmail(who.Email)
	o, _ := s.inDirectory(ctx, email) // an address that is in no directory, or whether the lender answers, is one error
	if o == nil || access.CompanyOf(o.BrokerID, o.Organization) != who.Company() {
		return who, fault.InvalidField("email",
			"No originator at your company has this email in the lender’s directory. Nothing was sent")
	}
	had, err := s.store.HasOriginator(ctx, string(o.UUID))
	if err == nil && !had {
		_, _, err = s.store.UserByEmail(ctx, email)
		if had = err == nil; fault.Is(err, fault.NotFound) {
			err = nil
		}
	}
	if err == nil && had {
		err = fault.InvalidField("email", o.Name()+" already has an account. It may be disabled")
	}
	return originatorUser(*o), err
}

// SendInvitation sends the link of an invitation that two administrators agreed on, in the transaction of the decision.
// by is the user who requested it: the invitation is void once their account is closed.
func (s *Service) SendInvitation(ctx context.Context, tx *store.Tx, by access.Actor, who access.User) error {
	_, err := s.addLink(ctx, tx, newLink{kind: LinkInvite, who: who, by: by.UserID, byName: by.Name,
		company: who.Company()})
	return err
}

// errTakesTwo rejects a change that package approval makes only after a second person agrees.
func errTakesTwo() error {
	return fault.New(fault.Conflict, "A second person must approve this. Request approval first.")
}

// CheckInvitee checks whether somebody can be invited, and returns their details as the account will store them.
func (s *Service) CheckInvitee(ctx context.Context, who access.User) (access.User, error) {
	who.Email, who.UserID = typedEmail(who.Email), ""
	if err := checkPerson(who); err != nil {
		return who, err
	}
	known, _, err := s.store.UserByEmail(ctx, who.Email)
	switch {
	case err == nil && access.CompanyOf(known.BrokerID, known.Organization) == access.CompanyOf(who.BrokerID,
		who.Organization):
		return who, fault.InvalidFields(fault.Field{Name: "email", Message: known.Name + " already has an account"})
	case err != nil && !fault.Is(err, fault.NotFound):
		return who, err
	}
	taken := err == nil
	if who, err = s.withOriginator(ctx, who); err == nil && taken {
		err = fault.InvalidFields(fault.Field{Name: "email", Message: "Another account uses this email"})
	}
	return who, err
}

// withOriginator adds the originator to an invited manager whose email is in the lender's directory. The
// directory decides the company, so a different company is an error.
func (s *Service) withOriginator(ctx context.Context, who access.User) (access.User, error) {
	complain := func(name, message string) (access.User, error) {
		return who, fault.InvalidFields(fault.Field{Name: name, Message: message})
	}
	// An unavailable lender is ignored here: it is asked again when the link is used.
	o, _ := s.inDirectory(ctx, who.Email)
	switch {
	case o == nil:
		return who, nil
	case who.Role != access.Manager:
		return complain("email",
			"The lender’s directory lists this email for a loan originator, who signs in under “First time signing in?”")
	case access.CompanyOf(who.BrokerID, who.Organization) != access.CompanyOf(o.BrokerID, o.Organization):
		return complain("broker",
			"The lender’s directory lists this email at "+o.Company()+". Choose that company, or enter a different email")
	}
	had, err := s.store.HasOriginator(ctx, string(o.UUID))
	if err == nil && had {
		return complain("email",
			"This loan originator already has an account, disabled or with a different email. Find it under Users")
	}
	who.OriginatorUUID, who.BrokerID, who.BrokerName, who.Organization = string(o.UUID), o.BrokerID, o.BrokerName,
		o.Organization
	return who, err
}

// Invitations lists the pending invitations from a company, or from all companies when company is empty.
func (s *Service) Invitations(ctx context.Context, company string) ([]PendingInvitation, error) {
	rows, err := s.store.PendingInvitations(ctx, string(LinkInvite), company, s.Now())
	if err != nil {
		return nil, err
	}
	all := make([]PendingInvitation, len(rows))
	for i, row := range rows {
		who, err := vault.UnsealJSON[access.User](s.vault, vault.InvitationAAD(row.ID), row.Sealed)
		if err != nil {
			return nil, err
		}
		all[i] = PendingInvitation{ID: row.ID, User: who, ByID: row.CreatedBy, At: store.Instant(row.CreatedAt),
			Expires: store.Instant(row.ExpiresAt)}
	}
	return all, nil
}

// ResendInvitation sends a pending invitation again, with a new link; the earlier link ends. fault.NotFound when it
// is no longer pending. The caller has checked that the user may invite such a user.
func (s *Service) ResendInvitation(ctx context.Context, by access.By, old PendingInvitation) error {
	return s.Invite(ctx, by, old.User, access.CompanyOf(old.User.BrokerID, old.User.Organization))
}

// RevokeInvitation revokes an invitation.
func (s *Service) RevokeInvitation(ctx context.Context, by access.By, id, company string) error {
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		had, err := tx.RevokeInvitation(ctx, id, company, s.Now())
		if err != nil {
			return err
		}
		if !had {
			return fault.New(fault.NotFound, "This invitation no longer exists.")
		}
		return tx.Audit(ctx, store.AuditEntry{ActorID: by.UserID, Company: company, Action: store.ActionLinkRevoke,
			Object: "invitation:" + id, Outcome: "done"})
	})
}
