package lead_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	desklead "hearthline/internal/desk/lead"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/views/text"
	weblead "hearthline/web/lead"
	"hearthline/web/webtest"
	"hearthline/web/workspace"
)

func TestPlannedRepull_RunsOnce(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
	for name, more := range map[string][]string{
		"thaw.liftedAt":    {"thaw.liftedAt", ""},
		"consent.attested": {"consent.attested", ""},
		"consent.method":   {"consent.method", ""},
		"thaw.until":       {"thaw.until", "2020-01-01T10:00"},
	} {
		got := olivia.PlanRepull(path, time.Now(), more...)
		if got.Status != http.StatusUnprocessableEntity || got.Find(`#form-thaw #complaints a`).Length() == 0 {
			t.Errorf("%s: got %d", name, got.Status)
		}
	}
	planned := olivia.PlanRepull(path, time.Now().Add(2*time.Hour))
	planned.WantText("Freeze to be lifted", "We’ll re-pull credit once", "in your name", "Re-pull scheduled",
		"we re-pull credit if the lender still needs it")
	row := olivia.Get("/leads?view=blocked").Find("#lead-" + string(app)).Text()
	if strings.Contains(planned.Find("#step").Text(), "Your move") || !strings.Contains(row, "re-pull scheduled") {
		t.Errorf("nobody has to do anything, but the card says it is the originator's move, or the list does: %q", row)
	}
	if olivia.Get("/leads?view=today").Find("#lead-"+string(app)).Length() > 0 {
		t.Error("nobody has to do anything, but the lead is in Today")
	}
	asked, plan := h.RepullState(app)
	if row := h.LeadRow(app); asked != 0 || plan.State != lead.RepullWaiting || row.RepullAt != plan.DueAt ||
		row.Lane != heloc.LaneBlocked {
		t.Errorf("planned: got %d requests, %+v, the lead in %s", asked, plan, row.Lane)
	}
	olivia.Send(olivia.Get(path).Form("#form-thaw-cancel"))
	if _, plan := h.RepullState(app); plan.State != lead.RepullCanceled || h.LeadRow(app).RepullAt != 0 {
		t.Errorf("withdrawn: got %+v", plan)
	}
	if got := olivia.Post(path+"/follow-up", url.Values{"thaw.cancel": {"true"}}); got.Status != http.StatusConflict {
		t.Errorf("withdrawn twice: got %d, want 409", got.Status)
	}
	if got := h.SignInAs("ada").PlanRepull(path, time.Now()); got.Status != http.StatusForbidden {
		t.Errorf("an assistant plans: got %d, want 403", got.Status)
	}
	// Planned for two hours ago, so it is due now.
	olivia.PlanRepull(path, time.Now().Add(-2*time.Hour))
	h.WaitUntil("the lender is asked", func() bool { _, plan := h.RepullState(app); return plan.State == lead.RepullDone })
	asked, plan = h.RepullState(app)
	if asked != 1 {
		t.Errorf("got %d re-pulls, want 1", asked)
	}
	consents, err := h.Store.Consents(t.Context(), app)
	if err != nil || len(consents) != 2 || consents[0].At != plan.CreatedAt || consents[0].Method != "recorded-call" {
		t.Errorf("the consent of the plan: got %+v, %v", consents, err)
	}
	h.WaitUntil("the lender asks again", func() bool { return h.LeadRow(app).Attempt == 2 })
	for range 3 {
		if err := h.Jobs.RunDueRepulls(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if asked, _ := h.RepullState(app); asked != 1 {
		t.Errorf("later: got %d re-pulls, want still 1", asked)
	}
}

// TestPlannedRepull_ConditionsChanged_Missed changes one thing between the plan and its due time.
func TestPlannedRepull_ConditionsChanged_Missed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change func(t *testing.T, h *webtest.Harness, app heloc.AppID)
		why    string
	}{
		"the account was closed": {func(t *testing.T, h *webtest.Harness, _ heloc.AppID) {
			h.Must(h.Store.DisableUser(t.Context(), "user-olivia"))
		}, "person"},
		"the role changed": {func(t *testing.T, h *webtest.Harness, _ heloc.AppID) {
			h.Must(h.Store.SetUserRole(t.Context(), "user-olivia", "admin"))
		}, "owner"},
		"the lead moved": {func(t *testing.T, h *webtest.Harness, app heloc.AppID) {
			h.EditLead(app, func(l *lead.Row) { l.Originator = heloc.OriginatorID(h.People["marcus"].OriginatorUUID) })
		}, "owner"},
		"the step changed": {func(_ *testing.T, h *webtest.Harness, app heloc.AppID) {
			h.EditLead(app, func(l *lead.Row) { l.Step = heloc.StepOffersAvailable })
		}, "step"},
		"it was set aside": {func(_ *testing.T, h *webtest.Harness, app heloc.AppID) {
			h.EditLead(app, func(l *lead.Row) { l.SetAsideAt = 1 })
		}, "step"},
		"the text changed": {func(_ *testing.T, h *webtest.Harness, _ heloc.AppID) {
			h.DeskDeps.Consent.Version = "2027-01-01"
			h.RebuildDesks()
		}, "consent"},
		"an earlier request is unknown": {func(_ *testing.T, h *webtest.Harness, app heloc.AppID) {
			addRepull(h, app, lead.OpUnknown, 0)
			h.ExecSQL(`UPDATE operations SET created_at = created_at - 3600000 WHERE app = ?`, app)
		}, "unconfirmed"},
		"an earlier request was not found since": {func(_ *testing.T, h *webtest.Harness, app heloc.AppID) {
			addRepull(h, app, lead.OpAbsent, time.Now().Add(time.Minute).UnixMilli())
			h.ExecSQL(`UPDATE operations SET created_at = created_at - 3600000 WHERE app = ?`, app)
		}, "unconfirmed"},
		"the lender does not answer": {func(_ *testing.T, h *webtest.Harness, _ heloc.AppID) { h.Lender.Close() }, "down"},
	} {
		t.Run(name, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
			olivia := h.SignInAs("olivia")
			app := h.AddFrozenLead()
			path := "/leads/" + string(app)
			if got := olivia.PlanRepull(path, time.Now().Add(-2*time.Hour)); got.Status != http.StatusOK {
				t.Fatalf("the plan: got %d: %s", got.Status, got.MainText())
			}
			tt.change(t, h, app)
			h.Must(h.Jobs.RunDueRepulls(t.Context()))
			h.Must(h.Jobs.RunDueRepulls(t.Context()))
			asked, plan := h.RepullState(app)
			want := map[string]int{"down": 1, "unconfirmed": 1}[tt.why]
			if plan.State != lead.RepullSkipped || plan.Outcome != tt.why || asked != want {
				t.Errorf("got %s, %q, %d requests; want it missed because of %q", plan.State, plan.Outcome, asked, tt.why)
			}
			events, err := h.Store.Events(t.Context(), app, 9)
			if err != nil || events[0].Kind != lead.EventRepullSkipped || events[0].Detail != tt.why {
				t.Errorf("the notification: got %+v, %v", events, err)
			}
		})
	}
}

