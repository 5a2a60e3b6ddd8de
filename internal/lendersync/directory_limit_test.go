package lendersync

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// wantUntouched checks that nobody was removed and that Olivia keeps her account and a lead.
func (g *harness) wantUntouched(app heloc.AppID, waiting int) {
	g.t.Helper()
	if n := g.goneCount(); n != 0 || g.disabled("olivia") || g.lead(app).Originator != g.originators[0].ID {
		g.t.Errorf("%d are removed, account closed %v, the lead has %q; want that nothing happened", n, g.disabled("olivia"), g.lead(app).Originator)
	}
	if n := len(g.changes(store.ChangeWaiting)); n != waiting {
		g.t.Errorf("%d changes wait, want %d", n, waiting)
	}
	if waiting > 0 && g.directoryNotices("admin", store.NoticeDirectory) != 1 {
		g.t.Error("the administrator is not told")
	}
}

// sevenWithOlivia are seven originators, one of them hers.
func (g *harness) sevenWithOlivia() []heloc.Originator {
	return append(g.strangers()[:6], g.originators[0])
}

// inOtherCompany lists all originators, some of them under the company of another.
func (g *harness) inOtherCompany(some ...heloc.Originator) []heloc.Originator {
	all := slices.Clone(g.lender.Originators())
	for i, o := range all {
		if slices.ContainsFunc(some, func(s heloc.Originator) bool { return s.ID == o.ID }) {
			all[i].Broker = g.originators[2].Broker
		}
	}
	return all
}

func TestSyncDirectory_OneOfThoseWhoWaitSeenByEmail_AllStillWait(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, seven := g.startAndRead("Rivera"), g.sevenWithOlivia()
		g.lists(g.without(seven...))
		g.later(time.Hour)
		g.later(time.Hour)
		g.write(func(tx *store.Tx) error { return tx.SeeOriginator(t.Context(), seven[2], time.Now()) })
		for range 3 {
			g.later(11 * time.Minute)
			g.wantUntouched(app, 7)
		}
	})
}

func TestSyncDirectory_ThoseWhoWaitSeenInAnIncompleteRead_AllStillWait(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, seven := g.startAndRead("Rivera"), g.sevenWithOlivia()
		g.lists(g.without(seven...))
		g.later(time.Hour)
		g.later(time.Hour)
		g.answersDirectory(func(offset int) string {
			if offset > 0 {
				return `{}`
			}
			return g.page(g.without(seven[6]), 0)
		})
		time.Sleep(time.Hour)
		if err := g.service.SyncDirectory(t.Context()); err == nil {
			t.Fatal("the read is complete")
		}
		g.lists(g.without(seven...))
		for range 3 {
			g.later(11 * time.Minute)
			g.wantUntouched(app, 7)
		}
	})
}

func TestSyncDirectory_MoreAbsentThanTheLimitButNotAllConfirmed_NobodyIsRemoved(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, seven := g.startAndRead("Rivera"), g.sevenWithOlivia()
		g.lists(g.without(seven[6]))
		g.later(time.Hour)
		g.lists(g.without(seven...))
		g.later(time.Hour)
		g.wantUntouched(app, 1)
		g.later(time.Hour)
		g.wantUntouched(app, 7)
	})
}

// A company's people can be far fewer than one in twenty of the directory.
func TestSyncDirectory_WholeCompanyAbsentFromALargeDirectory_Waits(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		large := g.lender.Originators()
		for i := range 3000 {
			stranger := g.originators[2]
			stranger.ID, stranger.Email = heloc.OriginatorID(fmt.Sprintf("a%07d%s", i, stranger.ID[8:])), fmt.Sprintf("%d@stranger.test", i)
			large = append(large, stranger)
		}
		g.lists(large)
		g.later(time.Minute)
		inSummit := func(o heloc.Originator) bool { return o.Broker != nil && o.Broker.ID == g.originators[0].Broker.ID }
		g.lists(slices.DeleteFunc(slices.Clone(large), inSummit))
		g.later(time.Hour)
		g.later(time.Hour)
		if n := len(g.changes(store.ChangeWaiting)); n < 2 {
			t.Errorf("%d changes wait", n)
		}
		g.wantUntouched(app, len(g.changes(store.ChangeWaiting)))
	})
}

