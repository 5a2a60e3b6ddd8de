package desk_test

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/desk/demo"
	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/desk/reassign"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/pii"
	"hearthline/internal/store"
)

// rehearse returns the user's missions, by step; the reassignment has none.
func (h *harness) rehearse(who access.Actor) map[heloc.Step]demo.Mission {
	h.t.Helper()
	rehearsal, err := h.service.For(who).Rehearsal()
	h.must(err)
	progress, err := rehearsal.Progress(h.t.Context())
	h.must(err)
	missions := map[heloc.Step]demo.Mission{}
	done := 0
	for _, m := range progress.Missions {
		missions[m.Step] = m
		if m.Done != nil {
			done++
		}
	}
	if len(progress.Missions) != 8 || len(missions) != 8 || progress.Done() != done {
		h.t.Errorf("got %d missions for %d steps, %d done of %d, want eight with a correct count",
			len(progress.Missions), len(missions), progress.Done(), done)
	}
	return missions
}

// TestRehearsal_ResolvedStep_IsDoneForItsSender sends an SSN that matches no file, and then one that does.
func TestRehearsal_ResolvedStep_IsDoneForItsSender(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		app := g.start(g.olivia, "Rivera-Match")
		mission := func() demo.Mission { return g.rehearse(g.olivia)[heloc.StepCreditMatch] }
		if m := mission(); m.Done != nil || m.Lead == nil || m.Lead.App != app || m.Lead.Name.Last != "Rivera-Match" ||
			m.Status != heloc.StatusSSNNeeded {
			t.Fatalf("before: got %+v, want the lead that is at the step", m)
		}
		send := func(ssn string) lead.Operation {
			time.Sleep(time.Second)
			l := g.openLead(g.olivia, app)
			op, err := l.AddSSN(t.Context(), l.NewOperationID(heloc.OpAddSSN), pii.Wrap(ssn))
			g.must(err)
			g.must(g.sync.Refresh(t.Context(), app))
			return op
		}
		send("123-45-0000") // accepted, and the lender asks for the SSN again
		if m := mission(); m.Done != nil || m.Lead == nil {
			t.Errorf("the lead is still at the step: got %+v, want it not done", m)
		}
		op := send("123-45-6789")
		if m := mission(); m.Done == nil || m.Done.ID != op.ID || m.Lead != nil {
			t.Errorf("after: got %+v, want it done by %s", m, op.ID)
		}
		for _, who := range []access.Actor{g.marcus, g.maya, g.piotr} {
			if m := g.rehearse(who)[heloc.StepCreditMatch]; m.Done != nil || m.Lead != nil {
				t.Errorf("%s: got %+v, want nothing of olivia's", who.Name, m)
			}
		}

		rehearsal, err := g.service.For(g.olivia).Rehearsal()
		g.must(err)
		time.Sleep(time.Second)
		g.must(rehearsal.StartOver(t.Context()))
		if m := mission(); m.Done != nil {
			t.Errorf("started over: got %+v, want it not done", m.Done)
		}
		progress, err := rehearsal.Progress(t.Context())
		if err != nil || !progress.Since.Equal(time.Now().Truncate(time.Millisecond)) {
			t.Errorf("started over: counts since %v, %v, want since now", progress.Since, err)
		}
	})
}

// TestRehearsal_AccountCreatedLater_DoesNotCount expects that writes from before the account are not counted: the demo
// itself sends some in the users' names, at times in the past.
func TestRehearsal_AccountCreatedLater_DoesNotCount(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		op := lead.Operation{
			ID: "hl-past", Kind: heloc.OpVerifyLiens, App: g.start(g.olivia, "Rivera-Liens"), ActorID: g.olivia.UserID,
			Company: access.CompanyOf(g.olivia.BrokerID, g.olivia.Organization), State: lead.OpSucceeded,
			StepBefore: heloc.StepLienMatching, StepAfter: heloc.StepOffersAvailable, StepChangedAt: 1,
		}
		add := func(id string, at time.Time) {
			op.ID, op.CreatedAt = id, store.Millis(at)
			g.must(g.store.Write(t.Context(), func(tx *store.Tx) error { return tx.AddOperation(t.Context(), op) }))
		}
		add("hl-past", time.Now().Add(-time.Hour))
		if m := g.rehearse(g.olivia)[heloc.StepLienMatching]; m.Done != nil {
			t.Errorf("got %+v, want it not done", m.Done)
		}
		add("hl-since", time.Now().Add(time.Second))
		if m := g.rehearse(g.olivia)[heloc.StepLienMatching]; m.Done == nil || m.Done.ID != "hl-since" {
			t.Errorf("got %+v, want it done since the account exists", m.Done)
		}
	})
}

