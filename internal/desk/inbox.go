package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// Inbox is the user's notifications.
type Inbox struct {
	d     *Desk
	scope store.UserScope
}

// Inbox returns the inbox; fault.Denied without the permission. A user who has moved to another company can no longer
// read notifications from the former one.
func (d *Desk) Inbox() (*Inbox, error) {
	if err := d.may(access.UseAccount); err != nil {
		return nil, err
	}
	return &Inbox{d, d.userScope()}, nil
}

// Notice is one notification. Name is the borrower's while the user can access the lead. Accessible reports whether
// they can, or whether the draft is still theirs to send.
type Notice struct {
	lead.Notice
	Name       heloc.Name
	Accessible bool
}

// InboxPage is one page of an inbox, newest first.
type InboxPage struct {
	Notices []Notice
	Next    string // the key of the next page, empty on the last
	Unread  int    // up to store.UnreadLimit, of the whole inbox
}

// Page reads the page after a key, or the first one.
func (i *Inbox) Page(ctx context.Context, after string) (InboxPage, error) {
	var page InboxPage
	if err := i.d.may(access.UseAccount); err != nil {
		return page, err
	}
	found, err := i.d.store.Notices(ctx, i.scope, after)
	if err != nil {
		return page, err
	}
	page.Next = found.Next
	if page.Unread, err = i.d.store.Unread(ctx, i.scope); err != nil {
		return page, err
	}
	names, err := i.accessibleNames(ctx, found.Notices)
	if err != nil {
		return page, err
	}
	for _, n := range found.Notices {
		name, accessible := names[n.App]
		if n.Draft != "" {
			_, err := i.d.store.Draft(ctx, i.scope, n.Draft)
			accessible = err == nil && i.d.Actor.Can(access.PrepareDraft)
		}
		page.Notices = append(page.Notices, Notice{n, name, accessible})
	}
	return page, nil
}

// accessibleNames decrypts the names of the leads that the user can access now.
func (i *Inbox) accessibleNames(ctx context.Context, all []lead.Notice) (map[heloc.AppID]heloc.Name, error) {
	if !i.d.Actor.Can(access.SeeLead) {
		return nil, nil
	}
	var apps []heloc.AppID
	for _, one := range all {
		if one.App != "" {
			apps = append(apps, one.App)
		}
	}
	leads, err := i.d.store.LeadsAmong(ctx, i.d.Actor.Scope(), apps)
	names := make(map[heloc.AppID]heloc.Name, len(leads))
	for _, l := range leads {
		if names[l.App], err = i.d.borrowerName(l.App, l.Borrower); err != nil {
			return nil, err
		}
	}
	return names, err
}

// Unread counts unread notifications, up to store.UnreadLimit.
func (i *Inbox) Unread(ctx context.Context) (int, error) {
	if err := i.d.may(access.UseAccount); err != nil {
		return 0, err
	}
	return i.d.store.Unread(ctx, i.scope)
}

// MarkRead marks one notification as read, or all on a page whose newest one was upTo. Later ones stay unread.
func (i *Inbox) MarkRead(ctx context.Context, id, upTo string) error {
	if err := i.d.may(access.UseAccount); err != nil {
		return err
	}
	return i.markRead(ctx, store.NoticeSelection{ID: id, UpTo: upTo})
}

func (i *Inbox) markRead(ctx context.Context, what store.NoticeSelection) error {
	var n int64
	what.At = i.d.now()
	err := i.d.store.Write(ctx, func(tx *store.Tx) (err error) {
		n, err = tx.MarkNoticesRead(ctx, i.scope, what)
		return err
	})
	if err == nil && n > 0 {
		i.d.hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(i.d.Actor.UserID))
	}
	return err
}

// markNoticesRead marks the user's notifications about a lead as read, up to when it was opened, because they are looking at it.
func (l *Lead) markNoticesRead(ctx context.Context) error {
	i, err := l.d.Inbox()
	if err != nil {
		return err
	}
	unread, err := l.d.store.HasUnread(ctx, i.scope, store.NoticeSelection{App: l.row.App})
	if err != nil || !unread {
		return err
	}
	return i.markRead(ctx, store.NoticeSelection{App: l.row.App, Until: l.readAt})
}

// Unseen is what happened to a lead since this user last viewed it, for its row in a list.
type Unseen struct {
	Condition bool
	Wire      string // as store.Lead.WireStatus; empty when no wire transfer has failed since
}

// unseen queries only the few leads on which anything happened.
func (d *Desk) unseen(ctx context.Context, leads []lead.Row) (map[heloc.AppID]Unseen, error) {
	var apps []heloc.AppID
	for _, l := range leads {
		if l.ConditionAt != 0 || l.WireAt != 0 {
			apps = append(apps, l.App)
		}
	}
	if len(apps) == 0 {
		return nil, nil
	}
	viewedAt, err := d.store.ViewedAt(ctx, d.Actor.UserID, apps)
	if err != nil {
		return nil, err
	}
	fresh := make(map[heloc.AppID]Unseen, len(apps))
	for _, l := range leads {
		u := Unseen{Condition: l.ConditionAt > viewedAt[l.App]}
		if l.WireAt > viewedAt[l.App] {
			u.Wire = l.WireStatus
		}
		fresh[l.App] = u
	}
	return fresh, nil
}
