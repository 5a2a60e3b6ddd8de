package account

import (
	"cmp"
	"context"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// EmailOffer is a new email address for an account that its user has not confirmed yet.
type EmailOffer struct {
	Email   string
	Expires time.Time
}

// OfferEmail lets an administrator offer an account a new email address. Nothing changes yet: the new address
// receives a link and the old one a notice, and the user confirms with the link after signing in as before.
// So neither a reader of the new mailbox nor the administrator gains access to the account. An error about
// the address names the control email.
func (s *Service) OfferEmail(ctx context.Context, by access.By, userID, email string) error {
	user, err := s.store.User(ctx, userID)
	if err != nil {
		return err
	}
	if user.Disabled {
		return errClosed()
	}
	next := user
	next.Email = typedEmail(email)
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
		_, err := s.addLink(ctx, tx, newLink{kind: LinkNewEmail, who: next, by: by.UserID,
			company: access.CompanyOf(user.BrokerID, user.Organization)})
		if err != nil {
			return err
		}
		return s.NotifyChange(ctx, tx, user, "Your administrator entered a new email for your account. "+
			"It takes effect after you confirm it with the link sent to that email")
	})
}

// checkEmailAvailable returns an error for an address that the account cannot have: one of another account,
// or one that belongs to another originator in the lender's directory. An originator can only have their
// address in the directory.
func (s *Service) checkEmailAvailable(ctx context.Context, user access.User, email string) error {
	complain := func(message string) error {
		return fault.InvalidFields(fault.Field{Name: "email", Message: message})
	}
	if !plausibleEmail(email) {
		return complain("Enter an email such as name@example.com")
	}
	if email == user.Email {
		return complain("This is already their email")
	}
	if _, _, err := s.store.UserByEmail(ctx, email); err == nil {
		return complain("Another account uses this email")
	} else if !fault.Is(err, fault.NotFound) {
		return err
	}
	o, err := s.inDirectory(ctx, email)
	switch {
	case user.OriginatorUUID == "" && o != nil && err == nil:
		return complain("The lender’s directory lists this email for a loan originator, " +
			"who signs in under “First time signing in?”")
	case user.OriginatorUUID == "": // an unavailable lender is ignored here: confirmation asks it again
		return nil
	case err != nil:
		return fault.Wrap(fault.Conflict, "The lender isn’t responding, "+
			"and a loan originator’s email must be in the lender’s directory. Try again in a moment.", err)
	case o == nil || string(o.UUID) != user.OriginatorUUID:
		return complain("The lender’s directory has a different email for this loan originator. " +
			"Ask the lender to change it first")
	}
	return nil
}

// PendingEmailOffer returns a user's pending offer; the zero value when there is none.
func (s *Service) PendingEmailOffer(ctx context.Context, userID string) (EmailOffer, error) {
	i, ok, err := s.store.InvitationOf(ctx, userID, string(LinkNewEmail), s.Now())
	if err != nil || !ok {
		return EmailOffer{}, err
	}
	who, err := vault.UnsealJSON[access.User](s.vault, vault.InvitationAAD(i.ID), i.Sealed)
	return EmailOffer{Email: who.Email, Expires: store.Instant(i.ExpiresAt)}, err
}

// OpenedEmailOffer returns the address whose link a browser has opened, if the link is for this user;
// fault.Conflict when there is none.
func (s *Service) OpenedEmailOffer(ctx context.Context, userID, browser string) (email string, err error) {
	u, err := s.openedOffer(ctx, userID, browser)
	return u.Who.Email, err
}

func (s *Service) openedOffer(ctx context.Context, userID, browser string) (SetUp, error) {
	u, err := readCeremony[SetUp](ctx, s, HashToken(browser), emailChange)
	if err == nil && u.Who.UserID != userID {
		return SetUp{}, fault.New(fault.Conflict,
			"This link is for a different account. Sign in as the person who received the email.")
	}
	return u, err
}

// ConfirmEmail changes a user's email to the address whose link the browser has opened. It ends everything
// that was started under the old address: links to either address, sign-ins in progress, and every session
// except the one whose hash is keep.
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
		if err := checkOfferAuthor(ctx, tx.Queries, u.By); err != nil {
			return err
		}
		first, err := tx.UseInvitation(ctx, u.Invitation, s.Now())
		if err != nil || !first {
			return cmp.Or(err, errNoLink())
		}
		const what = "The email for your account was changed"
		return cmp.Or(
			tx.SetEmail(ctx, user.UserID, next.Email),
			endAccess(ctx, tx, user.UserID, keep),
			tx.EndInvitationsTo(ctx, append(s.vault.InvitationIndexes(user.Email), s.vault.InvitationIndexes(next.Email)...),
				s.Now()),
			s.NotifyChange(ctx, tx, next, what),
			s.record(ctx, tx, user, change{what, store.ActionEmailChange, "by:" + u.By}),
		)
	})
}

// recheckOffer checks again what was true when the link was made, about the address and about who made it.
func (s *Service) recheckOffer(ctx context.Context, user access.User, u SetUp) error {
	if err := checkOfferAuthor(ctx, s.store.Queries, u.By); err != nil {
		return err
	}
	if err := s.checkEmailAvailable(ctx, user, u.Who.Email); fault.Is(err, fault.Invalid) {
		return errNoLink() // do not reveal here who has the address now
	} else if err != nil {
		return err
	}
	return nil
}

// checkOfferAuthor checks that the administrator who made an offer may still do so.
func checkOfferAuthor(ctx context.Context, from store.Queries, userID string) error {
	by, err := from.User(ctx, userID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	if err != nil || by.Disabled || !by.Can(access.ManagePeople) {
		return errNoLink()
	}
	return nil
}
