package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/format"
	weblead "hearthline/web/lead"
	"hearthline/web/workspace"
)

// planRepull plans a re-pull with the form on the next-step card.
func (v *testBrowser) planRepull(path string, lifted time.Time, more ...string) *response {
	v.h.t.Helper()
	denver, _ := time.LoadLocation("America/Denver")
	values := url.Values{
		"thaw.liftedAt": {lifted.In(denver).Format("2006-01-02T15:04")}, "thaw.until": {""},
		"consent.attested": {"true"}, "consent.method": {"recorded-call"}, "consent.version": {consentVersion},
	}
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return v.post(path+"/follow-up", values)
}

func (h *harness) repullState(app heloc.AppID) (asked int, last lead.Repull) {
	h.t.Helper()
	ops, err := h.store.Operations(h.t.Context(), app, 20)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, op := range ops {
		if op.Kind == heloc.OpRepullCredit {
			asked++
		}
	}
	plans, err := h.store.Repulls(h.t.Context(), app, 1)
	if err != nil || len(plans) == 0 {
		h.t.Fatalf("no plan: %v", err)
	}
	return asked, plans[0]
}

func TestPlannedRepull_RunsOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	path, app := olivia.startLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
	for name, more := range map[string][]string{
		"thaw.liftedAt":    {"thaw.liftedAt", ""},
		"consent.attested": {"consent.attested", ""},
		"consent.method":   {"consent.method", ""},
		"thaw.until":       {"thaw.until", "2020-01-01T10:00"},
	} {
		got := olivia.planRepull(path, time.Now(), more...)
		if got.status != http.StatusUnprocessableEntity || got.Find(`#form-thaw #complaints a`).Length() == 0 {
			t.Errorf("%s: got %d", name, got.status)
		}
	}
	olivia.planRepull(path, time.Now().Add(2*time.Hour)).wantText("To be lifted", "Credit is asked for", "in the name of Olivia Bennett")
	asked, plan := h.repullState(app)
	if row := h.leadRow(app); asked != 0 || plan.State != lead.RepullWaiting || row.RepullAt != plan.DueAt || row.Lane != heloc.LaneToday {
		t.Errorf("planned: got %d requests, %+v, the lead in %s", asked, plan, row.Lane)
	}
	olivia.send(olivia.get(path).form("#form-thaw-cancel"))
	if _, plan := h.repullState(app); plan.State != lead.RepullCanceled || h.leadRow(app).RepullAt != 0 {
		t.Errorf("withdrawn: got %+v", plan)
	}
	if got := olivia.post(path+"/follow-up", url.Values{"thaw.cancel": {"true"}}); got.status != http.StatusConflict {
		t.Errorf("withdrawn twice: got %d, want 409", got.status)
	}
	if got := h.signInAs("ada").planRepull(path, time.Now()); got.status != http.StatusForbidden {
		t.Errorf("an assistant plans: got %d, want 403", got.status)
	}
	// Planned for two hours ago, so it is due now.
	olivia.planRepull(path, time.Now().Add(-2*time.Hour))
	h.waitUntil("the lender is asked", func() bool { _, plan := h.repullState(app); return plan.State == lead.RepullDone })
	asked, plan = h.repullState(app)
	if asked != 1 {
		t.Errorf("got %d re-pulls, want 1", asked)
	}
	consents, err := h.store.Consents(t.Context(), app)
	if err != nil || len(consents) != 2 || consents[0].At != plan.CreatedAt || consents[0].Method != "recorded-call" {
		t.Errorf("the consent of the plan: got %+v, %v", consents, err)
	}
	h.waitUntil("the lender asks again", func() bool { return h.leadRow(app).Attempt == 2 })
	for range 3 {
		if err := h.jobs.RunDueRepulls(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if asked, _ := h.repullState(app); asked != 1 {
		t.Errorf("later: got %d re-pulls, want still 1", asked)
	}
}

// TestPlannedRepull_ConditionsChanged_Missed changes one thing between the plan and its due time.
func TestPlannedRepull_ConditionsChanged_Missed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(t *testing.T, h *harness, app heloc.AppID)
		why    string
	}{
		"the account was closed": {func(t *testing.T, h *harness, _ heloc.AppID) { h.must(h.store.DisableUser(t.Context(), "user-olivia")) }, "person"},
		"the role changed": {func(t *testing.T, h *harness, _ heloc.AppID) {
			h.must(h.store.SetUserRole(t.Context(), "user-olivia", "admin"))
		}, "owner"},
		"the lead moved": {func(t *testing.T, h *harness, app heloc.AppID) {
			h.editLead(app, func(l *lead.Row) { l.Originator = heloc.OriginatorID(h.people["marcus"].OriginatorUUID) })
		}, "owner"},
		"the step changed": {func(_ *testing.T, h *harness, app heloc.AppID) {
			h.editLead(app, func(l *lead.Row) { l.Step = heloc.StepOffersAvailable })
		}, "step"},
		"it was set aside": {func(_ *testing.T, h *harness, app heloc.AppID) {
			h.editLead(app, func(l *lead.Row) { l.SetAsideAt = 1 })
		}, "step"},
		"the text changed": {func(_ *testing.T, h *harness, _ heloc.AppID) {
			h.deskDeps.Consent.Version = "2027-01-01"
			h.rebuildDesks()
		}, "consent"},
		"the lender does not answer": {func(_ *testing.T, h *harness, _ heloc.AppID) { h.lender.Close() }, "down"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
			olivia := h.signInAs("olivia")
			app := h.addFrozenLead()
			path := "/leads/" + string(app)
			if got := olivia.planRepull(path, time.Now().Add(-2*time.Hour)); got.status != http.StatusOK {
				t.Fatalf("the plan: got %d: %s", got.status, got.text())
			}
			tt.change(t, h, app)
			h.must(h.jobs.RunDueRepulls(t.Context()))
			h.must(h.jobs.RunDueRepulls(t.Context()))
			asked, plan := h.repullState(app)
			if want := map[bool]int{true: 1}[tt.why == "down"]; plan.State != lead.RepullSkipped || plan.Outcome != tt.why || asked != want {
				t.Errorf("got %s, %q, %d requests; want it missed because of %q", plan.State, plan.Outcome, asked, tt.why)
			}
			events, err := h.store.Events(t.Context(), app, 9)
			if err != nil || events[0].Kind != lead.EventRepullSkipped || events[0].Detail != tt.why {
				t.Errorf("the notification: got %+v, %v", events, err)
			}
		})
	}
}

