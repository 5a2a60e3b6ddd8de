package team

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Person is a user of the company, or an originator who has open leads and no account.
type Person struct {
	access.Staff                 // zero without an account
	Originator   lead.Originator // zero for users who are not originators
	Absence      *lead.Absence   // absent now, or out; nil if neither
	Licenses     []lead.License
	OpenLeads    int
}

// DisplayName is the user's name or, without an account, the originator's.
func (p Person) DisplayName() string { return cmp.Or(p.Name, p.Originator.Name()) }

// Invitation is a pending invitation and the user who sent it.
type Invitation struct {
	account.PendingInvitation
	By string // empty for an account that no longer exists
}

// People lists who works for the company.
type People struct {
	Invited []Invitation // newest first
	People  []Person     // by name: open accounts, and everybody who has open leads
	Others  int          // originators in the directory who have neither

	Disabled int // accounts that Disabled lists, up to MaxDisabledPeople
}

// People lists who works for the company. The counts of leads are exact and those of the lists behind them.
func (t *Team) People(ctx context.Context) (People, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return People{}, err
	}
	people, err := t.everybody(ctx)
	if err != nil {
		return People{}, err
	}
	var list People
	for _, p := range people {
		if p.Disabled {
			list.Disabled = min(list.Disabled+1, MaxDisabledPeople)
		}
		switch {
		case p.UserID != "" && !p.Disabled || p.OpenLeads > 0:
			list.People = append(list.People, p)
		case p.UserID == "" && p.Originator.RemovedAt == 0:
			list.Others++
		}
	}
	slices.SortStableFunc(list.People, func(a, b Person) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.DisplayName()), strings.ToLower(b.DisplayName())),
			strings.Compare(a.UserID, b.UserID))
	})
	list.Invited, err = t.invited(ctx)
	return list, err
}

// everybody lists the accounts of the company, open and closed, and its originators without an account.
func (t *Team) everybody(ctx context.Context) ([]Person, error) {
	staff, err := t.d.Store.Staff(ctx)
	if err != nil {
		return nil, err
	}
	scope := t.d.Actor.Scope()
	originators, err := t.d.Store.OriginatorsOf(ctx, scope)
	if err != nil {
		return nil, err
	}
	known, err := t.d.Store.LicensesWithin(ctx, scope)
	if err != nil {
		return nil, err
	}
	licenses := map[heloc.OriginatorID][]lead.License{}
	for _, l := range known {
		licenses[heloc.OriginatorID(l.Holder)] = append(licenses[heloc.OriginatorID(l.Holder)], l)
	}
	open, err := t.d.Store.OpenCounts(ctx, t.d.Company())
	if err != nil {
		return nil, err
	}
	available, err := t.d.Availability(ctx)
	if err != nil {
		return nil, err
	}
	byID := map[heloc.OriginatorID]lead.Originator{}
	for _, o := range originators {
		byID[o.UUID] = o
	}
	var all []Person
	done := map[heloc.OriginatorID]bool{}
	for _, s := range staff { // open accounts first: of an originator's accounts, that one has the leads
		id := heloc.OriginatorID(s.OriginatorUUID)
		if s.Company() != t.d.Company() || s.Role == access.Admin || id != "" && done[id] {
			continue
		}
		done[id] = true
		p := Person{Staff: s, Originator: byID[id], Licenses: licenses[id], OpenLeads: open[id]}
		if id == "" {
			p.OpenLeads, done[id] = 0, false
		}
		if id != "" {
			p.Absence = available[id].Absence
		}
		all = append(all, p)
	}
	for _, o := range originators {
		if !done[o.UUID] {
			all = append(all, Person{Originator: o, Licenses: licenses[o.UUID], OpenLeads: open[o.UUID]})
		}
	}
	return all, nil
}

// invited lists the pending invitations of the company.
func (t *Team) invited(ctx context.Context) ([]Invitation, error) {
	if !t.d.Actor.Can(access.InvitePeople) {
		return nil, nil
	}
	pending, err := t.d.Accounts.Invitations(ctx, t.d.Company())
	if err != nil {
		return nil, err
	}
	all := make([]Invitation, len(pending))
	for i, p := range pending {
		all[i].PendingInvitation = p
		by, err := t.d.Store.User(ctx, p.ByID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return nil, err
		}
		all[i].By = by.Name
	}
	return all, nil
}

// Colleague is one user of the company with everything that needs a new owner, or ends, when they leave.
type Colleague struct {
	Person
	store.RemainingWork
	LeadApps    []heloc.AppID    // the first of the open leads, as many as one reassignment takes
	AsDeputy    []lead.Absence   // for whom they cover or are to cover
	Absences    []lead.Absence   // their own that have not ended
	DraftTakers []lead.Candidate // who can take the drafts
	MayOffboard bool             // this user may close the account

	Originators []lead.Originator // for whom they can work; only for an assistant
}

// Person reads one user of the company; fault.NotFound for any other.
func (t *Team) Person(ctx context.Context, id string) (Colleague, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return Colleague{}, err
	}
	people, err := t.everybody(ctx)
	if err != nil {
		return Colleague{}, err
	}
	at := slices.IndexFunc(people, func(p Person) bool { return p.UserID == id && id != "" })
	if at < 0 {
		return Colleague{}, fault.New(fault.NotFound, "Page not found, or you don’t have access.")
	}
	mate := Colleague{Person: people[at]}
	mate.MayOffboard = t.d.Actor.Can(access.OffboardPeople) && t.offboardProblem(mate.User) == ""
	in := store.UserScopeOf(mate.Actor)
	if mate.RemainingWork, err = t.d.Store.RemainingWork(ctx, in, mate.Originator.UUID); err != nil {
		return mate, err
	}
	if mate.Originators, err = t.d.OriginatorsFor(ctx, mate.Actor); err != nil {
		return mate, err
	}
	if mate.AsDeputy, err = t.d.Store.AbsencesAsDeputy(ctx, in); err != nil {
		return mate, err
	}
	if mate.Absences, err = t.d.Store.AbsencesOf(ctx, in); err != nil {
		return mate, err
	}
	takers, err := t.draftTakers(ctx, t.d.Store.Queries, mate.UserID)
	if err != nil {
		return mate, err
	}
	if mate.DraftTakers, err = t.d.CandidatesAmong(ctx, takers, ""); err != nil || mate.Leads == 0 {
		return mate, err
	}
	page, err := t.d.Store.Leads(ctx, t.d.Actor.Scope(),
		lead.Query{Originator: mate.Originator.UUID, Only: lead.OnlyOpen, Limit: lead.MaxBulkLeads})
	for _, l := range page.Leads {
		mate.LeadApps = append(mate.LeadApps, l.App)
	}
	return mate, err
}

// SetAssistant chooses for whom an assistant of the company works, and whether they may reassign leads.
func (t *Team) SetAssistant(ctx context.Context, id string, c core.AssistantChoice) error {
	return t.d.WriteBy(ctx, access.InvitePeople, func(tx *store.Tx) error {
		who, err := t.colleague(ctx, tx, id)
		if err != nil {
			return err
		}
		return t.d.SetAssistant(ctx, tx, who, c)
	})
}

// draftTakers lists the colleagues of a user who can take drafts.
func (t *Team) draftTakers(ctx context.Context, from store.Queries, except string) (takers []access.User, err error) {
	all, err := from.Users(ctx)
	for _, u := range all {
		if u.UserID != except && u.StartsInquiriesAt(t.d.Company()) {
			takers = append(takers, u)
		}
	}
	return core.SortedByName(takers), err
}
