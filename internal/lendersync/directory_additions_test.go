package lendersync

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
)

// newPeople are originators in Piotr's company who are not in the directory yet.
func (h *harness) newPeople(n int) []heloc.Originator {
	all := make([]heloc.Originator, n)
	for i := range all {
		all[i] = h.originators[2]
		all[i].ID = heloc.OriginatorID(fmt.Sprintf("a%07d%s", i, all[i].ID[8:]))
		all[i].Email = fmt.Sprintf("%d@new.test", i)
	}
	return all
}

// setDirectoryWith makes the lender's directory list its originators and some more.
func (h *harness) setDirectoryWith(more ...heloc.Originator) {
	h.setDirectory(append(h.lender.Originators(), more...))
}

// wantAdditions checks how many people are stored beyond the sandbox's originators, and how many are held.
func (h *harness) wantAdditions(added, held int) {
	h.t.Helper()
	all, err := h.store.AllOriginators(h.t.Context())
	h.must(err)
	if n := len(all) - len(h.lender.Originators()); n != added {
		h.t.Errorf("got %d people added, want %d", n, added)
	}
	got, err := h.store.HeldAdditions(h.t.Context())
	h.must(err)
	if got.People != held {
		h.t.Errorf("got %d people held, want %d", got.People, held)
	}
}

func TestSyncDirectory_ThousandsListedOnce_DirectoryStaysAsItWas(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		app := g.startAndRead("Rivera")
		before, err := g.store.AllOriginators(t.Context())
		g.must(err)
		listed := append(g.newPeople(5000), g.lender.Originators()...)
		at := slices.IndexFunc(listed, func(o heloc.Originator) bool { return o.ID == g.originators[1].ID })
		listed[at].LastName = "Married"
		g.setDirectory(listed)
		g.syncAfter(time.Hour)
		g.wantAdditions(0, 5000)
		if o, err := g.store.Originator(t.Context(), g.originators[1].ID); err != nil || o.LastName != "Married" {
			t.Errorf("a known originator is named %q, want the name of the read", o.LastName)
		}
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		g.wantAdditions(0, 0)
		after, err := g.store.AllOriginators(t.Context())
		g.must(err)
		if !slices.EqualFunc(before, after, func(b, a lead.Originator) bool {
			a.SyncedAt = b.SyncedAt
			return a == b
		}) {
			t.Error("the directory is not the same as before")
		}
		if n := g.directoryNotices("admin", lead.NoticeDirectory); n != 0 {
			t.Errorf("got %d notifications of what the lender no longer lists, want none", n)
		}
		g.wantUntouched(app, 0)
	})
}

// approve approves the held people as an administrator does.
func (h *harness) approve() {
	h.t.Helper()
	h.write(func(tx *store.Tx) error {
		held, err := tx.HeldAdditions(h.t.Context())
		if err != nil {
			return err
		}
		held.Approved = true
		return tx.SaveHeldAdditions(h.t.Context(), held)
	})
}

func TestSyncDirectory_Additions_WaitForAnAdministrator(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		g.addAdmin()
		more := g.newPeople(500)
		g.setDirectoryWith(more...)
		for range 3 { // repeating it proves nothing
			g.syncAfter(time.Hour)
			g.wantAdditions(0, 500)
		}
		if n := g.directoryNotices("admin", lead.NoticeDirectory); n != 1 {
			t.Errorf("got %d notifications of the administrator, want one", n)
		}
		held, err := g.store.HeldAdditions(t.Context())
		g.must(err)
		if want := []lead.CompanyAdditions{{Name: more[0].Broker.Name, People: 500}}; !slices.Equal(held.Companies, want) {
			t.Errorf("got %v, want %v", held.Companies, want)
		}
		g.approve()
		slices.Reverse(more) // the order means nothing
		g.setDirectoryWith(more...)
		g.syncAfter(time.Second)
		g.wantAdditions(500, 0)
	})
}

func TestSyncDirectory_OtherAdditionsThanApproved_AreHeldAgain(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		more := g.newPeople(600)
		for _, some := range [][]heloc.Originator{more[:500], more[100:], more[:501], more[:500]} {
			g.setDirectoryWith(some...)
			g.syncAfter(time.Hour)
			g.wantAdditions(0, len(some))
			g.approve()
		}
		g.syncAfter(time.Hour)
		g.wantAdditions(500, 0)
	})
}

