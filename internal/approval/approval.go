// Package approval makes a privileged grant require two people. An administrator requests it with a reason, or a
// manager requests another manager for their own company, and an administrator other than the requester approves or
// declines it within 72 hours. If no other administrator may approve it, the operator does so on the server's command
// line.
//
//	approval.go  creating, listing and deciding requests; what an approved one does, and why one can't be approved
//	announce.go  who is notified, and the wording
//
// Which changes require two people is decided where they are made: package desk/admin creates the request, and package
// account rejects direct changes.
package approval

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/mail"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// Lifetime is how long a request waits for a decision.
const Lifetime = 72 * time.Hour

// MaxReason is the longest reason, in characters.
const MaxReason = 500

// Service creates and decides requests.
type Service struct {
	Store    *store.Store
	Vault    *vault.Vault
	Accounts *account.Service
	Embeds   *embed.Service
	Now      store.Clock
}

// Ask is what is requested, and why. It is stored encrypted.
type Ask struct {
	Kind    access.RequestKind
	Subject access.User       // the account as it was then, or the user to invite; zero if it is about no user
	Role    access.Role       // the new one, for RequestRole
	Lock    bool              // for RequestReset: the current sign-in methods stop working at once
	Values  account.SSOValues // for RequestSSOValues
	SignIn  embed.SignIn      // for RequestCRMSignIn
	Reason  string
}

// Request is a stored request.
type Request struct {
	store.GrantRequest
	Ask Ask
}

// Expired reports whether nobody decided in time.
func (r Request) Expired(now time.Time) bool {
	return r.State == access.RequestWaiting && r.ExpiresAt <= store.Millis(now)
}

// Waits reports whether the request can still be decided.
func (r Request) Waits(now time.Time) bool {
	return r.State == access.RequestWaiting && !r.Expired(now)
}

// Create requests a change. A field error names the control reason, the approver of a CRM's sign-in, or those of
// account.CheckInvitee.
func (s Service) Create(ctx context.Context, by access.By, ask Ask) error {
	ask.Reason = strings.TrimSpace(ask.Reason)
	if ask.Kind == access.RequestInvite {
		who, err := s.Accounts.CheckInvitee(ctx, ask.Subject)
		if err != nil {
			return err
		}
		ask.Subject = who
	}
	return s.Store.WriteBy(ctx, by, func(tx *store.Tx) error {
		if id := ask.Subject.UserID; id != "" {
			user, err := tx.User(ctx, id)
			if err != nil {
				return err
			}
			ask.Subject = user
		}
		var wrong []fault.Field
		if ask.Kind == access.RequestCRMSignIn {
			var err error
			ask.SignIn, err = s.Embeds.SignIn(ctx, tx, ask.SignIn.Client, ask.SignIn.Approver)
			if wrong = fault.FieldsOf(err); err != nil && len(wrong) == 0 {
				return err
			}
		}
		row := store.GrantRequest{ID: uuid.Must(uuid.NewV7()).String(), Kind: ask.Kind, RequestedBy: by.UserID,
			CreatedAt: store.Millis(s.Now()), ExpiresAt: store.Millis(s.Now().Add(Lifetime)), State: access.RequestWaiting}
		if why, err := s.outdated(ctx, tx.Queries, Request{row, ask}); err != nil || why != "" {
			return cmp.Or(err, error(fault.New(fault.Conflict, why)))
		}
		subjects := s.subjects(ask)
		if waits, err := tx.HasGrantRequest(ctx, ask.Kind, subjects, s.Now()); err != nil || waits {
			return cmp.Or(err, error(fault.New(fault.Conflict, "The same request is already pending.")))
		}
		if wrong = append(wrong, ReasonErrors(ask.Reason)...); len(wrong) > 0 {
			return fault.InvalidFields(wrong...)
		}
		var err error
		if row.Sealed, err = vault.SealJSON(s.Vault, vault.GrantRequestAAD(row.ID), ask); err != nil {
			return err
		}
		row.Subject = subjects[0]
		return cmp.Or(tx.AddGrantRequest(ctx, row), s.audit(ctx, tx, by, row, store.ActionRequest),
			s.announce(ctx, tx, Request{row, ask}, by))
	})
}

