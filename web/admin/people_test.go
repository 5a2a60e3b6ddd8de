package admin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

func TestPeoplePage_HasNoPII(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, admin := h.SignInAs("olivia"), h.SignInAs("admin")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	list := admin.Get("/admin/users")
	list.WantText("Olivia Bennett", "olivia@summit.test", "Originator", "Summit Home Lending", "Ada Assist", "Assistant")
	one := admin.Get("/admin/users/user-olivia")
	one.WantText("1 open lead")
	for _, page := range []*webtest.Response{list, one, admin.Get("/admin/audit")} {
		for _, leak := range []string{"Rivera", "Elena", "Larkspur", "elena@borrower.test"} {
			if strings.Contains(page.Body, leak) {
				t.Errorf("%s shows %q", page.Path, leak)
			}
		}
	}
	if got := admin.Get("/admin/users/nobody"); got.Status != http.StatusNotFound {
		t.Errorf("an unknown user: got %d, want 404", got.Status)
	}
	if self := admin.Get("/admin/users/user-admin"); self.Find(`form[action*="/admin/users/"]`).Length() != 0 {
		t.Error("administrators can change their own account")
	}
}

func TestChangeRole_TakesEffectImmediately(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	admin, marcus := h.SignInAs("admin"), h.SignInAs("marcus")
	if got := marcus.Get("/team/unassigned"); got.Status != http.StatusForbidden {
		t.Fatalf("an originator: got %d, want 403", got.Status)
	}
	form := admin.Get("/admin/users/user-marcus").Form(`form[action$="/role"]`)
	if form.Values.Get("role") != "originator" {
		t.Errorf("the current role is %q", form.Values.Get("role"))
	}
	if got := admin.Send(form.With("role", "manager")); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without a reason: got %d, want 422", got.Status)
	}
	admin.Send(form.With("role", "manager", "reason", "Runs the team")).WantText("Waiting for approval:",
		"Make Marcus Reyes (marcus@summit.test), now an originator at Summit Home Lending, a manager")
	if got := marcus.Get("/team/unassigned"); got.Status != http.StatusForbidden {
		t.Errorf("requested: got %d, want 403", got.Status)
	}
	h.ApproveRequest()
	if got := marcus.Get("/team/unassigned"); got.Status != http.StatusOK {
		t.Errorf("as a manager, immediately: got %d, want 200", got.Status)
	}
	h.WantAudited("system user.role user:user-marcus done")
	for id, want := range map[string]int{"user-ada": 422, "user-admin": 403} {
		if got := admin.Post("/admin/users/"+id+"/role", url.Values{"role": {"originator"}}); got.Status != want {
			t.Errorf("%s as an originator: got %d, want %d", id, got.Status, want)
		}
	}
	if got := admin.Post("/admin/users/user-marcus/role",
		url.Values{"role": {"root"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown role: got %d, want 422", got.Status)
	}
	if got := h.SignInAs("maya").Post("/admin/users/user-marcus/role",
		url.Values{"role": {"admin"}}); got.Status != http.StatusForbidden {
		t.Errorf("by a manager: got %d, want 403", got.Status)
	}
}

func TestSignPersonOut_EndsAllSessions(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	phone, key, _ := h.Enroll("olivia", clock)
	admin, _, _ := h.Enroll("admin", clock)
	clock.Advance(time.Minute)
	desktop, waiting := h.NewBrowser(), h.NewBrowser()
	desktop.Send(desktop.SubmitPassword("olivia").Form("form#second").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now())))
	begun := waiting.SubmitPassword("olivia") // halfway through signing in: the second factor is still missing
	page := admin.Get("/admin/users/user-olivia")
	admin.Send(page.Form(`form[action$="/sign-out"]`)).WantText("No active session")
	for where, v := range map[string]*webtest.Browser{"phone": phone, "desktop": desktop} {
		if got := v.Get("/leads"); got.Path != "/login" {
			t.Errorf("the %s is at %s, want it signed out", where, got.Path)
		}
	}
	clock.Advance(time.Minute)
	if got := waiting.Send(begun.Form("form#second").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now()))); got.Path != "/login" {
		t.Errorf("halfway: got %d at %s, want the sign-in to start again", got.Status, got.Path)
	}
	h.WantAudited("user-admin user.sign-out user:user-olivia done")
	clock.Advance(time.Minute)
	again := h.NewBrowser()
	if got := again.Send(again.SubmitPassword("olivia").Form("form#second").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now()))); got.Path != "/drafts" {
		t.Errorf("signing in again: got %d at %s", got.Status, got.Path)
	}
	for id, want := range map[string]int{"user-admin": http.StatusForbidden, "nobody": http.StatusNotFound} {
		if got := admin.Post("/admin/users/"+id+"/sign-out", nil); got.Status != want {
			t.Errorf("%s: got %d, want %d", id, got.Status, want)
		}
	}
	for range 3 { // she continues to work, and her step-up expires
		clock.Advance(25 * time.Minute)
		admin.Get("/account")
	}
	if got := admin.Post("/admin/users/user-olivia/sign-out", nil); got.Path != "/account/confirm" {
		t.Errorf("after more than an hour: got %d at %s, want a step-up", got.Status, got.Path)
	}
}

