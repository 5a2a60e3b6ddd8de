package web_test

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

// TestDeparted_ManagerReassignsLeadsAndDrafts removes an originator from the directory. The manager is notified once
// and chooses who gets the leads, drafts and scheduled re-pulls.
func TestDeparted_ManagerReassignsLeadsAndDrafts(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lender.Middleware})
	summit := newCompanyFixture(h, summitUsers(), "Quill")
	olivia, maya, marcus := h.SignedInBrowser("olivia"), h.SignedInBrowser("maya"), h.SignedInBrowser("marcus")
	lender.RemoveUsers(h, "olivia")
	if got := olivia.Get("/leads"); got.Path != "/login" {
		t.Errorf("she is still at %s", got.Path)
	}
	in := h.NewBrowser()
	if got := in.Send(in.Get("/login").Form("form#login").With("email", h.People["olivia"].Email,
		"password", "right")); got.Path != "/login" {
		t.Errorf("she signs in again and gets to %s", got.Path)
	}
	h.WantAudited("system user.disable user:user-olivia done")
	lender.RemoveUsers(h, "olivia") // another sync notifies nobody again
	asked := 0
	for _, chip := range maya.NotificationTitles() {
		if chip == "A colleague’s leads or drafts need reassigning" {
			asked++
		}
	}
	inbox := maya.Get("/notifications")
	inbox.WantText("Olivia Bennett", "5 leads and drafts to reassign.")
	if asked != 1 || inbox.Find(`table.notices a[href="/team/unassigned"]`).Length() != 1 {
		t.Errorf("her manager got %d notifications, want one with a link", asked)
	}
	page := maya.Get("/team/unassigned")
	page.WantText("From Olivia Bennett", "3 open leads and 2 drafts")
	form := page.Form(`form[action="/team/unassigned/user-olivia"]`)
	for what, to := range map[string]string{"nobody": "", "another company": h.People["piotr"].OriginatorUUID,
		"the departed originator": h.People["olivia"].OriginatorUUID} {
		if got := maya.Send(form.With("newLoanOriginatorUuid", to)); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("assigned to %s: got %d, want 422", what, got.Status)
		}
	}
	run := maya.Send(form.With("newLoanOriginatorUuid", h.People["marcus"].OriginatorUUID))
	if !strings.HasPrefix(run.Path, "/reassignments/") {
		t.Fatalf("reassigned: got %d at %s: %s", run.Status, run.Path, run.MainText())
	}
	drafts := marcus.Get("/drafts")
	drafts.WantText("Quilldraft", "Quillprepared")
	for _, chip := range []string{summit.draft, summit.receivedDraft} {
		if got := marcus.Get("/leads/new?draft=" + chip); got.Status != http.StatusOK {
			t.Errorf("the draft %s: got %d for the new owner", chip, got.Status)
		}
	}
	his := heloc.OriginatorID(h.People["marcus"].OriginatorUUID)
	for _, app := range []heloc.AppID{summit.app, summit.frozen} {
		h.WaitUntil("the lead has moved", func() bool {
			return h.LeadRow(app).Originator == his && h.LeadRow(app).FormerOriginator == ""
		})
	}
	if _, plan := h.RepullState(summit.frozen); plan.UserID != "user-marcus" || plan.Originator != his ||
		plan.ConsentBy != "user-olivia" && plan.ConsentBy != "" {
		t.Errorf("the planned re-pull: got %+v, want it moved to him", plan)
	}
	h.WaitUntil("nothing is left", func() bool {
		return maya.Get("/team/unassigned").Find(`form[action^="/team/unassigned/"]`).Length() == 0
	})
	if got := maya.Send(form.With("newLoanOriginatorUuid",
		h.People["marcus"].OriginatorUUID)); got.Status != http.StatusNotFound {
		t.Errorf("the same form again: got %d, want 404", got.Status)
	}
}

// TestUnassigned_RoleWithoutDrafts_DraftsListed: an administrator sees no borrower data.
func TestUnassigned_RoleWithoutDrafts_DraftsListed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, maya, marcus := h.SignInAs("olivia"), h.SignInAs("maya"), h.SignInAs("marcus")
	draft := olivia.IntakeForm("Quilldraft")
	olivia.Post("/drafts/"+draft.Values.Get("draft"), draft.Values)
	if got := maya.Get("/team/unassigned"); strings.Contains(got.Body, "Olivia Bennett") {
		t.Error("it is in the queue although she can open it")
	}
	h.Must(h.Store.SetUserRole(t.Context(), "user-olivia", access.Admin))
	page := maya.Get("/team/unassigned")
	page.WantText("Olivia Bennett can no longer work on drafts", "1 draft")
	maya.Send(page.Form(`form[action="/team/unassigned/user-olivia"]`).With("newLoanOriginatorUuid",
		h.People["marcus"].OriginatorUUID))
	marcus.Get("/drafts").WantText("Quilldraft")
}

// TestDraftsPage_ExpiringDraft_ShowsDate moves the draft's last save into the past.
func TestDraftsPage_ExpiringDraft_ShowsDate(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	draft := olivia.IntakeForm("Quilldraft")
	olivia.Post("/drafts/"+draft.Values.Get("draft"), draft.Values)
	for days, warned := range map[int]bool{1: false, 50: true} {
		h.ExecSQL(`UPDATE drafts SET updated_at = ? WHERE id = ?`,
			store.Millis(time.Now().AddDate(0, 0, -days)), draft.Values.Get("draft"))
		if got := strings.Contains(olivia.Get("/drafts").MainText(), "Will be deleted after"); got != warned {
			t.Errorf("unchanged for %d days: warning %v, want %v", days, got, warned)
		}
	}
}

// TestDeparted_NoManager_AdminNotified: a company may have no manager.
func TestDeparted_NoManager_AdminNotified(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lender.Middleware})
	addLakesideUsers(h)
	piotr, admin := h.SignInAs("piotr"), h.SignInAs("admin")
	path := piotr.StartLead("Nowak")
	piotr.WaitFor(path, `input[name="offer.offerUuid"]`)
	piotr.Post("/drafts/"+piotr.IntakeForm("Draft").Values.Get("draft"), piotr.IntakeForm("Draft").Values)
	h.Must(h.Store.SetUserRole(t.Context(), "user-lars", access.Assistant))
	lender.RemoveUsers(h, "piotr")
	inbox := admin.Get("/notifications")
	inbox.WantText("A colleague’s leads or drafts need reassigning", "Piotr Zielinski")
	if strings.Contains(inbox.Body, "Nowak") {
		t.Error("an administrator can see a borrower's name")
	}
	link := inbox.Find("table.notices a").First().AttrOr("href", "")
	person := admin.Get(link)
	person.WantText("Work to reassign", "1 open lead and 1 draft")
	if got := admin.Send(person.Form(`form[action$="/close"]`)); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("without an assignee: got %d, want 422", got.Status)
	}
	admin.Send(person.Form(`form[action$="/close"]`).With("newLoanOriginatorUuid", h.People["lena"].OriginatorUUID))
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.WaitUntil("the lead has moved", func() bool {
		return string(h.LeadRow(app).Originator) == h.People["lena"].OriginatorUUID
	})
	h.SignInAs("lena").Get("/drafts").WantText("Prepared by Piotr Zielinski")
	admin.Get(link).WantText("Reassignment:")
	if got := h.SignInAs("lena").Post("/team/unassigned/user-piotr", url.Values{}); got.Status != http.StatusForbidden {
		t.Errorf("an originator reassigns leads: got %d, want 403", got.Status)
	}
}
