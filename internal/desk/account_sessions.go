package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// SessionInfo is one place where a person is signed in.
type SessionInfo struct {
	access.Session
	CRM string // whose frame it is in; "" for the portal itself
}

// Sessions lists where the person is signed in, the latest in use first. A frame that has
// idled out is no such place, though its row is kept for what was proved in it.
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

// EndSession signs the person out in one place. Where that is a frame, no tab opens in its
// place afterwards.
func (a *Account) EndSession(ctx context.Context, idHash string) error {
	if err := a.may(); err != nil {
		return err
	}
	return a.d.Store.Write(ctx, func(tx *store.Tx) error {
		session, user, err := tx.Session(ctx, idHash)
		if fault.KindOf(err) == fault.NotFound || err == nil && user.UserID != a.d.Actor.UserID {
			return fault.New(fault.NotFound, "That session has ended already.")
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

// EndOtherSessions signs the person out everywhere but here.
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
