package desk

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/store"
)

// Inbox is what a person is told without looking for it.
type Inbox struct {
	d  *Desk
	in store.Seat
}

// Inbox opens it; fault.Denied without the permission. With the desk of another company a
// person no longer reads what they were told behind the wall of the one before.
func (d *Desk) Inbox() (*Inbox, error) {
	if err := d.may(access.UseAccount); err != nil {
		return nil, err
	}
	return &Inbox{d, d.seat()}, nil
}

// Notice is one thing that the person was told. Name is the borrower's while the lead is
// within reach; Reach says whether it is, or whether the draft is still to be sent by them.
type Notice struct {
	store.Notification
	Name  heloc.Name
	Reach bool
}

// InboxPage is one page of an inbox, newest first.
type InboxPage struct {
	Notices []Notice
	Next    string // the key of the next page, empty on the last
	Unread  int    // up to store.UnreadLimit, of the whole inbox
}

// Page reads one page after a key, or the first.
func (i *Inbox) Page(ctx context.Context, after string) (InboxPage, error) {
	var page InboxPage
	if err := i.d.may(access.UseAccount); err != nil {
		return page, err
	}
	found, err := i.d.Store.Notices(ctx, i.in, after)
	if err != nil {
		return page, err
	}
	page.Next = found.Next
	if page.Unread, err = i.d.Store.Unread(ctx, i.in); err != nil {
		return page, err
	}
	near, err := i.near(ctx, found.Notices)
	if err != nil {
		return page, err
	}
	for _, n := range found.Notices {
		name, reach := near[n.App]
		if n.Draft != "" {
			_, err := i.d.Store.Draft(ctx, i.in, n.Draft)
			reach = err == nil && i.d.Actor.Can(access.PrepareDraft)
		}
		page.Notices = append(page.Notices, Notice{n, name, reach})
	}
	return page, nil
}

// near opens the names of those leads that are within the person's reach now.
func (i *Inbox) near(ctx context.Context, all []store.Notification) (map[heloc.AppID]heloc.Name, error) {
	if !i.d.Actor.Can(access.SeeLead) {
		return nil, nil
	}
	var apps []heloc.AppID
	for _, one := range all {
		if one.App != "" {
			apps = append(apps, one.App)
		}
	}
	leads, err := i.d.Store.LeadsAmong(ctx, i.d.Actor.Scope(), apps)
	names := make(map[heloc.AppID]heloc.Name, len(leads))
	for _, l := range leads {
		if names[l.App], err = i.d.name(l); err != nil {
			return nil, err
		}
	}
	return names, err
}

// Unread counts what is unread, up to store.UnreadLimit.
func (i *Inbox) Unread(ctx context.Context) (int, error) {
	if err := i.d.may(access.UseAccount); err != nil {
		return 0, err
	}
	return i.d.Store.Unread(ctx, i.in)
}

// Read marks one notification as read, or all that stood on a page whose newest was upTo.
// What came since stays unread.
func (i *Inbox) Read(ctx context.Context, id, upTo string) error {
	if err := i.d.may(access.UseAccount); err != nil {
		return err
	}
	return i.read(ctx, store.Reading{ID: id, UpTo: upTo})
}

func (i *Inbox) read(ctx context.Context, what store.Reading) error {
	var n int64
	what.At = i.d.Now()
	err := i.d.Store.Write(ctx, func(tx *store.Tx) (err error) {
		n, err = tx.ReadNotices(ctx, i.in, what)
		return err
	})
	if err == nil && n > 0 {
		i.d.Hub.Publish(hub.Event{Inbox: true}, hub.Person(i.d.Actor.UserID))
	}
	return err
}

// told marks what the person was told of a lead as read: they are looking at it.
func (l *Lead) told(ctx context.Context) error {
	i, err := l.d.Inbox()
	if err != nil {
		return err
	}
	unread, err := l.d.Store.UnreadOn(ctx, i.in, store.Reading{App: l.row.App})
	if err != nil || !unread {
		return err
	}
	return i.read(ctx, store.Reading{App: l.row.App})
}

// Unlooked is what came to a lead since this person last looked at it, for its row in a list.
type Unlooked struct {
	Condition bool
	Wire      string // as store.Lead.WireStatus; empty when no transfer has stopped since
}

// unlooked asks only for the few leads to which anything came.
func (d *Desk) unlooked(ctx context.Context, leads []store.Lead) (map[heloc.AppID]Unlooked, error) {
	var apps []heloc.AppID
	for _, l := range leads {
		if l.ConditionAt != 0 || l.WireAt != 0 {
			apps = append(apps, l.App)
		}
	}
	if len(apps) == 0 {
		return nil, nil
	}
	looked, err := d.Store.LookedAt(ctx, d.Actor.UserID, apps)
	if err != nil {
		return nil, err
	}
	fresh := make(map[heloc.AppID]Unlooked, len(apps))
	for _, l := range leads {
		u := Unlooked{Condition: l.ConditionAt > looked[l.App]}
		if l.WireAt > looked[l.App] {
			u.Wire = l.WireStatus
		}
		fresh[l.App] = u
	}
	return fresh, nil
}
