package jobs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	deskreassign "hearthline/internal/desk/reassign"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// outCompany is a company whose originator Olivia has all of the leads, and is out.
type outCompany struct {
	*harness
	worker *Runner
	others []heloc.OriginatorID // who else works there
	state  map[string]string    // of the property, by lead
}

const lakeside = "0f0e0d0c-0000-4000-8000-0000000000ff" // an originator of another company

// newOutCompany returns a company with some colleagues, whose licenses and open leads are random.
func newOutCompany(t *testing.T, random *rand.Rand, leads, colleagues int) *outCompany {
	t.Helper()
	g := &outCompany{harness: newHarness(t, leads), others: []heloc.OriginatorID{marcus}, state: map[string]string{}}
	for n := range colleagues - 1 {
		g.others = append(g.others, heloc.OriginatorID(fmt.Sprintf("0f0e0d0c-0000-4000-8000-0000000002%02d", n)))
	}
	states := []string{"TX", "UT", "AZ"}
	for n, id := range append([]heloc.OriginatorID{olivia, lakeside}, g.others...) {
		name, broker := fmt.Sprintf("user%d", n), "summit"
		if id == lakeside {
			broker = "lakeside"
		}
		g.write(func(tx *store.Tx) error {
			return tx.SaveOriginator(t.Context(), heloc.Originator{ID: id, Email: name + "@x.test", FirstName: name,
				LastName: "X", Organization: "Evergreen", Broker: &heloc.BrokerCompany{ID: broker, Name: broker, NMLS: "1"}}, g.now)
		})
		who := access.Actor{UserID: name, Name: name, Email: name + "@x.test", Role: access.Originator,
			OriginatorUUID: string(id), BrokerID: broker, Organization: "Evergreen"}
		if err := g.store.AddUser(t.Context(), access.User{Actor: who}, "hash"); err != nil {
			t.Fatal(err)
		}
		for _, state := range states {
			if at := random.IntN(3); id != olivia && id != lakeside && at > 0 {
				g.write(func(tx *store.Tx) error {
					return tx.SaveLicense(t.Context(), lead.License{Holder: string(id), State: state, Allowed: at == 1})
				})
			}
		}
		if id != olivia {
			for open := range random.IntN(3) {
				g.addLead(heloc.AppID(fmt.Sprintf("0f0e0d0c-0000-4000-8000-00000003%02d%02d", n, open)), id, broker)
			}
		}
	}
	for _, app := range g.apps {
		g.state[app] = states[random.IntN(3)]
		g.change(app, func(row *lead.Row) { row.State = g.state[app] })
	}
	g.worker, _ = g.harness.worker("one")
	return g
}

func (g *outCompany) addLead(app heloc.AppID, of heloc.OriginatorID, company string) {
	g.t.Helper()
	g.lender.owner[string(app)] = string(of)
	g.write(func(tx *store.Tx) error {
		return tx.AddLead(g.t.Context(), &lead.Row{App: app, Originator: of, Company: company, Organization: "Evergreen",
			Step: heloc.StepOffersAvailable, StepSince: store.Millis(g.now)}, g.now)
	})
}

func (g *outCompany) change(app string, change func(row *lead.Row)) {
	g.t.Helper()
	g.write(func(tx *store.Tx) error {
		row, err := tx.AnyLead(g.t.Context(), heloc.AppID(app))
		if err != nil {
			return err
		}
		change(&row)
		return tx.SaveLead(g.t.Context(), &row, g.now, true)
	})
}

func (g *outCompany) owners() map[string]heloc.OriginatorID {
	g.t.Helper()
	owners := map[string]heloc.OriginatorID{}
	for app := range g.lender.owner {
		row, err := g.store.AnyLead(g.t.Context(), heloc.AppID(app))
		if err != nil {
			g.t.Fatal(err)
		}
		owners[app] = row.Originator
	}
	return owners
}

// run runs all jobs, with a clock that goes on.
func (g *outCompany) run() {
	for g.worker.runNext(g.t.Context()) {
		g.now = g.now.Add(time.Second)
	}
}

