// Package team has the handles of a company's managers: its people and their leads, absences and who covers.
//
//	team.go, stuck.go  the leads of the company, also those that have no originator or do not move
//	people.go, offboard.go  who works there, and closing an account
//	absence.go, absence_list.go, absence_notice.go  absences, and what deputies did
package team

import (
	"context"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// Team is what a manager does for the leads of a company.
type Team struct{ d core.Desk }

// Open returns the team's work; fault.Denied without the permission.
func Open(d core.Desk) (*Team, error) { return core.Opened(&Team{d}, d.May(access.SeeTeam)) }

// Member is one originator of the company with their leads, or the leads that have no originator.
type Member struct {
	// zero for unassigned leads; only the UUID of an originator who is not in the company's directory
	lead.Originator
	lead.Availability
	Leads           map[heloc.Lane]int
	lead.MoveCounts                   // exact
	FirstDue        *lead.PipelineRow // of the leads where it is the originator's move, the one that is due first
	Renew           int               // licenses that end soon or have ended
	States          []string          // where the originator is known to be licensed
}

// Open counts the leads that have not ended.
func (m Member) Open() (n int) {
	for lane, leads := range m.Leads {
		if lane != heloc.LaneEnded {
			n += leads
		}
	}
	return n
}

// Page is the company's originators with their leads. The counts are exact and those of the lists behind them.
type Page struct {
	Unassigned Member
	People     []Member // by name: who has open leads or an account
	Others     int      // originators in the directory who have neither
	Renew      int      // licenses of these people that end soon or have ended
}

// Page composes the manager's home page from one snapshot, so that its counts and its first leads agree.
func (t *Team) Page(ctx context.Context) (Page, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return Page{}, err
	}
	ctx, end, err := t.d.Store.Snapshot(ctx)
	if err != nil {
		return Page{}, err
	}
	defer end()
	members, err := t.members(ctx)
	if err != nil {
		return Page{}, err
	}
	if err := t.addLeads(ctx, members); err != nil {
		return Page{}, err
	}
	page := Page{Unassigned: *members.of("")}
	for _, id := range members.order {
		switch m := members.of(id); {
		case id == "":
		case m.HasAccount && m.RemovedAt == 0 || m.Open() > 0:
			page.People = append(page.People, *m)
			page.Renew += m.Renew
		case m.RemovedAt == 0 && m.LastName != "":
			page.Others++
		}
	}
	return page, nil
}

// teamMembers are the members by originator, in the order in which they were added.
type teamMembers struct {
	order []heloc.OriginatorID
	byID  map[heloc.OriginatorID]*Member
}

// of returns a member, and adds one who is not known yet.
func (m *teamMembers) of(id heloc.OriginatorID) *Member {
	if m.byID[id] == nil {
		m.byID[id] = &Member{Originator: lead.Originator{UUID: id}, Leads: map[heloc.Lane]int{}}
		m.order = append(m.order, id)
	}
	return m.byID[id]
}

// members reads the company's directory with accounts and licenses.
func (t *Team) members(ctx context.Context) (*teamMembers, error) {
	all := &teamMembers{byID: map[heloc.OriginatorID]*Member{}}
	people, err := t.d.Store.LicensedOriginators(ctx, t.d.Actor.Scope(), lead.RenewBy(t.d.Now().In(t.d.Actor.Zone())))
	if err != nil {
		return nil, err
	}
	available, err := t.d.Availability(ctx)
	for _, o := range people {
		m := all.of(o.UUID)
		m.Originator, m.Availability = o.Originator, available[o.UUID]
		m.Renew = o.Renew
		m.States = strings.FieldsFunc(o.States, func(r rune) bool { return r == ',' })
	}
	return all, err
}

// addLeads adds the counts of leads, and the lead that is due first.
func (t *Team) addLeads(ctx context.Context, members *teamMembers) error {
	counts, err := t.d.Store.TeamCounts(ctx, t.d.Company(), store.Millis(t.d.Now()))
	if err != nil {
		return err
	}
	for _, c := range counts {
		m := members.of(c.Originator)
		m.Leads[c.Lane] = c.Leads
		m.Today, m.Overdue = m.Today+c.Today, m.Overdue+c.Overdue
	}
	first, err := t.d.Store.FirstDue(ctx, t.d.Company(), counts)
	if err != nil {
		return err
	}
	for id, l := range first {
		name, err := t.d.BorrowerName(l.App, l.Borrower)
		if err != nil {
			return err
		}
		m := members.of(id)
		m.FirstDue = &lead.PipelineRow{Row: &l, Name: name, Originator: m.Name()}
	}
	return nil
}