func TestPlannedRepull_Interrupted_NotRepeated(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	olivia := h.signInAs("olivia")
	app := h.addFrozenLead()
	olivia.planRepull("/leads/"+string(app), time.Now().Add(-2*time.Hour))
	_, plan := h.repullState(app)
	plan.State, plan.TriedAt = lead.RepullTrying, store.Millis(time.Now().Add(-time.Minute))
	h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.UpdateRepullState(t.Context(), plan, lead.RepullWaiting)
		return err
	}))
	h.must(h.jobs.RunDueRepulls(t.Context()))
	if _, got := h.repullState(app); got.State != lead.RepullTrying {
		t.Errorf("a minute later: got %s, want another process's attempt left alone", got.State)
	}
	h.deskDeps.Now = func() time.Time { return time.Now().Add(5 * time.Minute) }
	h.rebuildDesks()
	h.must(h.jobs.RunDueRepulls(t.Context()))
	asked, got := h.repullState(app)
	if got.State != lead.RepullSkipped || got.Outcome != "interrupted" || asked != 0 {
		t.Errorf("after the other process gave up: got %s %q, %d requests", got.State, got.Outcome, asked)
	}
	v := format.Viewer{Now: time.Now(), Zone: time.UTC}
	facts := &workspace.Data{View: desk.LeadView{Repull: &got}, Can: func(access.Permission) bool { return true }}
	if f := weblead.PresentFreeze(v, facts); !strings.Contains(f.SkippedReason, "interrupted") || f.LiftPlan != "" || !f.CanNote {
		t.Errorf("the card: got %+v", f)
	}
	facts.View.Operations = []lead.Operation{{Kind: heloc.OpRepullCredit, CreatedAt: got.TriedAt + 1}}
	if f := weblead.PresentFreeze(v, facts); f.SkippedReason != "" {
		t.Errorf("requested manually since: got %q", f.SkippedReason)
	}
}

// addFrozenLead adds one of olivia's leads, which nothing refreshes.
func (h *harness) addFrozenLead() heloc.AppID {
	h.t.Helper()
	olivia := h.people["olivia"]
	app := heloc.AppID("0f0e0d0c-0000-4000-8000-00000000f001")
	l := lead.Row{
		App: app, Originator: heloc.OriginatorID(olivia.OriginatorUUID), BrokerID: olivia.BrokerID, Organization: olivia.Organization,
		Step: heloc.StepUnfreezeCredit, StepSince: store.Millis(time.Now()), RefreshAt: store.Millis(time.Now().Add(time.Hour)),
	}
	h.must(h.store.Write(h.t.Context(), func(tx *store.Tx) error { return tx.AddLead(h.t.Context(), &l, time.Now()) }))
	return app
}
