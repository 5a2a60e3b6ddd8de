package lendersync

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// wantUntouched checks that nobody was removed and that Olivia keeps her account and a lead.
func (h *harness) wantUntouched(app heloc.AppID, waiting int) {
	h.t.Helper()
	if n := h.removedCount(); n != 0 || h.disabled("olivia") || h.lead(app).Originator != h.originators[0].ID {
		h.t.Errorf("%d are removed, account closed %v, the lead has %q; want that nothing happened",
			n, h.disabled("olivia"), h.lead(app).Originator)
	}
	if n := len(h.changes(lead.ChangeWaiting)); n != waiting {
		h.t.Errorf("%d changes wait, want %d", n, waiting)
	}
	if waiting > 0 && h.directoryNotices("admin", lead.NoticeDirectory) != 1 {
		h.t.Error("the administrator is not told")
	}
}

// sevenWithOlivia are seven originators, one of them hers.
func (h *harness) sevenWithOlivia() []heloc.Originator {
	return append(h.outsiders()[:6], h.originators[0])
}

// inOtherCompany lists all originators, some of them under the company of another.
func (h *harness) inOtherCompany(some ...heloc.Originator) []heloc.Originator {
	all := slices.Clone(h.lender.Originators())
	for i, o := range all {
		if slices.ContainsFunc(some, func(s heloc.Originator) bool { return s.ID == o.ID }) {
			all[i].Broker = h.originators[2].Broker
		}
	}
	return all
}

func TestSyncDirectory_OneOfThoseWhoWaitSeenByEmail_AllStillWait(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, seven := g.startAndRead("Rivera"), g.sevenWithOlivia()
		g.setDirectory(g.without(seven...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.write(func(tx *store.Tx) error { return tx.SeeOriginator(t.Context(), seven[2], time.Now()) })
		for range 3 {
			g.syncAfter(11 * time.Minute)
			g.wantUntouched(app, 7)
		}
	})
}

func TestSyncDirectory_ThoseWhoWaitSeenInAnIncompleteRead_AllStillWait(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, seven := g.startAndRead("Rivera"), g.sevenWithOlivia()
		g.setDirectory(g.without(seven...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.setDirectoryAnswer(func(offset int) string {
			if offset > 0 {
				return `{}`
			}
			return g.page(g.without(seven[6]), 0)
		})
		time.Sleep(time.Hour)
		if err := g.service.SyncDirectory(t.Context()); err == nil {
			t.Fatal("the read is complete")
		}
		g.setDirectory(g.without(seven...))
		for range 3 {
			g.syncAfter(11 * time.Minute)
			g.wantUntouched(app, 7)
		}
	})
}

func TestSyncDirectory_MoreAbsentThanTheLimitButNotAllConfirmed_NobodyIsRemoved(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, seven := g.startAndRead("Rivera"), g.sevenWithOlivia()
		g.setDirectory(g.without(seven[6]))
		g.syncAfter(time.Hour)
		g.setDirectory(g.without(seven...))
		g.syncAfter(time.Hour)
		g.wantUntouched(app, 1)
		g.syncAfter(time.Hour)
		g.wantUntouched(app, 7)
	})
}

// A company's people can be far fewer than one in twenty of the directory.
func TestSyncDirectory_WholeCompanyAbsentFromALargeDirectory_Waits(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		large := append(g.lender.Originators(), g.newPeople(600)...)
		g.setDirectory(large)
		g.syncAfter(time.Minute)
		g.approve()
		g.syncAfter(time.Minute)
		g.wantAdditions(600, 0)
		inSummit := func(o heloc.Originator) bool { return o.Broker != nil && o.Broker.ID == g.originators[0].Broker.ID }
		g.setDirectory(slices.DeleteFunc(slices.Clone(large), inSummit))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		if n := len(g.changes(lead.ChangeWaiting)); n < 2 {
			t.Errorf("%d changes wait", n)
		}
		g.wantUntouched(app, len(g.changes(lead.ChangeWaiting)))
	})
}

