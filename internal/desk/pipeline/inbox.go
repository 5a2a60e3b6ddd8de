package pipeline

import (
	"context"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Inbox is the user's notifications.
type Inbox struct{ d core.Desk }

// OpenInbox returns the inbox; fault.Denied without the permission. A user who has moved to another company can no
// longer read notifications from the former one.
func OpenInbox(d core.Desk) (*Inbox, error) { return core.Opened(&Inbox{d}, d.May(access.UseAccount)) }

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
	if err := i.d.May(access.UseAccount); err != nil {
		return page, err
	}
	found, err := i.d.Store.Notices(ctx, i.d.UserScope(), after)
	if err != nil {
		return page, err
	}
	page.Next = found.Next
	if page.Unread, err = i.d.Store.Unread(ctx, i.d.UserScope()); err != nil {
		return page, err
	}
	var apps []heloc.AppID
	for _, n := range found.Notices {
		if n.App != "" {
			apps = append(apps, n.App)
		}
	}
	names, err := i.d.NamesAmong(ctx, apps)
	if err != nil {
		return page, err
	}
	for _, n := range found.Notices {
		name, accessible := names[n.App]
		if n.Draft != "" {
			_, err := i.d.Store.Draft(ctx, i.d.UserScope(), n.Draft)
			accessible = err == nil && i.d.Actor.Can(access.PrepareDraft)
		}
		page.Notices = append(page.Notices, Notice{n, name, accessible})
	}
	return page, nil
}

// HeaderCounts is what the header of a page counts.
type HeaderCounts = store.HeaderCounts

// HeaderCounts counts the user's unread notifications, and for those who see the team, the leads without an originator.
func (i *Inbox) HeaderCounts(ctx context.Context) (HeaderCounts, error) {
	if err := i.d.May(access.UseAccount); err != nil {
		return HeaderCounts{}, err
	}
	company := ""
	if i.d.May(access.SeeTeam) == nil {
		company = i.d.Company()
	}
	return i.d.Store.HeaderCounts(ctx, i.d.UserScope(), company)
}

// MarkRead marks one notification as read, or all on a page whose newest one was upTo. Later ones stay unread.
func (i *Inbox) MarkRead(ctx context.Context, id, upTo string) error {
	if err := i.d.May(access.UseAccount); err != nil {
		return err
	}
	return i.d.MarkRead(ctx, store.NoticeSelection{ID: id, UpTo: upTo})
}