// split splits Olivia's leads through a day, and returns when they go back.
func (g *outCompany) split(limit int) (id string, backAt time.Time) {
	g.t.Helper()
	req := deskreassign.OutRequest{FormKey: g.bulkReassignments().NewFormKey(), Cap: limit,
		Until: heloc.DateOf(g.now.UTC().AddDate(0, 0, 2))}
	p, err := g.bulkReassignments().ProposeOut(g.t.Context(), olivia, req)
	if err != nil {
		g.t.Fatal(err)
	}
	if id, err = g.bulkReassignments().BeginOut(g.t.Context(), olivia, req, "", ""); err != nil {
		g.t.Fatal(err)
	}
	g.run()
	return id, p.BackAt
}

// goBack lets the time of the return come.
func (g *outCompany) goBack(at time.Time) {
	g.t.Helper()
	g.now = at.Add(-time.Minute)
	if err := g.worker.StartReturns(g.t.Context()); err != nil || g.worker.runNext(g.t.Context()) {
		g.t.Fatalf("a minute before: leads go back already, %v", err)
	}
	g.now = at
	for range 2 { // the second time changes nothing
		if err := g.worker.StartReturns(g.t.Context()); err != nil {
			g.t.Fatal(err)
		}
	}
	g.run()
}

// work records that a colleague has called the borrower.
func (g *outCompany) work(app, who string) {
	g.t.Helper()
	g.write(func(tx *store.Tx) error {
		return tx.AddEvent(g.t.Context(), lead.Event{App: heloc.AppID(app), At: store.Millis(g.now), Kind: lead.EventContact,
			ActorID: who, ActorName: who, Detail: "call"})
	})
}

// returned reads the return, which its notification names; a return without a question has none.
func (g *outCompany) returned(who string) (back deskreassign.Return, told bool) {
	g.t.Helper()
	page, err := g.store.Notices(g.t.Context(), store.UserScope{UserID: who, Company: "summit"}, "")
	if err != nil {
		g.t.Fatal(err)
	}
	at := slices.IndexFunc(page.Notices, func(n lead.Notice) bool { return n.Kind == lead.NoticeReturn })
	if at < 0 {
		return back, false
	}
	user, err := g.store.User(g.t.Context(), who)
	if err != nil {
		g.t.Fatal(err)
	}
	bulk, err := g.service.For(user.Actor).BulkReassignments()
	if err != nil {
		g.t.Fatal(err)
	}
	if back, err = bulk.FindReturn(g.t.Context(), page.Notices[at].About); err != nil {
		g.t.Fatal(err)
	}
	return back, true
}

// TestOut_RandomCompanies splits and returns the leads of random companies: licensed wherever possible, nobody above
// the cap, no lead without a place that there is, nothing back that somebody worked on or that was reassigned or ended,
// and no other company changed.
func TestOut_RandomCompanies(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 38)) //nolint:gosec // the same companies in every run
			g := newOutCompany(t, random, 4+random.IntN(5), 2+random.IntN(3))
			before, limit := g.owners(), 2+random.IntN(5)
			checkProposal(t, g, limit)
			_, backAt := g.split(limit)
			moved := g.owners()
			touched := map[string]bool{}
			for app, owner := range moved {
				if before[app] != olivia && owner != before[app] {
					t.Errorf("%s: another's lead went to %s", app, owner)
				}
				if before[app] != olivia || owner == olivia {
					continue
				}
				switch random.IntN(4) {
				case 0:
					g.work(app, []string{"user2", "maya"}[random.IntN(2)])
					touched[app] = true
				case 1:
					g.change(app, func(row *lead.Row) { row.Step = heloc.StepClosed })
					touched[app] = true
				case 2:
					g.work(app, "user0") // Olivia, who is no one else
				}
			}
			g.goBack(backAt)
			for app, owner := range g.owners() {
				want := before[app]
				if touched[app] {
					want = moved[app]
				}
				if owner != want {
					t.Errorf("%s: after the return with %s, want %s (touched: %v)", app, owner, want, touched[app])
				}
			}
			if back, told := g.returned("maya"); told != (len(touched) > 0) || told && len(back.Rows) < len(touched) {
				t.Errorf("asked: %v with %d rows, want %v", told, len(back.Rows), len(touched) > 0)
			}
		})
	}
}

