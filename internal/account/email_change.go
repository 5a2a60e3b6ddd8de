package account

import (
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// EmailOffer is another address that waits for its person to take it.
type EmailOffer struct {
	Email   string
	Expires time.Time
}

// OfferEmail lets an administrator give an account another address. Nothing changes yet: a
// link goes to the new address, word of it to the old one, and the person takes the address
// by the link and by what they sign in with as before. So neither who reads the new mailbox
// nor the administrator has the account by it. A complaint names the control email.
func (s *Service) OfferEmail(ctx context.Context, by access.By, userID, email string) error {
	user, err := s.store.User(ctx, userID)
	if err != nil {
		return err
	}
	if user.Disabled {
		return errClosed()
	}
	next := user
	next.Email = FoldEmail(email)
	if err := s.checkEmailAvailable(ctx, user, next.Email); err != nil {
		return err
	}
	return s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		if now, err := tx.User(ctx, userID); err != nil {
			return err
		} else if now.Disabled {
			return errClosed()
		}
		if err := tx.EndInvitationsOf(ctx, userID, string(LinkNewEmail), s.Now()); err != nil {
			return err
		}
		_, err := s.addLink(ctx, tx, newLink{kind: LinkNewEmail, who: next, by: by.UserID, company: store.CompanyOf(user.BrokerID, user.Organization)})
		if err != nil {
			return err
		}
		return s.NotifyChange(ctx, tx, user, "Your administrator has entered another e-mail address for your account. It counts once you confirm it by the link that was mailed there")
	})
}

// checkEmailAvailable complains of an address that an account cannot have: one that is another's, and one
// that the lender's directory knows as somebody else's. An originator has the one by which
// the directory knows them, and no other.
func (s *Service) checkEmailAvailable(ctx context.Context, user access.User, email string) error {
	complain := func(message string) error {
		return fault.InvalidFields(fault.Field{Name: "email", Message: message})
	}
	if !plausibleEmail(email) {
		return complain("Give an e-mail address such as olivia@summit.test")
	}
	if email == user.Email {
		return complain("This is their address already")
	}
	if _, _, err := s.store.UserByEmail(ctx, email); err == nil {
		return complain("Somebody with this e-mail has an account")
	} else if fault.KindOf(err) != fault.NotFound {
		return err
	}
	o, err := s.inDirectory(ctx, email)
	switch {
	case user.OriginatorUUID == "" && o != nil && err == nil:
		return complain("The lender’s directory knows this e-mail as a loan originator. They come in by themselves, under “First time here”")
	case user.OriginatorUUID == "": // a lender that does not answer says nothing: it is asked again before the address counts
		return nil
	case err != nil:
		return fault.Wrap(fault.Conflict, "The lender does not answer, and its directory has to know a loan originator by the address. Try again in a moment.", err)
	case o == nil || string(o.UUID) != user.OriginatorUUID:
		return complain("The lender’s directory does not know this loan originator by this address. Have the lender change it there first")
	}
	return nil
}

// PendingEmailOffer is what waits for a person; the zero value when nothing does.
func (s *Service) PendingEmailOffer(ctx context.Context, userID string) (EmailOffer, error) {
	i, ok, err := s.store.InvitationOf(ctx, userID, string(LinkNewEmail), s.Now())
	if err != nil || !ok {
		return EmailOffer{}, err
	}
	who, err := vault.UnsealJSON[access.User](s.vault, invitationAAD(i.ID), i.Sealed)
	return EmailOffer{Email: who.Email, Expires: store.Instant(i.ExpiresAt)}, err
}

// OpenedEmailOffer is the address that a browser opened a link to, for the person whom the link
// is for and nobody else; fault.Conflict when there is none.
func (s *Service) OpenedEmailOffer(ctx context.Context, userID, browser string) (email string, err error) {
	u, err := s.openedOffer(ctx, userID, browser)
	return u.Who.Email, err
}

func (s *Service) openedOffer(ctx context.Context, userID, browser string) (setUpState, error) {
	u, err := readCeremony[setUpState](ctx, s, HashToken(browser), emailChange)
	if err == nil && u.Who.UserID != userID {
		return setUpState{}, fault.New(fault.Conflict, "This link is for another account. Sign in as the person to whom it was mailed.")
	}
	return u, err
}

// ConfirmEmail gives a person the address to which a link was mailed that their browser has
// opened. Everything ends that was begun under the one of before: links to either address,
// log-ins under way, and every session but the one with the hash keep.
func (s *Service) ConfirmEmail(ctx context.Context, user access.User, keep, browser string) error {
	u, err := s.openedOffer(ctx, user.UserID, browser)
	if err != nil {
		return err
	}
	if err := s.recheckOffer(ctx, user, u); err != nil {
		return err
	}
	next := user
	next.Email = u.Who.Email
	return s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		if err := endCeremony(ctx, tx, HashToken(browser), emailChange); err != nil {
			return err
		}
		if err := checkOfferAuthor(ctx, tx, u.By); err != nil {
			return err
		}
		first, err := tx.UseInvitation(ctx, u.Invitation, s.Now())
		if err != nil || !first {
			return errOrNoLink(err)
		}
		if err := tx.SetEmail(ctx, user.UserID, next.Email); err != nil {
			return err
		}
		if _, err := tx.EndSessionsOf(ctx, user.UserID, keep); err != nil {
			return err
		}
		if err := tx.EndPending(ctx, user.UserID, keep); err != nil {
			return err
		}
		if err := tx.EndInvitationsTo(ctx, append(InvitationIndexes(s.vault, user.Email), InvitationIndexes(s.vault, next.Email)...), s.Now()); err != nil {
			return err
		}
		for _, address := range []access.User{user, next} {
			if err := s.NotifyChange(ctx, tx, address, "The e-mail address of your account was changed"); err != nil {
				return err
			}
		}
		return tx.AuditOwn(ctx, user.UserID, store.ActionEmailChange, "by:"+u.By)
	})
}

// recheckOffer asks again what was true when the link was made, of the address and of who
// made it.
func (s *Service) recheckOffer(ctx context.Context, user access.User, u setUpState) error {
	if err := checkOfferAuthor(ctx, s.store, u.By); err != nil {
		return err
	}
	if err := s.checkEmailAvailable(ctx, user, u.Who.Email); fault.KindOf(err) == fault.Invalid && err != nil {
		return errNoLink() // nobody is told here whose address it has become
	} else if err != nil {
		return err
	}
	return nil
}

// checkOfferAuthor asks whether an offer goes with the right of who made it.
func checkOfferAuthor(ctx context.Context, book eligibilityStore, userID string) error {
	by, err := book.User(ctx, userID)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return err
	}
	if err != nil || by.Disabled || !by.Can(access.ManagePeople) {
		return errNoLink()
	}
	return nil
}

// beginOffer begins to take an address.
func (s *Service) beginOffer(ctx context.Context, i store.Invitation, who access.User) (browser string, err error) {
	browser, hash := NewToken()
	return browser, beginCeremony(ctx, s, ceremonyKey{hash, emailChange, i.UserID}, setUpState{Invitation: i.ID, Kind: LinkNewEmail, By: i.CreatedBy, Who: who})
}
