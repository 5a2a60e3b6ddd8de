package desk_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk/admin"
	"hearthline/internal/desk/team"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// ownership runs random changes of accounts, of the directory and of leads.
type ownership struct {
	*harness
	random    *rand.Rand
	members   []access.Actor // originators with accounts, of two companies
	directory []heloc.Originator
	apps      []heloc.AppID
}

// step makes one random change and returns what it was. A change that is not possible now is refused.
func (o *ownership) step() (string, error) {
	who := o.members[o.random.IntN(len(o.members))]
	ctx := o.t.Context()
	absent := func() error { return o.beAbsent(who) } // listed more often, because it is possible only for open accounts
	reopened := func() error { return o.people(o.admin).Reopen(ctx, who.UserID, "") }
	changes := []struct {
		name string
		make func() error
	}{
		{"starts", func() error { return o.startOne(who) }},
		{"is closed by an administrator", func() error {
			return o.people(o.admin).Close(ctx, who.UserID, admin.CloseOptions{})
		}},
		{"is closed by an administrator, with a successor", func() error { return o.closeWithSuccessor(who) }},
		{"is closed by a manager", func() error {
			return o.team(o.maya).Offboard(ctx, who.UserID, team.OffboardOptions{LeaveUnassigned: true})
		}},
		{"is closed on the command line", func() error { return o.deskDeps.Accounts.Disable(ctx, who.Email) }},
		{"leaves the directory", func() error { return o.setListed(who, false, "") }},
		{"returns to the directory", func() error { return o.setListed(who, true, who.BrokerID) }},
		{"moves", func() error { return o.setListed(who, true, o.otherCompany(who)) }},
		{"is absent", absent}, {"is absent", absent}, {"is absent", absent},
		{"returns from an absence", func() error { return o.endAbsences(who) }},
		{"is reopened", reopened}, {"is reopened", reopened}, {"is reopened", reopened},
		{"gets another role", func() error {
			role := access.Roles()[o.random.IntN(4)]
			return o.setRole(who.UserID, role)
		}},
		{"gets a lead from the lender", func() error { return o.giveAtLender(who) }},
		{"is looked at: a lead is closed or opened again", o.toggleSetAside},
		{"is looked at: the lender is read", o.refreshAll},
	}
	change := changes[o.random.IntN(len(changes))]
	time.Sleep(time.Duration(o.random.IntN(600)) * time.Minute)
	return who.Name + " " + change.name, change.make()
}

func (o *ownership) startOne(who access.Actor) error {
	now := o.current(who)
	if user, err := o.store.User(o.t.Context(), who.UserID); err != nil || user.Disabled || !now.Can(access.StartInquiry) {
		return err
	}
	in := o.intake(now)
	form := o.form(in, "Rivera-Match")
	form.ConfirmDuplicate, form.NoUnit = true, true
	op, err := in.Start(o.t.Context(), form)
	if err == nil && op.App != "" {
		o.apps = append(o.apps, op.App)
	}
	return err
}

func (o *ownership) closeWithSuccessor(who access.Actor) error {
	one, err := o.people(o.admin).Find(o.t.Context(), who.UserID)
	// Nobody but the manager finds a lead of somebody who never had an account.
	one.Assignees = slices.DeleteFunc(one.Assignees, func(a lead.Assignee) bool { return a.UserID == "" })
	if err != nil || len(one.Assignees) == 0 {
		return err
	}
	to := one.Assignees[o.random.IntN(len(one.Assignees))]
	err = o.people(o.admin).Close(o.t.Context(), who.UserID, admin.CloseOptions{Assignee: string(to.UUID)})
	if err != nil {
		return err
	}
	if job, found, err := o.store.LeaseJob(o.t.Context(), "test"); err != nil || !found {
		return err
	} else if rows, err := o.store.JobRows(o.t.Context(), job.ID); err != nil {
		return err
	} else if bulk, err := o.service.BulkReassignmentsForJob(o.t.Context(), job); err == nil {
		for _, row := range rows {
			if err := bulk.ExecuteRow(o.t.Context(), job, row); err != nil {
				return err
			}
		}
		return o.store.ReleaseJob(o.t.Context(), job.ID, "test")
	}
	return nil
}

// setListed changes the lender's directory, and reads it until the change is confirmed.
func (o *ownership) setListed(who access.Actor, listed bool, broker string) error {
	brokers := map[string]*heloc.BrokerCompany{}
	for _, one := range o.lender.Originators() {
		if one.Broker != nil {
			brokers[one.Broker.ID] = one.Broker
		}
	}
	o.directory = slices.DeleteFunc(o.directory, func(one heloc.Originator) bool {
		return string(one.ID) == who.OriginatorUUID
	})
	for _, one := range o.lender.Originators() {
		if listed && string(one.ID) == who.OriginatorUUID {
			one.Broker = brokers[broker]
			o.directory = append(o.directory, one)
		}
	}
	o.setDirectory(o.directory)
	for range 2 {
		time.Sleep(11 * time.Minute)
		if err := o.sync.SyncDirectory(o.t.Context()); err != nil {
			return err
		}
	}
	return nil
}

