package web

import (
	"strings"
	"testing"

	"hearthline/internal/account"
	"hearthline/views/words"
)

func TestSignInAlert_NewLocation_Notified(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	home := h.signInAs("olivia")
	home.get("/account").wantText("No unusual sign-ins")
	attacker := h.newBrowser()
	in := attacker.get("/login").form("form#login").with("email", h.people["olivia"].Email, "password", "right")
	if got := attacker.post(in.action, in.values, "User-Agent", "Mozilla/5.0 (Windows NT 10.0) Firefox/153.0"); got.path != "/leads" {
		t.Fatalf("got %d at %s", got.status, got.path)
	}
	home.get("/account").wantText("New sign-in location", "Firefox on Windows", "127.0.0.0/24")
	mails := h.mails(h.people["olivia"].Email)
	if len(mails) != 1 || !strings.Contains(mails[0].Text, "Browser: Firefox on Windows") {
		t.Errorf("got %+v, want one mail about it", mails)
	}
	if got := h.signInAs("marcus").get("/account"); strings.Contains(got.body, "Firefox on Windows") {
		t.Error("another user can see the alert")
	}
}

func TestAlerts_AllHaveText(t *testing.T) {
	t.Parallel()
	for _, kind := range account.AlertKinds() {
		if words.AlertText(string(kind)) == "" {
			t.Errorf("%s has no text", kind)
		}
	}
}