// addRepull adds a request for the credit report that was made just now.
func addRepull(h *webtest.Harness, app heloc.AppID, state lead.OpState, settledAt int64) {
	h.T.Helper()
	at := time.Now().UnixMilli()
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		return tx.AddOperation(h.T.Context(), lead.Operation{ID: "hl-repull-" + string(state), Kind: heloc.OpRepullCredit,
			App: app, ActorID: "user-olivia", ActorName: "Olivia", State: state, StepBefore: heloc.StepUnfreezeCredit,
			CreatedAt: at, SentAt: at, SettledAt: settledAt})
	}))
}

// TestPlanRepull_EarlierRequestMayHaveArrived_AsksFirst: scheduling a re-pull has the same safeguards as re-pulling
// immediately.
func TestPlanRepull_EarlierRequestMayHaveArrived_AsksFirst(t *testing.T) {
	t.Parallel()
	for state, wantControl := range map[lead.OpState]string{lead.OpUnknown: "", lead.OpAbsent: "confirm.repeat",
		lead.OpAbandoned: "confirm.repeat"} {
		h := webtest.New(t, webtest.Options{NoJobs: true})
		olivia := h.SignInAs("olivia")
		path, app := olivia.StartLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
		addRepull(h, app, state, time.Now().Add(-time.Minute).UnixMilli())
		page := olivia.Get(path)
		control := page.Find(`#form-thaw input[name="confirm.repeat"]`).AttrOr("name", "")
		enabled := page.Find(`#form-thaw button[type="submit"]:not([disabled]):not([aria-disabled="true"])`).Length()
		if control != wantControl || (enabled == 1) != (wantControl != "") {
			t.Errorf("%s: got the check %q and %d enabled buttons", state, control, enabled)
		}
		lifted := time.Now().Add(-2 * time.Hour)
		if got := olivia.PlanRepull(path, lifted); got.Status < 400 {
			t.Errorf("%s, not confirmed: got %d", state, got.Status)
		}
		if got := olivia.PlanRepull(path, lifted, "confirm.repeat", "true"); (got.Status == http.StatusOK) !=
			(wantControl != "") {
			t.Errorf("%s, confirmed: got %d: %s", state, got.Status, got.MainText())
		}
	}
}

