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

// maxMismatches is how many wrong match codes a launch allows.
const maxMismatches = 5

// confirmTime is how long after a step-up the frame may learn of it.
const confirmTime = 10 * time.Minute

// Connect links a CRM user to a portal user who has just authenticated at top level. It does
// not take over a link: a CRM user who is linked stays linked to the same portal user. Only
// if that portal user may no longer come from the CRM (the account is disabled, or the user
// has left the company) is the CRM user linked to another one, and the former user is
// notified by email. A CRM user with a colleague's email cannot be linked.
func (s *Service) Connect(ctx context.Context, person access.Actor, l VerifiedLaunch, typed string) error {
	switch {
	case l.Connected():
		return fault.New(fault.Conflict, "This CRM user is already connected to an account.")
	case !l.Client.admits(access.User{Actor: person}):
		return fault.New(fault.Denied, l.Client.Name+" belongs to a different company than you.")
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
		if err := s.notify(ctx, tx, access.User{Actor: person},
			"A sign-in from "+l.Client.Name+" was connected to your account"); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, person.UserID, store.ActionEmbedConnect, l.Client.Key)
	})
}

// checkOwnEmail rejects a CRM user with a colleague's email: that of an account, enabled or
// disabled, of an originator in the lender's directory, or of an invited user. An email that
// nobody in the company has is accepted, and other companies are not searched: the CRM
// controls the email and could find out who has an account.
func (s *Service) checkOwnEmail(ctx context.Context, tx *store.Tx, person access.Actor, email string) error {
	email = account.FoldEmail(email)
	if email == "" || email == account.FoldEmail(person.Email) {
		return nil
	}
	colleague := fault.New(fault.Denied, "This CRM user has a colleague’s email. Sign in to the CRM as yourself.")
	user, _, err := tx.UserByEmail(ctx, email)
	switch {
	case err == nil && user.BrokerID == person.BrokerID:
		return colleague
	case err != nil && !fault.Is(err, fault.NotFound):
		return err
	}
	known, err := tx.OriginatorByEmail(ctx, email)
	switch {
	case err == nil && known.BrokerID == person.BrokerID && string(known.UUID) != person.OriginatorUUID:
		return colleague
	case err != nil && !fault.Is(err, fault.NotFound):
		return err
	}
	invited, err := tx.HasInvitation(ctx, s.vault.InvitationIndexes(email),
		access.CompanyOf(person.BrokerID, person.Organization), s.Now())
	if err == nil && invited {
		return colleague
	}
	return err
}

// releaseLink unlinks a CRM user from a portal user who may no longer come from the CRM, and notifies that user.
func (s *Service) releaseLink(ctx context.Context, tx *store.Tx, by access.Actor, l VerifiedLaunch) error {
	link, err := tx.EmbedLink(ctx, l.Client.Key, l.row.Subject)
	if err != nil {
		return fault.Ignore(err, fault.NotFound)
	}
	former, err := tx.User(ctx, link.UserID)
	if err != nil {
		return err
	}
	if l.Client.admits(former) {
		return fault.New(fault.Conflict, "This CRM user is already connected to an account.")
	}
	return s.unlink(ctx, tx, link, former, unlinkReason{by: by.UserID, action: store.ActionEmbedRelease,
		mailText: "A sign-in from " + l.Client.Name +
			" that was connected to your account is now connected to another account"})
}

// ConfirmStepUp records that the user of a launch has just authenticated at top level.
func (s *Service) ConfirmStepUp(ctx context.Context, person access.Actor, l VerifiedLaunch, typed string) error {
	if !l.Connected() || l.Person.UserID != person.UserID {
		return fault.New(fault.Denied,
			"This CRM user is connected to a different account than the one you’re signed in with.")
	}
	return s.checkMatchCode(ctx, person, l, typed, func(tx *store.Tx) error {
		return tx.AuditOwn(ctx, person.UserID, store.ActionEmbedConfirm, l.Client.Key)
	})
}

