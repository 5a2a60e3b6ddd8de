package desk

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// Departed is a former colleague: a user or originator who has left the company according to the lender's directory,
// whose account was closed, or whose role can no longer open drafts. It includes the work that waits for a colleague.
type Departed struct {
	Key         string // for URLs: the id of the account, or of the originator if there is no account
	Name        string
	Leads       int
	Drafts      int
	StillMember bool // still in the company, but with a role that can no longer open drafts

	user       access.User // zero without an account
	originator heloc.OriginatorID
}

// Departed lists the departed users and the colleagues who can take over their work.
func (t *Team) Departed(ctx context.Context) ([]Departed, []Assignee, error) {
	if err := t.d.may(access.SeeTeam); err != nil {
		return nil, nil, err
	}
	users, err := t.d.store.Users(ctx)
	if err != nil {
		return nil, nil, err
	}
	departed, err := t.departed(ctx, users)
	if err != nil || len(departed) == 0 {
		return nil, nil, err
	}
	candidates, err := t.d.assignees(ctx, users)
	return departed, candidates, err
}

func (t *Team) departed(ctx context.Context, users []access.User) ([]Departed, error) {
	company := t.d.company()
	leads, err := t.d.store.DepartedLeadCounts(ctx, company)
	if err != nil {
		return nil, err
	}
	var all []Departed
	for _, work := range leads {
		one := Departed{Key: string(work.Originator), Leads: work.Count, originator: work.Originator}
		if at := slices.IndexFunc(users, func(u access.User) bool { return u.OriginatorUUID == string(work.Originator) }); at >= 0 {
			one.Key, one.Name, one.user = users[at].UserID, users[at].Name, users[at]
		} else if o, err := t.d.store.Originator(ctx, work.Originator); err == nil { // otherwise the name is unknown here
			one.Name = o.Name()
		}
		all = append(all, one)
	}
	drafts, err := t.d.store.DraftCounts(ctx, company)
	if err != nil {
		return nil, err
	}
	for _, work := range drafts {
		at := slices.IndexFunc(users, func(u access.User) bool { return u.UserID == work.UserID })
		if at < 0 || !users[at].Disabled && users[at].Can(access.PrepareDraft) && store.UserScopeOf(users[at].Actor).Company == company {
			continue // the user is still here and can open the drafts
		}
		known := slices.IndexFunc(all, func(l Departed) bool { return l.Key == work.UserID })
		if known < 0 {
			known, all = len(all), append(all, Departed{Key: work.UserID, Name: users[at].Name, StillMember: !users[at].Disabled && store.UserScopeOf(users[at].Actor).Company == company, user: users[at]})
		}
		all[known].Drafts = work.Count
	}
	return all, nil
}

// assignees lists the colleagues in the directory, each with the account that can take drafts.
func (d *Desk) assignees(ctx context.Context, users []access.User) ([]Assignee, error) {
	all, err := d.colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization)
	var colleagues []Assignee
	for _, o := range all {
		if o.RemovedAt != 0 {
			continue
		}
		if t, can := assigneeOf(o, users); can {
			colleagues = append(colleagues, t)
		}
	}
	return colleagues, err
}

// ReassignDeparted gives the work of a departed user to a colleague. It transfers the drafts immediately. It starts a
// bulk reassignment of the leads in this user's name, because the lender decides each one; their scheduled work moves
// with them. It returns the id of the run, empty when there were no leads.
func (t *Team) ReassignDeparted(ctx context.Context, key, to string) (run string, err error) {
	departed, candidates, err := t.Departed(ctx)
	if err != nil {
		return "", err
	}
	bulk, err := t.d.BulkReassignments()
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(departed, func(l Departed) bool { return l.Key == key && key != "" })
	if at < 0 {
		return "", fault.New(fault.NotFound, "Nothing is left to reassign for this person.")
	}
	who := departed[at]
	found := slices.IndexFunc(candidates, func(o Assignee) bool { return string(o.UUID) == to && to != "" })
	switch {
	case found < 0:
		return "", assigneeError("Choose an originator")
	case who.Drafts > 0 && candidates[found].UserID == "":
		return "", assigneeError("Choose an originator who has an account, because there are drafts to transfer")
	}
	leads, err := t.d.store.DepartedLeads(ctx, t.d.company(), who.originator)
	if err != nil {
		return "", err
	}
	if err := t.transferDrafts(ctx, who, candidates[found].UserID); err != nil {
		return "", err
	}
	for some := range slices.Chunk(leads, MaxBulkLeads) {
		m := BulkReassignRequest{FormKey: bulk.NewFormKey(), Assignees: []string{to}, Note: "The previous originator is no longer available."}
		for _, l := range some {
			m.Apps = append(m.Apps, string(l.App))
		}
		if run, err = bulk.Begin(ctx, m); err != nil {
			return "", err
		}
	}
	return run, nil
}

func (t *Team) transferDrafts(ctx context.Context, who Departed, to string) error {
	if who.Drafts == 0 {
		return nil
	}
	err := t.d.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := t.d.reauthorize(ctx, tx, access.SeeTeam); err != nil {
			return err
		}
		return t.d.transferAllDrafts(ctx, tx, store.UserScope{UserID: who.user.UserID, Company: t.d.company()}, draftTransferParties{t.d.Actor, to})
	})
	if err == nil {
		t.d.hub.Publish(pubsub.Event{Inbox: true}, pubsub.Person(to))
	}
	return err
}
