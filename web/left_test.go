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

// dismisses takes people out of the lender's directory, and has the portal read it twice, with
// the first read long enough ago.
func (d *relocating) dismisses(h *house, people ...string) {
	h.t.Helper()
	var emails []string
	for _, first := range people {
		emails = append(emails, h.people[first].Email)
	}
	d.omits(h, emails...)
}

// omits does the same for people by their emails.
func (d *relocating) omits(h *house, emails ...string) {
	h.t.Helper()
	d.mu.Lock()
	d.loses = map[string]bool{}
	for _, email := range emails {
		d.loses[email] = true
	}
	d.mu.Unlock()
	h.must(h.watch.SyncDirectory(h.t.Context()))
	h.raw(`UPDATE originators SET missing_since = missing_since - ? WHERE missing_since > 0`, time.Hour.Milliseconds())
	h.must(h.watch.SyncDirectory(h.t.Context()))
}

// TestWhoTheDirectoryLostLeavesTheirWorkToSomebody closes an account by the directory: its
// manager is asked once to whom leads, drafts and what is scheduled go, and it goes.
func TestWhoTheDirectoryLostLeavesTheirWorkToSomebody(t *testing.T) {
	lender := &relocating{}
	h := newHouse(t, furnished{around: lender.around})
	summit := h.belong(summitCrew(), "Quill")
	olivia, maya, marcus := h.sitting("olivia"), h.sitting("maya"), h.sitting("marcus")
	lender.dismisses(h, "olivia")
	if got := olivia.get("/leads"); got.path != "/login" {
		t.Errorf("she is still at %s", got.path)
	}
	in := h.stranger()
	if got := in.send(in.get("/login").form("form#login").with("email", h.people["olivia"].Email, "password", "right")); got.path != "/login" {
		t.Errorf("she signs in again, to %s", got.path)
	}
	h.wroteDown("system user.disable user:user-olivia done")
	lender.dismisses(h, "olivia") // read once more, it asks nobody again
	asked := 0
	for _, chip := range maya.news() {
		if chip == "Somebody has gone, and their work waits" {
			asked++
		}
	}
	inbox := maya.get("/notifications")
	inbox.says("Olivia Bennett", "5 leads and drafts wait. Choose who takes their leads and drafts.")
	if asked != 1 || inbox.Find(`table.notices a[href="/team/unassigned"]`).Length() != 1 {
		t.Errorf("her manager is asked %d times, want once, with the way there", asked)
	}
	page := maya.get("/team/unassigned")
	page.says("Olivia Bennett has left", "3 open leads and 2 drafts")
	form := page.form(`form[action="/team/unassigned/user-olivia"]`)
	for what, to := range map[string]string{"nobody": "", "another company": h.people["piotr"].OriginatorUUID, "who has gone": h.people["olivia"].OriginatorUUID} {
		if got := maya.send(form.with("newLoanOriginatorUuid", to)); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s takes it: got %d, want 422", what, got.status)
		}
	}
	run := maya.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID))
	if !strings.HasPrefix(run.path, "/reassignments/") {
		t.Fatalf("given on: got %d at %s: %s", run.status, run.path, run.text())
	}
	drafts := marcus.get("/drafts")
	drafts.says("Quilldraft", "Quillprepared")
	for _, chip := range []string{summit.draft, summit.handed} {
		if got := marcus.get("/leads/new?draft=" + chip); got.status != http.StatusOK {
			t.Errorf("the draft %s: got %d for who took it", chip, got.status)
		}
	}
	his := heloc.OriginatorID(h.people["marcus"].OriginatorUUID)
	for _, app := range []heloc.AppID{summit.app, summit.frozen} {
		h.until("the lead has moved", func() bool { return h.row(app).Originator == his && h.row(app).LeftBy == "" })
	}
	if _, plan := h.repulls(summit.frozen); plan.UserID != "user-marcus" || plan.Originator != his || plan.TakenBy != "user-olivia" && plan.TakenBy != "" {
		t.Errorf("the planned re-pull: got %+v, want it carried to him", plan)
	}
	h.until("nothing waits", func() bool {
		return maya.get("/team/unassigned").Find(`form[action^="/team/unassigned/"]`).Length() == 0
	})
	if got := maya.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID)); got.status != http.StatusNotFound {
		t.Errorf("the same again: got %d, want 404", got.status)
	}
}

