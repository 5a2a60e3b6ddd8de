// Package team has the handles of a company's managers: its people and their leads, absences and who covers.
//
//	team.go, stuck.go, unassigned.go  the leads of the company
//	people.go, offboard.go  who works there, and closing an account
//	absence.go, absence_list.go, absence_notice.go, cover_work.go  absences, and what deputies did
package team

import (
	"context"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/desk/internal/core"
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
	people, err := t.d.Store.LicensedOriginators(ctx, t.d.Actor.Scope())
	if err != nil {
		return nil, err
	}
	available, err := t.d.Availability(ctx)
	for _, o := range people {
		m := all.of(o.UUID)
		m.Originator, m.Availability, m.States = o.Originator, available[o.UUID], strings.FieldsFunc(o.States, func(r rune) bool { return r == ',' })
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
