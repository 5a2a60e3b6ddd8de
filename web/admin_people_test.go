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

func TestAnAdministratorSeesPeopleAndNoBorrower(t *testing.T) {
	h := newHouse(t, furnished{idle: true})
	olivia, admin := h.visit("olivia"), h.visit("admin")
	path := olivia.start("Rivera")
	olivia.awaits(path, `input[name="offer.offerUuid"]`)
	list := admin.get("/admin/users")
	list.says("Olivia Bennett", "olivia@summit.test", "Originator", "Summit Home Lending", "Ada Assist", "Assistant")
	one := admin.get("/admin/users/user-olivia")
	one.says("1 open lead")
	for _, page := range []*answerPage{list, one, admin.get("/admin/audit")} {
		for _, leak := range []string{"Rivera", "Elena", "Larkspur", "elena@borrower.test"} {
			if strings.Contains(page.body, leak) {
				t.Errorf("%s shows %q", page.path, leak)
			}
		}
	}
	if got := admin.get("/admin/users/nobody"); got.status != http.StatusNotFound {
		t.Errorf("nobody: got %d, want 404", got.status)
	}
	if self := admin.get("/admin/users/user-admin"); self.Find(`form[action*="/admin/users/"]`).Length() != 0 {
		t.Error("an administrator is offered to change themselves")
	}
}

func TestARoleIsGivenAndCountsAtOnce(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	admin, marcus := h.visit("admin"), h.visit("marcus")
	if got := marcus.get("/team/unassigned"); got.status != http.StatusForbidden {
		t.Fatalf("an originator: got %d, want 403", got.status)
	}
	form := admin.get("/admin/users/user-marcus").form(`form[action$="/role"]`)
	if form.values.Get("role") != "originator" {
		t.Errorf("the present role is %q", form.values.Get("role"))
	}
	admin.send(form.with("role", "manager")).says("Manager")
	if got := marcus.get("/team/unassigned"); got.status != http.StatusOK {
		t.Errorf("as a manager, at once: got %d, want 200", got.status)
	}
	h.wroteDown("user-admin user.role user:user-marcus done")
	for id, want := range map[string]int{"user-ada": 422, "user-admin": 403} {
		if got := admin.post("/admin/users/"+id+"/role", url.Values{"role": {"originator"}}); got.status != want {
			t.Errorf("%s as an originator: got %d, want %d", id, got.status, want)
		}
	}
	if got := admin.post("/admin/users/user-marcus/role", url.Values{"role": {"root"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown role: got %d, want 422", got.status)
	}
	if got := h.visit("maya").post("/admin/users/user-marcus/role", url.Values{"role": {"admin"}}); got.status != http.StatusForbidden {
		t.Errorf("by a manager: got %d, want 403", got.status)
	}
}

func TestAnAdministratorSignsSomebodyOut(t *testing.T) {
	h, clock := strict(t)
	phone, key, _ := h.enrol("olivia", clock)
	admin, _, _ := h.enrol("admin", clock)
	clock.by(time.Minute)
	desktop, waiting := h.stranger(), h.stranger()
	desktop.send(desktop.password("olivia").form("form#second").with("proof.code", codeOf(t, key, clock.now())))
	begun := waiting.password("olivia") // half in: the second step is still asked for
	page := admin.get("/admin/users/user-olivia")
	admin.send(page.form(`form[action$="/sign-out"]`)).says("not signed in")
	for where, v := range map[string]*visitor{"phone": phone, "desktop": desktop} {
		if got := v.get("/leads"); got.path != "/login" {
			t.Errorf("the %s is at %s, want signed out", where, got.path)
		}
	}
	clock.by(time.Minute)
	if got := waiting.send(begun.form("form#second").with("proof.code", codeOf(t, key, clock.now()))); got.path != "/login" {
		t.Errorf("half in: got %d at %s, want to begin anew", got.status, got.path)
	}
	h.wroteDown("user-admin user.sign-out user:user-olivia done")
	clock.by(time.Minute)
	again := h.stranger()
	if got := again.send(again.password("olivia").form("form#second").with("proof.code", codeOf(t, key, clock.now()))); got.path != "/drafts" {
		t.Errorf("signing in again: got %d at %s", got.status, got.path)
	}
	for id, want := range map[string]int{"user-admin": http.StatusForbidden, "nobody": http.StatusNotFound} {
		if got := admin.post("/admin/users/"+id+"/sign-out", nil); got.status != want {
			t.Errorf("%s: got %d, want %d", id, got.status, want)
		}
	}
	for range 3 { // she works on, and her proof grows old
		clock.by(25 * time.Minute)
		admin.get("/account")
	}
	if got := admin.post("/admin/users/user-olivia/sign-out", nil); got.path != "/account/confirm" {
		t.Errorf("after more than an hour: got %d at %s, want a confirmation asked for", got.status, got.path)
	}
}

// TestWhoLeavesHandsTheirWorkOn closes olivia's account: she is out at once, marcus has her
// draft, the lender is asked for her lead, and the administrator sees neither.
func TestWhoLeavesHandsTheirWorkOn(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia, marcus, admin := h.visit("olivia"), h.visit("marcus"), h.visit("admin")
	path := olivia.start("Rivera")
	olivia.awaits(path, `input[name="offer.offerUuid"]`)
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	draft := olivia.rivera("Kowalczyk")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	form := admin.get("/admin/users/user-olivia").form(`form[action$="/close"]`)
	for what, tried := range map[string]postedForm{
		"unconfirmed": form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID),
		"a stranger":  form.with("newLoanOriginatorUuid", h.people["piotr"].OriginatorUUID, "confirm.close", "true"),
	} {
		if got := admin.send(tried); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: got %d, want 422", what, got.status)
		}
	}
	if got := olivia.get("/leads"); got.path != "/leads" {
		t.Fatalf("refused, and signed out all the same: %s", got.path)
	}
	done := admin.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID, "confirm.close", "true"))
	done.says("Open the account again")
	if got := olivia.get("/leads"); got.path != "/login" {
		t.Errorf("olivia is at %s, want signed out", got.path)
	}
	h.until("the lead is marcus's", func() bool {
		l, err := h.store.AnyLead(t.Context(), app)
		return err == nil && string(l.Originator) == h.people["marcus"].OriginatorUUID
	})
	marcus.get(path).says("Elena Rivera", "Their originator has left.")
	marcus.get("/drafts").says("Elena Kowalczyk", "Prepared by Olivia Bennett")
	h.wroteDown("user-admin user.disable user:user-olivia done")
	h.until("the run is told", func() bool {
		return strings.Contains(admin.get("/admin/users/user-olivia").body, "1 lead is sent.")
	})
	if got := admin.get(path); got.status != http.StatusNotFound {
		t.Errorf("the administrator opens the lead: got %d, want 404", got.status)
	}
	admin.send(admin.get("/admin/users/user-olivia").form(`form[action$="/open"]`))
	if got := h.visit("olivia").get("/leads"); got.status != http.StatusOK {
		t.Errorf("opened again: got %d, want 200", got.status)
	}
}