// ReasonErrors returns what is wrong with a reason; nil if it is valid.
func ReasonErrors(reason string) []fault.Field {
	if n := utf8.RuneCountInString(strings.TrimSpace(reason)); n == 0 || n > MaxReason {
		return []fault.Field{{Name: "reason", Message: "Enter a reason of up to 500 characters for the administrators"}}
	}
	return nil
}

// subjects identify what a request is about, one for each key of the vault.
func (s Service) subjects(ask Ask) []string {
	switch {
	case ask.Kind == access.RequestSSOValues:
		return []string{ask.Values.Key()}
	case ask.Kind == access.RequestCRMSignIn:
		return []string{ask.SignIn.Client}
	case ask.Subject.UserID != "":
		return []string{ask.Subject.UserID}
	default:
		return s.Vault.InvitationIndexes(ask.Subject.Email)
	}
}

func (s Service) audit(ctx context.Context, tx *store.Tx, by access.By, r store.GrantRequest,
	action store.AuditAction) error {
	return tx.Audit(ctx, store.AuditEntry{ActorID: by.UserID, Action: action, Object: "request:" + r.ID, Outcome: "done",
		Detail: "request:" + string(r.Kind)})
}

func (s Service) open(row store.GrantRequest) (Request, error) {
	ask, err := vault.UnsealJSON[Ask](s.Vault, vault.GrantRequestAAD(row.ID), row.Sealed)
	return Request{row, ask}, err
}

func (s Service) find(ctx context.Context, from store.Queries, id string) (Request, error) {
	row, err := from.GrantRequest(ctx, id)
	if fault.Is(err, fault.NotFound) {
		return Request{}, fault.Wrap(fault.NotFound, "This request doesn’t exist.", err)
	}
	if err != nil {
		return Request{}, err
	}
	return s.open(row)
}

// Listed is a request as the page and the command line show it.
type Listed struct {
	Request
	ByManager bool          // a manager made it, for their own company
	Outdated  string        // why it can no longer be approved; "" if it can or is no longer pending
	Deciders  []access.User // who may approve it
	// Namesakes are the emails of the other accounts with the name of the user whom a pending request is about.
	Namesakes []string
}

