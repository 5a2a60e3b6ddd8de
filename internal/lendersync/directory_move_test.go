package lendersync

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/pubsub"
	"hearthline/internal/store"
)

// unassigned counts those of some leads that wait for their originator, the first one of the harness.
func (h *harness) unassigned(apps []heloc.AppID) (n int) {
	h.t.Helper()
	for _, app := range apps {
		if l := h.lead(app); l.Originator == "" && l.FormerOriginator == h.originators[0].ID {
			n++
		}
	}
	return n
}

// TestSyncDirectory_ManyLeads_MovedInParts removes an originator with more leads than one transaction unassigns. The
// first attempt fails after some of them: nobody is removed then, and those leads come back if the originator is
// listed again, in parts as well.
func TestSyncDirectory_ManyLeads_MovedInParts(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		var apps []heloc.AppID
		for _, name := range []string{"Rivera", "Okafor", "Lindqvist", "Nakamura", "Bennett", "Duarte", "Sokolov", "Haddad"} {
			apps = append(apps, g.startAndRead(name))
		}
		slices.Sort(apps)
		unassigned := func() int { return g.unassigned(apps) }
		blocked, blockedReturn := false, false
		g.service.CoverMail = coverMailFunc(func(tx *store.Tx) error {
			if blocked && len(tx.Unassigned) > 0 && unassigned() > 0 {
				return errors.New("the disk is full")
			}
			if moved := len(tx.Unassigned) + len(g.returned(tx, apps)); moved > movedAtOnce {
				t.Errorf("got %d leads in one transaction, want at most %d", moved, movedAtOnce)
			}
			if blockedReturn && len(g.returned(tx, apps)) > 0 && unassigned() < len(apps) {
				return errors.New("the disk is full")
			}
			return nil
		})
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		time.Sleep(time.Hour)
		blocked = true
		if err := g.service.SyncDirectory(t.Context()); err == nil || unassigned() != movedAtOnce || g.removedCount() != 0 ||
			g.disabled("olivia") {
			t.Fatalf("stopped: got %v, %d leads unassigned, %d removed, want the first part of the leads only",
				err, unassigned(), g.removedCount())
		}
		blocked = false
		g.setDirectory(g.lender.Originators())
		g.syncAfter(time.Hour)
		if unassigned() != 0 || g.disabled("olivia") {
			t.Errorf("listed again: got %d leads unassigned, want none", unassigned())
		}
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		if unassigned() != len(apps) || g.removedCount() != 1 || !g.disabled("olivia") {
			t.Errorf("removed: got %d leads unassigned, %d removed, want all %d of one",
				unassigned(), g.removedCount(), len(apps))
		}
		blockedReturn = true
		g.setDirectory(g.lender.Originators())
		if err := g.service.SyncDirectory(t.Context()); err != nil || unassigned() != len(apps)-movedAtOnce ||
			g.disabled("olivia") {
			t.Fatalf("listed again and stopped: got %v, %d leads unassigned, want the first part returned only",
				err, unassigned())
		}
		blockedReturn = false
		g.syncAfter(time.Hour)
		if unassigned() != 0 {
			t.Errorf("continued: got %d leads unassigned, want none", unassigned())
		}
	})
}

// TestSyncDirectory_CallerHasNoMoreTime_LoopContinues lists an originator again, and reads for a caller who waits for
// some of the leads only.
func TestSyncDirectory_CallerHasNoMoreTime_LoopContinues(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		var apps []heloc.AppID
		for _, name := range []string{"Rivera", "Okafor", "Lindqvist", "Nakamura", "Bennett", "Duarte"} {
			apps = append(apps, g.startAndRead(name))
		}
		unassigned := func() int { return g.unassigned(apps) }
		g.setDirectory(g.without(g.originators[0]))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		if unassigned() != len(apps) {
			t.Fatalf("%d leads are unassigned, want all", unassigned())
		}
		g.setDirectory(g.lender.Originators())
		time.Sleep(time.Hour)
		short, stop := context.WithTimeout(t.Context(), 3*movePause)
		defer stop()
		_ = g.service.SyncDirectory(short)
		if n := unassigned(); n == 0 || n == len(apps) {
			t.Fatalf("%d leads are unassigned, want some", n)
		}
		select {
		case <-g.service.originatorMissing: // the loop reads again
		default:
			t.Error("nobody continues before the next hourly read")
		}
		g.syncAfter(time.Minute)
		if unassigned() != 0 {
			t.Errorf("%d leads are still unassigned", unassigned())
		}
	})
}