// TestWorkIsHandedOnAfterTheAccountIsClosed: nobody was named when it was.
func TestWorkIsHandedOnAfterTheAccountIsClosed(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	olivia, marcus, admin := h.visit("olivia"), h.visit("marcus"), h.visit("admin")
	draft := olivia.rivera("Kowalczyk")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	closed := admin.send(admin.get("/admin/users/user-olivia").form(`form[action$="/close"]`).with("confirm.close", "true"))
	closed.says("Open the account again", "1 draft")
	form := closed.form(`form[action$="/close"]`)
	if got := admin.send(form); got.status != http.StatusUnprocessableEntity {
		t.Errorf("to nobody: got %d, want 422", got.status)
	}
	admin.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID)).says("Open the account again")
	marcus.get("/drafts").says("Elena Kowalczyk")
	if got := admin.get("/admin/users/user-olivia"); got.Find(`form[action$="/close"]`).Length() != 0 {
		t.Error("nothing waits any more, and is still offered to be handed on")
	}
}

// TestADepartureEndsWithItsAdministrator takes the right away before the run has begun.
func TestADepartureEndsWithItsAdministrator(t *testing.T) {
	h := newHouse(t, furnished{idle: true})
	olivia, admin := h.visit("olivia"), h.visit("admin")
	path := olivia.start("Rivera")
	olivia.awaits(path, `input[name="offer.offerUuid"]`)
	form := admin.get("/admin/users/user-olivia").form(`form[action$="/close"]`)
	admin.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID, "confirm.close", "true"))
	jobs, err := h.store.JobsOf(t.Context(), store.SeatOf(h.people["admin"].Actor), h.Now().AddDate(0, 0, -1), 9)
	if err != nil || len(jobs) != 1 {
		t.Fatalf("got %d jobs, %v, want one", len(jobs), err)
	}
	if err := h.store.SetUserRole(t.Context(), "user-admin", access.Assistant); err != nil {
		t.Fatal(err)
	}
	if _, err := h.rooms.Carrier(t.Context(), jobs[0]); err == nil {
		t.Error("a run goes on in the name of somebody who administers nobody")
	}
}
