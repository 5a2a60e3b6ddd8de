package account

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// recheckEligibility asks the lender's directory for who is missing from it, and whether the link
// still holds. An invitation does not wait for a lender that is silent.
func (s *Service) recheckEligibility(ctx context.Context, u setUpState) error {
	if u.Kind == LinkActivate || u.Kind == LinkInvite {
		if _, err := s.inDirectory(ctx, u.Who.Email); err != nil && u.Kind == LinkActivate {
			return err
		}
	}
	return checkEligibility(ctx, s.store, u)
}

// eligibilityStore is what says whether somebody is welcome: the database, and at last the
// transaction that lets them in.
type eligibilityStore interface {
	User(ctx context.Context, id string) (access.User, error)
	OriginatorByEmail(ctx context.Context, email string) (store.Originator, error)
	HasOriginator(ctx context.Context, originator string) (bool, error)
}

// checkEligibility asks again what was true when the link was made.
func checkEligibility(ctx context.Context, book eligibilityStore, u setUpState) error {
	switch u.Kind {
	case LinkReset, LinkAccountReset:
		user, err := book.User(ctx, u.Who.UserID)
		if err == nil && user.Disabled {
			return errNoLink()
		}
		return err
	case LinkActivate:
		o, err := originatorFor(ctx, book, u.Who.Email)
		if err == nil && o == nil {
			return errNoLink()
		}
		if err != nil {
			return err
		}
		had, err := book.HasOriginator(ctx, string(o.UUID))
		if err == nil && had {
			return errNoLink()
		}
		return err
	default:
		return checkInvitation(ctx, book, u)
	}
}

// originatorFor is who stands in the lender's directory, as it was last asked, by an e-mail; nil
// for nobody, and for who has left.
func originatorFor(ctx context.Context, book eligibilityStore, email string) (*store.Originator, error) {
	o, err := book.OriginatorByEmail(ctx, email)
	if fault.KindOf(err) == fault.NotFound && err != nil || err == nil && o.RemovedAt != 0 {
		return nil, nil
	}
	return &o, err
}

// checkInvitation asks whether who sent an invitation could send it today: it goes with the
// account or the role of its sender, so that nobody leaves a door behind for themselves;
// and whoever has become an originator meanwhile comes in as one.
func checkInvitation(ctx context.Context, book eligibilityStore, u setUpState) error {
	by, err := book.User(ctx, u.By)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return err
	}
	home := by.Role == access.Admin || store.CompanyOf(by.BrokerID, by.Organization) == store.CompanyOf(u.Who.BrokerID, u.Who.Organization)
	if err != nil || by.Disabled || !home || !slices.Contains(by.Role.Invites(), u.Who.Role) {
		return errNoLink()
	}
	o, err := originatorFor(ctx, book, u.Who.Email)
	if err == nil && o != nil && string(o.UUID) != u.Who.OriginatorUUID {
		return fault.New(fault.Conflict, "The lender’s directory knows you as a loan originator now. Ask for your own link here instead of the invitation.")
	}
	return err
}
