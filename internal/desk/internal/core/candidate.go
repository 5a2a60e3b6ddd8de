package core

import (
	"context"
	"slices"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// CandidateFacts is what decides between the colleagues of a user.
type CandidateFacts struct {
	People   []lead.Originator // of the company, by name
	Licenses lead.LicenseTable
	Open     map[heloc.OriginatorID]int // empty unless the user may see the team
	// only whether there is an account, unless the user may see the team
	Available map[heloc.OriginatorID]lead.Availability
	Team      bool // the user may see the team
}

// CandidateFacts reads them.
func (d Desk) CandidateFacts(ctx context.Context) (f CandidateFacts, err error) {
	if f.People, err = d.Colleagues(ctx, d.Actor.BrokerID, d.Actor.Organization); err != nil {
		return f, err
	}
	if f.Licenses, err = d.CompanyLicenses(ctx); err != nil {
		return f, err
	}
	if f.Available, err = d.Availability(ctx); err != nil {
		return f, err
	}
	if f.Team = d.Actor.Can(access.SeeTeam); !f.Team {
		for id, a := range f.Available {
			f.Available[id] = lead.Availability{HasAccount: a.HasAccount, Disabled: a.Disabled, NoLeads: a.NoLeads,
				UserID: a.UserID}
		}
		return f, nil
	}
	f.Open, err = d.Store.OpenCounts(ctx, d.Company())
	return f, err
}

// Person returns an originator of the company.
func (f CandidateFacts) Person(id heloc.OriginatorID) (lead.Originator, bool) {
	at := slices.IndexFunc(f.People, func(o lead.Originator) bool { return o.UUID == id })
	if at < 0 {
		return lead.Originator{}, false
	}
	return f.People[at], true
}

// Candidate returns an originator as somebody to choose for work in some states.
func (f CandidateFacts) Candidate(o lead.Originator, states ...string) lead.Candidate {
	c := lead.Candidate{Originator: o, Availability: f.Available[o.UUID], Load: f.Team, Open: f.Open[o.UUID]}
	for _, state := range states {
		switch f.Licenses.Status(o, state) {
		case lead.LicenseHeld:
			c.Held = append(c.Held, state)
		case lead.LicenseMissing:
			c.Missing = append(c.Missing, state)
		default:
			c.Unknown = append(c.Unknown, state)
		}
	}
	return c
}

// CandidatesAmong returns users of the company who have an account, as people to choose for work in a state; an empty
// state compares no licenses.
func (d Desk) CandidatesAmong(ctx context.Context, users []access.User, state string) ([]lead.Candidate, error) {
	if len(users) == 0 {
		return nil, nil
	}
	f, err := d.CandidateFacts(ctx)
	var all []lead.Candidate
	for _, u := range users {
		o, known := f.Person(heloc.OriginatorID(u.OriginatorUUID))
		if !known {
			o.UUID = heloc.OriginatorID(u.OriginatorUUID)
		}
		o.FirstName, o.MiddleName, o.LastName = u.Name, "", "" // as everywhere else that names the account
		var states []string
		if state != "" {
			states = []string{state}
		}
		c := f.Candidate(o, states...)
		c.UserID, c.HasAccount, c.Disabled = u.UserID, true, false
		all = append(all, c)
	}
	return lead.SortCandidates(all), err
}