// Four people with accounts here are more than three, however large the directory is.
func TestSyncDirectory_FourWithAccountsAbsent_Wait(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		absent := []heloc.Originator{g.originators[0]}
		for i, o := range g.lender.Originators()[20:30] {
			user := access.User{Actor: access.Actor{UserID: fmt.Sprint("user", i), Email: o.Email, Name: "Some One",
				Role: access.Originator, OriginatorUUID: string(o.ID)}}
			g.must(g.store.AddUser(t.Context(), user, ""))
			if i < 3 {
				absent = append(absent, o)
			}
		}
		g.setDirectory(g.without(absent...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.wantUntouched(app, 4)
	})
}

func TestSyncDirectory_AFewTimeAndAgain_Wait(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(g *harness, n int) []heloc.Originator{
		"absent":             func(g *harness, n int) []heloc.Originator { return g.without(g.outsiders()[:n]...) },
		"in another company": func(g *harness, n int) []heloc.Originator { return g.inOtherCompany(g.outsiders()[:n]...) },
	} {
		t.Run(name, func(t *testing.T) {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				g.addAdmin()
				g.setDirectory(leave(g, 6))
				g.syncAfter(time.Hour)
				g.syncAfter(time.Hour)
				if n := g.changed(); n != 6 {
					t.Fatalf("%d people are changed, want six of 120", n)
				}
				for n := 9; n <= 21; n += 3 {
					g.setDirectory(leave(g, n))
					g.syncAfter(time.Hour)
					g.syncAfter(time.Hour)
				}
				if n := g.changed(); n != 6 || len(g.changes(lead.ChangeWaiting)) != 15 {
					t.Errorf("%d people are changed, and %d changes wait; want that all after the first six wait",
						n, len(g.changes(lead.ChangeWaiting)))
				}
			})
		})
	}
}

// outsiders are originators of a company where nobody has an account.
func (h *harness) outsiders() []heloc.Originator {
	return slices.DeleteFunc(slices.Clone(h.lender.Originators()), func(o heloc.Originator) bool {
		return o.Broker != nil && (o.Broker.ID == h.originators[0].Broker.ID || o.Broker.ID == h.originators[2].Broker.ID)
	})
}

// changed counts who is removed, or in another company than at first.
func (h *harness) changed() (n int) {
	h.t.Helper()
	for _, o := range h.lender.Originators() {
		now, err := h.store.Originator(h.t.Context(), o.ID)
		h.must(err)
		if company, _ := companyOf(o); now.RemovedAt != 0 || access.CompanyOf(now.BrokerID, now.Organization) != company {
			n++
		}
	}
	return n
}

func TestSyncDirectory_RemovedADayAgo_NoLongerCounts(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		for n := 5; n <= 15; n += 5 {
			g.setDirectory(g.without(g.outsiders()[:n]...))
			g.syncAfter(25 * time.Hour)
			g.syncAfter(time.Hour)
			if got := g.removedCount(); got != n {
				t.Errorf("%d people are removed, want %d", got, n)
			}
		}
	})
}

// An administrator approved ten: a single departure on the same day is not held for them.
func TestSyncDirectory_OneAbsentAfterAnApproval_IsRemoved(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		ten := g.outsiders()[:10]
		g.setDirectory(g.without(ten...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.decide(lead.ChangeApproved)
		g.syncAfter(time.Hour)
		g.setDirectory(g.without(append(ten, g.originators[0])...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		if n := g.removedCount(); n != 11 {
			t.Errorf("%d people are removed, want eleven", n)
		}
	})
}

func TestSyncDirectory_SmallInstallationAndOneOutsiderListed_NobodyIsRemoved(t *testing.T) {
	t.Parallel()
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
		before := g.removedCount()
		outsider := g.originators[0]
		outsider.ID, outsider.Email = unknownOriginator, "outsider@x.test"
		outsider.Broker = &heloc.BrokerCompany{ID: "77777777-7777-4777-8777-777777777777", Name: "Outsiders", NMLS: "1"}
		g.setDirectory([]heloc.Originator{outsider})
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		if n := g.removedCount() - before; n != 0 || g.disabled("olivia") || g.lead(app).Originator == "" ||
			len(g.changes(lead.ChangeWaiting)) != 3 {
			t.Errorf("%d are removed, account closed %v, and %d changes wait; want three who wait",
				n, g.disabled("olivia"), len(g.changes(lead.ChangeWaiting)))
		}
	})
}