func TestSyncDirectory_FirstReadOfAnInstallation_AddsEverybody(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(g *harness) []heloc.Originator{
		"nobody is known":                      func(*harness) []heloc.Originator { return nil },
		"an incomplete read found some people": func(g *harness) []heloc.Originator { return g.lender.Originators()[:30] },
	} {
		t.Run(name, func(t *testing.T) {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				g.close()
				g.address = storetest.NewDatabase(t)
				g.open()
				g.write(func(tx *store.Tx) error {
					for _, o := range before(g) {
						if err := tx.SeeOriginator(t.Context(), o, time.Now()); err != nil {
							return err
						}
					}
					return nil
				})
				g.setDirectoryWith(g.newPeople(300)...)
				g.syncAfter(time.Second)
				g.wantAdditions(300, 0)
			})
		})
	}
}

func TestSyncDirectory_Additions_LimitIsTwentyOrOneInTen(t *testing.T) {
	t.Parallel()
	const all = 120 // in the sandbox's directory
	for _, tt := range []struct{ ever, known, listed, added, held int }{
		{all, 60, 15, 15, 0}, {all, 60, 20, 20, 0}, {all, 60, 21, 0, 21}, {300, 300, 30, 30, 0}, {300, 300, 31, 0, 31},
		{300, 250, 25, 25, 0}, {300, 250, 26, 0, 26}, // removed originators do not count
	} {
		t.Run(fmt.Sprint(tt.listed, " besides ", tt.known), func(t *testing.T) {
			runInSynctest(t, options{}, func(t *testing.T, g *harness) {
				known, more := g.lender.Originators(), g.newPeople(300)
				g.write(func(tx *store.Tx) error {
					for ; len(known) < tt.ever; more = more[1:] {
						if err := tx.SeeOriginator(t.Context(), more[0], time.Now()); err != nil {
							return err
						}
						known = append(known, more[0])
					}
					for ; len(known) > tt.known; known = known[:len(known)-1] {
						if err := tx.MarkRemoved(t.Context(), known[len(known)-1].ID, time.Now()); err != nil {
							return err
						}
					}
					return nil
				})
				g.setDirectory(append(known, more[:tt.listed]...))
				g.syncAfter(time.Second)
				g.wantAdditions(tt.ever-all+tt.added, tt.held)
			})
		})
	}
}

// TestSyncDirectory_IncompleteReads_NeitherAddManyNorConfirm reads only the first page of the directory.
func TestSyncDirectory_IncompleteReads_NeitherAddManyNorConfirm(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		read := func(listed []heloc.Originator) {
			t.Helper()
			g.setDirectoryAnswer(func(offset int) string {
				if offset > 0 {
					return `{}`
				}
				return g.page(listed, 0)
			})
			time.Sleep(time.Hour)
			if err := g.service.SyncDirectory(t.Context()); err == nil {
				t.Fatal("the read is complete")
			}
		}
		few := append(g.newPeople(10), g.lender.Originators()...)
		many := append(g.newPeople(500), g.lender.Originators()...)
		read(many)
		read(many)
		g.wantAdditions(0, 0)
		g.setDirectory(many)
		g.syncAfter(time.Hour)
		read(many)
		read(few) // these are held
		g.wantAdditions(0, 500)
		g.approve()
		read(many)
		g.wantAdditions(0, 500)
		g.setDirectory(many)
		g.syncAfter(time.Hour)
		g.wantAdditions(500, 0)
	})
}

func TestRefresh_NamesAHeldPerson_LeadStaysUntilTheyAreAdded(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		app, more := g.startAndRead("Rivera"), g.newPeople(30)
		for i := range more {
			more[i].Broker = g.originators[0].Broker
		}
		// one full page
		all := append(more, g.lender.Originators()[:70]...)
		g.nameOriginator(app, `"`+string(more[3].ID)+`"`, func() string { return g.page(all, 0) })
		g.readTwice(app)
		if l, m := g.lead(app), g.mismatchOf(app); l.Originator != g.originators[0].ID ||
			m.Reason != lead.MismatchUnreachable || m.Named != more[3].ID {
			t.Errorf("the lead has %q, and the mismatch is %+v; want that it stays, not confirmed", l.Originator, m)
		}
		g.approve()
		g.syncAfter(time.Minute)
		g.readTwice(app)
		if l, m := g.lead(app), g.mismatchOf(app); l.Originator != more[3].ID || m.Reason != "" {
			t.Errorf("the lead has %q after the approval, and the mismatch is %+v; want the new originator",
				l.Originator, m)
		}
	})
}
