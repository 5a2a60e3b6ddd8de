package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

func TestPeoplePage_HasNoPII(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia, admin := h.signInAs("olivia"), h.signInAs("admin")
	path := olivia.startLead("Rivera")
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	list := admin.get("/admin/users")
	list.wantText("Olivia Bennett", "olivia@summit.test", "Originator", "Summit Home Lending", "Ada Assist", "Assistant")
	one := admin.get("/admin/users/user-olivia")
	one.wantText("1 open lead")
	for _, page := range []*response{list, one, admin.get("/admin/audit")} {
		for _, leak := range []string{"Rivera", "Elena", "Larkspur", "elena@borrower.test"} {
			if strings.Contains(page.body, leak) {
				t.Errorf("%s shows %q", page.path, leak)
			}
		}
	}
	if got := admin.get("/admin/users/nobody"); got.status != http.StatusNotFound {
		t.Errorf("an unknown user: got %d, want 404", got.status)
	}
	if self := admin.get("/admin/users/user-admin"); self.Find(`form[action*="/admin/users/"]`).Length() != 0 {
		t.Error("administrators can change their own account")
	}
}

func TestChangeRole_TakesEffectImmediately(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	admin, marcus := h.signInAs("admin"), h.signInAs("marcus")
	if got := marcus.get("/team/unassigned"); got.status != http.StatusForbidden {
		t.Fatalf("an originator: got %d, want 403", got.status)
	}
	form := admin.get("/admin/users/user-marcus").form(`form[action$="/role"]`)
	if form.values.Get("role") != "originator" {
		t.Errorf("the current role is %q", form.values.Get("role"))
	}
	admin.send(form.with("role", "manager")).wantText("Manager")
	if got := marcus.get("/team/unassigned"); got.status != http.StatusOK {
		t.Errorf("as a manager, immediately: got %d, want 200", got.status)
	}
	h.wantAudited("user-admin user.role user:user-marcus done")
	for id, want := range map[string]int{"user-ada": 422, "user-admin": 403} {
		if got := admin.post("/admin/users/"+id+"/role", url.Values{"role": {"originator"}}); got.status != want {
			t.Errorf("%s as an originator: got %d, want %d", id, got.status, want)
		}
	}
	if got := admin.post("/admin/users/user-marcus/role", url.Values{"role": {"root"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown role: got %d, want 422", got.status)
	}
	if got := h.signInAs("maya").post("/admin/users/user-marcus/role", url.Values{"role": {"admin"}}); got.status != http.StatusForbidden {
		t.Errorf("by a manager: got %d, want 403", got.status)
	}
}

func TestSignPersonOut_EndsAllSessions(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	phone, key, _ := h.enroll("olivia", clock)
	admin, _, _ := h.enroll("admin", clock)
	clock.advance(time.Minute)
	desktop, waiting := h.newBrowser(), h.newBrowser()
	desktop.send(desktop.submitPassword("olivia").form("form#second").with("proof.code", totpCode(t, key, clock.now())))
	begun := waiting.submitPassword("olivia") // halfway through signing in: the second factor is still missing
	page := admin.get("/admin/users/user-olivia")
	admin.send(page.form(`form[action$="/sign-out"]`)).wantText("No active session")
	for where, v := range map[string]*testBrowser{"phone": phone, "desktop": desktop} {
		if got := v.get("/leads"); got.path != "/login" {
			t.Errorf("the %s is at %s, want it signed out", where, got.path)
		}
	}
	clock.advance(time.Minute)
	if got := waiting.send(begun.form("form#second").with("proof.code", totpCode(t, key, clock.now()))); got.path != "/login" {
		t.Errorf("halfway: got %d at %s, want the sign-in to start again", got.status, got.path)
	}
	h.wantAudited("user-admin user.sign-out user:user-olivia done")
	clock.advance(time.Minute)
	again := h.newBrowser()
	if got := again.send(again.submitPassword("olivia").form("form#second").with("proof.code", totpCode(t, key, clock.now()))); got.path != "/drafts" {
		t.Errorf("signing in again: got %d at %s", got.status, got.path)
	}
	for id, want := range map[string]int{"user-admin": http.StatusForbidden, "nobody": http.StatusNotFound} {
		if got := admin.post("/admin/users/"+id+"/sign-out", nil); got.status != want {
			t.Errorf("%s: got %d, want %d", id, got.status, want)
		}
	}
	for range 3 { // she continues to work, and her step-up expires
		clock.advance(25 * time.Minute)
		admin.get("/account")
	}
	if got := admin.post("/admin/users/user-olivia/sign-out", nil); got.path != "/account/confirm" {
		t.Errorf("after more than an hour: got %d at %s, want a step-up", got.status, got.path)
	}
}

// TestClosePerson_ReassignsLeadsAndDrafts closes olivia's account. She is signed out immediately, marcus gets her
// draft, the lender is asked to reassign her lead, and the administrator can see neither.
func TestClosePerson_ReassignsLeadsAndDrafts(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, marcus, admin := h.signInAs("olivia"), h.signInAs("marcus"), h.signInAs("admin")
	path := olivia.startLead("Rivera")
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	draft := olivia.intakeForm("Kowalczyk")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	form := admin.get("/admin/users/user-olivia").form(`form[action$="/close"]`)
	for what, tried := range map[string]postedForm{
		"unconfirmed":                  form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID),
		"another company's originator": form.with("newLoanOriginatorUuid", h.people["piotr"].OriginatorUUID, "confirm.close", "true"),
	} {
		if got := admin.send(tried); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: got %d, want 422", what, got.status)
		}
	}
	if got := olivia.get("/leads"); got.path != "/leads" {
		t.Fatalf("rejected, but she was signed out: %s", got.path)
	}
	done := admin.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID, "confirm.close", "true"))
	done.wantText("Reopen account")
	if got := olivia.get("/leads"); got.path != "/login" {
		t.Errorf("olivia is at %s, want her signed out", got.path)
	}
	h.waitUntil("the lead is marcus's", func() bool {
		l, err := h.store.AnyLead(t.Context(), app)
		return err == nil && string(l.Originator) == h.people["marcus"].OriginatorUUID
	})
	marcus.get(path).wantText("Elena Rivera", "The previous originator has left.")
	marcus.get("/drafts").wantText("Elena Kowalczyk", "Prepared by Olivia Bennett")
	h.wantAudited("user-admin user.disable user:user-olivia done")
	h.waitUntil("the run is reported", func() bool {
		return strings.Contains(admin.get("/admin/users/user-olivia").body, "1 lead sent to the lender.")
	})
	if got := admin.get(path); got.status != http.StatusNotFound {
		t.Errorf("the administrator opens the lead: got %d, want 404", got.status)
	}
	admin.send(admin.get("/admin/users/user-olivia").form(`form[action$="/open"]`))
	if got := h.signInAs("olivia").get("/leads"); got.status != http.StatusOK {
		t.Errorf("reopened: got %d, want 200", got.status)
	}
}

