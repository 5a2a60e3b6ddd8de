package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// tenWithOlivia returns the emails of ten originators, including hers.
func tenWithOlivia(h *harness) []string {
	emails := []string{h.people["olivia"].Email}
	for _, o := range h.sandbox.Originators()[30:39] {
		emails = append(emails, o.Email)
	}
	return emails
}

func TestAdminOriginators_ManyAbsent_WaitUntilAnAdministratorApplies(t *testing.T) {
	t.Parallel()
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lender.middleware})
	olivia, admin := h.signInAs("olivia"), h.signInAs("admin")
	path := olivia.startLead("Rivera")
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	draft := olivia.intakeForm("Quilldraft")
	olivia.post("/drafts/"+draft.values.Get("draft"), draft.values)
	lender.omits(h, tenWithOlivia(h)...)

	page := admin.get("/admin/originators")
	page.wantText("Changes to review", "10 people", "Olivia Bennett", "Not in the lender’s directory", "1 open lead becomes unassigned, account is disabled")
	if strings.Contains(page.body, "Rivera") {
		t.Error("an administrator can see a borrower's name")
	}
	admin.get("/admin/health").wantText("A change in the lender’s directory needs review", "10 users are affected")
	if link := admin.get("/notifications").Find(`table.notices a[href="/admin/originators"]`); link.Length() != 1 {
		t.Errorf("the administrator got %d notifications, want one with a link", link.Length())
	}
	if got := olivia.get(path); got.status != http.StatusOK || h.leadRow(app).Originator == "" {
		t.Errorf("before the decision: got %d, want her access unchanged", got.status)
	}

	apply := page.form(`form[action="/admin/originators/apply"]`)
	if got := admin.send(apply); got.status != http.StatusUnprocessableEntity || got.Find(`#waiting input[name="confirm.apply"][aria-invalid]`).Length() != 1 {
		t.Errorf("without a confirmation: got %d, want 422 beside the checkbox", got.status)
	}
	if got := h.signInAs("maya").post("/admin/originators/apply", apply.values); got.status != http.StatusForbidden {
		t.Errorf("by a manager: got %d, want 403", got.status)
	}
	admin.send(page.form(`form[action="/admin/originators/discard"]`)).wantText("Discarded changes", "Olivia Bennett")
	h.wantAudited("user-admin directory.disregard directory:originators done")
	if got := admin.send(apply.with("confirm.apply", "true")); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text(), "Nothing was changed") {
		t.Errorf("a form from before the decision: got %d: %s", got.status, got.text())
	}
	pending := admin.get("/admin/originators").form(`#disregarded form[action="/admin/originators/apply"]`)
	done := admin.send(pending.with("confirm.apply", "true"))
	done.wantText("Removed because the lender’s directory no longer lists them", "10 people", "Olivia Bennett", "account, 1 lead")
	h.wantAudited("user-admin directory.apply directory:originators done")
	if got := olivia.get("/leads"); got.path != "/login" || h.leadRow(app).Originator != "" {
		t.Errorf("after the decision she is at %s", got.path)
	}
	if admin.get("/notifications").Find(`table.notices a[href="/admin/originators"]`).Length() != 0 {
		t.Error("the administrator still has a notification about it")
	}

	undo := done.form("#undo")
	admin.send(undo.with("originator", h.people["olivia"].OriginatorUUID)).wantText("Discarded changes", "9 people")
	h.wantAudited("user-admin directory.undo originator:" + h.people["olivia"].OriginatorUUID + " done")
	h.wantAudited("user-admin user.open user:user-olivia done")
	h.wantAudited("user-admin lead.return lead:" + string(app) + " done")
	lender.omits(h, tenWithOlivia(h)...) // she is still missing from the directory
	back := h.signInAs("olivia")
	back.get(path).wantText("Rivera")
	back.get("/drafts").wantText("Quilldraft")
	if got := admin.send(undo.with("originator", h.people["olivia"].OriginatorUUID)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the same decision again: got %d, want 422", got.status)
	}
	at, _ := done.Find(`#closed button[name="goneAt"]`).Attr("value")
	admin.send(undo.with("goneAt", at)).wantText("10 people")
	if got := admin.get("/admin/originators"); got.Find("#closed").Length() != 0 || got.Find("#waiting").Length() != 0 {
		t.Error("something is still pending or closed")
	}
	lender.omits(h)
	if got := admin.get("/admin/originators"); got.Find("#disregarded").Length() != 0 {
		t.Error("users whom the directory lists again are still pending")
	}
}

// TestReopen_ClosedByTheDirectory_LeadsComeBack reopens the account on its own page.
func TestReopen_ClosedByTheDirectory_LeadsComeBack(t *testing.T) {
	t.Parallel()
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lender.middleware})
	olivia, maya, admin := h.signInAs("olivia"), h.signInAs("maya"), h.signInAs("admin")
	path := olivia.startLead("Rivera")
	lender.removeUsers(h, "olivia")
	maya.get("/team/unassigned").wantText("Olivia Bennett has left")
	admin.send(admin.get("/admin/users/user-olivia").form(`form[action$="/open"]`))
	lender.removeUsers(h, "olivia")
	h.signInAs("olivia").get(path).wantText("Rivera")
	if text := maya.get("/notifications").Find("table.notices").Text(); strings.Contains(text, "A colleague’s leads need reassigning") || strings.Contains(text, "Unassigned lead") {
		t.Errorf("her manager still sees her as departed: %s", text)
	}
}