// checkProposal compares each row of a proposal with what else was possible.
func checkProposal(t *testing.T, g *outCompany, limit int) {
	t.Helper()
	p, err := g.bulkReassignments().ProposeOut(t.Context(), olivia, deskreassign.OutRequest{Cap: limit})
	if err != nil || len(p.Leads) != len(g.apps) || len(p.In) != len(g.others) {
		t.Fatalf("got %d leads and %d people, %v; want %d and %d", len(p.Leads), len(p.In), err, len(g.apps), len(g.others))
	}
	spare := map[heloc.OriginatorID]bool{}
	for _, one := range p.In {
		if spare[one.UUID] = one.Open+one.Gets < limit; one.Gets > 0 && one.Open+one.Gets > limit {
			t.Errorf("%s: got %d open, above the cap of %d", one.Name(), one.Open+one.Gets, limit)
		}
	}
	for _, l := range p.Leads {
		for _, one := range p.In {
			switch held, missing := slices.Contains(one.Held, l.State), slices.Contains(one.Missing, l.State); {
			case l.To == one.UUID && missing:
				t.Errorf("%s goes to somebody who is not licensed", l.App)
			case l.To == "" && l.Problem == "":
				t.Errorf("%s stays, and nothing says why", l.App)
			case l.To == "" && spare[one.UUID] && !missing:
				t.Errorf("%s has no place, although there is one", l.App)
			case l.To != "" && l.License != lead.LicenseHeld && held && spare[one.UUID]:
				t.Errorf("%s goes to somebody without a license, although %s has one", l.App, one.Name())
			}
		}
	}
}

// TestReturn_AsksInstead_NamesWhy: what does not go back automatically says why, and is still a manager's choice.
func TestReturn_AsksInstead_NamesWhy(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before func(g *outCompany) error
		asked  bool
		reason string
	}{
		"the manager's role": {func(g *outCompany) error {
			return g.store.SetUserRole(g.t.Context(), "maya", access.Admin)
		}, true, "The manager who split the leads can no longer reassign them"},
		"still absent": {func(g *outCompany) error {
			return g.store.Write(g.t.Context(), func(tx *store.Tx) error {
				return tx.AddAbsence(g.t.Context(), lead.Absence{ID: "a", Company: "summit", UserID: "user0", Originator: olivia,
					DeputyID: "user2", FirstDay: "2026-01-01", LastDay: "2026-01-02", StartsAt: store.Millis(g.now),
					EndsAt: store.Millis(g.now.AddDate(0, 0, 9)), CoverEndsAt: store.Millis(g.now), CreatedBy: "maya"})
			})
		}, true, deskreassign.ReasonAbsent},
		"no longer licensed": {func(g *outCompany) error {
			return g.store.Write(g.t.Context(), func(tx *store.Tx) error {
				return tx.SaveLicense(g.t.Context(), lead.License{Holder: olivia, State: g.state[g.apps[0]]})
			})
		}, false, lead.ProblemUnlicensed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := newOutCompany(t, rand.New(rand.NewPCG(1, 1)), 1, 1) //nolint:gosec // the same company in every run
			if err := g.store.AddUser(t.Context(), access.User{Actor: access.Actor{UserID: "mike", Name: "Mike",
				Email: "mike@x.test", Role: access.Manager, BrokerID: "summit", Organization: "Evergreen"}}, "hash"); err != nil {
				t.Fatal(err)
			}
			g.write(func(tx *store.Tx) error {
				return tx.SaveLicense(t.Context(), lead.License{Holder: marcus, State: g.state[g.apps[0]], Allowed: true})
			})
			_, backAt := g.split(9)
			moved := g.owners()
			if err := tt.before(g); err != nil {
				t.Fatal(err)
			}
			g.goBack(backAt)
			if moved[g.apps[0]] != marcus || g.owners()[g.apps[0]] != marcus {
				t.Errorf("got %s, then %s, want Marcus", moved[g.apps[0]], g.owners()[g.apps[0]])
			}
			who := "maya"
			if name == "the manager's role" {
				who = "mike"
			}
			back, told := g.returned(who)
			if !told || len(back.Rows) != 1 || back.Rows[0].Reason != tt.reason || len(back.Asked) == 1 != tt.asked {
				t.Errorf("told %v: got %+v, want %q, asked %v", told, back.Rows, tt.reason, tt.asked)
			}
		})
	}
}