// List returns the newest requests, pending ones first.
func (s Service) List(ctx context.Context) ([]Listed, error) {
	rows, err := s.Store.GrantRequests(ctx, s.Now())
	if err != nil {
		return nil, err
	}
	all := make([]Listed, len(rows))
	for i, row := range rows {
		if all[i].Request, err = s.open(row); err != nil {
			return nil, err
		}
		if !all[i].Waits(s.Now()) {
			continue
		}
		by, err := s.Store.User(ctx, row.RequestedBy)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		all[i].ByManager = err == nil && by.Role == access.Manager
		if all[i].Deciders, err = deciders(ctx, s.Store.Queries, all[i].Request); err != nil {
			return nil, err
		}
		if all[i].Outdated, err = s.outdated(ctx, s.Store.Queries, all[i].Request); err != nil {
			return nil, err
		}
		if all[i].Namesakes, err = s.namesakes(ctx, all[i].Ask.Subject); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s Service) namesakes(ctx context.Context, subject access.User) (emails []string, err error) {
	if subject.Name == "" {
		return nil, nil
	}
	users, err := s.Store.Users(ctx)
	for _, u := range users {
		if u.UserID != subject.UserID && strings.EqualFold(mail.OneLine(u.Name), mail.OneLine(subject.Name)) {
			emails = append(emails, u.Email)
		}
	}
	return emails, err
}

// deciders lists the administrators who may approve a request: neither the one who made it nor the user it is about.
func deciders(ctx context.Context, from store.Queries, r Request) ([]access.User, error) {
	all, err := from.Administrators(ctx)
	return slices.DeleteFunc(all, func(u access.User) bool {
		return u.UserID == r.RequestedBy || u.UserID == r.Ask.Subject.UserID
	}), err
}

// mayApprove returns why somebody may not approve a request; nil if they may. The operator may if nobody else can.
func mayApprove(ctx context.Context, from store.Queries, by access.By, r Request) error {
	others, err := deciders(ctx, from, r)
	switch {
	case err != nil:
		return err
	case by.IsOperator() && len(others) > 0:
		return fault.New(fault.Denied, "Another administrator can approve this: "+names(others)+". Nothing was changed.")
	case by.IsOperator() || slices.ContainsFunc(others, func(u access.User) bool { return u.UserID == by.UserID }):
		return nil
	case by.UserID == r.RequestedBy:
		return fault.New(fault.Denied, "You made this request, so another administrator decides. Nothing was changed.")
	default:
		return fault.New(fault.Denied, "This request is about you, so another administrator decides. Nothing was changed.")
	}
}

// Approve approves a request, and makes the change in the same transaction. fault.Denied for the one who made it and
// the one it is about, fault.Conflict when it no longer waits or can no longer be approved.
func (s Service) Approve(ctx context.Context, by access.By, id string) error {
	r, err := s.find(ctx, s.Store.Queries, id)
	if err != nil {
		return err
	}
	if r.Waits(s.Now()) && r.Ask.Kind == access.RequestInvite {
		// This may query the lender, so it is done before the transaction.
		if r.Ask.Subject, err = s.Accounts.CheckInvitee(ctx, r.Ask.Subject); fault.Is(err, fault.Invalid) {
			return fault.Wrap(fault.Conflict, "This user can no longer be invited: an account or the lender’s directory has "+
				"changed. Nothing was changed.", err)
		}
		if err != nil {
			return err
		}
	}
	return s.decide(ctx, by, id, access.RequestApproved, func(tx *store.Tx, now Request) error {
		if err := mayApprove(ctx, tx.Queries, by, now); err != nil {
			return err
		}
		why, err := s.outdated(ctx, tx.Queries, now)
		if err != nil || why != "" {
			return cmp.Or(err, error(fault.New(fault.Conflict, why+" Nothing was changed.")))
		}
		now.Ask.Subject.Actor = cmp.Or(r.Ask.Subject.Actor, now.Ask.Subject.Actor)
		return s.apply(ctx, tx, by.Actor, now)
	})
}

// Decline declines somebody else's request.
func (s Service) Decline(ctx context.Context, by access.By, id string) error {
	return s.decide(ctx, by, id, access.RequestDeclined, func(_ *store.Tx, r Request) error {
		if by.UserID == r.RequestedBy {
			return fault.New(fault.Denied, "You made this request. You can withdraw it.")
		}
		return nil
	})
}

// Withdraw withdraws the user's own request.
func (s Service) Withdraw(ctx context.Context, by access.By, id string) error {
	return s.decide(ctx, by, id, access.RequestWithdrawn, func(_ *store.Tx, r Request) error {
		if by.UserID != r.RequestedBy {
			return fault.New(fault.Denied, "Only the person who made a request can withdraw it. You can decline it.")
		}
		return nil
	})
}

// decide settles a request in the same transaction as its effect. effect first checks whether by may decide this way.
func (s Service) decide(ctx context.Context, by access.By, id string, state access.RequestState,
	effect func(tx *store.Tx, r Request) error) error {
	actions := map[access.RequestState]store.AuditAction{access.RequestApproved: store.ActionRequestApprove,
		access.RequestDeclined: store.ActionRequestDecline, access.RequestWithdrawn: store.ActionRequestWithdraw}
	return s.Store.WriteBy(ctx, by, func(tx *store.Tx) error {
		r, err := s.find(ctx, tx.Queries, id)
		if err != nil {
			return err
		}
		if waits, err := tx.DecideGrantRequest(ctx, id, state, by.UserID, s.Now()); err != nil || !waits {
			return cmp.Or(err, error(fault.New(fault.Conflict,
				"This request was already decided or withdrawn, or it expired. Nothing was changed.")))
		}
		// The decision precedes its effect, in the audit log and in the notifications.
		r.State = state
		if err := s.audit(ctx, tx, by, r.GrantRequest, actions[state]); err != nil {
			return err
		}
		return cmp.Or(s.announce(ctx, tx, r, by), effect(tx, r))
	})
}

// outdated returns why a request can no longer be approved, as a sentence; "" if it can. It rechecks all that was
// true when the request was made.
func (s Service) outdated(ctx context.Context, from store.Queries, r Request) (string, error) {
	by, err := from.User(ctx, r.RequestedBy)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return "", err
	}
	if err != nil || by.Disabled || !mayRequest(by, r.Ask) {
		return "The user who made this request can no longer make it.", nil
	}
	switch r.Ask.Kind {
	case access.RequestSSOValues:
		if now := s.Accounts.SSOValues(); len(now.Values) == 0 || now.Key() != r.Ask.Values.Key() {
			return "The single sign-on values in the server’s settings have changed or were removed.", nil
		}
		return "", nil
	case access.RequestCRMSignIn:
		return s.Embeds.SignInOutdated(ctx, from, r.Ask.SignIn)
	case access.RequestInvite:
		_, _, err := from.UserByEmail(ctx, r.Ask.Subject.Email)
		if fault.Is(err, fault.NotFound) {
			return "", nil
		}
		return "An account with this email already exists.", err
	default:
		return s.accountOutdated(ctx, from, r.Ask)
	}
}