// TestHealth_UnknownOriginator_IsNamed shows a lead whose originator the lender names, but who is missing from its
// directory.
func TestHealth_UnknownOriginator_IsNamed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	path := h.signInAs("olivia").startLead("Rivera")
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.NoteMismatch(t.Context(), lead.Mismatch{App: app, Reason: lead.MismatchMalformed, At: 1})
		return err
	}))
	h.signInAs("admin").get("/admin/health").wantText("The lender reports an unknown originator for 1 lead", string(app), "the lender sent an invalid ID")
	if got := h.signInAs("admin").post("/admin/originators/undo", url.Values{}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("nothing to undo: got %d, want 422", got.status)
	}
}

// TestAdminOriginators_SearchByAnotherUser_ChangeStillWaits lets somebody of another company search
// for one of the people who wait, whom the lender still finds by email.
func TestAdminOriginators_SearchByAnotherUser_ChangeStillWaits(t *testing.T) {
	t.Parallel()
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: func(sandbox http.Handler) http.Handler {
		list := lender.middleware(sandbox)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("email") {
				sandbox.ServeHTTP(w, r)
				return
			}
			list.ServeHTTP(w, r)
		})
	}})
	admin, piotr := h.signInAs("admin"), h.signInAs("piotr")
	seven := tenWithOlivia(h)[:7]
	lender.omits(h, seven...)
	if got := piotr.get("/originators?q=" + url.QueryEscape(seven[3])); got.status != http.StatusOK {
		t.Fatalf("the search: got %d", got.status)
	}
	h.must(h.lenderSync.SyncDirectory(t.Context()))
	page := admin.get("/admin/originators")
	user, err := h.store.User(t.Context(), "user-olivia")
	h.must(err)
	if n := page.Find("#waiting tbody tr").Length(); n != 7 || page.Find("#closed").Length() != 0 || user.Disabled {
		t.Errorf("%d people wait, and her account is closed: %v; want seven, and that nothing happened", n, user.Disabled)
	}
}

// TestAdminOriginators_ApplyFromAPageBeforeOthersWereKept_LeavesThemAlone applies what a page lists as
// kept after another administrator has kept more people.
func TestAdminOriginators_ApplyFromAPageBeforeOthersWereKept_LeavesThemAlone(t *testing.T) {
	t.Parallel()
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lender.middleware})
	admin := h.signInAs("admin")
	ten := tenWithOlivia(h)
	lender.removeUsers(h, "marcus")
	lender.omits(h, append([]string{h.people["marcus"].Email}, ten...)...)
	page := admin.get("/admin/originators")
	admin.send(page.form("#undo").with("originator", h.people["marcus"].OriginatorUUID))
	stale := admin.get("/admin/originators")
	kept := stale.form(`#disregarded form[action="/admin/originators/apply"]`)
	if n, m := stale.Find("#disregarded tbody tr").Length(), stale.Find("#waiting tbody tr").Length(); n != 1 || m != 10 {
		t.Fatalf("%d are kept and %d wait, want one and ten", n, m)
	}
	admin.send(stale.form(`#waiting form[action="/admin/originators/discard"]`)) // as another administrator does
	got := admin.send(kept.with("confirm.apply", "true"))
	if n, m := got.Find("#disregarded tbody tr").Length(), got.Find("#closed tbody tr").Length(); n != 10 || m > 1 {
		t.Errorf("%d are kept and %d removed, want that the ten stay kept", n, m)
	}
	user, err := h.store.User(t.Context(), "user-olivia")
	h.must(err)
	if user.Disabled {
		t.Error("her account is closed by a page that did not list her")
	}
}

// TestClosePerson_AfterTheDirectoryClosedThem_StaysClosedWhenListedAgain gives the work of somebody
// whom the directory removed to a colleague: the account is finished with.
func TestClosePerson_AfterTheDirectoryClosedThem_StaysClosedWhenListedAgain(t *testing.T) {
	t.Parallel()
	lender := &directoryFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lender.middleware})
	olivia, admin := h.signInAs("olivia"), h.signInAs("admin")
	app := heloc.AppID(strings.TrimPrefix(olivia.startLead("Rivera"), "/leads/"))
	lender.removeUsers(h, "olivia")
	person := admin.get("/admin/users/user-olivia")
	his := h.people["marcus"].OriginatorUUID
	admin.send(person.form(`form[action$="/close"]`).with("newLoanOriginatorUuid", his))
	h.wantAudited("user-admin user.disable user:user-olivia done")
	h.waitUntil("the lead has moved", func() bool { return string(h.leadRow(app).Originator) == his })
	lender.omits(h)
	if user, err := h.store.User(t.Context(), "user-olivia"); err != nil || !user.Disabled {
		t.Errorf("the account is open again, %v", err)
	}
	if got := h.leadRow(app).Originator; string(got) != his {
		t.Errorf("the lead has %q, want %q", got, his)
	}
}
