package embed

import (
	"context"
	"crypto/subtle"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// maxMismatches is how many wrong letters a launch takes.
const maxMismatches = 5

// confirmTime is how long after a person proved who they are the frame may learn of it.
const confirmTime = 10 * time.Minute

// Connect makes a log-in of a CRM that person's, who has just proved at top level who they
// are. It takes from nobody: a log-in that is connected stays with its person. Only where
// that person may not come this way any more (their account is closed, or they have left
// the company) does it pass on, and they are told by mail. A log-in to which the CRM
// gives a colleague's e-mail is not theirs to connect.
func (s *Service) Connect(ctx context.Context, person access.Actor, l VerifiedLaunch, typed string) error {
	switch {
	case l.Connected():
		return fault.New(fault.Conflict, "This log-in of the CRM is connected to an account already.")
	case !l.Client.admits(access.User{Actor: person}):
		return fault.New(fault.Denied, l.Client.Name+" belongs to another company than you do.")
	case s.Now().After(l.Created.Add(2 * confirmTime)):
		return ErrCodeExpired
	}
	link, err := s.newLink(l, person)
	if err != nil {
		return err
	}
	return s.checkMatchCode(ctx, person, l, typed, func(tx *store.Tx) error {
		if err := s.checkOwnEmail(ctx, tx, person, l.Email); err != nil {
			return err
		}
		if err := s.releaseLink(ctx, tx, person, l); err != nil {
			return err
		}
		if err := tx.AddEmbedLink(ctx, link); err != nil {
			return err
		}
		if err := s.notify(ctx, tx, access.User{Actor: person}, "A log-in of "+l.Client.Name+" was connected to your account"); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, person.UserID, store.ActionEmbedConnect, l.Client.Key)
	})
}

// checkOwnEmail refuses a log-in that the CRM gives a colleague's e-mail: one who has an
// account, open or closed, who stands in the lender's directory, or who is invited. An
// e-mail of nobody in the company says nothing, and one of another company is not looked
// for: a CRM writes what it likes there, and would learn who has an account.
func (s *Service) checkOwnEmail(ctx context.Context, tx *store.Tx, person access.Actor, email string) error {
	email = account.FoldEmail(email)
	if email == "" || email == account.FoldEmail(person.Email) {
		return nil
	}
	colleague := fault.New(fault.Denied, "The CRM says that this log-in has a colleague's e-mail. Sign in to the CRM as yourself.")
	user, _, err := tx.UserByEmail(ctx, email)
	switch {
	case err == nil && user.BrokerID == person.BrokerID:
		return colleague
	case err != nil && fault.KindOf(err) != fault.NotFound:
		return err
	}
	known, err := tx.OriginatorByEmail(ctx, email)
	switch {
	case err == nil && known.BrokerID == person.BrokerID && string(known.UUID) != person.OriginatorUUID:
		return colleague
	case err != nil && fault.KindOf(err) != fault.NotFound:
		return err
	}
	invited, err := tx.HasInvitation(ctx, account.InvitationIndexes(s.vault, email), store.CompanyOf(person.BrokerID, person.Organization), s.Now())
	if err == nil && invited {
		return colleague
	}
	return err
}

// releaseLink takes a log-in from a person who may not come by it any more, and tells them.
func (s *Service) releaseLink(ctx context.Context, tx *store.Tx, by access.Actor, l VerifiedLaunch) error {
	link, err := tx.EmbedLink(ctx, l.Client.Key, l.row.Subject)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	former, err := tx.User(ctx, link.UserID)
	if err != nil {
		return err
	}
	if l.Client.admits(former) {
		return fault.New(fault.Conflict, "This log-in of the CRM is connected to an account already.")
	}
	return s.unlink(ctx, tx, link, former, unlinkReason{by: by.UserID, action: store.ActionEmbedRelease, mailText: "A log-in of " + l.Client.Name + " that was connected to your account now belongs to somebody else’s"})
}

// ConfirmStepUp notes that the person of a launch has just proved at top level who they are.
func (s *Service) ConfirmStepUp(ctx context.Context, person access.Actor, l VerifiedLaunch, typed string) error {
	if !l.Connected() || l.Person.UserID != person.UserID {
		return fault.New(fault.Denied, "This log-in of the CRM belongs to another account than the one you are signed in with here.")
	}
	return s.checkMatchCode(ctx, person, l, typed, func(tx *store.Tx) error {
		return tx.AuditOwn(ctx, person.UserID, store.ActionEmbedConfirm, l.Client.Key)
	})
}

// checkMatchCode does a deed for a person who types the letters that stand in the frame, and lets
// the frame know. Typing ties this window to that frame: whoever opens a frame elsewhere
// can send a person the address of this page, and would have to have them copy letters that
// the person does not see. Wrong letters are counted and written down; after five, the
// launch is good for nothing more.
func (s *Service) checkMatchCode(ctx context.Context, person access.Actor, l VerifiedLaunch, typed string, deed func(tx *store.Tx) error) error {
	if subtle.ConstantTimeCompare([]byte(strings.ToUpper(strings.TrimSpace(typed))), []byte(l.MatchCode)) != 1 {
		return s.countMismatch(ctx, person, l)
	}
	return s.write(ctx, func(tx *store.Tx) error {
		if err := tx.CheckUnchanged(ctx, person); err != nil {
			return err
		}
		open, err := tx.ConfirmLaunch(ctx, l.ID, s.Now(), maxMismatches)
		if err == nil && !open {
			err = errTooManyMismatches()
		}
		if err != nil {
			return err
		}
		return deed(tx)
	})
}

func (s *Service) countMismatch(ctx context.Context, person access.Actor, l VerifiedLaunch) error {
	open := false
	err := s.write(ctx, func(tx *store.Tx) error {
		var err error
		if open, err = tx.CountLaunchMismatch(ctx, l.ID, maxMismatches); err != nil || !open {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: person.UserID, Company: l.Client.BrokerID, Action: store.ActionEmbedMismatch, Object: "user:" + person.UserID, Outcome: "refused", Detail: l.Client.Key,
		})
	})
	switch {
	case err != nil:
		return err
	case !open:
		return errTooManyMismatches()
	default:
		return fault.InvalidFields(fault.Field{Name: "match", Message: "These are not the letters in your CRM's frame"})
	}
}

func errTooManyMismatches() error {
	return fault.New(fault.Conflict, "Wrong letters were entered too often. Open the record again in the CRM: it shows other ones.")
}

// FinishStepUp lets the frame learn that its person has proved who they are: the session has
// another token from then on. False while they have not.
func (s *Service) FinishStepUp(ctx context.Context, v Visit, tokenHash string) (bool, error) {
	if !v.User.VouchedByCRM {
		return true, nil
	}
	at := store.Instant(v.row.ConfirmedAt)
	if v.row.ConfirmedAt == 0 || s.Now().After(at.Add(confirmTime)) {
		return false, nil
	}
	proved := v.Session
	proved.IDHash, proved.Proof, proved.ElevatedAt, proved.Level = tokenHash, access.ByConfirmed, at, access.ByConfirmed.Level()
	return s.store.ElevateSession(ctx, v.Session.IDHash, proved)
}
