package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/hub"
	"hearthline/internal/store"
)

// Left is somebody who has gone from the company, by the lender's directory or because their
// account was closed, or whose role opens no drafts any more, and what waits here for a
// colleague.
type Left struct {
	Key    string // in addresses: the id of their account, or where they have none, of their originator
	Name   string
	Leads  int
	Drafts int
	Here   bool // they have not gone: their role opens no drafts any more

	user       access.User // zero where they have no account
	originator heloc.OriginatorID
}

// Left lists them, with those who can take over.
func (t *Team) Left(ctx context.Context) ([]Left, []Taker, error) {
	if err := t.d.may(access.SeeTeam); err != nil {
		return nil, nil, err
	}
	users, err := t.d.Store.Users(ctx)
	if err != nil {
		return nil, nil, err
	}
	gone, err := t.leavers(ctx, users)
	if err != nil || len(gone) == 0 {
		return nil, nil, err
	}
	takers, err := t.d.takers(ctx, users)
	return gone, takers, err
}

func (t *Team) leavers(ctx context.Context, users []access.User) ([]Left, error) {
	company := t.d.company()
	leads, err := t.d.Store.LeftLeads(ctx, company)
	if err != nil {
		return nil, err
	}
	var gone []Left
	for _, work := range leads {
		one := Left{Key: string(work.Originator), Leads: work.N, originator: work.Originator}
		if at := slices.IndexFunc(users, func(u access.User) bool { return u.OriginatorUUID == string(work.Originator) }); at >= 0 {
			one.Key, one.Name, one.user = users[at].UserID, users[at].Name, users[at]
		} else if o, err := t.d.Store.Originator(ctx, work.Originator); err == nil { // else they have no name here
			one.Name = o.Name()
		}
		gone = append(gone, one)
	}
	drafts, err := t.d.Store.DraftsAt(ctx, company)
	if err != nil {
		return nil, err
	}
	for _, work := range drafts {
		at := slices.IndexFunc(users, func(u access.User) bool { return u.UserID == work.UserID })
		if at < 0 || !users[at].Disabled && users[at].Can(access.PrepareDraft) && store.SeatOf(users[at].Actor).Company == company {
			continue // they are here, and can open them
		}
		known := slices.IndexFunc(gone, func(l Left) bool { return l.Key == work.UserID })
		if known < 0 {
			known, gone = len(gone), append(gone, Left{Key: work.UserID, Name: users[at].Name, Here: !users[at].Disabled && store.SeatOf(users[at].Actor).Company == company, user: users[at]})
		}
		gone[known].Drafts = work.N
	}
	return gone, nil
}

// takers are the colleagues of the directory, each with the account that can take drafts.
func (d *Desk) takers(ctx context.Context, users []access.User) ([]Taker, error) {
	all, err := d.colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
	var kept []Taker
	for _, o := range all {
		if o.GoneAt != 0 {
			continue
		}
		t := Taker{Originator: o}
		for _, u := range users {
			if !u.Disabled && u.OriginatorUUID == string(o.UUID) && u.Can(access.StartInquiry) {
				t.UserID = u.UserID
			}
		}
		kept = append(kept, t)
	}
	return kept, err
}

// GiveOn gives what somebody left to a colleague: the drafts now; the leads by a run of
// hand-overs in this person's name, because the lender decides each, and with them what is
// scheduled for them. It answers the run; empty when there were no leads.
func (t *Team) GiveOn(ctx context.Context, key, to string) (run string, err error) {
	gone, takers, err := t.Left(ctx)
	if err != nil {
		return "", err
	}
	hand, err := t.d.HandOvers()
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(gone, func(l Left) bool { return l.Key == key && key != "" })
	if at < 0 {
		return "", fault.New(fault.NotFound, "Nothing of theirs waits here any more.")
	}
	who := gone[at]
	found := slices.IndexFunc(takers, func(o Taker) bool { return string(o.UUID) == to && to != "" })
	switch {
	case found < 0:
		return "", wrongTaker("Choose a colleague of the same company")
	case who.Drafts > 0 && takers[found].UserID == "":
		return "", wrongTaker("Choose somebody with an account here: there are drafts to take")
	}
	leads, err := t.d.Store.LeadsLeftBy(ctx, t.d.company(), who.originator)
	if err != nil {
		return "", err
	}
	if err := t.giveDrafts(ctx, who, takers[found].UserID); err != nil {
		return "", err
	}
	for some := range slices.Chunk(leads, manyLeads) {
		m := Many{Key: hand.Key(), To: to, Line: "Their originator has left."}
		for _, l := range some {
			m.Apps = append(m.Apps, string(l.App))
		}
		if run, err = hand.Begin(ctx, m); err != nil {
			return "", err
		}
	}
	return run, nil
}

func (t *Team) giveDrafts(ctx context.Context, who Left, to string) error {
	if who.Drafts == 0 {
		return nil
	}
	err := t.d.Store.Write(ctx, func(tx *store.Tx) error {
		if _, err := t.d.still(ctx, tx, access.SeeTeam); err != nil {
			return err
		}
		return t.d.giveAll(ctx, tx, store.Seat{UserID: who.user.UserID, Company: t.d.company()}, giving{t.d.Actor, to})
	})
	if err == nil {
		t.d.Hub.Publish(hub.Event{Inbox: true}, hub.Person(to))
	}
	return err
}