// TestARoleThatOpensNoDraftsLeavesThemToSomebody: an administrator sees no borrower.
func TestARoleThatOpensNoDraftsLeavesThemToSomebody(t *testing.T) {
	h := newHouse(t, furnished{idle: true})
	olivia, maya, marcus := h.visit("olivia"), h.visit("maya"), h.visit("marcus")
	draft := olivia.rivera("Quilldraft")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	if got := maya.get("/team/unassigned"); strings.Contains(got.body, "Olivia Bennett") {
		t.Error("it waits for somebody while she can open it")
	}
	h.must(h.store.SetUserRole(t.Context(), "user-olivia", access.Admin))
	page := maya.get("/team/unassigned")
	page.says("Olivia Bennett works on no drafts any more", "1 draft")
	maya.send(page.form(`form[action="/team/unassigned/user-olivia"]`).with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID))
	marcus.get("/drafts").says("Quilldraft")
}

// TestADraftSaysWhenItGoes turns the time of its last saving back.
func TestADraftSaysWhenItGoes(t *testing.T) {
	h := newHouse(t, furnished{idle: true})
	olivia := h.visit("olivia")
	draft := olivia.rivera("Quilldraft")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	for days, said := range map[int]bool{1: false, 50: true} {
		h.raw(`UPDATE drafts SET updated_at = ? WHERE id = ?`, store.Millis(time.Now().AddDate(0, 0, -days)), draft.values.Get("draft"))
		if got := strings.Contains(olivia.get("/drafts").text(), "Deleted after"); got != said {
			t.Errorf("untouched for %d days: says so %v, want %v", days, got, said)
		}
	}
}

// TestWithoutAManagerAnAdministratorIsAsked: a company may have none.
func TestWithoutAManagerAnAdministratorIsAsked(t *testing.T) {
	lender := &relocating{}
	h := newHouse(t, furnished{around: lender.around})
	h.lakesiders()
	piotr, admin := h.visit("piotr"), h.visit("admin")
	path := piotr.start("Nowak")
	piotr.awaits(path, `input[name="offer.offerUuid"]`)
	piotr.post("/drafts/"+piotr.rivera("Draft").values.Get("draft"), piotr.rivera("Draft").values)
	h.must(h.store.SetUserRole(t.Context(), "user-lars", access.Assistant))
	lender.dismisses(h, "piotr")
	inbox := admin.get("/notifications")
	inbox.says("Somebody has gone, and their work waits", "Piotr Zielinski")
	if strings.Contains(inbox.body, "Nowak") {
		t.Error("an administrator reads a borrower's name")
	}
	link := inbox.Find("table.notices a").First().AttrOr("href", "")
	person := admin.get(link)
	person.says("Their work waits", "1 open lead and 1 draft")
	if got := admin.send(person.form(`form[action$="/close"]`)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("to nobody: got %d, want 422", got.status)
	}
	admin.send(person.form(`form[action$="/close"]`).with("newLoanOriginatorUuid", h.people["lena"].OriginatorUUID))
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.until("the lead has moved", func() bool { return string(h.row(app).Originator) == h.people["lena"].OriginatorUUID })
	h.visit("lena").get("/drafts").says("Prepared by Piotr Zielinski")
	admin.get(link).says("Leads handed over:")
	if got := h.visit("lena").post("/team/unassigned/user-piotr", url.Values{}); got.status != http.StatusForbidden {
		t.Errorf("an originator gives work on: got %d, want 403", got.status)
	}
}