func TestPlannedRepull_Interrupted_NotRepeated(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	olivia := h.SignInAs("olivia")
	app := h.AddFrozenLead()
	olivia.PlanRepull("/leads/"+string(app), time.Now().Add(-2*time.Hour))
	_, plan := h.RepullState(app)
	plan.State, plan.TriedAt = lead.RepullTrying, store.Millis(time.Now().Add(-time.Minute))
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.UpdateRepullState(t.Context(), plan, lead.RepullWaiting)
		return err
	}))
	h.Must(h.Jobs.RunDueRepulls(t.Context()))
	if _, got := h.RepullState(app); got.State != lead.RepullTrying {
		t.Errorf("a minute later: got %s, want another process's attempt left alone", got.State)
	}
	h.DeskDeps.Now = func() time.Time { return time.Now().Add(5 * time.Minute) }
	h.RebuildDesks()
	h.Must(h.Jobs.RunDueRepulls(t.Context()))
	asked, got := h.RepullState(app)
	if got.State != lead.RepullSkipped || got.Outcome != "interrupted" || asked != 0 {
		t.Errorf("after the other process gave up: got %s %q, %d requests", got.State, got.Outcome, asked)
	}
	v := text.Viewer{Now: time.Now(), Zone: time.UTC}
	facts := &workspace.Data{View: desklead.Snapshot{Repull: &got}, Can: func(access.Permission) bool { return true }}
	if f := weblead.PresentFreeze(v, facts); !strings.Contains(f.SkippedReason, "interrupted") || f.LiftPlan != "" ||
		!f.CanNote {
		t.Errorf("the card: got %+v", f)
	}
	facts.View.Operations = []lead.Operation{{Kind: heloc.OpRepullCredit, CreatedAt: got.TriedAt + 1}}
	if f := weblead.PresentFreeze(v, facts); f.SkippedReason != "" {
		t.Errorf("requested manually since: got %q", f.SkippedReason)
	}
}

// TestRepull_AcceptedWithoutChange_AsksBeforeAnother: the lender has the first one, so a second one may pull the
// borrower's credit again.
func TestRepull_AcceptedWithoutChange_AsksBeforeAnother(t *testing.T) {
	t.Parallel()
	var pulls atomic.Int64
	h := webtest.New(t, webtest.Options{NoJobs: true, LenderMiddleware: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/repull-credit") {
				next.ServeHTTP(w, r)
				return
			}
			pulls.Add(1)
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"messages":[]}`)
		})
	}})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
	pull := func(more ...string) *webtest.Response {
		h.EditLead(app, func(l *lead.Row) { l.PendingUntil = 0 }) // the usual wait is over
		return olivia.Send(olivia.Get(path).Form(`form#form-repull-credit`).With(append([]string{
			"consent.attested", "true", "consent.method", "in-person"}, more...)...))
	}
	pull()
	refused := pull()
	refused.WantText("Nothing has changed yet.", "The lender accepted the request. Re-pulling again may pull")
	if pulls.Load() != 1 || refused.Find(`#form-repull-credit input[name="confirm.repeat"]`).Length() != 1 ||
		refused.Find(`#form-thaw input[name="confirm.repeat"]`).Length() != 1 {
		t.Errorf("got %d pulls, status %d: %s", pulls.Load(), refused.Status, refused.MainText())
	}
	if confirmed := pull("confirm.repeat", "true"); pulls.Load() != 2 {
		t.Errorf("confirmed: got %d pulls, status %d: %s", pulls.Load(), confirmed.Status, confirmed.MainText())
	}
}
