package account

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/mail"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// LinkKind is the purpose of an emailed link.
type LinkKind string

// The kinds.
const (
	LinkActivate     LinkKind = "activate" // to an originator in the directory who requested it
	LinkInvite       LinkKind = "invite"   // to somebody whom a colleague invited
	LinkReset        LinkKind = "reset"    // for a new password
	LinkAccountReset LinkKind = "renew"    // to set up sign-in again, from an administrator or the operator
	LinkNewEmail     LinkKind = "address"  // to confirm a new email address, from an administrator
)

// linkRules describe how links of one kind work.
type linkRules struct {
	lifetime time.Duration
	validFor string // the lifetime as text
	page     string // that the link opens
	created  store.AuditAction
	mail     func(mail.Link) mail.Message
}

func (k LinkKind) rules() linkRules {
	return map[LinkKind]linkRules{
		LinkActivate:     {time.Hour, "an hour", "/activate", store.ActionLinkActivate, mail.Activation},
		LinkInvite:       {72 * time.Hour, "three days", "/activate", store.ActionLinkInvite, mail.Invitation},
		LinkReset:        {resetLifetime, "half an hour", "/reset", store.ActionLinkReset, mail.PasswordReset},
		LinkAccountReset: {72 * time.Hour, "three days", "/activate", store.ActionLinkAccountReset, mail.AccountReset},
		LinkNewEmail:     {24 * time.Hour, "a day", "/activate", store.ActionLinkNewEmail, mail.EmailChange},
	}[k]
}

// linkBackoff limits the links to one email address, so that nobody can flood a mailbox through the portal.
// No wait is longer than a reset link is valid: however often others request one, the owner always has a link
// that works.
func linkBackoff() backoff { return backoff{free: 3, max: resetLifetime} }

// resetLifetime is how long a password reset link is valid.
const resetLifetime = 30 * time.Minute

// requestBackoff limits the link requests of one network.
func requestBackoff() backoff { return backoff{free: 30, max: 15 * time.Minute} }

// RequestLink stores a request for a link to activate or reset an account. The lookup of the address happens
// later, so that the response and its timing are the same for every address.
func (s *Service) RequestLink(ctx context.Context, kind LinkKind, email string, from ClientInfo) error {
	if err := s.charge(ctx, s.addressLimit(tryLink, from, successCost),
		s.newCounter(requestBackoff(), vault.IndexLinkRequest, from.Network)); err != nil {
		return err
	}
	if email = typedEmail(email); len(email) > maxEmail {
		email = ""
	}
	return s.store.Write(ctx, func(tx *store.Tx) error {
		return enqueueMail(ctx, s, tx, store.MailRequest, linkRequest{Email: email, Kind: kind})
	})
}

// answerLinkRequest looks up the address of a request, and sends an email where there is something to send.
func (s *Service) answerLinkRequest(ctx context.Context, m store.Mail) error {
	w, err := vault.UnsealJSON[linkRequest](s.vault, vault.MailAAD(m.ID), m.Sealed)
	if err != nil {
		return err
	}
	var reply func(tx *store.Tx) error
	if m.Tries == 1 { // a retry, because the lender was unavailable, does not count as another request
		err = s.charge(ctx, s.newCounter(linkBackoff(), vault.IndexLinkTo, w.Email))
	}
	_, often := errors.AsType[*TooSoon](err)
	if !often && err == nil {
		reply, err = s.linkReply(ctx, w)
	}
	if err != nil && !often {
		return err
	}
	return s.store.Write(ctx, func(tx *store.Tx) error {
		if reply != nil {
			if err := reply(tx); err != nil {
				return err
			}
		}
		return tx.FinishMail(ctx, m.ID, "done")
	})
}

