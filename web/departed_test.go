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

// removeUsers takes people out of the lender's directory, and has the portal read it twice, with
// the first read long enough ago.
func (d *directoryFaults) removeUsers(h *harness, people ...string) {
	h.t.Helper()
	var emails []string
	for _, first := range people {
		emails = append(emails, h.people[first].Email)
	}
	d.omits(h, emails...)
}

// omits does the same for people by their emails.
func (d *directoryFaults) omits(h *harness, emails ...string) {
	h.t.Helper()
	d.mu.Lock()
	d.removed = map[string]bool{}
	for _, email := range emails {
		d.removed[email] = true
	}
	d.mu.Unlock()
	h.must(h.lenderSync.SyncDirectory(h.t.Context()))
	h.execSQL(`UPDATE originators SET missing_since = missing_since - ? WHERE missing_since > 0`, time.Hour.Milliseconds())
	h.must(h.lenderSync.SyncDirectory(h.t.Context()))
}

// TestDeparted_ManagerReassignsLeadsAndDrafts closes an account by the directory: its
// manager is asked once to whom leads, drafts and what is scheduled go, and it goes.
func TestDeparted_ManagerReassignsLeadsAndDrafts(t *testing.T) {
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lender.middleware})
	summit := h.newCompanyFixture(summitUsers(), "Quill")
	olivia, maya, marcus := h.signedInBrowser("olivia"), h.signedInBrowser("maya"), h.signedInBrowser("marcus")
	lender.removeUsers(h, "olivia")
	if got := olivia.get("/leads"); got.path != "/login" {
		t.Errorf("she is still at %s", got.path)
	}
	in := h.newBrowser()
	if got := in.send(in.get("/login").form("form#login").with("email", h.people["olivia"].Email, "password", "right")); got.path != "/login" {
		t.Errorf("she signs in again, to %s", got.path)
	}
	h.wantAudited("system user.disable user:user-olivia done")
	lender.removeUsers(h, "olivia") // read once more, it asks nobody again
	asked := 0
	for _, chip := range maya.notificationTitles() {
		if chip == "Somebody has gone, and their work waits" {
			asked++
		}
	}
	inbox := maya.get("/notifications")
	inbox.wantText("Olivia Bennett", "5 leads and drafts wait. Choose who takes their leads and drafts.")
	if asked != 1 || inbox.Find(`table.notices a[href="/team/unassigned"]`).Length() != 1 {
		t.Errorf("her manager is asked %d times, want once, with the way there", asked)
	}
	page := maya.get("/team/unassigned")
	page.wantText("Olivia Bennett has left", "3 open leads and 2 drafts")
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
	drafts.wantText("Quilldraft", "Quillprepared")
	for _, chip := range []string{summit.draft, summit.receivedDraft} {
		if got := marcus.get("/leads/new?draft=" + chip); got.status != http.StatusOK {
			t.Errorf("the draft %s: got %d for who took it", chip, got.status)
		}
	}
	his := heloc.OriginatorID(h.people["marcus"].OriginatorUUID)
	for _, app := range []heloc.AppID{summit.app, summit.frozen} {
		h.waitUntil("the lead has moved", func() bool { return h.leadRow(app).Originator == his && h.leadRow(app).FormerOriginator == "" })
	}
	if _, plan := h.repullState(summit.frozen); plan.UserID != "user-marcus" || plan.Originator != his || plan.ConsentBy != "user-olivia" && plan.ConsentBy != "" {
		t.Errorf("the planned re-pull: got %+v, want it carried to him", plan)
	}
	h.waitUntil("nothing waits", func() bool {
		return maya.get("/team/unassigned").Find(`form[action^="/team/unassigned/"]`).Length() == 0
	})
	if got := maya.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID)); got.status != http.StatusNotFound {
		t.Errorf("the same again: got %d, want 404", got.status)
	}
}

// TestUnassigned_RoleWithoutDrafts_DraftsListed: an administrator sees no borrower.
func TestUnassigned_RoleWithoutDrafts_DraftsListed(t *testing.T) {
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia, maya, marcus := h.signInAs("olivia"), h.signInAs("maya"), h.signInAs("marcus")
	draft := olivia.intakeForm("Quilldraft")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	if got := maya.get("/team/unassigned"); strings.Contains(got.body, "Olivia Bennett") {
		t.Error("it waits for somebody while she can open it")
	}
	h.must(h.store.SetUserRole(t.Context(), "user-olivia", access.Admin))
	page := maya.get("/team/unassigned")
	page.wantText("Olivia Bennett works on no drafts any more", "1 draft")
	maya.send(page.form(`form[action="/team/unassigned/user-olivia"]`).with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID))
	marcus.get("/drafts").wantText("Quilldraft")
}

// TestDraftsPage_ExpiringDraft_ShowsDate turns the time of its last saving back.
func TestDraftsPage_ExpiringDraft_ShowsDate(t *testing.T) {
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia := h.signInAs("olivia")
	draft := olivia.intakeForm("Quilldraft")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	for days, said := range map[int]bool{1: false, 50: true} {
		h.execSQL(`UPDATE drafts SET updated_at = ? WHERE id = ?`, store.Millis(time.Now().AddDate(0, 0, -days)), draft.values.Get("draft"))
		if got := strings.Contains(olivia.get("/drafts").text(), "Deleted after"); got != said {
			t.Errorf("untouched for %d days: says so %v, want %v", days, got, said)
		}
	}
}

// TestDeparted_NoManager_AdminNotified: a company may have none.
func TestDeparted_NoManager_AdminNotified(t *testing.T) {
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lender.middleware})
	h.addLakesideUsers()
	piotr, admin := h.signInAs("piotr"), h.signInAs("admin")
	path := piotr.startLead("Nowak")
	piotr.waitFor(path, `input[name="offer.offerUuid"]`)
	piotr.post("/drafts/"+piotr.intakeForm("Draft").values.Get("draft"), piotr.intakeForm("Draft").values)
	h.must(h.store.SetUserRole(t.Context(), "user-lars", access.Assistant))
	lender.removeUsers(h, "piotr")
	inbox := admin.get("/notifications")
	inbox.wantText("Somebody has gone, and their work waits", "Piotr Zielinski")
	if strings.Contains(inbox.body, "Nowak") {
		t.Error("an administrator reads a borrower's name")
	}
	link := inbox.Find("table.notices a").First().AttrOr("href", "")
	person := admin.get(link)
	person.wantText("Their work waits", "1 open lead and 1 draft")
	if got := admin.send(person.form(`form[action$="/close"]`)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("to nobody: got %d, want 422", got.status)
	}
	admin.send(person.form(`form[action$="/close"]`).with("newLoanOriginatorUuid", h.people["lena"].OriginatorUUID))
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.waitUntil("the lead has moved", func() bool { return string(h.leadRow(app).Originator) == h.people["lena"].OriginatorUUID })
	h.signInAs("lena").get("/drafts").wantText("Prepared by Piotr Zielinski")
	admin.get(link).wantText("Leads handed over:")
	if got := h.signInAs("lena").post("/team/unassigned/user-piotr", url.Values{}); got.status != http.StatusForbidden {
		t.Errorf("an originator gives work on: got %d, want 403", got.status)
	}
}
