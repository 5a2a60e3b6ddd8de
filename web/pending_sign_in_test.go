package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/store"
)

// pendingSignIns returns a harness in which somebody has entered olivia's password, and a link to reset her account
// was opened in another browser.
func pendingSignIns(t *testing.T) (h *harness, clock *testClock, key string, attacker, setUp *response, stolen, opened *testBrowser) {
	h, clock = newMFAHarness(t)
	_, key, _ = h.enroll("olivia", clock)
	clock.advance(time.Minute)
	stolen, opened = h.newBrowser(), h.newBrowser()
	attacker = stolen.submitPassword("olivia")
	opened.send(opened.get("/reset").form("form#ask").with("email", h.people["olivia"].Email))
	_, code := h.mailedCode(h.people["olivia"].Email)
	setUp = opened.send(opened.get("/reset").form("form#code").with("token", code))
	setUp.form("form#set-up")
	return h, clock, key, attacker, setUp, stolen, opened
}

func TestPendingSignIn_AccountChanged_Ends(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(h *harness, owner *testBrowser, setUp *response){
		"a reset": func(_ *harness, owner *testBrowser, setUp *response) {
			owner.send(setUp.form("form#set-up").with("password", newPassword)).wantText("Your password was changed")
		},
		"another role": func(h *harness, _ *testBrowser, _ *response) {
			h.must(h.accountService.SetRole(h.t.Context(), h.people["olivia"].Email, access.Assistant))
		},
		"closed and opened again": func(h *harness, _ *testBrowser, _ *response) {
			by := h.people["admin"].Actor
			h.must(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
				if err := tx.CloseUser(h.t.Context(), by, "user-olivia"); err != nil {
					return err
				}
				return tx.ReopenUser(h.t.Context(), by, "user-olivia")
			}))
		},
		"reset by the operator": func(h *harness, _ *testBrowser, _ *response) {
			_, err := h.accountService.ResetAccount(h.t.Context(), access.Operator(), h.people["olivia"].Email, false)
			h.must(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, clock, key, attacker, setUp, stolen, opened := pendingSignIns(t)
			change(h, opened, setUp)
			got := stolen.send(attacker.form("form#second").with("proof.code", totpCode(t, key, clock.now())))
			if got.path != "/login" {
				t.Errorf("the earlier second step: got %d at %s, want a new sign-in", got.status, got.path)
			}
			if again := opened.send(setUp.form("form#set-up").with("password", newPassword+"-2")); again.status != http.StatusUnprocessableEntity {
				t.Errorf("the earlier link: got %d at %s, want 422", again.status, again.path)
			}
		})
	}
}

func TestPasswordChange_EndsPendingSignIn(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	owner, key, _ := h.enroll("olivia", clock)
	clock.advance(time.Minute)
	stolen := h.newBrowser()
	attacker := stolen.submitPassword("olivia")
	owner.post("/account/password", url.Values{"password.present": {"right"}, "password": {newPassword}})
	if got := stolen.send(attacker.form("form#second").with("proof.code", totpCode(t, key, clock.now()))); got.path != "/login" {
		t.Errorf("got %d at %s, want a new sign-in", got.status, got.path)
	}
	if got := owner.get("/account"); got.path != "/account" {
		t.Errorf("the session that made the change: got %s", got.path)
	}
}

// Checking a password takes a tenth of a second or more. A change during that time must count.
func TestSignIn_UserChangedMeanwhile_NoSession(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	before, err := h.accountService.SignIn(t.Context(), h.people["olivia"].Email, "right", account.ClientInfo{Network: "192.0.2.0/24"})
	h.must(err)
	h.must(h.accountService.SetRole(t.Context(), before.Email, access.Assistant))
	row := access.Session{IDHash: "late", UserID: before.UserID, Created: time.Now(), LastSeen: time.Now(), Expires: time.Now().Add(time.Hour), SessionEpoch: before.SessionEpoch}
	if err := h.store.AddSession(t.Context(), row); err == nil {
		t.Error("got a session, want none")
	}
}

func TestRoleChange_RotatesSessionToken(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	maya, key, _ := h.enroll("maya", clock)
	if got := maya.get("/invite"); got.path != "/invite" {
		t.Fatalf("a manager: got %s", got.path)
	}
	before := maya.cookie("sid")
	h.must(h.store.SetUserRole(t.Context(), "user-maya", access.Admin))
	if got := maya.get("/notifications", "Session-Renew", "no"); got.path != "/notifications" || maya.cookie("sid") != before {
		t.Errorf("a background request changed the token")
	}
	asked := maya.get("/admin/users")
	if asked.path != "/account/confirm" {
		t.Fatalf("got %s, want a new step-up in the new role", asked.path)
	}
	if maya.cookie("sid") == before {
		t.Error("the token of the old role is still used")
	}
	old := h.newBrowser()
	site, _ := url.Parse(h.httpServer.URL)
	old.client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: before, Path: "/"}})
	if got := old.get("/account"); got.path != "/login" {
		t.Errorf("the old token opens %s", got.path)
	}
	clock.advance(time.Minute)
	if got := maya.send(asked.form("form#proof").with("proof.code", totpCode(t, key, clock.now()))); got.path != "/admin/users" {
		t.Errorf("confirmed: got %d at %s", got.status, got.path)
	}
	// Signing out as the first request after the change ends the new token too.
	h.must(h.store.SetUserRole(t.Context(), "user-maya", access.Manager))
	maya.post("/logout", nil)
	if all, err := h.store.SessionsOf(t.Context(), "user-maya", clock.now()); err != nil || len(all) != 0 {
		t.Errorf("got %d sessions, %v, want none after signing out", len(all), err)
	}
}

func TestPendingForms_LimitedPerUser(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	olivia := h.signInAs("olivia")
	browsers := make([]*testBrowser, 8)
	for i := range browsers {
		browsers[i] = h.newBrowser()
		site, _ := url.Parse(h.httpServer.URL)
		browsers[i].client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: olivia.cookie("sid"), Path: "/"}})
		got := browsers[i].post("/account/held", url.Values{"held.address": {"/leads/x/note"}, "note": {strings.Repeat("x", i+1)}})
		if got.status != http.StatusNoContent {
			t.Fatalf("form %d: got %d, want it saved", i, got.status)
		}
	}
	saved := 0
	for _, v := range browsers {
		v.post("/logout", nil)
		in := v.send(v.get("/login").form("form#login").with("email", h.people["olivia"].Email, "password", "right"))
		if in.path == "/account/confirm" {
			saved++
		}
	}
	if saved != 5 {
		t.Errorf("got %d saved forms, want the last five", saved)
	}
	if last := browsers[len(browsers)-1].get("/account/confirm"); !strings.Contains(last.body, strings.Repeat("x", len(browsers))) {
		t.Errorf("the last form is lost: %s", last.text())
	}
}