func (o *ownership) otherCompany(who access.Actor) string {
	if who.BrokerID == o.piotr.BrokerID {
		return o.olivia.BrokerID
	}
	return o.piotr.BrokerID
}

func (o *ownership) beAbsent(who access.Actor) error {
	deputy := o.members[o.random.IntN(len(o.members))]
	return o.absences(o.maya).Save(o.t.Context(), team.AbsenceRequest{
		Person: who.UserID, Deputy: deputy.UserID, FirstDay: day(o.random.IntN(2)), LastDay: day(1 + o.random.IntN(3)),
	})
}

func (o *ownership) endAbsences(who access.Actor) error {
	open, err := o.store.AbsencesOf(o.t.Context(), store.UserScopeOf(who))
	for _, a := range open {
		if err == nil {
			err = o.absences(o.maya).End(o.t.Context(), a.ID)
		}
	}
	return err
}

func (o *ownership) giveAtLender(who access.Actor) error {
	if len(o.apps) == 0 {
		return nil
	}
	app := o.apps[o.random.IntN(len(o.apps))]
	_ = o.reassignAtLender(app, who) // the lender may refuse it
	time.Sleep(time.Minute)
	return o.sync.Refresh(o.t.Context(), app)
}

func (o *ownership) toggleSetAside() error {
	if len(o.apps) == 0 {
		return nil
	}
	l, err := o.service.For(o.maya).Lead(o.t.Context(), string(o.apps[o.random.IntN(len(o.apps))]))
	if err != nil {
		return err
	}
	return l.SetAside(o.t.Context(), o.random.IntN(2) == 0)
}

func (o *ownership) refreshAll() error {
	for _, app := range o.apps {
		if err := o.sync.Refresh(o.t.Context(), app); err != nil {
			return err
		}
	}
	return nil
}

// place returns where somebody finds an open lead; "" for nowhere.
func (o *ownership) place(row lead.Row) string {
	o.t.Helper()
	has := func(rows []heloc.AppID) bool { return slices.Contains(rows, row.App) }
	if row.Originator == "" {
		queue, err := o.store.UnassignedLeads(o.t.Context(), access.Scope{BrokerID: row.BrokerID()}, "")
		o.must(err)
		var apps []heloc.AppID
		for _, l := range queue.Leads {
			apps = append(apps, l.App)
		}
		if has(apps) {
			return "queue"
		}
		return ""
	}
	for _, who := range append([]access.Actor{o.maya}, o.members...) {
		user, err := o.store.User(o.t.Context(), who.UserID)
		o.must(err)
		if user.Disabled || !user.Can(access.ActOnLead) || user.OriginatorUUID != string(row.Originator) {
			continue
		}
		var apps []heloc.AppID
		for _, l := range o.listPage(o.current(who), lead.Query{Originator: row.Originator, Only: lead.OnlyOpen}, "").Rows {
			apps = append(apps, l.App)
		}
		if has(apps) {
			return who.Name
		}
	}
	return ""
}

// TestOwnership_RandomSequences_EveryOpenLeadIsSomewhere: after any sequence of closings, moves, absences and returns,
// every open lead is in somebody's list or in the unassigned queue of its company.
func TestOwnership_RandomSequences_EveryOpenLeadIsSomewhere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			runInSynctest(t, true, func(t *testing.T, g *harness) {
				g.addAdmin("other") // with the services of accounts
				o := &ownership{harness: g, random: rand.New(rand.NewPCG(seed, 15))}
				o.directory = slices.Clone(g.lender.Originators())
				o.members = []access.Actor{g.olivia, g.marcus, g.piotr, g.addOriginator()}
				for _, who := range o.members {
					g.must(o.startOne(who))
				}
				g.must(o.refreshAll())
				var done []string
				for range 40 {
					what, err := o.step()
					refusals := []fault.Kind{fault.Invalid, fault.Conflict, fault.Denied, fault.NotFound}
					if err != nil && !slices.Contains(refusals, fault.KindOf(err)) {
						t.Fatalf("after %q: %s: %v", done, what, err)
					}
					if err == nil {
						done = append(done, what)
					}
					for _, app := range o.apps {
						row, err := g.store.AnyLead(t.Context(), app)
						g.must(err)
						if row.Lane != heloc.LaneEnded && o.place(row) == "" {
							t.Fatalf("after %q, lead %s of %q is nowhere", done, row.ShortID, row.Originator)
						}
					}
				}
			})
		})
	}
}
