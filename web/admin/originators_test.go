package admin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// tenWithOlivia returns the emails of ten originators, including hers.
func tenWithOlivia(h *webtest.Harness) []string {
	emails := []string{h.People["olivia"].Email}
	for _, o := range h.Sandbox.Originators()[30:39] {
		emails = append(emails, o.Email)
	}
	return emails
}

func TestAdminOriginators_ManyAbsent_WaitUntilAnAdministratorApplies(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lender.Middleware})
	olivia, admin := h.SignInAs("olivia"), h.SignInAs("admin")
	path := olivia.StartLead("Rivera")
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	draft := olivia.IntakeForm("Quilldraft")
	olivia.Post("/drafts/"+draft.Values.Get("draft"), draft.Values)
	lender.Omit(h, tenWithOlivia(h)...)

	page := admin.Get("/admin/originators")
	page.WantText("Changes to review", "10 people", "Olivia Bennett", "Not in the lender’s directory",
		"1 open lead becomes unassigned, account is disabled")
	if strings.Contains(page.Body, "Rivera") {
		t.Error("an administrator can see a borrower's name")
	}
	admin.Get("/admin/health").WantText("A change in the lender’s directory needs review", "10 users are affected")
	if link := admin.Get("/notifications").Find(`table.notices a[href="/admin/originators"]`); link.Length() != 1 {
		t.Errorf("the administrator got %d notifications, want one with a link", link.Length())
	}
	if got := olivia.Get(path); got.Status != http.StatusOK || h.LeadRow(app).Originator == "" {
		t.Errorf("before the decision: got %d, want her access unchanged", got.Status)
	}

	apply := page.Form(`form[action="/admin/originators/apply"]`)
	if got := admin.Send(apply); got.Status != http.StatusUnprocessableEntity ||
		got.Find(`#waiting input[name="confirm.apply"][aria-invalid]`).Length() != 1 {
		t.Errorf("without a confirmation: got %d, want 422 beside the checkbox", got.Status)
	}
	if got := h.SignInAs("maya").Post("/admin/originators/apply", apply.Values); got.Status != http.StatusForbidden {
		t.Errorf("by a manager: got %d, want 403", got.Status)
	}
	admin.Send(page.Form(`form[action="/admin/originators/discard"]`)).WantText("Discarded changes", "Olivia Bennett")
	h.WantAudited("user-admin directory.disregard directory:originators done")
	if got := admin.Send(apply.With("confirm.apply", "true")); got.Status != http.StatusConflict ||
		!strings.Contains(got.MainText(), "Nothing was changed") {
		t.Errorf("a form from before the decision: got %d: %s", got.Status, got.MainText())
	}
	pending := admin.Get("/admin/originators").Form(`#disregarded form[action="/admin/originators/apply"]`)
	done := admin.Send(pending.With("confirm.apply", "true"))
	done.WantText("Removed because the lender’s directory no longer lists them", "10 people", "Olivia Bennett",
		"account, 1 lead")
	h.WantAudited("user-admin directory.apply directory:originators done")
	if got := olivia.Get("/leads"); got.Path != "/login" || h.LeadRow(app).Originator != "" {
		t.Errorf("after the decision she is at %s", got.Path)
	}
	if admin.Get("/notifications").Find(`table.notices a[href="/admin/originators"]`).Length() != 0 {
		t.Error("the administrator still has a notification about it")
	}

	undo := done.Form("#undo")
	admin.Send(undo.With("originator", h.People["olivia"].OriginatorUUID)).WantText("Discarded changes", "9 people")
	h.WantAudited("user-admin directory.undo originator:" + h.People["olivia"].OriginatorUUID + " done")
	h.WantAudited("user-admin user.open user:user-olivia done")
	h.WantAudited("user-admin lead.return lead:" + string(app) + " done")
	lender.Omit(h, tenWithOlivia(h)...) // she is still missing from the directory
	back := h.SignInAs("olivia")
	back.Get(path).WantText("Rivera")
	back.Get("/drafts").WantText("Quilldraft")
	if got := admin.Send(undo.With("originator", h.People["olivia"].OriginatorUUID)); got.Status != http.StatusConflict {
		t.Errorf("the same decision again: got %d, want 409", got.Status)
	}
	at, _ := done.Find(`#closed button[name="goneAt"]`).Attr("value")
	admin.Send(undo.With("goneAt", at)).WantText("10 people")
	if got := admin.Get("/admin/originators"); got.Find("#closed").Length() != 0 || got.Find("#waiting").Length() != 0 {
		t.Error("something is still pending or closed")
	}
	lender.Omit(h)
	if got := admin.Get("/admin/originators"); got.Find("#disregarded").Length() != 0 {
		t.Error("users whom the directory lists again are still pending")
	}
}

