package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TestReassign_MovesNotesFollowUpsAndPlans reassigns a frozen lead with a note, a follow-up and a planned re-pull.
func TestReassign_MovesNotesFollowUpsAndPlans(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect, noJobs: true})
			olivia, marcus := h.signInAs("olivia"), h.signInAs("marcus")
			path, app := olivia.startLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
			olivia.post(path+"/note", url.Values{"note": {"She is at work until four"}})
			day := time.Now().AddDate(0, 0, 3).Format("2006-01-02")
			olivia.post(path+"/follow-up", url.Values{"followUp.on": {day}, "followUp.note": {"Call about the lift"}})
			if got := olivia.planRepull(path, time.Now(), "thaw.bureaus", "EXPERIAN", "thaw.until", ""); got.status != http.StatusOK {
				t.Fatalf("the plan: got %d: %s", got.status, got.text())
			}
			olivia.send(olivia.reassignForm(path, "marcus", "handOver.line", "Be kind"))

			got := marcus.get(path)
			got.wantText("Be kind", "Promised", "Call about the lift", "by Olivia Bennett", "1 note", "She is at work until four", "at Experian",
				"once, in the name of Marcus Reyes")
			plans, err := h.store.Repulls(t.Context(), app, 1)
			if err != nil || plans[0].UserID != "user-marcus" || plans[0].ConsentBy != "user-olivia" || plans[0].State != lead.RepullWaiting {
				t.Fatalf("the plan: got %+v, %v", plans, err)
			}
			h.deskDeps.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
			h.rebuildDesks()
			h.must(h.jobs.RunDueRepulls(t.Context()))
			h.must(h.jobs.RunDueRepulls(t.Context()))
			asked, plan := h.repullState(app)
			if asked != 1 || plan.State != lead.RepullDone {
				t.Errorf("got %d requests, %s %q", asked, plan.State, plan.Outcome)
			}
			op, err := h.store.Operation(t.Context(), plan.Outcome)
			if err != nil || op.ActorID != "user-marcus" || string(op.Originator) != h.people["marcus"].OriginatorUUID {
				t.Errorf("the operation's originator: got %+v, %v", op, err)
			}
			consents, err := h.store.Consents(t.Context(), app)
			if err != nil || consents[0].UserID != "user-olivia" || consents[0].At != plan.CreatedAt {
				t.Errorf("the consent's originator: got %+v, %v", consents, err)
			}
			if got := h.signInAs("piotr").get(path); got.status != http.StatusNotFound {
				t.Errorf("another company: got %d", got.status)
			}
		})
	}
}

// TestPlannedRepull_Missed_NotifiedOnce notifies the user who planned it, once.
func TestPlannedRepull_Missed_NotifiedOnce(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	olivia := h.signInAs("olivia")
	app := h.addFrozenLead()
	olivia.planRepull("/leads/"+string(app), time.Now().Add(-2*time.Hour))
	h.editLead(app, func(l *lead.Row) { l.SetAsideAt = 1 })
	h.must(h.jobs.RunDueRepulls(t.Context()))
	h.must(h.jobs.RunDueRepulls(t.Context()))
	if got := olivia.notificationTitles(); len(got) != 1 || got[0] != "A scheduled credit re-pull did not run" {
		t.Errorf("got %q", got)
	}
	olivia.get("/notifications").wantText("no longer at this step")
}

func TestPlannedRepull_Bureaus_Validated(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia := h.signInAs("olivia")
	path, _ := olivia.startLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
	got := olivia.planRepull(path, time.Now().Add(time.Hour), "thaw.bureaus", "NOBODY")
	if got.status != http.StatusUnprocessableEntity || got.Find("#form-thaw #complaints").Length() == 0 {
		t.Errorf("an unknown bureau: got %d", got.status)
	}
	form := olivia.get(path).form("#form-thaw")
	if n := olivia.get(path).Find(`#form-thaw input[name="thaw.bureaus"]`).Length(); n != 3 {
		t.Errorf("got %d bureaus, want 3", n)
	}
	denver, _ := time.LoadLocation("America/Denver")
	form = form.with("thaw.liftedAt", time.Now().Add(time.Hour).In(denver).Format("2006-01-02T15:04"), "consent.attested", "true", "consent.method", "recorded-call")
	form.values["thaw.bureaus"] = []string{"TRANS_UNION", "EQUIFAX"}
	bad := form.with("consent.method", "")
	if again := olivia.send(bad); again.Find(`#form-thaw input[name="thaw.bureaus"][checked]`).Length() != 2 {
		t.Error("the redisplayed form lost the selected bureaus")
	}
	olivia.send(form).wantText("To be lifted at TransUnion and Equifax")
}

// TestRestart_CopiesNotes corrects a lead and starts it again.
func TestRestart_CopiesNotes(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	path, app := olivia.startLeadAt("Rivera-Vague", heloc.StepSelectProperty)
	olivia.post(path+"/note", url.Values{"note": {"The unit is 4B"}})
	olivia.waitFor(path, `#step form[action$="/clone"]`).wantText("too vague for the lender", "starts again with the address you correct", "Restart with a better address")
	short := h.leadRow(app).ShortID
	draft := olivia.post(path+"/clone", nil)
	form := draft.form("form#intake").with(
		"applicant.name.lastName", "Rivera", "consent.attested", "true", "consent.method", "in-person", "confirm.duplicate", "true")
	fresh := olivia.send(form)
	if fresh.path == path || !strings.HasPrefix(fresh.path, "/leads/") {
		t.Fatalf("got %d at %s: %s", fresh.status, fresh.path, fresh.text())
	}
	olivia.get(fresh.path).wantText("The unit is 4B", "Olivia Bennett", "carried over from "+short)
	if n := strings.Count(olivia.get(path).Find("#notes").Text(), "The unit is 4B"); n != 1 {
		t.Errorf("the old lead: got the note %d times, want 1", n)
	}
	h.signInAs("maya").get(fresh.path).wantText("The unit is 4B")
}

// TestReassign_MovesQuotes: a saved quote belongs to the lead. The new originator can open it, and the one who made
// it no longer can.
func TestReassign_MovesQuotes(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, marcus := h.signInAs("olivia"), h.signInAs("marcus")
	path := olivia.startLead("Rivera")
	page := olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	ask := page.form("form#quote").with("amount", "45,000")
	olivia.post(ask.action, ask.values, "HX-Request", "true", "HX-Target", "div#offers")
	if got := olivia.get(path + "/offers").Find("#kept").Text(); !strings.Contains(got, "$45,000") {
		t.Fatalf("the quote is not saved: %q", got)
	}
	olivia.send(olivia.reassignForm(path, "marcus"))
	if got := marcus.get(path + "/offers").Find("#kept").Text(); !strings.Contains(got, "$45,000") {
		t.Errorf("the new originator sees %q", got)
	}
	for name, v := range map[string]*testBrowser{"the previous originator": olivia, "another company": h.signInAs("piotr")} {
		if got := v.get(path + "/offers"); got.status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", name, got.status)
		}
	}
}
