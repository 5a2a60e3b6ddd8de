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

// removeUsers removes users from the lender's directory and makes the portal sync it twice, the first time long
// enough ago.
func (d *directoryFaults) removeUsers(h *harness, people ...string) {
	h.t.Helper()
	var emails []string
	for _, first := range people {
		emails = append(emails, h.people[first].Email)
	}
	d.omits(h, emails...)
}

// omits does the same for users by their emails.
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

// TestDeparted_ManagerReassignsLeadsAndDrafts removes an originator from the directory. The manager is notified once
// and chooses who gets the leads, drafts and scheduled re-pulls.
func TestDeparted_ManagerReassignsLeadsAndDrafts(t *testing.T) {
	t.Parallel()
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
		t.Errorf("she signs in again and gets to %s", got.path)
	}
	h.wantAudited("system user.disable user:user-olivia done")
	lender.removeUsers(h, "olivia") // another sync notifies nobody again
	asked := 0
	for _, chip := range maya.notificationTitles() {
		if chip == "A colleague’s leads need reassigning" {
			asked++
		}
	}
	inbox := maya.get("/notifications")
	inbox.wantText("Olivia Bennett", "5 leads and drafts to reassign.")
	if asked != 1 || inbox.Find(`table.notices a[href="/team/unassigned"]`).Length() != 1 {
		t.Errorf("her manager got %d notifications, want one with a link", asked)
	}
	page := maya.get("/team/unassigned")
	page.wantText("Olivia Bennett has left", "3 open leads and 2 drafts")
	form := page.form(`form[action="/team/unassigned/user-olivia"]`)
	for what, to := range map[string]string{"nobody": "", "another company": h.people["piotr"].OriginatorUUID, "the departed originator": h.people["olivia"].OriginatorUUID} {
		if got := maya.send(form.with("newLoanOriginatorUuid", to)); got.status != http.StatusUnprocessableEntity {
			t.Errorf("assigned to %s: got %d, want 422", what, got.status)
		}
	}
	run := maya.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID))
	if !strings.HasPrefix(run.path, "/reassignments/") {
		t.Fatalf("reassigned: got %d at %s: %s", run.status, run.path, run.text())
	}
	drafts := marcus.get("/drafts")
	drafts.wantText("Quilldraft", "Quillprepared")
	for _, chip := range []string{summit.draft, summit.receivedDraft} {
		if got := marcus.get("/leads/new?draft=" + chip); got.status != http.StatusOK {
			t.Errorf("the draft %s: got %d for the new owner", chip, got.status)
		}
	}
	his := heloc.OriginatorID(h.people["marcus"].OriginatorUUID)
	for _, app := range []heloc.AppID{summit.app, summit.frozen} {
		h.waitUntil("the lead has moved", func() bool { return h.leadRow(app).Originator == his && h.leadRow(app).FormerOriginator == "" })
	}
	if _, plan := h.repullState(summit.frozen); plan.UserID != "user-marcus" || plan.Originator != his || plan.ConsentBy != "user-olivia" && plan.ConsentBy != "" {
		t.Errorf("the planned re-pull: got %+v, want it moved to him", plan)
	}
	h.waitUntil("nothing is left", func() bool {
		return maya.get("/team/unassigned").Find(`form[action^="/team/unassigned/"]`).Length() == 0
	})
	if got := maya.send(form.with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID)); got.status != http.StatusNotFound {
		t.Errorf("the same form again: got %d, want 404", got.status)
	}
}

// TestUnassigned_RoleWithoutDrafts_DraftsListed: an administrator sees no borrower data.
func TestUnassigned_RoleWithoutDrafts_DraftsListed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia, maya, marcus := h.signInAs("olivia"), h.signInAs("maya"), h.signInAs("marcus")
	draft := olivia.intakeForm("Quilldraft")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	if got := maya.get("/team/unassigned"); strings.Contains(got.body, "Olivia Bennett") {
		t.Error("it is in the queue although she can open it")
	}
	h.must(h.store.SetUserRole(t.Context(), "user-olivia", access.Admin))
	page := maya.get("/team/unassigned")
	page.wantText("Olivia Bennett can no longer work on drafts", "1 draft")
	maya.send(page.form(`form[action="/team/unassigned/user-olivia"]`).with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID))
	marcus.get("/drafts").wantText("Quilldraft")
}

// TestDraftsPage_ExpiringDraft_ShowsDate moves the draft's last save into the past.
func TestDraftsPage_ExpiringDraft_ShowsDate(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia := h.signInAs("olivia")
	draft := olivia.intakeForm("Quilldraft")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	for days, warned := range map[int]bool{1: false, 50: true} {
		h.execSQL(`UPDATE drafts SET updated_at = ? WHERE id = ?`, store.Millis(time.Now().AddDate(0, 0, -days)), draft.values.Get("draft"))
		if got := strings.Contains(olivia.get("/drafts").text(), "Will be deleted after"); got != warned {
			t.Errorf("unchanged for %d days: warning %v, want %v", days, got, warned)
		}
	}
}

// TestDeparted_NoManager_AdminNotified: a company may have no manager.
func TestDeparted_NoManager_AdminNotified(t *testing.T) {
	t.Parallel()
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
	inbox.wantText("A colleague’s leads need reassigning", "Piotr Zielinski")
	if strings.Contains(inbox.body, "Nowak") {
		t.Error("an administrator can see a borrower's name")
	}
	link := inbox.Find("table.notices a").First().AttrOr("href", "")
	person := admin.get(link)
	person.wantText("Work to reassign", "1 open lead and 1 draft")
	if got := admin.send(person.form(`form[action$="/close"]`)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("without an assignee: got %d, want 422", got.status)
	}
	admin.send(person.form(`form[action$="/close"]`).with("newLoanOriginatorUuid", h.people["lena"].OriginatorUUID))
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.waitUntil("the lead has moved", func() bool { return string(h.leadRow(app).Originator) == h.people["lena"].OriginatorUUID })
	h.signInAs("lena").get("/drafts").wantText("Prepared by Piotr Zielinski")
	admin.get(link).wantText("Reassignment:")
	if got := h.signInAs("lena").post("/team/unassigned/user-piotr", url.Values{}); got.status != http.StatusForbidden {
		t.Errorf("an originator reassigns leads: got %d, want 403", got.status)
	}
}