// TestClosePerson_AssigneeNamedLater_TransfersDrafts closes an account without naming an assignee.
func TestClosePerson_AssigneeNamedLater_TransfersDrafts(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	olivia, marcus, admin := h.signInAs("olivia"), h.signInAs("marcus"), h.signInAs("admin")
	draft := olivia.intakeForm("Kowalczyk")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	closed := admin.send(admin.get("/admin/users/user-olivia").form(`form[action$="/close"]`).with("confirm.close", "true"))
	closed.wantText("Reopen account", "1 draft")
	form := closed.form(`form[action$="/close"]`)
	if got := admin.send(form); got.status != http.StatusUnprocessableEntity {
		t.Errorf("without an assignee: got %d, want 422", got.status)
	}
	admin.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID)).wantText("Reopen account")
	marcus.get("/drafts").wantText("Elena Kowalczyk")
	if got := admin.get("/admin/users/user-olivia"); got.Find(`form[action$="/close"]`).Length() != 0 {
		t.Error("nothing is left to reassign, but the form is still offered")
	}
}

// TestClosePerson_AdminDemoted_RunStops removes the administrator's role before the run begins.
func TestClosePerson_AdminDemoted_RunStops(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia, admin := h.signInAs("olivia"), h.signInAs("admin")
	path := olivia.startLead("Rivera")
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	form := admin.get("/admin/users/user-olivia").form(`form[action$="/close"]`)
	admin.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID, "confirm.close", "true"))
	jobs, err := h.store.JobsOf(t.Context(), store.UserScopeOf(h.people["admin"].Actor), h.Now().AddDate(0, 0, -1), 9)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("got %d jobs, %v, want one", len(jobs), err)
	}
	if err := h.store.SetUserRole(t.Context(), "user-admin", access.Assistant); err != nil {
		t.Fatal(err)
	}
	if _, err := h.deskService.BulkReassignmentsForJob(t.Context(), jobs[0]); err == nil {
		t.Error("a run continues in the name of a user who is no longer an administrator")
	}
}
