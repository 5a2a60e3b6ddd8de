package account_test

import (
	"strings"
	"testing"

	"hearthline/internal/account"
	"hearthline/views/text"
	"hearthline/web/webtest"
)

func TestSignInAlert_NewLocation_Notified(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	home := h.SignInAs("olivia")
	home.Get("/account").WantText("No unusual sign-ins")
	attacker := h.NewBrowser()
	in := attacker.Get("/login").Form("form#login").With("email", h.People["olivia"].Email, "password", "right")
	if got := attacker.Post(in.Action, in.Values, "User-Agent",
		"Mozilla/5.0 (Windows NT 10.0) Firefox/153.0"); got.Path != "/leads" {
		t.Fatalf("got %d at %s", got.Status, got.Path)
	}
	home.Get("/account").WantText("New browser or network", "Firefox on Windows", "127.0.0.0/24")
	mails := h.Mails(h.People["olivia"].Email)
	if len(mails) != 1 || !strings.Contains(mails[0].Text, "Browser: Firefox on Windows") {
		t.Errorf("got %+v, want one mail about it", mails)
	}
	if got := h.SignInAs("marcus").Get("/account"); strings.Contains(got.Body, "Firefox on Windows") {
		t.Error("another user can see the alert")
	}
}

func TestAlerts_AllHaveText(t *testing.T) {
	t.Parallel()
	for _, kind := range account.AlertKinds() {
		if text.AlertText(string(kind)) == "" {
			t.Errorf("%s has no text", kind)
		}
	}
}
