package team_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/web/webtest"
)

// TestReassign_MovesNotesFollowUpsAndPlans reassigns a frozen lead with a note, a follow-up and a planned re-pull.
func TestReassign_MovesNotesFollowUpsAndPlans(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect, NoJobs: true})
			olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
			path, app := olivia.StartLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
			olivia.Post(path+"/note", url.Values{"note": {"She is at work until four"}})
			day := time.Now().AddDate(0, 0, 3).Format("2006-01-02")
			olivia.Post(path+"/follow-up", url.Values{"followUp.on": {day}, "followUp.note": {"Call about the lift"}})
			if got := olivia.PlanRepull(path, time.Now(), "thaw.bureaus", "EXPERIAN",
				"thaw.until", ""); got.Status != http.StatusOK {
				t.Fatalf("the plan: got %d: %s", got.Status, got.MainText())
			}
			olivia.Send(olivia.ReassignForm(path, "marcus", "handOver.line", "Be kind"))

			got := marcus.Get(path)
			got.WantText("Be kind", "Reminder", "Call about the lift", "by Olivia Bennett", "1 note",
				"She is at work until four", "at Experian",
				"in your name")
			plans, err := h.Store.Repulls(t.Context(), app, 1)
			if err != nil || plans[0].UserID != "user-marcus" || plans[0].ConsentBy != "user-olivia" ||
				plans[0].State != lead.RepullWaiting {
				t.Fatalf("the plan: got %+v, %v", plans, err)
			}
			h.DeskDeps.Now = func() time.Time { return time.Now().Add(2 * time.Hour) }
			h.RebuildDesks()
			h.Must(h.Jobs.RunDueRepulls(t.Context()))
			h.Must(h.Jobs.RunDueRepulls(t.Context()))
			asked, plan := h.RepullState(app)
			if asked != 1 || plan.State != lead.RepullDone {
				t.Errorf("got %d requests, %s %q", asked, plan.State, plan.Outcome)
			}
			op, err := h.Store.Operation(t.Context(), plan.Outcome)
			if err != nil || op.ActorID != "user-marcus" || string(op.Originator) != h.People["marcus"].OriginatorUUID {
				t.Errorf("the operation's originator: got %+v, %v", op, err)
			}
			consents, err := h.Store.Consents(t.Context(), app)
			if err != nil || consents[0].UserID != "user-olivia" || consents[0].At != plan.CreatedAt {
				t.Errorf("the consent's originator: got %+v, %v", consents, err)
			}
			if got := h.SignInAs("piotr").Get(path); got.Status != http.StatusNotFound {
				t.Errorf("another company: got %d", got.Status)
			}
		})
	}
}

// TestPlannedRepull_Missed_NotifiedOnce notifies the user who planned it, once.
func TestPlannedRepull_Missed_NotifiedOnce(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	olivia := h.SignInAs("olivia")
	app := h.AddFrozenLead()
	olivia.PlanRepull("/leads/"+string(app), time.Now().Add(-2*time.Hour))
	h.EditLead(app, func(l *lead.Row) { l.SetAsideAt = 1 })
	h.Must(h.Jobs.RunDueRepulls(t.Context()))
	h.Must(h.Jobs.RunDueRepulls(t.Context()))
	if got := olivia.NotificationTitles(); len(got) != 1 || got[0] != "A scheduled credit re-pull didn’t complete" {
		t.Errorf("got %q", got)
	}
	olivia.Get("/notifications").WantText("no longer at this step")
}

func TestPlannedRepull_Bureaus_Validated(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	path, _ := olivia.StartLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
	got := olivia.PlanRepull(path, time.Now().Add(time.Hour), "thaw.bureaus", "NOBODY")
	if got.Status != http.StatusUnprocessableEntity || got.Find("#form-thaw #complaints").Length() == 0 {
		t.Errorf("an unknown bureau: got %d", got.Status)
	}
	form := olivia.Get(path).Form("#form-thaw")
	if n := olivia.Get(path).Find(`#form-thaw input[name="thaw.bureaus"]`).Length(); n != 3 {
		t.Errorf("got %d bureaus, want 3", n)
	}
	denver, _ := time.LoadLocation("America/Denver")
	form = form.With("thaw.liftedAt", time.Now().Add(time.Hour).In(denver).Format("2006-01-02T15:04"),
		"consent.attested", "true", "consent.method", "recorded-call")
	form.Values["thaw.bureaus"] = []string{"TRANS_UNION", "EQUIFAX"}
	bad := form.With("consent.method", "")
	if again := olivia.Send(bad); again.Find(`#form-thaw input[name="thaw.bureaus"][checked]`).Length() != 2 {
		t.Error("the redisplayed form lost the selected bureaus")
	}
	olivia.Send(form).WantText("Freeze to be lifted at TransUnion and Equifax")
}

