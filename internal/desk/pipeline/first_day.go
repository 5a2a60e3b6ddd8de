package pipeline

import (
	"context"
	"slices"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/store"
)

// firstDays is how long a user is new.
const firstDays = 30 * 24 * time.Hour

// FirstDay is what a new originator or manager has done. Everything in it is read from what was stored anyway.
type FirstDay struct {
	store.FirstDay
	Originator bool // the user has licenses
	Invites    bool // the user may invite assistants
}

// Done reports whether nothing is left to do.
func (f FirstDay) Done() bool {
	return (f.Licenses || !f.Originator) && f.SecondFactor && f.Started && (f.Assistant || !f.Invites)
}

// addFirstDay adds what a new user sees where they begin.
func (p *Pipeline) addFirstDay(ctx context.Context, page *ListPage, req ListRequest, extras store.ListExtras) error {
	actor := p.d.Actor
	if !req.Start || !req.Query.InToday() || actor.VouchedByCRM || !actor.Can(access.ActOnLead) ||
		p.d.Now().Sub(store.Instant(extras.CreatedAt)) > firstDays {
		return nil
	}
	if extras.UpdatesSeenAt == extras.CreatedAt { // they have never dismissed any updates
		page.WaitingOwn, page.WaitingFormer = extras.WaitingOwn, extras.WaitingFormer
	}
	if len(page.Rows) > 0 {
		return nil
	}
	read, err := p.d.Store.FirstDay(ctx, p.d.UserScope())
	if err != nil {
		return err
	}
	first := FirstDay{FirstDay: read, Originator: actor.OriginatorUUID != "",
		Invites: actor.Can(access.InvitePeople) && slices.Contains(actor.Role.Invites(), access.Assistant)}
	if first.Invites && !first.Assistant {
		invited, err := p.d.Accounts.Invitations(ctx, p.d.Company())
		if err != nil {
			return err
		}
		first.Assistant = slices.ContainsFunc(invited,
			func(i account.PendingInvitation) bool { return i.User.Role == access.Assistant })
	}
	if !first.Done() {
		page.FirstDay = &first
	}
	return nil
}