// TestRehearsal_LeadsAreSeparate expects that no lead is proposed twice, none that a mission was done on, and for a
// reassignment one that no other mission needs.
func TestRehearsal_LeadsAreSeparate(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		twoSteps := g.start(g.olivia, "Rivera-Match-Liens")
		g.start(g.olivia, "Rivera-Payoff")
		seen := map[heloc.AppID]heloc.Step{}
		for step, m := range g.rehearse(g.olivia) {
			if m.Lead == nil {
				continue
			}
			if other, twice := seen[m.Lead.App]; twice {
				t.Errorf("%s and %s: got the same lead", step, other)
			}
			seen[m.Lead.App] = step
		}
		if len(seen) != 2 {
			t.Errorf("got %v, want the two leads at their steps and none to reassign", seen)
		}
		offers := g.start(g.olivia, "Rivera")
		if m := g.rehearse(g.olivia)[""]; m.Lead == nil || m.Lead.App != offers {
			t.Errorf("got %+v, want the lead with offers to be reassigned", m)
		}
		time.Sleep(time.Second)
		l := g.openLead(g.olivia, twoSteps)
		_, err := l.AddSSN(t.Context(), l.NewOperationID(heloc.OpAddSSN), pii.Wrap("123-45-6789"))
		g.must(err)
		g.must(g.sync.Refresh(t.Context(), twoSteps))
		if m := g.rehearse(g.olivia)[heloc.StepLienMatching]; m.Lead != nil || m.Done != nil {
			t.Errorf("got %+v, want no lead: the one there has been used for another mission", m)
		}
	})
}

// TestRehearsal_Reassignment_ByRole has an originator's lead, which a manager of the company may reassign, and a lead
// of the manager.
func TestRehearsal_Reassignment_ByRole(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		g.start(g.maya, "Rivera")
		olivias := g.start(g.olivia, "Rivera")
		if m := g.rehearse(g.maya)[""]; m.Lead == nil || m.Lead.App != olivias ||
			m.Lead.Originator != g.olivia.OriginatorName {
			t.Errorf("the manager: got %+v, want the originator's lead", m.Lead)
		}
		if m := g.rehearse(g.piotr)[""]; m.Lead != nil {
			t.Errorf("another company: got %+v, want none", m.Lead)
		}
		time.Sleep(time.Second)
		l := g.openLead(g.maya, olivias)
		op, err := l.Reassign(t.Context(), reassign.Request{OperationID: l.NewOperationID(heloc.OpReassign),
			Assignee: g.marcus.OriginatorUUID})
		g.must(err)
		if m := g.rehearse(g.maya)[""]; m.Done == nil || m.Done.ID != op.ID {
			t.Errorf("the manager: got %+v, want it done", m)
		}
		if m := g.rehearse(g.olivia)[""]; m.Done != nil {
			t.Errorf("the originator: got %+v, want it not done: the manager did it", m.Done)
		}
		if m := g.rehearse(g.marcus)[""]; m.Done != nil || m.Lead == nil || m.Lead.App != olivias {
			t.Errorf("the new originator: got %+v, want the received lead", m)
		}
	})
}

func TestRehearsal_WithoutActing_Denied(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		for _, who := range []access.Actor{g.ann, g.admin} {
			_, err := g.service.For(who).Rehearsal()
			wantKind(t, err, fault.Denied)
		}
	})
}

