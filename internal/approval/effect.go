package approval

import (
	"cmp"
	"context"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// outdated returns why a request can no longer be approved, as a sentence; "" if it can. It rechecks all that was
// true when the request was made.
func (s Service) outdated(ctx context.Context, from store.Queries, r Request) (string, error) {
	by, err := from.User(ctx, r.RequestedBy)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return "", err
	}
	if err != nil || by.Disabled || !by.Can(access.ManagePeople) {
		return "The user who made this request is no longer an administrator.", nil
	}
	switch r.Ask.Kind {
	case access.RequestSSOValues:
		if now := s.Accounts.SSOValues(); len(now.Values) == 0 || now.Key() != r.Ask.Values.Key() {
			return "The single sign-on values in the server’s settings have changed or were removed.", nil
		}
		return "", nil
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
	default:
		return fault.New(fault.Internal, "")
	}
}
