package account

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
)

// recheckEligibility looks up a user in the lender's directory who is not in the store yet, and checks that
// the link is still valid. An invitation does not depend on the lender's answer.
func (s *Service) recheckEligibility(ctx context.Context, u SetUp) error {
	if u.Kind == LinkActivate || u.Kind == LinkInvite {
		if _, err := s.inDirectory(ctx, u.Who.Email); err != nil && u.Kind == LinkActivate {
			return err
		}
	}
	return checkEligibility(ctx, s.store, u)
}

// eligibilityStore is what the checks read: first the database, and finally the transaction that creates the
// account.
type eligibilityStore interface {
	User(ctx context.Context, id string) (access.User, error)
	OriginatorByEmail(ctx context.Context, email string) (lead.Originator, error)
	HasOriginator(ctx context.Context, originator string) (bool, error)
}

// checkEligibility checks again what was true when the link was made.
func checkEligibility(ctx context.Context, from eligibilityStore, u SetUp) error {
	switch u.Kind {
	case LinkReset, LinkAccountReset:
		user, err := from.User(ctx, u.Who.UserID)
		if err == nil && user.Disabled {
			return errNoLink()
		}
		return err
	case LinkActivate:
		o, err := originatorFor(ctx, from, u.Who.Email)
		if err == nil && o == nil {
			return errNoLink()
		}
		if err != nil {
			return err
		}
		had, err := from.HasOriginator(ctx, string(o.UUID))
		if err == nil && had {
			return errNoLink()
		}
		return err
	default:
		return checkInvitation(ctx, from, u)
	}
}

// originatorFor returns the originator with an email address in the lender's directory, as last read; nil
// when there is none, or when the originator was removed.
func originatorFor(ctx context.Context, from eligibilityStore, email string) (*lead.Originator, error) {
	o, err := from.OriginatorByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) || err == nil && o.RemovedAt != 0 {
		return nil, nil
	}
	return &o, err
}

// checkInvitation checks that the sender of an invitation could still send it: an invitation ends with the
// account or the role of its sender, so that nobody can invite themselves before they leave. Somebody who has
// become an originator meanwhile must use their own link.
func checkInvitation(ctx context.Context, from eligibilityStore, u SetUp) error {
	by, err := from.User(ctx, u.By)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	sameCompany := by.Role == access.Admin ||
		access.CompanyOf(by.BrokerID, by.Organization) == access.CompanyOf(u.Who.BrokerID, u.Who.Organization)
	if err != nil || by.Disabled || !sameCompany || !slices.Contains(by.Role.Invites(), u.Who.Role) {
		return errNoLink()
	}
	o, err := originatorFor(ctx, from, u.Who.Email)
	if err == nil && o != nil && string(o.UUID) != u.Who.OriginatorUUID {
		return fault.New(fault.Conflict, "You’re now in the lender’s directory as a loan originator. "+
			"Request your own link here instead of using the invitation.")
	}
	return err
}