// linkReply returns the function that answers a request; nil when there is nothing to answer.
func (s *Service) linkReply(ctx context.Context, w linkRequest) (func(tx *store.Tx) error, error) {
	user, _, err := s.store.UserByEmail(ctx, w.Email)
	known := err == nil
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	switch {
	case known && user.Disabled:
		return nil, nil
	case known && w.Kind == LinkReset:
		return func(tx *store.Tx) error { return s.addResetLink(ctx, tx, user) }, nil
	case known:
		return func(tx *store.Tx) error {
			return enqueueMail(ctx, s, tx, store.MailMessage, mail.AlreadyRegistered(user.Email, user.Name, s.PageURL("/login")))
		}, nil
	case w.Kind != LinkActivate:
		return nil, nil
	}
	who, err := s.directoryUser(ctx, w.Email)
	if err != nil || who == nil {
		return nil, err
	}
	return func(tx *store.Tx) error {
		_, err := s.addLink(ctx, tx, newLink{kind: LinkActivate, who: *who, by: "directory"})
		return err
	}, nil
}

// addResetLink emails a user a password reset link; nothing when the account was disabled or locked since the
// request.
func (s *Service) addResetLink(ctx context.Context, tx *store.Tx, user access.User) error {
	err := tx.CheckUnchanged(ctx, user.Actor)
	if err == nil {
		err = checkNotLocked(ctx, tx, user.UserID)
	}
	if fault.Is(err, fault.Conflict) {
		return nil
	}
	if err == nil {
		_, err = s.addLink(ctx, tx, newLink{kind: LinkReset, who: user, by: user.UserID})
	}
	return err
}

// directoryUser returns the originator with an email address in the lender's directory, as a user without an
// account. It returns nil when there is none, when the originator was removed, and when the originator
// already has an account under another address or a disabled one, which only an administrator can reopen.
func (s *Service) directoryUser(ctx context.Context, email string) (*access.User, error) {
	o, err := s.inDirectory(ctx, email)
	if err != nil || o == nil {
		return nil, err
	}
	if had, err := s.store.HasOriginator(ctx, string(o.UUID)); had || err != nil {
		return nil, err
	}
	who := originatorUser(*o)
	return &who, nil
}

// originatorUser returns the account that an originator in the lender's directory can have.
func originatorUser(o lead.Originator) access.User {
	return access.User{Actor: access.Actor{
		Email: typedEmail(o.Email), Name: o.Name(), Role: access.Originator, OriginatorUUID: string(o.UUID),
		BrokerID: o.BrokerID, BrokerName: o.BrokerName, Organization: o.Organization,
	}}
}

// inDirectory returns the originator with an email address in the lender's directory; nil when there is none,
// or when the originator was removed. It looks up an unknown address at the lender; when the lender does not
// answer, that is an error, and the caller tries again later.
func (s *Service) inDirectory(ctx context.Context, email string) (*lead.Originator, error) {
	_, err := s.store.OriginatorByEmail(ctx, email)
	if fault.Is(err, fault.NotFound) && s.Directory != nil {
		if err := s.Directory(ctx, email); err != nil {
			return nil, err
		}
	}
	return originatorFor(ctx, s.store.Queries, email)
}

// newLink describes a link to be created.
type newLink struct {
	kind    LinkKind
	who     access.User
	by      string // user id of its creator
	byName  string
	company string
}

// addLink stores a link, audits it and queues its email. It returns the token.
func (s *Service) addLink(ctx context.Context, tx *store.Tx, in newLink) (token string, err error) {
	token, hash := NewToken()
	id := uuid.Must(uuid.NewV7()).String()
	sealed, err := vault.SealJSON(s.vault, vault.InvitationAAD(id), in.who)
	if err != nil {
		return "", err
	}
	rules, now, subjects := in.kind.rules(), s.Now(), s.vault.InvitationIndexes(in.who.Email)
	err = tx.AddInvitation(ctx, store.Invitation{
		ID: id, Kind: string(in.kind), TokenHash: hash, Subject: subjects[0],
		OldSubjects: subjects[1:], UserID: in.who.UserID, Company: in.company, Sealed: sealed,
		CreatedBy: in.by, CreatedAt: store.Millis(now), ExpiresAt: store.Millis(now.Add(rules.lifetime)),
	})
	if err != nil {
		return "", err
	}
	about := "invitation:" + id
	if in.kind == LinkNewEmail {
		about = "user:" + in.who.UserID
	}
	err = tx.Audit(ctx, store.AuditEntry{ActorID: in.by, Company: in.company, Action: rules.created, Object: about,
		Outcome: "done"})
	if err != nil {
		return "", err
	}
	return token, enqueueMail(ctx, s, tx, store.MailMessage, rules.mail(mail.Link{
		To: in.who.Email, Name: in.who.Name, By: in.byName, Address: s.PageURL(rules.page) + "#" + token, Code: token,
		ValidFor: rules.validFor,
	}))
}

