package signin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// pendingSignIns returns a harness in which somebody has entered olivia's password, and a link to reset her account
// was opened in another browser.
func pendingSignIns(t *testing.T) (h *webtest.Harness, clock *webtest.Clock, key string, attacker,
	setUp *webtest.Response, stolen, opened *webtest.Browser) {
	h, clock = webtest.NewWithSecondFactors(t)
	_, key, _ = h.Enroll("olivia", clock)
	clock.Advance(time.Minute)
	stolen, opened = h.NewBrowser(), h.NewBrowser()
	attacker = stolen.SubmitPassword("olivia")
	opened.Send(opened.Get("/reset").Form("form#ask").With("email", h.People["olivia"].Email))
	_, code := h.MailedCode(h.People["olivia"].Email)
	setUp = opened.Send(opened.Get("/reset").Form("form#code").With("token", code))
	setUp.Form("form#set-up")
	return h, clock, key, attacker, setUp, stolen, opened
}

func TestPendingSignIn_AccountChanged_Ends(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(h *webtest.Harness, owner *webtest.Browser, setUp *webtest.Response){
		"a reset": func(_ *webtest.Harness, owner *webtest.Browser, setUp *webtest.Response) {
			owner.Send(setUp.Form("form#set-up").With("password", webtest.NewPassword)).WantText("Your password was changed")
		},
		"another role": func(h *webtest.Harness, _ *webtest.Browser, _ *webtest.Response) {
			h.Must(h.AccountService.SetRole(h.T.Context(), h.People["olivia"].Email, access.Assistant))
		},
		"closed and opened again": func(h *webtest.Harness, _ *webtest.Browser, _ *webtest.Response) {
			by := h.People["admin"].Actor
			h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
				if err := tx.CloseUser(h.T.Context(), by, "user-olivia"); err != nil {
					return err
				}
				return tx.ReopenUser(h.T.Context(), by, "user-olivia")
			}))
		},
		"reset by the operator": func(h *webtest.Harness, _ *webtest.Browser, _ *webtest.Response) {
			_, err := h.AccountService.ResetAccount(h.T.Context(), access.Operator(), h.People["olivia"].Email, false)
			h.Must(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, clock, key, attacker, setUp, stolen, opened := pendingSignIns(t)
			change(h, opened, setUp)
			got := stolen.Send(attacker.Form("form#second").With("proof.code", webtest.TOTPCode(t, key, clock.Now())))
			if got.Path != "/login" {
				t.Errorf("the earlier second step: got %d at %s, want a new sign-in", got.Status, got.Path)
			}
			if again := opened.Send(setUp.Form("form#set-up").With("password",
				webtest.NewPassword+"-2")); again.Status != http.StatusUnprocessableEntity {
				t.Errorf("the earlier link: got %d at %s, want 422", again.Status, again.Path)
			}
		})
	}
}

func TestPasswordChange_EndsPendingSignIn(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	owner, key, _ := h.Enroll("olivia", clock)
	clock.Advance(time.Minute)
	stolen := h.NewBrowser()
	attacker := stolen.SubmitPassword("olivia")
	owner.Post("/account/password", url.Values{"password.present": {"right"}, "password": {webtest.NewPassword}})
	if got := stolen.Send(attacker.Form("form#second").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now()))); got.Path != "/login" {
		t.Errorf("got %d at %s, want a new sign-in", got.Status, got.Path)
	}
	if got := owner.Get("/account"); got.Path != "/account" {
		t.Errorf("the session that made the change: got %s", got.Path)
	}
}

// Checking a password takes a tenth of a second or more. A change during that time must count.
func TestSignIn_UserChangedMeanwhile_NoSession(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	result, err := h.AccountService.SignIn(t.Context(), h.People["olivia"].Email, "right",
		account.ClientInfo{Network: "192.0.2.0/24"})
	h.Must(err)
	before := result.User
	h.Must(h.AccountService.SetRole(t.Context(), before.Email, access.Assistant))
	row := access.Session{IDHash: "late", UserID: before.UserID, Created: time.Now(), LastSeen: time.Now(),
		Expires: time.Now().Add(time.Hour), SessionEpoch: before.SessionEpoch}
	if err := h.Store.AddSession(t.Context(), row); err == nil {
		t.Error("got a session, want none")
	}
}

func TestRoleChange_RotatesSessionToken(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	maya, key, _ := h.Enroll("maya", clock)
	if got := maya.Get("/invite"); got.Path != "/invite" {
		t.Fatalf("a manager: got %s", got.Path)
	}
	before := maya.Cookie("sid")
	h.Must(h.Store.SetUserRole(t.Context(), "user-maya", access.Admin))
	if got := maya.Get("/notifications", "Session-Renew", "no"); got.Path != "/notifications" ||
		maya.Cookie("sid") != before {
		t.Errorf("a background request changed the token")
	}
	asked := maya.Get("/admin/users")
	if asked.Path != "/account/confirm" {
		t.Fatalf("got %s, want a new step-up in the new role", asked.Path)
	}
	if maya.Cookie("sid") == before {
		t.Error("the token of the old role is still used")
	}
	old := h.NewBrowser()
	site, _ := url.Parse(h.HTTPServer.URL)
	old.Client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: before, Path: "/"}})
	if got := old.Get("/account"); got.Path != "/login" {
		t.Errorf("the old token opens %s", got.Path)
	}
	clock.Advance(time.Minute)
	if got := maya.Send(asked.Form("form#proof").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now()))); got.Path != "/admin/users" {
		t.Errorf("confirmed: got %d at %s", got.Status, got.Path)
	}
	// Signing out as the first request after the change ends the new token too.
	h.Must(h.Store.SetUserRole(t.Context(), "user-maya", access.Manager))
	maya.Post("/logout", nil)
	if all, err := h.Store.SessionsOf(t.Context(), "user-maya", clock.Now()); err != nil || len(all) != 0 {
		t.Errorf("got %d sessions, %v, want none after signing out", len(all), err)
	}
}

func TestPendingForms_LimitedPerUser(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	olivia := h.SignInAs("olivia")
	browsers := make([]*webtest.Browser, 8)
	for i := range browsers {
		browsers[i] = h.NewBrowser()
		site, _ := url.Parse(h.HTTPServer.URL)
		browsers[i].Client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: olivia.Cookie("sid"), Path: "/"}})
		got := browsers[i].Post("/account/held",
			url.Values{"held.address": {"/leads/x/note"}, "note": {strings.Repeat("x", i+1)}})
		if got.Status != http.StatusNoContent {
			t.Fatalf("form %d: got %d, want it saved", i, got.Status)
		}
	}
	saved := 0
	for _, v := range browsers {
		v.Post("/logout", nil)
		in := v.Send(v.Get("/login").Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
		if in.Path == "/account/confirm" {
			saved++
		}
	}
	if saved != 5 {
		t.Errorf("got %d saved forms, want the last five", saved)
	}
	if last := browsers[len(browsers)-1].Get("/account/confirm"); !strings.Contains(last.Body,
		strings.Repeat("x", len(browsers))) {
		t.Errorf("the last form is lost: %s", last.MainText())
	}
}