func TestSyncDirectory_DiscardedMoveThenOneReadWithoutThem_StaysDiscarded(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, moved := g.startAndRead("Rivera"), g.inOtherCompany(g.sevenWithOlivia()...)
		g.setDirectory(moved)
		g.syncAfter(time.Minute)
		g.decide(lead.ChangeDisregarded)
		g.syncAfter(time.Hour)
		kept := len(g.changes(lead.ChangeDisregarded))
		g.setDirectory(slices.DeleteFunc(slices.Clone(moved), func(o heloc.Originator) bool {
			return o.ID == g.originators[0].ID
		}))
		g.syncAfter(time.Hour)
		g.setDirectory(moved)
		g.syncAfter(time.Hour)
		g.wantUntouched(app, 0)
		o, err := g.store.Originator(t.Context(), g.originators[0].ID)
		g.must(err)
		if n := len(g.changes(lead.ChangeDisregarded)); o.BrokerID != g.originators[0].Broker.ID || n != kept {
			t.Errorf("her company is %s, and %d changes are disregarded, want the former one and %d", o.BrokerName, n, kept)
		}
	})
}

func TestSyncDirectory_ListedAgainButAccountClosedForGood_LeadsStayWithTheCompany(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app := g.startAndRead("Rivera")
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.must(g.store.DisableUser(t.Context(), "olivia"))
		closed, err := g.store.Closures(t.Context())
		g.must(err)
		if len(closed) != 1 || closed[0].UserID != "" || closed[0].Leads != 0 {
			t.Errorf("an administrator is told that %+v comes back, want nothing", closed)
		}
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		if l := g.lead(app); !g.disabled("olivia") || l.Originator != "" || l.FormerOriginator != g.originators[0].ID {
			t.Errorf("account closed %v, the lead has %q, before %q; want that it waits",
				g.disabled("olivia"), l.Originator, l.FormerOriginator)
		}
		g.write(func(tx *store.Tx) error { return tx.ReopenUser(t.Context(), access.Actor{UserID: "admin"}, "olivia") })
		g.syncAfter(time.Hour)
		if l := g.lead(app); l.Originator != g.originators[0].ID {
			t.Errorf("once the account is open the lead has %q", l.Originator)
		}
	})
}

func TestSyncDirectory_BackUnderWrongCompanyOnce_EverythingComesBack(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app, seven := g.startAndRead("Rivera"), g.sevenWithOlivia()
		g.setDirectory(g.without(seven...))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.decide(lead.ChangeApproved)
		g.syncAfter(time.Hour)
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
		g.setDirectory(g.inOtherCompany(seven...))
		g.syncAfter(time.Hour)
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		g.wantUntouched(app, 0)
	})
}

// A second account, which the command line can add while the first is closed, replaces it.
func TestCloseUser_OtherAccountClosedByTheDirectory_BothStayClosed(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		second := g.olivia
		second.UserID, second.Email = "second", "second@test"
		g.must(g.store.AddUser(t.Context(), access.User{Actor: second}, ""))
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		g.write(func(tx *store.Tx) error { return tx.CloseUser(t.Context(), access.Actor{UserID: "admin"}, "second") })
		g.syncAfter(time.Hour)
		if !g.disabled("olivia") || !g.disabled("second") {
			t.Errorf("the first account is closed: %v, the second: %v; want both", g.disabled("olivia"), g.disabled("second"))
		}
	})
}