// PageURL returns the URL of a page of the portal in a browser, for an email.
func (s *Service) PageURL(page string) string {
	if s.Base == nil {
		return page
	}
	return s.Base.Scheme + "://" + s.Base.Host + page
}

// ResetAccount lets an administrator, or the operator, reset how a user signs in, without knowing their password. Only
// the operator, alone, can reset a manager or an administrator. The link is emailed, and returned for the operator of a
// portal without email. Sessions end now. The user's factors are removed when they use the link, or, with lock, at
// once: then only the link opens the account.
func (s *Service) ResetAccount(ctx context.Context, by access.By, email string, lock bool) (link string, err error) {
	user, err := s.Find(ctx, email)
	if err != nil {
		return "", err
	}
	err = s.store.WriteBy(ctx, by, func(tx *store.Tx) error {
		if user, err = tx.User(ctx, user.UserID); err != nil {
			return err
		}
		if user.Role.Privileged() && !by.IsOperator() {
			return errTakesTwo()
		}
		link, err = s.ResetIn(ctx, tx, by.Actor, user, lock)
		return err
	})
	return link, err
}

// ResetIn is ResetAccount in a transaction of the caller, who has checked that by may do it.
func (s *Service) ResetIn(ctx context.Context, tx *store.Tx, by access.Actor, user access.User,
	lock bool) (link string, err error) {
	if user.Disabled {
		return "", errClosed()
	}
	if err := endAccess(ctx, tx, user.UserID, ""); err != nil {
		return "", err
	}
	if lock {
		if err := s.lockAccount(ctx, tx, user, by.UserID); err != nil {
			return "", err
		}
	}
	token, err := s.addLink(ctx, tx, newLink{kind: LinkAccountReset, who: user, by: by.UserID, company: user.Company()})
	return s.PageURL(LinkAccountReset.rules().page) + "#" + token, err
}

// lockAccount removes everything that the user can sign in with.
func (s *Service) lockAccount(ctx context.Context, tx *store.Tx, user access.User, by string) error {
	return cmp.Or(tx.SetPassword(ctx, user.UserID, ""), removeSecondFactors(ctx, tx, user.UserID),
		tx.Audit(ctx, store.AuditEntry{
			ActorID: by, Company: access.CompanyOf(user.BrokerID, user.Organization), Action: store.ActionUserLock,
			Object: "user:" + user.UserID, Outcome: "done",
		}))
}

// removeSecondFactors removes all factors except the password.
func removeSecondFactors(ctx context.Context, tx *store.Tx, userID string) error {
	_, err := tx.RemoveIdentities(ctx, userID)
	return cmp.Or(err, tx.RemoveCredentials(ctx, userID), tx.DropEmbedLinks(ctx, userID))
}

// checkNotLocked returns an error for an account that only an account reset link can unlock. fault.Conflict.
func checkNotLocked(ctx context.Context, tx *store.Tx, userID string) error {
	hash, err := tx.PasswordHash(ctx, userID)
	if err != nil || hash != "" {
		return err
	}
	factors, err := tx.Credentials(ctx, userID)
	if err != nil || len(factors) > 0 {
		return err
	}
	linked, err := tx.HasIdentity(ctx, userID)
	if err == nil && !linked {
		err = fault.New(fault.Conflict, "This account can only be opened with the link that was emailed.")
	}
	return err
}

func errClosed() error { return fault.New(fault.Conflict, "This account is disabled.") }

// errNoLink is the same error for every link that does not work.
func errNoLink() error {
	return fault.Wrap(fault.Invalid, "This link or code isn’t valid. It may be mistyped, already used or expired. "+
		"Request a new one, or ask the person who invited you.", errors.New("account: no such link"))
}