// Four people with accounts here are more than three, however large the directory is.
func TestSyncDirectory_FourWithAccountsAbsent_Wait(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		absent := []heloc.Originator{g.originators[0]}
		for i, o := range g.lender.Originators()[20:30] {
			user := access.User{Actor: access.Actor{UserID: fmt.Sprint("user", i), Email: o.Email, Name: "Some One", Role: access.Originator, OriginatorUUID: string(o.ID)}}
			g.must(g.store.AddUser(t.Context(), user, ""))
			if i < 3 {
				absent = append(absent, o)
			}
		}
		g.lists(g.without(absent...))
		g.later(time.Hour)
		g.later(time.Hour)
		g.wantUntouched(app, 4)
	})
}

func TestSyncDirectory_AFewTimeAndAgain_Wait(t *testing.T) {
	for name, leave := range map[string]func(g *harness, n int) []heloc.Originator{
		"absent":             func(g *harness, n int) []heloc.Originator { return g.without(g.strangers()[:n]...) },
		"in another company": func(g *harness, n int) []heloc.Originator { return g.inOtherCompany(g.strangers()[:n]...) },
	} {
		t.Run(name, func(t *testing.T) {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				g.addAdmin()
				g.lists(leave(g, 6))
				g.later(time.Hour)
				g.later(time.Hour)
				if n := g.changed(); n != 6 {
					t.Fatalf("%d people are changed, want six of 120", n)
				}
				for n := 9; n <= 21; n += 3 {
					g.lists(leave(g, n))
					g.later(time.Hour)
					g.later(time.Hour)
				}
				if n := g.changed(); n != 6 || len(g.changes(store.ChangeWaiting)) != 15 {
					t.Errorf("%d people are changed, and %d changes wait; want that all after the first six wait", n, len(g.changes(store.ChangeWaiting)))
				}
			})
		})
	}
}

// strangers are originators of a company where nobody has an account.
func (g *harness) strangers() []heloc.Originator {
	return slices.DeleteFunc(slices.Clone(g.lender.Originators()), func(o heloc.Originator) bool {
		return o.Broker != nil && (o.Broker.ID == g.originators[0].Broker.ID || o.Broker.ID == g.originators[2].Broker.ID)
	})
}

// changed counts who is removed, or in another company than at first.
func (g *harness) changed() (n int) {
	g.t.Helper()
	for _, o := range g.lender.Originators() {
		now, err := g.store.Originator(g.t.Context(), o.ID)
		g.must(err)
		if company, _ := companyOf(o); now.RemovedAt != 0 || store.CompanyOf(now.BrokerID, now.Organization) != company {
			n++
		}
	}
	return n
}

func TestSyncDirectory_RemovedADayAgo_NoLongerCounts(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		for n := 5; n <= 15; n += 5 {
			g.lists(g.without(g.strangers()[:n]...))
			g.later(25 * time.Hour)
			g.later(time.Hour)
			if got := g.goneCount(); got != n {
				t.Errorf("%d people are removed, want %d", got, n)
			}
		}
	})
}

// An administrator approved ten: a single departure on the same day is not held for them.
func TestSyncDirectory_OneAbsentAfterAnApproval_IsRemoved(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		ten := g.strangers()[:10]
		g.lists(g.without(ten...))
		g.later(time.Hour)
		g.later(time.Hour)
		g.decide(store.ChangeApproved)
		g.later(time.Hour)
		g.lists(g.without(append(ten, g.originators[0])...))
		g.later(time.Hour)
		g.later(time.Hour)
		if n := g.goneCount(); n != 11 {
			t.Errorf("%d people are removed, want eleven", n)
		}
	})
}

func TestSyncDirectory_SmallInstallationAndOneStrangerListed_NobodyIsRemoved(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		all, err := g.store.AllOriginators(t.Context())
		g.must(err)
		g.write(func(tx *store.Tx) error {
			for _, o := range all { // three remain known
				if slices.ContainsFunc(g.originators, func(known heloc.Originator) bool { return known.ID == o.UUID }) {
					continue
				}
				if err := tx.MarkRemoved(t.Context(), o.UUID, time.Now()); err != nil {
					return err
				}
			}
			return nil
		})
		before := g.goneCount()
		stranger := g.originators[0]
		stranger.ID, stranger.Email = unknownOriginator, "stranger@x.test"
		stranger.Broker = &heloc.BrokerCompany{ID: "77777777-7777-4777-8777-777777777777", Name: "Strangers", NMLS: "1"}
		g.lists([]heloc.Originator{stranger})
		g.later(time.Hour)
		g.later(time.Hour)
		if n := g.goneCount() - before; n != 0 || g.disabled("olivia") || g.lead(app).Originator == "" || len(g.changes(store.ChangeWaiting)) != 3 {
			t.Errorf("%d are removed, account closed %v, and %d changes wait; want three who wait", n, g.disabled("olivia"), len(g.changes(store.ChangeWaiting)))
		}
	})
}