// TestSyncDirectory_OneLeavesAndOneReturns_LossIsAnnouncedFirst reads a directory in which one originator is missing
// and another is listed again: who sees the leads of the first learns of it before those of the second come back one
// by one.
func TestSyncDirectory_OneLeavesAndOneReturns_LossIsAnnouncedFirst(t *testing.T) {
	t.Parallel()
	runInSynctest(t, options{}, func(t *testing.T, g *harness) {
		lost, back := g.startAndRead("Rivera"), g.startAndRead("Okafor")
		leaves, returns := g.originators[0], g.originators[1]
		g.assignLead(back, returns.ID)
		g.setDirectory(g.without(returns))
		g.syncAfter(time.Hour)
		g.syncAfter(time.Hour)
		g.setDirectory(g.without(leaves, returns))
		g.syncAfter(time.Hour)
		if l := g.lead(back); l.Originator != "" || g.lead(lost).Originator != leaves.ID {
			t.Fatalf("only the lead of who has left must be unassigned: got %q and %q", l.Originator, g.lead(lost).Originator)
		}
		events, leave := g.hub.Subscribe(pubsub.Originator(string(leaves.ID)))
		defer leave()
		returned := 0
		g.service.CoverMail = coverMailFunc(func(tx *store.Tx) error {
			if len(g.returned(tx, []heloc.AppID{lost, back})) == 0 {
				return nil
			}
			returned++
			select {
			case <-events:
			default:
				t.Error("a lead is returned before the loss of the other one is announced")
			}
			return nil
		})
		g.setDirectory(g.without(leaves))
		g.syncAfter(time.Hour)
		if returned != 1 || g.lead(back).Originator != returns.ID || g.lead(lost).Originator != "" {
			t.Errorf("got %d leads returned, %q and %q, want one lead back and one lost",
				returned, g.lead(back).Originator, g.lead(lost).Originator)
		}
	})
}

// returned lists those of some leads that get an originator back in a transaction.
func (h *harness) returned(tx *store.Tx, apps []heloc.AppID) (all []heloc.AppID) {
	h.t.Helper()
	for _, app := range apps {
		l, err := tx.AnyLead(h.t.Context(), app)
		if err != nil {
			h.t.Fatal(err)
		}
		if l.Originator != "" && h.lead(app).Originator == "" {
			all = append(all, app)
		}
	}
	return all
}

// coverMailFunc is called at the end of each transaction that changes the directory.
type coverMailFunc func(tx *store.Tx) error

func (f coverMailFunc) SendCoversEnded(_ context.Context, tx *store.Tx) error { return f(tx) }

// TestGiveBack_LeadCannotBeReturned_OthersAre cannot save the lead of one of two originators, the first or the second.
func TestGiveBack_LeadCannotBeReturned_OthersAre(t *testing.T) {
	t.Parallel()
	for _, failing := range []int{0, 1} {
		runInSynctest(t, options{}, func(t *testing.T, g *harness) {
			apps := []heloc.AppID{g.startAndRead("Rivera"), g.startAndRead("Okafor")}
			j := &judgment{w: g.service, back: []heloc.OriginatorID{g.originators[0].ID, g.originators[1].ID}}
			g.assignLead(apps[1], j.back[1])
			for i, id := range j.back {
				company := g.lead(apps[i]).Company
				g.write(func(tx *store.Tx) error { return tx.UnassignOpenLeads(t.Context(), id, company) })
			}
			g.service.CoverMail = coverMailFunc(func(tx *store.Tx) error {
				if slices.Contains(g.returned(tx, apps), apps[failing]) {
					return errors.New("the disk is full")
				}
				return nil
			})
			if err := j.giveBack(t.Context()); err == nil {
				t.Error("the error is lost")
			}
			for i, app := range apps {
				want := j.back[i]
				if i == failing {
					want = ""
				}
				if got := g.lead(app).Originator; got != want {
					t.Errorf("with a failing lead %d, lead %d has originator %q, want %q", failing, i, got, want)
				}
			}
		})
	}
}
