package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"hearthline/web/guard"
)

// expiredSession returns a harness in which olivia's session has expired, and the lead that she was viewing.
func expiredSession(t *testing.T) (*harness, *testClock, *testBrowser, string) {
	clock := &testClock{at: time.Now()}
	h := newHarness(t, harnessOptions{now: clock.now})
	v := h.signInAs("olivia")
	lead := v.startLead("Rivera-Match")
	v.waitFor(lead, `input[name="applicant.ssn"]`)
	clock.advance(guard.IdleLimit + time.Second)
	return h, clock, v, lead
}

func TestPendingForm_SessionEnded_Resumed(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	late := v.post(lead+"/note", url.Values{"note": {"She calls back on Monday"}})
	if late.path != "/login" {
		t.Fatalf("got %d at %s, want the sign-in page", late.status, late.path)
	}
	back := v.send(late.form("form#login").with("email", h.people["olivia"].Email, "password", "right"))
	back.wantText("Continue where you left off", "She calls back on Monday")
	form := back.form("form#resume-form")
	if form.action != lead+"/note" {
		t.Fatalf("the form goes to %s", form.action)
	}
	if done := v.send(form); done.path != lead || done.status != http.StatusOK {
		t.Fatalf("got %d at %s, want the lead", done.status, done.path)
	}
	v.get(lead).wantText("She calls back on Monday")
}

func TestPendingForm_SessionEnded_DropsSSN(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	late := v.post(lead+"/add-ssn", url.Values{"operation": {"x"}, "applicant.ssn": {"512-44-7193"}})
	back := v.send(late.form("form#login").with("email", h.people["olivia"].Email, "password", "right"))
	back.wantText("Continue where you left off", "Enter it again")
	if strings.Contains(back.body, "7193") {
		t.Error("the page contains the SSN")
	}
}

// TestPendingForm_SavedAfterSleep_Resumed: the machine wakes after the session's end. Its page polls for updates
// first, and only then saves its form.
func TestPendingForm_SavedAfterSleep_Resumed(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	for range 2 {
		if got := v.get(lead+"/notes", "HX-Request", "true", "Session-Renew", "no"); got.status == http.StatusOK {
			t.Fatal("an expired session still shows a page")
		}
	}
	v.post("/account/held", url.Values{"held.address": {lead + "/note"}, "note": {"Half a sentence"}, "applicant.ssn": {"512-44-7193"}}, "HX-Request", "true", "Session-Renew", "no")
	back := v.send(v.get(lead).form("form#login").with("email", h.people["olivia"].Email, "password", "right"))
	back.wantText("Continue where you left off", "Half a sentence")
	if strings.Contains(back.body, "7193") {
		t.Error("an SSN was saved")
	}
	if got := back.form("form#resume-form").action; got != lead+"/note" {
		t.Errorf("the form goes to %s", got)
	}
}

func TestSessionRenewal_OnlyUserRequests(t *testing.T) {
	t.Parallel()
	clock := &testClock{at: time.Now().Truncate(time.Millisecond)}
	h := newHarness(t, harnessOptions{now: clock.now})
	v := h.signInAs("olivia")
	ends := func(headers ...string) time.Time {
		t.Helper()
		got := v.do(v.request(http.MethodHead, "/account/session", nil, headers))
		ms, err := strconv.ParseInt(got.header.Get("Session-Expires"), 10, 64)
		if got.status != http.StatusNoContent || err != nil {
			t.Fatalf("got %d, %v", got.status, err)
		}
		return time.UnixMilli(ms)
	}
	first := ends("Session-Renew", "no")
	clock.advance(10 * time.Minute)
	if got := ends("Session-Renew", "no"); !got.Equal(first) {
		t.Errorf("a page that only polls moved the expiry by %v", got.Sub(first))
	}
	if got, want := ends(), clock.now().Add(guard.IdleLimit); !got.Equal(want) {
		t.Errorf("a user who types has until %v, want %v", got, want)
	}
}

func TestPendingForm_OtherUser_NotShown(t *testing.T) {
	t.Parallel()
	h, _, v, lead := expiredSession(t)
	late := v.post(lead+"/note", url.Values{"note": {"Her gate code is on the fence"}})
	other := v.send(late.form("form#login").with("email", h.people["piotr"].Email, "password", "right"))
	if other.path != "/leads" || strings.Contains(other.body, "gate code") {
		t.Fatalf("got %s: piotr can see what olivia typed", other.path)
	}
	if got := v.get("/account/confirm"); strings.Contains(got.body, "gate code") {
		t.Error("piotr can see what olivia typed")
	}
}

func TestPendingForm_SavedBeforeSessionEnd_Resumed(t *testing.T) {
	t.Parallel()
	h, clock, v, lead := func() (*harness, *testClock, *testBrowser, string) {
		clock := &testClock{at: time.Now()}
		h := newHarness(t, harnessOptions{now: clock.now})
		v := h.signInAs("olivia")
		return h, clock, v, v.startLead("Rivera-Match")
	}()
	clock.advance(guard.IdleLimit - 5*time.Second)
	saved := v.post("/account/held", url.Values{"held.address": {lead + "/note"}, "note": {"Half a sentence"}, "applicant.ssn": {"512-44-7193"}}, "Session-Renew", "no")
	if saved.status != http.StatusNoContent {
		t.Fatalf("got %d, want it saved", saved.status)
	}
	clock.advance(10 * time.Second)
	late := v.get(lead)
	if late.path != "/login" {
		t.Fatalf("saving renewed the session: %s", late.path)
	}
	back := v.send(late.form("form#login").with("email", h.people["olivia"].Email, "password", "right"))
	back.wantText("Half a sentence")
	if strings.Contains(back.body, "7193") {
		t.Error("an SSN was saved")
	}
	for _, address := range []string{"https://evil.test/", "//evil.test", "/account/password", "", "javascript:alert(1)"} {
		if got := v.post("/account/held", url.Values{"held.address": {address}, "x": {"y"}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("a form for %q: got %d, want 422", address, got.status)
		}
	}
}