// NewConfirmCode returns a code with which a frame opens the tab that asks for its user's passkey. The frame posts the
// code from its own origin, which ties the tab to the frame: an attacker who opens a frame elsewhere cannot make a
// user's browser post it.
func (s *Service) NewConfirmCode(ctx context.Context, v Visit) (string, error) {
	return s.newCode(ctx, store.LaunchCode{LaunchID: v.ID, Purpose: forConfirm}, continueTime)
}

// LaunchToConfirm returns the launch of such a code; it does not consume the code.
func (s *Service) LaunchToConfirm(ctx context.Context, key, code string) (VerifiedLaunch, error) {
	l, err := s.launchByCode(ctx, key, codeFor(code, forConfirm))
	if err == nil && !l.Connected() {
		err = ErrCodeExpired
	}
	return l, err
}

// ConfirmByPasskey consumes the code and records that the user of its launch has just used a passkey at top level.
func (s *Service) ConfirmByPasskey(ctx context.Context, person access.Actor, key, code string) error {
	l, err := s.LaunchToConfirm(ctx, key, code)
	if err != nil {
		return err
	}
	if l.Person.UserID != person.UserID {
		return fault.New(fault.Invalid, "This passkey belongs to another account. Use one of "+l.Person.Name+"’s.")
	}
	return s.confirmLaunch(ctx, person, l, func(tx *store.Tx) error {
		if err := s.consumeCode(ctx, tx, codeFor(code, forConfirm)); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, person.UserID, store.ActionEmbedConfirm, key)
	})
}

// checkMatchCode runs write for a user who typed the match code that the frame displays, and
// confirms the launch. The code ties this window to that frame: an attacker who opens a frame
// elsewhere can send a user the URL of this page, but would also have to make the user copy
// letters that the user does not see. Wrong codes are counted and audited; after five of
// them, the launch can no longer be confirmed.
func (s *Service) checkMatchCode(ctx context.Context, person access.Actor, l VerifiedLaunch, typed string,
	write func(tx *store.Tx) error) error {
	if subtle.ConstantTimeCompare([]byte(strings.ToUpper(strings.TrimSpace(typed))), []byte(l.MatchCode)) != 1 {
		return s.countMismatch(ctx, person, l)
	}
	return s.confirmLaunch(ctx, person, l, write)
}

// confirmLaunch confirms the launch and runs write.
func (s *Service) confirmLaunch(ctx context.Context, person access.Actor, l VerifiedLaunch,
	write func(tx *store.Tx) error) error {
	return s.store.Write(ctx, func(tx *store.Tx) error {
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
		return write(tx)
	})
}

func (s *Service) countMismatch(ctx context.Context, person access.Actor, l VerifiedLaunch) error {
	open := false
	err := s.store.Write(ctx, func(tx *store.Tx) error {
		var err error
		if open, err = tx.CountLaunchMismatch(ctx, l.ID, maxMismatches); err != nil || !open {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{
			ActorID: person.UserID, Company: l.Client.BrokerID, Action: store.ActionEmbedMismatch,
			Object: "user:" + person.UserID, Outcome: "refused", Detail: l.Client.Key,
		})
	})
	switch {
	case err != nil:
		return err
	case !open:
		return errTooManyMismatches()
	default:
		return fault.InvalidField("match", "These letters don’t match the ones in your CRM")
	}
}

func errTooManyMismatches() error {
	return fault.New(fault.Conflict,
		"Incorrect letters were entered too many times. Open the record again in the CRM for new letters.")
}

// FinishStepUp elevates the frame's session after the user has confirmed at top level; the
// session gets a new token. It returns false if the user has not confirmed yet.
func (s *Service) FinishStepUp(ctx context.Context, v Visit, tokenHash string) (bool, error) {
	if !v.User.VouchedByCRM {
		return true, nil
	}
	at := store.Instant(v.row.ConfirmedAt)
	if v.row.ConfirmedAt == 0 || s.Now().After(at.Add(confirmTime)) {
		return false, nil
	}
	elevated := v.Session
	elevated.IDHash, elevated.Proof, elevated.ElevatedAt, elevated.Level = tokenHash, access.ByConfirmed, at,
		access.ByConfirmed.Level()
	return s.store.ElevateSession(ctx, v.Session.IDHash, elevated)
}
