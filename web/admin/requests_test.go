package admin_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/web/page"
	"hearthline/web/webtest"
)

// newTwoAdministrators is a portal with the administrators admin and ruth, and one request by admin: to make marcus a
// manager. It returns the request's action URL without the action.
func newTwoAdministrators(t *testing.T) (h *webtest.Harness, admin, ruth *webtest.Browser, request string) {
	t.Helper()
	h = webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	h.AddUser("ruth", access.Actor{Name: "Ruth Second", Email: "ruth@hearthline.test", Role: access.Admin})
	admin, ruth = h.SignInAs("admin"), h.SignInAs("ruth")
	admin.Send(admin.Get("/admin/users/user-marcus").Form(`form[action$="/role"]`).With("role", "manager",
		"reason", "Leads the Denver team"))
	action := admin.Get("/admin/requests").Find(`form[action$="/withdraw"]`).AttrOr("action", "")
	return h, admin, ruth, strings.TrimSuffix(action, "/withdraw")
}

func TestRequests_AnotherAdministratorApproves(t *testing.T) {
	t.Parallel()
	h, admin, ruth, request := newTwoAdministrators(t)
	own := admin.Get("/admin/requests")
	own.WantText("Make Marcus Reyes (marcus@summit.test), now an originator at Summit Home Lending, a manager",
		"Requested by", "Ann Admin",
		"Leads the Denver team", "Expires", "Can approve", "Ruth Second", "Withdraw request")
	if own.Find(`form[action$="/approve"], form[action$="/decline"]`).Length() != 0 {
		t.Error("the requester is offered to decide")
	}
	if own.Find(`a[href="/admin/users/user-marcus"]`).Length() != 1 {
		t.Error("the request has no link to the account")
	}
	for name, want := range map[string]int{"admin": 403, "maya": 403, "olivia": 403} {
		if got := h.SignInAs(name).Post(request+"/approve", nil); got.Status != want {
			t.Errorf("%s approves: got %d, want %d", name, got.Status, want)
		}
	}
	if got := ruth.Post("/admin/requests/nothing/approve", nil); got.Status != http.StatusNotFound {
		t.Errorf("an unknown request: got %d, want 404", got.Status)
	}
	if got := h.SignInAs("maya").Get("/admin/requests"); got.Status != http.StatusForbidden {
		t.Errorf("a manager sees the page: got %d, want 403", got.Status)
	}
	if u, err := h.Store.User(t.Context(), "user-marcus"); err != nil || u.Role != access.Originator {
		t.Fatalf("got %s, %v, want nothing changed", u.Role, err)
	}
	done := ruth.Send(ruth.Get("/admin/requests").Form(`form[action$="/approve"]`))
	done.WantText("No requests are waiting.", "Approved by Ruth Second")
	if got := h.SignInAs("marcus").Get("/team/unassigned"); got.Status != http.StatusOK {
		t.Errorf("as a manager: got %d, want 200", got.Status)
	}
	id := strings.TrimPrefix(request, "/admin/requests/")
	h.WantAudited("user-admin request.create request:" + id + " done")
	h.WantAudited("user-ruth request.approve request:" + id + " done")
	h.WantAudited("user-ruth user.role user:user-marcus done")
	admin.Get("/notifications").WantText("Approved: give a role with more access", "By Ruth Second")
	h.SignInAs("maya").Get("/notifications").WantText("New manager approved for your company")
	h.SignInAs("marcus").Get("/notifications").WantText("Approved for your account: give a role with more access")
	if got := ruth.Post(request+"/approve", nil); got.Status != http.StatusConflict {
		t.Errorf("a second time: got %d, want 409", got.Status)
	}
	for _, page := range []*webtest.Response{own, done, admin.Get("/admin/audit")} {
		for _, leak := range []string{"token", "#" + id} {
			if strings.Contains(page.MainText(), leak) {
				t.Errorf("%s shows %q", page.Path, leak)
			}
		}
	}
}

func TestRequests_Outdated_SaidAndRefused(t *testing.T) {
	t.Parallel()
	h, _, ruth, request := newTwoAdministrators(t)
	h.Must(h.AccountService.SetRole(t.Context(), "marcus@summit.test", access.Assistant))
	page := ruth.Get("/admin/requests")
	page.WantText("Can’t be approved:", "The account has changed since this was requested.")
	if page.Find(`form[action$="/approve"]`).Length() != 0 {
		t.Error("the page offers to approve it")
	}
	got := ruth.Post(request+"/approve", nil)
	if got.WantText("The account has changed", "Nothing was changed."); got.Status != http.StatusConflict {
		t.Errorf("got %d, want 409", got.Status)
	}
	ruth.Send(page.Form(`form[action$="/decline"]`)).WantText("Declined by Ruth Second")
}

// TestPrivilegedChanges_AreRequests sends the form of every change that one administrator could once make alone.
func TestPrivilegedChanges_AreRequests(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	h.AddUser("ruth", access.Actor{Name: "Ruth Second", Email: "ruth@hearthline.test", Role: access.Admin})
	admin := h.SignInAs("admin")
	company := h.People["maya"].BrokerID
	for _, role := range []string{"manager", "assistant", "admin"} {
		admin.Send(admin.Get("/invite").Form("#form-invite").With("name", "Nora "+role, "email", role+"@hire.test",
			"role", role, "broker", company, "reason", "New colleague")).WantText("Invite Nora " + role)
		if got := h.Mails(role + "@hire.test"); len(got) != 0 {
			t.Errorf("the invitation of a %s was sent", role)
		}
	}
	maya := h.SignInAs("maya")
	reset := admin.Get("/admin/users/user-maya").Form(`form[action$="/reset"]`)
	admin.Send(reset.With("confirm.reset", "true", "shut", "true", "reason", "Lost phone")).
		WantText("Waiting for approval:", "Reset and block all current sign-in methods of Maya Lindqvist "+
			"(maya@summit.test), a manager at")
	if got := maya.Get("/leads"); got.Path != "/leads" {
		t.Errorf("a manager was signed out by a request: %s", got.Path)
	}
	ruth := admin.Get("/admin/users/user-ruth")
	closed := admin.Send(ruth.Form(`form[action$="/close"]`).With("confirm.close", "true"))
	closed.WantText("Disabled") // at once, by one administrator
	admin.Send(closed.Form(`form[action$="/open"]`).With("reason", "Back from leave")).
		WantText("Reopen the account of Ruth Second (ruth@hearthline.test), an administrator")
	if u, err := h.Store.User(t.Context(), "user-ruth"); err != nil || !u.Disabled {
		t.Errorf("got %+v, %v, want the account disabled", u, err)
	}
	admin.Get("/admin/requests").WantText("The server’s operator can run: portal approve")
}

// TestAdministratorRoutes_ExportOnlyAuditHeads: an export of the whole installation would have to be a request.
func TestAdministratorRoutes_ExportOnlyAuditHeads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	for _, r := range h.Routes() {
		if r.Class == page.Download && access.Admin.Can(r.Permission) && r.Pattern != "/admin/audit/heads" {
			t.Errorf("an administrator alone can download %s", r.Pattern)
		}
	}
}
