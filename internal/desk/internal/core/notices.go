package core

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// MarkRead marks the user's notifications that a selection matches as read.
func (d Desk) MarkRead(ctx context.Context, what store.NoticeSelection) error {
	what.At = d.Now()
	return d.Store.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.MarkNoticesRead(ctx, d.UserScope(), what)
		return err
	})
}

// MarkNoticesRead calls MarkRead when the user opens what the notifications are about, if there are unread ones.
func (d Desk) MarkNoticesRead(ctx context.Context, what store.NoticeSelection) error {
	if err := d.May(access.UseAccount); err != nil {
		return err
	}
	unread, err := d.Store.HasUnread(ctx, d.UserScope(), store.NoticeSelection{App: what.App, Draft: what.Draft})
	if err != nil || !unread {
		return err
	}
	return d.MarkRead(ctx, what)
}

// NotifyAll sends the same notification to several users.
func NotifyAll(ctx context.Context, tx *store.Tx, people []string, n lead.Notice) error {
	for _, n.UserID = range people {
		if _, err := tx.Notify(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// NotifyManagers notifies the managers of the notice's company; nobody if it has none.
func NotifyManagers(ctx context.Context, tx *store.Tx, n lead.Notice) error {
	responsible, err := tx.ResponsibleManagers(ctx, n.Company)
	if err != nil {
		return err
	}
	var managers []string
	for _, u := range responsible {
		if u.Role == access.Manager {
			managers = append(managers, u.UserID)
		}
	}
	return NotifyAll(ctx, tx, managers, n)
}