// TestRestart_CopiesNotes corrects a lead and starts it again.
func TestRestart_CopiesNotes(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera-Vague", heloc.StepSelectProperty)
	olivia.Post(path+"/note", url.Values{"note": {"The unit is 4B"}})
	olivia.WaitFor(path, `#step form[action$="/clone"]`).WantText("couldn’t match the address to one property",
		"correct the address in a new inquiry", "Copy to a new inquiry")
	short := h.LeadRow(app).ShortID
	draft := olivia.Post(path+"/clone", nil)
	form := draft.Form("form#intake").With(
		"applicant.name.lastName", "Rivera", "consent.attested", "true", "consent.method", "in-person",
		"confirm.duplicate", "true")
	fresh := olivia.Send(form)
	if fresh.Path == path || !strings.HasPrefix(fresh.Path, "/leads/") {
		t.Fatalf("got %d at %s: %s", fresh.Status, fresh.Path, fresh.MainText())
	}
	olivia.Get(fresh.Path).WantText("The unit is 4B", "Olivia Bennett", "copied from "+short)
	if n := strings.Count(olivia.Get(path).Find("#notes").Text(), "The unit is 4B"); n != 1 {
		t.Errorf("the old lead: got the note %d times, want 1", n)
	}
	h.SignInAs("maya").Get(fresh.Path).WantText("The unit is 4B")
}

// TestReassign_MovesQuotes: a saved quote belongs to the lead. The new originator can open it, and the one who made
// it no longer can.
func TestReassign_MovesQuotes(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
	path := olivia.StartLead("Rivera")
	page := olivia.WaitFor(path+"/offers", `input[name="offer.offerUuid"]`)
	ask := page.Form("form#quote").With("amount", "45,000")
	olivia.Post(ask.Action, ask.Values, "HX-Request", "true", "HX-Target", "div#offers")
	if got := olivia.Get(path + "/offers").Find("#kept").Text(); !strings.Contains(got, "$45,000") {
		t.Fatalf("the quote is not saved: %q", got)
	}
	olivia.Send(olivia.ReassignForm(path, "marcus"))
	if got := marcus.Get(path + "/offers").Find("#kept").Text(); !strings.Contains(got, "$45,000") {
		t.Errorf("the new originator sees %q", got)
	}
	for name, v := range map[string]*webtest.Browser{"the previous originator": olivia,
		"another company": h.SignInAs("piotr")} {
		if got := v.Get(path + "/offers"); got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", name, got.Status)
		}
	}
}

// TestReassignMany_ScheduledRepull_NamedWithItsTime: the time is that of the re-pull, not of the freeze.
func TestReassignMany_ScheduledRepull_NamedWithItsTime(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, app := olivia.StartLeadAt("Rivera-Frozen", heloc.StepUnfreezeCredit)
	if got := olivia.PlanRepull(path, time.Now(), "thaw.bureaus", "EXPERIAN",
		"thaw.until", ""); got.Status != http.StatusOK {
		t.Fatalf("the plan: got %d: %s", got.Status, got.MainText())
	}
	got := maya.Post("/reassignments", url.Values{"app": {string(app)},
		"newLoanOriginatorUuid": {h.People["marcus"].OriginatorUUID}})
	// Late in the evening, the re-pull is after midnight.
	text := strings.Join(strings.Fields(got.Find("main").Text()), " ")
	if !regexp.MustCompile(`re-pull scheduled (today|\w{3}, \w{3} \d+) \d+:\d\d [AP]M`).MatchString(text) {
		t.Errorf("got %s, want the time of the re-pull", text)
	}
}