// TestRehearsal_EveryMission_CanBeDone resolves every blocked step with its form and reassigns a lead.
func TestRehearsal_EveryMission_CanBeDone(t *testing.T) {
	t.Parallel()
	runInSynctest(t, true, func(t *testing.T, g *harness) {
		ctx := t.Context()
		consent := lead.ConsentForm{Attested: true, Method: "in-person", Version: "2026-11"}
		income := func() heloc.Income {
			return heloc.Income{EmploymentType: heloc.EmploymentFullTime, GrossAnnual: new(heloc.Dollars(128_000)),
				OtherAnnual: new(heloc.Dollars(20_000))}
		}
		type answer func(l *desk.Lead, view desklead.Snapshot, ticket string) (lead.Operation, error)
		answers := map[string]answer{
			"Rivera-Unit": func(l *desk.Lead, view desklead.Snapshot, ticket string) (lead.Operation, error) {
				return l.SelectProperty(ctx, ticket, view.Properties.Properties[0].ID)
			},
			"Rivera-Match": func(l *desk.Lead, _ desklead.Snapshot, ticket string) (lead.Operation, error) {
				return l.AddSSN(ctx, ticket, pii.Wrap("123-45-6789"))
			},
			"Rivera-Frozen": func(l *desk.Lead, _ desklead.Snapshot, ticket string) (lead.Operation, error) {
				g.must(g.lender.Play(l.App(), "thaw"))
				return l.RepullCredit(ctx, ticket, consent)
			},
			"Rivera-Liens": func(l *desk.Lead, view desklead.Snapshot, ticket string) (lead.Operation, error) {
				var liens []heloc.LienInput
				for _, found := range view.Details.App.Liens {
					liens = append(liens, heloc.LienInput{LienUUID: found.LienUUID, OriginationDate: found.OriginationDate,
						LenderName: found.LenderName, OriginalBalance: found.OriginalBalance, CurrentBalance: found.CurrentBalance,
						MonthlyPayment: found.MonthlyPayment})
				}
				return l.VerifyLiens(ctx, ticket, liens, nil)
			},
			"Rivera-Assets": func(l *desk.Lead, _ desklead.Snapshot, ticket string) (lead.Operation, error) {
				return l.AssetDepletion(ctx, ticket, heloc.AssetDepletion{Income: income()})
			},
			"Rivera-Payoff": func(l *desk.Lead, view desklead.Snapshot, ticket string) (lead.Operation, error) {
				return l.AssetDepletion(ctx, ticket, heloc.AssetDepletion{
					AccountsToPayoff: []string{view.Details.App.Payoff.Existing.Eligible[0].ID},
				})
			},
			"Rivera-Value": func(l *desk.Lead, _ desklead.Snapshot, ticket string) (lead.Operation, error) {
				return l.AddPropertyEstimate(ctx, ticket, heloc.Dollars(640_000))
			},
		}
		for lastName := range answers {
			g.start(g.olivia, lastName)
		}
		given := g.start(g.olivia, "Rivera")
		time.Sleep(time.Second)
		kinds := map[heloc.Step]heloc.Operation{}
		for _, b := range heloc.BlockedSteps() {
			kinds[b.Step] = b.Operations[0]
		}
		for step, m := range g.rehearse(g.olivia) {
			if m.Lead == nil {
				t.Fatalf("%q: got no lead", step)
			}
			if step == "" {
				continue
			}
			l := g.openLead(g.olivia, m.Lead.App)
			view, err := l.Snapshot(ctx)
			g.must(err)
			_, err = answers[m.Lead.Name.Last](l, view, l.NewOperationID(kinds[step]))
			g.must(err)
			g.must(g.sync.Refresh(ctx, m.Lead.App))
		}
		l := g.openLead(g.olivia, given)
		_, err := l.Reassign(ctx, reassign.Request{OperationID: l.NewOperationID(heloc.OpReassign),
			Assignee: g.marcus.OriginatorUUID})
		g.must(err)
		for step, m := range g.rehearse(g.olivia) {
			if m.Done == nil {
				t.Errorf("%q: got %+v, want it done", step, m)
			}
		}
	})
}