// TestReopen_ClosedByTheDirectory_LeadsComeBack reopens the account on its own page.
func TestReopen_ClosedByTheDirectory_LeadsComeBack(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lender.Middleware})
	olivia, maya, admin := h.SignInAs("olivia"), h.SignInAs("maya"), h.SignInAs("admin")
	path := olivia.StartLead("Rivera")
	lender.RemoveUsers(h, "olivia")
	maya.Get("/team/unassigned").WantText("From Olivia Bennett")
	admin.Send(admin.Get("/admin/users/user-olivia").Form(`form[action$="/open"]`))
	lender.RemoveUsers(h, "olivia")
	h.SignInAs("olivia").Get(path).WantText("Rivera")
	if text := maya.Get("/notifications").Find("table.notices").
		Text(); strings.Contains(text, "A colleague’s leads or drafts need reassigning") ||
		strings.Contains(text, "Unassigned lead") {
		t.Errorf("her manager still sees her as departed: %s", text)
	}
}

// TestHealth_UnknownOriginator_IsNamed shows a lead whose originator the lender names, but who is missing from its
// directory.
func TestHealth_UnknownOriginator_IsNamed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	path := h.SignInAs("olivia").StartLead("Rivera")
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.NoteMismatch(t.Context(), lead.Mismatch{App: app, Reason: lead.MismatchMalformed, At: 1})
		return err
	}))
	h.SignInAs("admin").Get("/admin/health").WantText("The lender reports an unknown originator for 1 lead", string(app),
		"the lender sent an invalid ID")
	if got := h.SignInAs("admin").Post("/admin/originators/undo", url.Values{}); got.Status != http.StatusConflict {
		t.Errorf("nothing to undo: got %d, want 409", got.Status)
	}
}

// TestAdminOriginators_SearchByAnotherUser_ChangeStillWaits lets somebody of another company search
// for one of the people who wait, whom the lender still finds by email.
func TestAdminOriginators_SearchByAnotherUser_ChangeStillWaits(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: func(sandbox http.Handler) http.Handler {
		list := lender.Middleware(sandbox)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Has("email") {
				sandbox.ServeHTTP(w, r)
				return
			}
			list.ServeHTTP(w, r)
		})
	}})
	admin, piotr := h.SignInAs("admin"), h.SignInAs("piotr")
	seven := tenWithOlivia(h)[:7]
	lender.Omit(h, seven...)
	if got := piotr.Get("/originators?q=" + url.QueryEscape(seven[3])); got.Status != http.StatusOK {
		t.Fatalf("the search: got %d", got.Status)
	}
	h.Must(h.LenderSync.SyncDirectory(t.Context()))
	page := admin.Get("/admin/originators")
	user, err := h.Store.User(t.Context(), "user-olivia")
	h.Must(err)
	if n := page.Find("#waiting tbody tr").Length(); n != 7 || page.Find("#closed").Length() != 0 || user.Disabled {
		t.Errorf("%d people wait, and her account is closed: %v; want seven, and that nothing happened", n, user.Disabled)
	}
}