// TestAnswerReturn_BackAndKeep_DoesBoth answers a question about two leads, once.
func TestAnswerReturn_BackAndKeep_DoesBoth(t *testing.T) {
	t.Parallel()
	g := newOutCompany(t, rand.New(rand.NewPCG(1, 1)), 2, 1) //nolint:gosec // the same company in every run
	g.write(func(tx *store.Tx) error {
		for _, app := range g.apps {
			if err := tx.SaveLicense(t.Context(), lead.License{Holder: marcus, State: g.state[app], Allowed: true}); err != nil {
				return err
			}
		}
		return nil
	})
	_, backAt := g.split(9)
	for _, app := range g.apps {
		g.work(app, "maya")
	}
	g.goBack(backAt)
	back, told := g.returned("maya")
	if !told || len(back.Asked) != 2 || !back.Asked[0].Touched() || back.Asked[0].Problem != "" {
		t.Fatalf("told %v: got %+v, want two leads asked about", told, back.Asked)
	}
	bulk, key := g.bulkReassignments(), g.bulkReassignments().NewFormKey()
	for range 2 { // the same form sent again is the same run
		id, err := bulk.AnswerReturn(t.Context(), back.ID, key, g.apps[:1], g.apps[1:])
		if err != nil || id != key {
			t.Fatalf("got the run %q, %v, want %q", id, err, key)
		}
		g.run()
	}
	if back, _ = g.returned("maya"); len(back.Asked) != 0 {
		t.Errorf("got %d leads asked about after the answer, want none", len(back.Asked))
	}
	if got := g.owners(); got[g.apps[0]] != olivia || got[g.apps[1]] != marcus {
		t.Errorf("got %v, want the first lead back and the second kept", got)
	}
	if _, err := bulk.AnswerReturn(t.Context(), back.ID, bulk.NewFormKey(), g.apps[1:], nil); err != nil {
		t.Errorf("an answer to an answered question: %v, want nothing done", err)
	}
	g.run()
	if got := g.lender.sent(g.apps[1]); got != 1 {
		t.Errorf("the kept lead was sent %d times, want once", got)
	}
}

// TestReturnNow_BackEarly_LeadsGoBack: an originator who is out gets no new leads until their own go back, which can be
// earlier than planned.
func TestReturnNow_BackEarly_LeadsGoBack(t *testing.T) {
	t.Parallel()
	g := newOutCompany(t, rand.New(rand.NewPCG(1, 1)), 2, 1) //nolint:gosec // the same company in every run
	g.write(func(tx *store.Tx) error {
		for _, app := range g.apps {
			if err := tx.SaveLicense(t.Context(), lead.License{Holder: marcus, State: g.state[app], Allowed: true}); err != nil {
				return err
			}
		}
		return nil
	})
	bulk, before := g.bulkReassignments(), g.owners()
	wantOut := func(when string, want bool) {
		t.Helper()
		p, err := bulk.ProposeOut(t.Context(), marcus, deskreassign.OutRequest{Cap: 9})
		out := slices.ContainsFunc(p.Absent, func(o deskreassign.Target) bool { return o.UUID == olivia })
		if err != nil || out != want {
			t.Errorf("%s: out %v, %v, want %v", when, out, err, want)
		}
	}
	wantOut("before", false)
	g.split(9)
	wantOut("while she is out", true)
	if moved := g.owners(); moved[g.apps[0]] != marcus || moved[g.apps[1]] != marcus {
		t.Fatalf("got %v, want both leads with Marcus", moved)
	}
	if id, err := bulk.ReturnNow(t.Context(), olivia); err != nil || id == "" {
		t.Fatalf("got %q, %v, want a run", id, err)
	}
	g.run()
	if got := g.owners(); !maps.Equal(got, before) {
		t.Errorf("got %v, want %v", got, before)
	}
	wantOut("after the return", false)
	if _, err := bulk.ReturnNow(t.Context(), olivia); !fault.Is(err, fault.Conflict) {
		t.Errorf("a second time: got %v, want a conflict", err)
	}
}