// UnassignedReason is why a lead has no originator, as far as it is known.
type UnassignedReason string

// The reasons.
const (
	UnassignedNotListed UnassignedReason = "not-listed" // the lender's directory no longer lists the originator
	UnassignedMoved     UnassignedReason = "moved"      // the originator is at another company now
	// the originator is still listed here, but did not get the lead back
	UnassignedCannot UnassignedReason = "cannot"
	// its originator moved to another company before the lender confirmed the start
	UnassignedStarted UnassignedReason = "started"
	UnassignedUnknown UnassignedReason = "unknown"
)

// UnassignedLead is a lead without an originator.
type UnassignedLead struct {
	lead.PipelineRow
	Reason UnassignedReason
	Former string // the name of whoever had it, or started it; empty if unknown
	Since  int64  // since when it has no originator, in milliseconds
}

// QueuePage is one page of the unassigned leads.
type QueuePage struct {
	Leads []UnassignedLead
	Next  string
}

// Unassigned lists the open leads of the company that have no originator, by due time. They wait here until they are
// assigned to somebody.
func (t *Team) Unassigned(ctx context.Context, after string) (QueuePage, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return QueuePage{}, err
	}
	found, err := t.d.Store.UnassignedLeads(ctx, t.d.Actor.Scope(), after)
	if err != nil {
		return QueuePage{}, err
	}
	apps := lead.Apps(found.Leads)
	formers, err := t.d.Store.FormerOriginators(ctx, apps)
	if err != nil {
		return QueuePage{}, err
	}
	events, err := t.d.Store.UnassignedEvents(ctx, apps)
	if err != nil {
		return QueuePage{}, err
	}
	page := QueuePage{Next: found.Next}
	for _, l := range found.Leads {
		one := UnassignedLead{PipelineRow: lead.PipelineRow{Row: &l}}
		if one.Name, err = t.d.BorrowerName(l.App, l.Borrower); err != nil {
			return page, err
		}
		if one.Reason, one.Former, err = t.unassignedReason(ctx, formers[l.App], events[l.App]); err != nil {
			return page, err
		}
		one.Since = l.CreatedAt
		if e := events[l.App]; e.At != 0 {
			one.Since = e.At
		}
		page.Leads = append(page.Leads, one)
	}
	return page, nil
}

// unassignedReason returns why a lead has no originator, and who had it or started it.
func (t *Team) unassignedReason(ctx context.Context, former heloc.OriginatorID,
	e lead.Event) (UnassignedReason, string, error) {
	if former == "" {
		if e.Kind == lead.EventStarted {
			return UnassignedStarted, e.ActorName, nil
		}
		return UnassignedUnknown, "", nil
	}
	o, err := t.d.Store.Originator(ctx, former)
	switch {
	case fault.Is(err, fault.NotFound):
		return UnassignedNotListed, "", nil
	case err != nil:
		return "", "", err
	case o.RemovedAt != 0:
		return UnassignedNotListed, o.Name(), nil
	case access.CompanyOf(o.BrokerID, o.Organization) != t.d.Company():
		return UnassignedMoved, o.Name(), nil
	default:
		return UnassignedCannot, o.Name(), nil
	}
}

// UnassignedCount counts the unassigned leads.
func (t *Team) UnassignedCount(ctx context.Context) (int, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return 0, err
	}
	return t.d.Store.CountUnassigned(ctx, t.d.Company())
}

// AssignmentRules reads the company's rules, which every page about unassigned leads mentions.
func (t *Team) AssignmentRules(ctx context.Context) (lead.AssignmentRules, error) {
	if err := t.d.May(access.SeeTeam); err != nil {
		return lead.AssignmentRules{}, err
	}
	return t.d.Store.AssignmentRules(ctx, t.d.Company())
}