// TestAdminOriginators_ThousandsListedAtOnce_AddedByAnAdministrator also looks up one of them by email, as a person
// who wants to set up an account does.
func TestAdminOriginators_ThousandsListedAtOnce_AddedByAnAdministrator(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, LenderMiddleware: lender.Middleware})
	admin := h.SignInAs("admin")
	h.Must(h.LenderSync.SyncDirectory(t.Context()))
	lender.Mu.Lock()
	for i := range 1200 {
		one := h.Sandbox.Originators()[0]
		one.ID, one.Email = heloc.OriginatorID(fmt.Sprintf("a%07d%s", i, one.ID[8:])), fmt.Sprintf("%d@new.test", i)
		lender.Added = append(lender.Added, one)
	}
	lender.Mu.Unlock()
	h.Must(h.LenderSync.SyncDirectory(t.Context()))
	page := admin.Get("/admin/originators")
	page.WantText("New people to review", "The last full update of the lender’s directory listed 1,200 new people",
		"Summit Home Lending")
	admin.Get("/admin/health").WantText("The lender’s directory lists many new people: 1,200.", "120 originators")
	admin.Get("/originators?q=7@new.test").WantText("7@new.test")
	add := page.Form(`#new form[action="/admin/originators/apply"]`)
	if got := admin.Send(add); got.Status != http.StatusUnprocessableEntity ||
		got.Find(`#new input[name="confirm.apply"][aria-invalid]`).Length() != 1 {
		t.Errorf("without a confirmation: got %d, want 422 beside the checkbox", got.Status)
	}
	again := admin.Send(add.With("confirm.apply", "true")) // there is one new person fewer than the page showed
	again.WantText("listed 1,199 new people")
	if got := admin.Send(add.With("confirm.apply", "true")); got.Status != http.StatusConflict {
		t.Errorf("the earlier form: got %d, want 409", got.Status)
	}
	admin.Send(again.Form(`#new form`).With("confirm.apply", "true")).WantNoText([]string{"new people"})
	page = admin.Get("/admin/health")
	page.WantText("1320 originators")
	page.WantNoText([]string{"new people"})
	h.WantAudited("user-admin directory.apply directory:originators done")
}

// TestAdminOriginators_ApplyFromAPageBeforeOthersWereKept_LeavesThemAlone applies what a page lists as
// kept after another administrator has kept more people.
func TestAdminOriginators_ApplyFromAPageBeforeOthersWereKept_LeavesThemAlone(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lender.Middleware})
	admin := h.SignInAs("admin")
	ten := tenWithOlivia(h)
	lender.RemoveUsers(h, "marcus")
	lender.Omit(h, append([]string{h.People["marcus"].Email}, ten...)...)
	page := admin.Get("/admin/originators")
	admin.Send(page.Form("#undo").With("originator", h.People["marcus"].OriginatorUUID))
	stale := admin.Get("/admin/originators")
	kept := stale.Form(`#disregarded form[action="/admin/originators/apply"]`)
	if n, m := stale.Find("#disregarded tbody tr").Length(), stale.Find("#waiting tbody tr").Length(); n != 1 || m != 10 {
		t.Fatalf("%d are kept and %d wait, want one and ten", n, m)
	}
	admin.Send(stale.Form(`#waiting form[action="/admin/originators/discard"]`)) // as another administrator does
	got := admin.Send(kept.With("confirm.apply", "true"))
	if n, m := got.Find("#disregarded tbody tr").Length(), got.Find("#closed tbody tr").Length(); n != 10 || m > 1 {
		t.Errorf("%d are kept and %d removed, want that the ten stay kept", n, m)
	}
	user, err := h.Store.User(t.Context(), "user-olivia")
	h.Must(err)
	if user.Disabled {
		t.Error("her account is closed by a page that did not list her")
	}
}

// TestClosePerson_AfterTheDirectoryClosedThem_StaysClosedWhenListedAgain gives the work of somebody
// whom the directory removed to a colleague: the account is finished with.
func TestClosePerson_AfterTheDirectoryClosedThem_StaysClosedWhenListedAgain(t *testing.T) {
	t.Parallel()
	lender := &webtest.DirectoryFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lender.Middleware})
	olivia, admin := h.SignInAs("olivia"), h.SignInAs("admin")
	app := heloc.AppID(strings.TrimPrefix(olivia.StartLead("Rivera"), "/leads/"))
	lender.RemoveUsers(h, "olivia")
	person := admin.Get("/admin/users/user-olivia")
	his := h.People["marcus"].OriginatorUUID
	admin.Send(person.Form(`form[action$="/close"]`).With("newLoanOriginatorUuid", his))
	h.WantAudited("user-admin user.disable user:user-olivia done")
	h.WaitUntil("the lead has moved", func() bool { return string(h.LeadRow(app).Originator) == his })
	lender.Omit(h)
	if user, err := h.Store.User(t.Context(), "user-olivia"); err != nil || !user.Disabled {
		t.Errorf("the account is open again, %v", err)
	}
	if got := h.LeadRow(app).Originator; string(got) != his {
		t.Errorf("the lead has %q, want %q", got, his)
	}
}