func TestSyncDirectory_DiscardedMoveThenOneReadWithoutThem_StaysDiscarded(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, moved := g.startAndRead("Rivera"), g.inOtherCompany(g.sevenWithOlivia()...)
		g.lists(moved)
		g.later(time.Minute)
		g.decide(store.ChangeDisregarded)
		g.later(time.Hour)
		kept := len(g.changes(store.ChangeDisregarded))
		g.lists(slices.DeleteFunc(slices.Clone(moved), func(o heloc.Originator) bool { return o.ID == g.originators[0].ID }))
		g.later(time.Hour)
		g.lists(moved)
		g.later(time.Hour)
		g.wantUntouched(app, 0)
		o, err := g.store.Originator(t.Context(), g.originators[0].ID)
		g.must(err)
		if n := len(g.changes(store.ChangeDisregarded)); o.BrokerID != g.originators[0].Broker.ID || n != kept {
			t.Errorf("her company is %s, and %d changes are disregarded, want the former one and %d", o.BrokerName, n, kept)
		}
	})
}

func TestSyncDirectory_ListedAgainButAccountClosedForGood_LeadsStayWithTheCompany(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.lists(g.without(g.originators[0]))
		g.later(time.Hour)
		g.later(time.Hour)
		g.must(g.store.DisableUser(t.Context(), "olivia"))
		closed, err := g.store.Closures(t.Context())
		g.must(err)
		if len(closed) != 1 || closed[0].UserID != "" || closed[0].Leads != 0 {
			t.Errorf("an administrator is told that %+v comes back, want nothing", closed)
		}
		g.lists(g.lender.Originators())
		g.later(time.Hour)
		if l := g.lead(app); !g.disabled("olivia") || l.Originator != "" || l.FormerOriginator != g.originators[0].ID {
			t.Errorf("account closed %v, the lead has %q, before %q; want that it waits", g.disabled("olivia"), l.Originator, l.FormerOriginator)
		}
		g.write(func(tx *store.Tx) error { return tx.ReopenUser(t.Context(), access.Actor{UserID: "admin"}, "olivia") })
		g.later(time.Hour)
		if l := g.lead(app); l.Originator != g.originators[0].ID {
			t.Errorf("once the account is open the lead has %q", l.Originator)
		}
	})
}

func TestSyncDirectory_BackUnderWrongCompanyOnce_EverythingComesBack(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, seven := g.startAndRead("Rivera"), g.sevenWithOlivia()
		g.lists(g.without(seven...))
		g.later(time.Hour)
		g.later(time.Hour)
		g.decide(store.ChangeApproved)
		g.later(time.Hour)
		if !g.disabled("olivia") || g.lead(app).Originator != "" {
			t.Fatal("nothing was closed")
		}
		wrong := g.inOtherCompany(seven...)
		g.write(func(tx *store.Tx) error { // as a search by email does
			at := slices.IndexFunc(wrong, func(o heloc.Originator) bool { return o.ID == g.originators[0].ID })
			return tx.SeeOriginator(t.Context(), wrong[at], time.Now())
		})
		o, err := g.store.Originator(t.Context(), g.originators[0].ID)
		g.must(err)
		if o.BrokerID != g.originators[0].Broker.ID {
			t.Errorf("after a search she is in %s", o.BrokerName)
		}
		g.lists(g.inOtherCompany(seven...))
		g.later(time.Hour)
		g.lists(g.lender.Originators())
		g.later(time.Hour)
		g.wantUntouched(app, 0)
	})
}

// A second account, which the command line can add while the first is closed, replaces it.
func TestCloseUser_OtherAccountClosedByTheDirectory_BothStayClosed(t *testing.T) {
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.lists(g.without(g.originators[0]))
		g.later(time.Hour)
		g.later(time.Hour)
		second := g.olivia
		second.UserID, second.Email = "second", "second@test"
		g.must(g.store.AddUser(t.Context(), access.User{Actor: second}, ""))
		g.lists(g.lender.Originators())
		g.later(time.Hour)
		g.write(func(tx *store.Tx) error { return tx.CloseUser(t.Context(), access.Actor{UserID: "admin"}, "second") })
		g.later(time.Hour)
		if !g.disabled("olivia") || !g.disabled("second") {
			t.Errorf("the first account is closed: %v, the second: %v; want both", g.disabled("olivia"), g.disabled("second"))
		}
	})
}