// TestClosePerson_ReassignsLeadsAndDrafts closes olivia's account. She is signed out immediately, marcus gets her
// draft, the lender is asked to reassign her lead, and the administrator can see neither.
func TestClosePerson_ReassignsLeadsAndDrafts(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, marcus, admin := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("admin")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	draft := olivia.IntakeForm("Kowalczyk")
	olivia.Post("/drafts/"+draft.Values.Get("draft"), draft.Values)
	form := admin.Get("/admin/users/user-olivia").Form(`form[action$="/close"]`)
	for what, tried := range map[string]webtest.Form{
		"unconfirmed": form.With("newLoanOriginatorUuid", h.People["marcus"].OriginatorUUID),
		"another company's originator": form.With("newLoanOriginatorUuid", h.People["piotr"].OriginatorUUID,
			"confirm.close", "true"),
	} {
		if got := admin.Send(tried); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: got %d, want 422", what, got.Status)
		}
	}
	if got := olivia.Get("/leads"); got.Path != "/leads" {
		t.Fatalf("rejected, but she was signed out: %s", got.Path)
	}
	done := admin.Send(form.With("newLoanOriginatorUuid", h.People["marcus"].OriginatorUUID, "confirm.close", "true"))
	done.WantText("Reopen account", "StatusDisabled today ")
	if got := olivia.Get("/leads"); got.Path != "/login" {
		t.Errorf("olivia is at %s, want her signed out", got.Path)
	}
	h.WaitUntil("the lead is marcus's", func() bool {
		l, err := h.Store.AnyLead(t.Context(), app)
		return err == nil && string(l.Originator) == h.People["marcus"].OriginatorUUID
	})
	marcus.Get(path).WantText("Elena Rivera", "The previous originator is no longer available.")
	marcus.Get("/drafts").WantText("Elena Kowalczyk", "Prepared by Olivia Bennett")
	h.WantAudited("user-admin user.disable user:user-olivia done")
	h.WaitUntil("the run is reported", func() bool {
		return strings.Contains(admin.Get("/admin/users/user-olivia").Body, "1 lead sent to the lender.")
	})
	if got := admin.Get(path); got.Status != http.StatusNotFound {
		t.Errorf("the administrator opens the lead: got %d, want 404", got.Status)
	}
	admin.Send(admin.Get("/admin/users/user-olivia").Form(`form[action$="/open"]`))
	if got := h.SignInAs("olivia").Get("/leads"); got.Status != http.StatusOK {
		t.Errorf("reopened: got %d, want 200", got.Status)
	}
}

// TestClosePerson_AssigneeNamedLater_TransfersDrafts closes an account without naming an assignee.
func TestClosePerson_AssigneeNamedLater_TransfersDrafts(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	olivia, marcus, admin := h.SignInAs("olivia"), h.SignInAs("marcus"), h.SignInAs("admin")
	draft := olivia.IntakeForm("Kowalczyk")
	olivia.Post("/drafts/"+draft.Values.Get("draft"), draft.Values)
	closed := admin.Send(admin.Get("/admin/users/user-olivia").Form(`form[action$="/close"]`).
		With("confirm.close", "true"))
	closed.WantText("Reopen account", "1 draft")
	form := closed.Form(`form[action$="/close"]`)
	if got := admin.Send(form); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without an assignee: got %d, want 422", got.Status)
	}
	admin.Send(form.With("newLoanOriginatorUuid", h.People["marcus"].OriginatorUUID)).WantText("Reopen account")
	marcus.Get("/drafts").WantText("Elena Kowalczyk")
	if got := admin.Get("/admin/users/user-olivia"); got.Find(`form[action$="/close"]`).Length() != 0 {
		t.Error("nothing is left to reassign, but the form is still offered")
	}
}

// TestClosePerson_AdminDemoted_RunStops removes the administrator's role before the run begins.
func TestClosePerson_AdminDemoted_RunStops(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, admin := h.SignInAs("olivia"), h.SignInAs("admin")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	form := admin.Get("/admin/users/user-olivia").Form(`form[action$="/close"]`)
	admin.Send(form.With("newLoanOriginatorUuid", h.People["marcus"].OriginatorUUID, "confirm.close", "true"))
	jobs, err := h.Store.JobsOf(t.Context(), store.UserScopeOf(h.People["admin"].Actor), h.Now().AddDate(0, 0, -1), 9)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("got %d jobs, %v, want one", len(jobs), err)
	}
	if err := h.Store.SetUserRole(t.Context(), "user-admin", access.Assistant); err != nil {
		t.Fatal(err)
	}
	if _, err := h.DeskService.BulkReassignmentsForJob(t.Context(), jobs[0]); err == nil {
		t.Error("a run continues in the name of a user who is no longer an administrator")
	}
}
