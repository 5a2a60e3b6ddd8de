package reassign

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
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

// Departures is the work that former colleagues have left, for the managers of the company.
type Departures struct{ d core.Desk }

// OpenDepartures returns the handle; fault.Denied without the permission.
func OpenDepartures(d core.Desk) (*Departures, error) {
	return core.Opened(&Departures{d}, d.May(access.SeeTeam))
}

// List lists the departed users and the colleagues who can take over their work.
func (dep *Departures) List(ctx context.Context) ([]Departed, []lead.Candidate, error) {
	if err := dep.d.May(access.SeeTeam); err != nil {
		return nil, nil, err
	}
	users, err := dep.d.Store.Users(ctx)
	if err != nil {
		return nil, nil, err
	}
	departed, err := dep.departed(ctx, users)
	if err != nil || len(departed) == 0 {
		return nil, nil, err
	}
	assignees, err := dep.d.AssigneesAmong(ctx, dep.d.Actor, "", users)
	if err != nil {
		return nil, nil, err
	}
	facts, err := dep.d.CandidateFacts(ctx)
	candidates := make([]lead.Candidate, len(assignees))
	for i, a := range assignees {
		candidates[i] = facts.Candidate(a.Originator)
		candidates[i].UserID = a.UserID
	}
	return departed, lead.SortCandidates(candidates), err
}

func (dep *Departures) departed(ctx context.Context, users []access.User) ([]Departed, error) {
	company := dep.d.Company()
	leads, err := dep.d.Store.DepartedLeadCounts(ctx, company)
	if err != nil {
		return nil, err
	}
	var all []Departed
	for _, work := range leads {
		one := Departed{Key: string(work.Originator), Leads: work.Count, originator: work.Originator}
		at := slices.IndexFunc(users, func(u access.User) bool { return u.OriginatorUUID == string(work.Originator) })
		if at >= 0 {
			one.Key, one.Name, one.user = users[at].UserID, users[at].Name, users[at]
		} else if o, err := dep.d.Store.Originator(ctx, work.Originator); err == nil { // otherwise the name is unknown here
			one.Name = o.Name()
		}
		all = append(all, one)
	}
	drafts, err := dep.d.Store.DraftCounts(ctx, company)
	if err != nil {
		return nil, err
	}
	for _, work := range drafts {
		at := slices.IndexFunc(users, func(u access.User) bool { return u.UserID == work.UserID })
		if at < 0 || !users[at].Disabled && users[at].Can(access.PrepareDraft) && users[at].Company() == company {
			continue // the user is still here and can open the drafts
		}
		known := slices.IndexFunc(all, func(l Departed) bool { return l.Key == work.UserID })
		if known < 0 {
			known, all = len(all), append(all, Departed{Key: work.UserID, Name: users[at].Name,
				StillMember: !users[at].Disabled && users[at].Company() == company, user: users[at]})
		}
		all[known].Drafts = work.Count
	}
	return all, nil
}

// Reassign gives the work of a departed user to a colleague. It transfers the drafts immediately. It starts a
// bulk reassignment of the leads in this user's name, because the lender decides each one; their scheduled work moves
// with them. It returns the id of the run, empty when there were no leads.
func (dep *Departures) Reassign(ctx context.Context, key, to string) (run string, err error) {
	departed, candidates, err := dep.List(ctx)
	if err != nil {
		return "", err
	}
	bulk, err := OpenBulk(dep.d)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(departed, func(l Departed) bool { return l.Key == key && key != "" })
	if at < 0 {
		return "", fault.New(fault.NotFound, "Nothing is left to reassign for this person.")
	}
	who := departed[at]
	found := slices.IndexFunc(candidates, func(o lead.Candidate) bool { return string(o.UUID) == to && to != "" })
	switch {
	case found < 0:
		return "", lead.AssigneeError("Choose an originator")
	case who.Drafts > 0 && candidates[found].UserID == "":
		return "", lead.AssigneeError("Choose an originator who has an account, because there are drafts to transfer")
	}
	leads, err := dep.d.Store.DepartedLeads(ctx, dep.d.Company(), who.originator)
	if err != nil {
		return "", err
	}
	if err := dep.transferDrafts(ctx, who, candidates[found].UserID); err != nil {
		return "", err
	}
	for some := range slices.Chunk(leads, lead.MaxBulkLeads) {
		m := BulkReassignRequest{FormKey: bulk.NewFormKey(), Assignees: []string{to},
			Note: "The previous originator is no longer available."}
		for _, l := range some {
			m.Apps = append(m.Apps, string(l.App))
		}
		if run, err = bulk.Begin(ctx, m); err != nil {
			return "", err
		}
	}
	return run, nil
}

func (dep *Departures) transferDrafts(ctx context.Context, who Departed, to string) error {
	if who.Drafts == 0 {
		return nil
	}
	return dep.d.WriteBy(ctx, access.SeeTeam, func(tx *store.Tx) error {
		return dep.d.TransferAllDrafts(ctx, tx, store.UserScope{UserID: who.user.UserID, Company: dep.d.Company()}, to)
	})
}
