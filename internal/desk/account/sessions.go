package account

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// SessionInfo is one session of a user.
type SessionInfo struct {
	access.Session
	CRM string // the CRM whose frame the session is in; "" for the portal itself
}

// Sessions lists the user's sessions, the most recently used first. It leaves out sessions in a frame that have idled
// out, although their rows are still stored for what was proved in them.
func (a *Account) Sessions(ctx context.Context) ([]SessionInfo, error) {
	if err := a.may(); err != nil {
		return nil, err
	}
	rows, err := a.d.Store.SessionsOf(ctx, a.d.Actor.UserID, a.d.Now())
	if err != nil {
		return nil, err
	}
	var all []SessionInfo
	for _, row := range rows {
		one := SessionInfo{Session: row}
		if row.Client != "" {
			if !a.d.Now().Before(embed.SessionEnds(row)) {
				continue
			}
			client, err := a.d.Store.EmbedClient(ctx, row.Client)
			if err != nil {
				return nil, err
			}
			one.CRM = client.Name
		}
		all = append(all, one)
	}
	return all, nil
}

// EndSession ends one of the user's sessions. If the session is in a frame, EndSession also drops the user's launch
// codes for that CRM, so that no tab can open afterwards.
func (a *Account) EndSession(ctx context.Context, idHash string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error {
		session, user, err := tx.Session(ctx, idHash)
		if fault.Is(err, fault.NotFound) || err == nil && user.UserID != a.d.Actor.UserID {
			return fault.New(fault.NotFound, "That session has already ended.")
		}
		if err != nil {
			return err
		}
		if _, err := tx.EndSessionOf(ctx, a.d.Actor.UserID, idHash); err != nil {
			return err
		}
		if err := tx.RaiseSessionEpoch(ctx, a.d.Actor.UserID); err != nil {
			return err
		}
		if session.Client != "" {
			if err := tx.DropLaunchCodes(ctx, a.d.Actor.UserID, session.Client); err != nil {
				return err
			}
		}
		return tx.AuditOwn(ctx, a.d.Actor.UserID, store.ActionEndSession, session.Client)
	})
}

// EndOtherSessions ends all of the user's sessions except the current one.
func (a *Account) EndOtherSessions(ctx context.Context, here string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.EndSessionsOf(ctx, a.d.Actor.UserID, here); err != nil {
			return err
		}
		if err := tx.RaiseSessionEpoch(ctx, a.d.Actor.UserID); err != nil {
			return err
		}
		return tx.AuditOwn(ctx, a.d.Actor.UserID, store.ActionEndOthers, "")
	})
}
