package desk_test

import (
	"testing"
	"time"

	"hearthline/internal/access"
	deskteam "hearthline/internal/desk/team"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

func (h *harness) team(who access.Actor) *deskteam.Team {
	h.t.Helper()
	team, err := h.service.For(who).Team()
	h.must(err)
	return team
}

func TestOffboard_OpenLeads_RefusedUnlessLeftUnassigned(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.addAdmin("other") // with the services of accounts
		app := g.start(g.olivia, "Rivera-Match")
		g.cover(g.marcus, g.olivia, 0, 3) // Olivia is a deputy
		team := g.team(g.maya)
		mate, err := team.Person(t.Context(), g.olivia.UserID)
		g.must(err)
		if mate.Leads != 1 || mate.OpenLeads != 1 || len(mate.LeadApps) != 1 || mate.LeadApps[0] != app ||
			len(mate.AsDeputy) != 1 || !mate.MayOffboard {
			t.Errorf("before: got %+v", mate)
		}
		wantField(t, team.Offboard(t.Context(), g.olivia.UserID, deskteam.OffboardOptions{}), "leave.unassigned")
		if now := g.current(g.olivia); !g.sees(now, app) {
			t.Error("a refused request takes the lead away")
		}
		g.must(team.Offboard(t.Context(), g.olivia.UserID, deskteam.OffboardOptions{LeaveUnassigned: true}))
		queue, err := team.Unassigned(t.Context(), "")
		g.must(err)
		if len(queue.Leads) != 1 || queue.Leads[0].App != app {
			t.Fatalf("the queue: got %+v, want the lead", queue.Leads)
		}
		user, err := g.store.User(t.Context(), g.olivia.UserID)
		g.must(err)
		if !user.Disabled {
			t.Error("the account is open")
		}
		// The lender still names the former originator. The lead stays where somebody sees it.
		time.Sleep(time.Minute)
		g.must(g.sync.Refresh(t.Context(), app))
		if row, err := g.store.AnyLead(t.Context(), app); err != nil || row.Originator != "" {
			t.Errorf("after the next reading: the lead is %q's, %v, want nobody's", row.Originator, err)
		}
		if g.current(g.olivia).Covering != "" {
			t.Error("a closed account still covers for somebody")
		}
		list, err := g.absences(g.maya).List(t.Context())
		g.must(err)
		if len(list.Open) != 1 || list.Open[0].Covered {
			t.Errorf("the absence that they covered: got %+v, want it without cover", list.Open)
		}
		wantKind(t, team.Offboard(t.Context(), g.olivia.UserID, deskteam.OffboardOptions{}), fault.Denied)
		// Reopened, the originator gets the lead back with the next reading.
		p := g.people(g.admin)
		g.must(p.Reopen(t.Context(), g.olivia.UserID, ""))
		time.Sleep(time.Minute)
		g.must(g.sync.Refresh(t.Context(), app))
		if row, err := g.store.AnyLead(t.Context(), app); err != nil || string(row.Originator) != g.olivia.OriginatorUUID {
			t.Errorf("after the account was reopened: the lead is %q's, %v", row.Originator, err)
		}
	})
}

func TestOffboard_WhoMay(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.addAdmin("other")
		team := g.team(g.maya)
		wantKind(t, team.Offboard(t.Context(), g.maya.UserID, deskteam.OffboardOptions{}), fault.Denied)    // oneself
		wantKind(t, team.Offboard(t.Context(), g.piotr.UserID, deskteam.OffboardOptions{}), fault.NotFound) // another company
		wantKind(t, team.Offboard(t.Context(), g.admin.UserID, deskteam.OffboardOptions{}), fault.NotFound)
		wantKind(t, team.Offboard(t.Context(), "nobody", deskteam.OffboardOptions{}), fault.NotFound)
		second := g.maya
		second.UserID, second.Email, second.OriginatorUUID = "second", "second@summit.test", ""
		g.must(g.store.AddUser(t.Context(), access.User{Actor: second}, ""))
		wantKind(t, team.Offboard(t.Context(), second.UserID, deskteam.OffboardOptions{}), fault.Denied) // another manager
		_, err := team.Person(t.Context(), g.piotr.UserID)
		wantKind(t, err, fault.NotFound)
		stepped := g.maya
		stepped.ElevatedUntil = time.Time{}
		wantKind(t, g.team(stepped).Offboard(t.Context(), g.ann.UserID, deskteam.OffboardOptions{}), fault.StepUpRequired)
		for _, who := range []access.Actor{g.olivia, g.ann, g.admin} {
			_, err := g.service.For(who).Team()
			wantKind(t, err, fault.Denied)
		}
		g.must(team.Offboard(t.Context(), g.ann.UserID, deskteam.OffboardOptions{})) // an assistant has no leads
	})
}

func TestTeamPeople_CountsEqualLists(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.addAdmin("other")
		g.start(g.olivia, "Rivera-Match")
		g.start(g.olivia, "Rivera-None")
		app := g.start(g.marcus, "Rivera-Match")
		g.start(g.piotr, "Rivera-Match")
		l := g.openLead(g.marcus, app)
		_, err := l.Cancel(t.Context(), l.NewOperationID(heloc.OpCancel))
		g.must(err)
		g.must(g.sync.Refresh(t.Context(), app))
		list, err := g.team(g.maya).People(t.Context())
		g.must(err)
		seen := map[string]bool{}
		for _, p := range list.People {
			seen[p.UserID] = true
			if p.Originator.UUID == "" {
				continue
			}
			if page := g.listPage(g.maya, lead.Query{Originator: p.Originator.UUID, Only: lead.OnlyOpen},
				""); len(page.Rows) != p.OpenLeads {
				t.Errorf("%s: got %d open leads, and a list of %d", p.DisplayName(), p.OpenLeads, len(page.Rows))
			}
		}
		if !seen[g.olivia.UserID] || !seen[g.marcus.UserID] || !seen[g.ann.UserID] || seen[g.piotr.UserID] ||
			seen[g.admin.UserID] {
			t.Errorf("got %v", seen)
		}
	})
}