// mayRequest reports whether a user may request a change: an administrator any, and a manager another manager for their
// company.
func mayRequest(by access.User, ask Ask) bool {
	return by.Can(access.ManagePeople) || by.Can(access.InvitePeople) && ask.Kind == access.RequestInvite &&
		ask.Subject.Role == access.Manager && ask.Subject.Company() == by.Company()
}

func (s Service) accountOutdated(ctx context.Context, from store.Queries, ask Ask) (string, error) {
	was := ask.Subject
	now, err := from.User(ctx, was.UserID)
	if err != nil {
		return "", err
	}
	switch {
	case now.Email != was.Email || now.Role != was.Role || now.Company() != was.Company() ||
		now.OriginatorUUID != was.OriginatorUUID || now.Disabled != was.Disabled:
		return "The account has changed since this was requested.", nil
	case now.Disabled != (ask.Kind == access.RequestReopen):
		return map[bool]string{true: "The account is disabled.", false: "The account is active."}[now.Disabled], nil
	case ask.Kind == access.RequestReopen && now.SessionEpoch != was.SessionEpoch:
		return "The account was reopened and disabled again after this was requested.", nil
	case ask.Kind == access.RequestRole && !now.Role.Raises(ask.Role):
		return "The account already has this role.", nil
	case ask.Kind == access.RequestLinkSSO:
		linked, err := from.HasIdentity(ctx, now.UserID)
		switch {
		case err != nil:
			return "", err
		case s.Accounts.SSOName() == "":
			return "Single sign-on isn’t set up.", nil
		case linked:
			return "The account is already linked to single sign-on.", nil
		}
	}
	return "", nil
}

// apply makes the change of an approved request. Everything it writes is audited as done by the approver.
func (s Service) apply(ctx context.Context, tx *store.Tx, by access.Actor, r Request) error {
	who := r.Ask.Subject
	switch r.Ask.Kind {
	case access.RequestInvite:
		requester, err := tx.User(ctx, r.RequestedBy)
		if err != nil {
			return err
		}
		return cmp.Or(s.tellCompany(ctx, tx, r, who.Role, by),
			s.Accounts.SendInvitation(ctx, tx, requester.Actor, who))
	case access.RequestRole:
		if err := s.tellCompany(ctx, tx, r, r.Ask.Role, by); err != nil {
			return err
		}
		if r.Ask.Role.Privileged() {
			// The email alone may have linked the account to single sign-on, which is not enough for this role.
			if _, err := tx.RemoveIdentities(ctx, who.UserID); err != nil {
				return err
			}
		}
		return tx.ChangeRole(ctx, by, who.UserID, r.Ask.Role)
	case access.RequestReset:
		_, err := s.Accounts.ResetIn(ctx, tx, by, who, r.Ask.Lock)
		return err
	case access.RequestReopen:
		return tx.ReopenUser(ctx, by, who.UserID)
	case access.RequestLinkSSO:
		return tx.Audit(ctx, store.AuditEntry{ActorID: by.UserID, Action: store.ActionSSOPermit,
			Object: "user:" + who.UserID, Outcome: "done"})
	case access.RequestSSOValues:
		return tx.Audit(ctx, store.AuditEntry{ActorID: by.UserID, Action: store.ActionSSOValues,
			Object: "request:" + r.ID, Outcome: "done"})
	case access.RequestCRMSignIn:
		return s.Embeds.AttestIn(ctx, tx, by, r.Ask.SignIn)
	default:
		return fault.New(fault.Internal, "")
	}
}
