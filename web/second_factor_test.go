package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"hearthline/internal/access"
	"hearthline/internal/store"
	"hearthline/web/signin"
)

// testClock is a clock that a test sets while others read it.
type testClock struct {
	mu sync.Mutex
	at time.Time
}

func (c *testClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *testClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// newMFAHarness returns a harness in which every user needs a second factor, and its clock.
func newMFAHarness(t *testing.T) (*harness, *testClock) {
	clock := &testClock{at: time.Now()}
	return newHarness(t, harnessOptions{mfaRequired: true, now: clock.now}), clock
}

// totpKey returns the key of an authenticator app from the page that shows it.
func totpKey(p *response) string { return strings.ReplaceAll(p.Find(".totp b").Text(), " ", "") }

func totpCode(t *testing.T, key string, at time.Time) string {
	t.Helper()
	code, err := totp.GenerateCode(key, at)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// enroll signs a user in for the first time and returns the key of their app and their recovery codes.
func (h *harness) enroll(first string, clock *testClock) (v *testBrowser, key string, recovery []string) {
	h.t.Helper()
	v = h.newBrowser()
	page := v.submitPassword(first)
	key = totpKey(page)
	codes := v.send(page.form("form#second").with("proof.code", totpCode(h.t, key, clock.now())))
	codes.wantText("Save your recovery codes")
	codes.Find(".codes li").Each(func(_ int, s *selection) { recovery = append(recovery, s.Text()) })
	return v, key, recovery
}

// submitPassword enters the right password on the sign-in page.
func (v *testBrowser) submitPassword(first string) *response {
	v.h.t.Helper()
	return v.send(v.get("/login?next=/drafts").form("form#login").with("email", v.h.people[first].Email, "password", "right"))
}

func TestSecondFactor_Required_PasswordAloneDenied(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	v := h.newBrowser()
	page := v.submitPassword("olivia")
	if page.path != "/login/second-factor" || len(totpKey(page)) != 32 {
		t.Fatalf("got %s with the key %q, want an app to add", page.path, totpKey(page))
	}
	if got := v.get("/leads"); got.path != "/login" {
		t.Fatalf("between the steps /leads leads to %s, want /login", got.path)
	}
	wrong := v.send(page.form("form#second").with("proof.code", "000000"))
	if wrong.status != http.StatusUnprocessableEntity || wrong.Find(`#proof\.code[aria-invalid]`).Length() != 1 {
		t.Errorf("a wrong code: got %d, want the form with an error", wrong.status)
	}
	codes := v.send(wrong.form("form#second").with("proof.code", totpCode(t, totpKey(wrong), clock.now())))
	if codes.Find(".codes li").Length() != 10 {
		t.Errorf("got %d recovery codes, want ten", codes.Find(".codes li").Length())
	}
	if next := codes.Find("a.btn.pri").AttrOr("href", ""); next != "/drafts" {
		t.Errorf("it continues to %q, want /drafts", next)
	}
	if got := v.get("/leads"); got.path != "/leads" {
		t.Errorf("signed in, /leads leads to %s", got.path)
	}
}

func TestSecondFactor_CodeReplayAndRecovery(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	_, key, recovery := h.enroll("olivia", clock)
	clock.advance(time.Minute)
	v := h.newBrowser()
	page := v.submitPassword("olivia")
	if totpKey(page) != "" {
		t.Fatal("the key is shown to a user who has entered only the password")
	}
	in := v.send(page.form("form#second").with("proof.code", totpCode(t, key, clock.now())))
	if in.path != "/drafts" {
		t.Fatalf("got %d at %s, want the requested page", in.status, in.path)
	}
	replay := h.newBrowser()
	page = replay.submitPassword("olivia")
	if got := replay.send(page.form("form#second").with("proof.code", totpCode(t, key, clock.now()))); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the code again: got %d, want 422", got.status)
	}
	if got := replay.send(page.form("form#second").with("proof.recovery", recovery[4])); got.path != "/drafts" {
		t.Errorf("a recovery code: got %d at %s", got.status, got.path)
	}
}

func TestFlowToken_IsNoSession(t *testing.T) {
	t.Parallel()
	h, _ := newMFAHarness(t)
	v := h.newBrowser()
	v.submitPassword("olivia")
	site, _ := url.Parse(h.httpServer.URL)
	for _, c := range v.client.Jar.Cookies(site) {
		v.client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: c.Value, Path: "/"}})
	}
	if got := v.get("/account"); got.path != "/login" {
		t.Errorf("the token of the first step opens %s", got.path)
	}
}

func TestSecondFactor_Required_OneFactorSessionEnds(t *testing.T) {
	t.Parallel()
	h, _ := newMFAHarness(t)
	h.accountService.SecondFactorRequired = false
	v := h.newBrowser()
	v.submitPassword("olivia")
	if got := v.get("/account"); got.path != "/account" {
		t.Fatalf("got %s, want to be signed in with a password", got.path)
	}
	h.accountService.SecondFactorRequired = true
	if got := v.get("/account"); got.path != "/login" {
		t.Errorf("got %s, want the sign-in page", got.path)
	}
}

func TestStepUp_PendingForm_Resumed(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	v, key, _ := h.enroll("olivia", clock)
	lead := v.startLead("Rivera-Match")
	v.waitFor(lead, `input[name="applicant.ssn"]`)
	clock.advance(20 * time.Minute)
	v.get(lead)
	clock.advance(25 * time.Minute)
	v.get(lead)
	clock.advance(20 * time.Minute)
	before := v.cookie("sid")

	pending := v.post(lead+"/reveal", url.Values{"reason": {"She asked for her address"}})
	if pending.path != "/account/confirm" {
		t.Fatalf("got %d at %s, want a step-up first", pending.status, pending.path)
	}
	form := pending.form("form#proof")
	if form.action != lead+"/reveal" || form.values.Get("reason") != "She asked for her address" {
		t.Fatalf("got %s with %v, want the form with its values", form.action, form.values)
	}
	wrong := v.send(form.with("proof.code", "000000"))
	if wrong.status != http.StatusUnprocessableEntity || wrong.form("form#proof").values.Get("reason") == "" {
		t.Fatalf("a wrong code: got %d, want the form with its values", wrong.status)
	}
	shown := v.send(form.with("proof.code", totpCode(t, key, clock.now())))
	shown.wantText("elena@borrower.test")
	if now := v.cookie("sid"); now == before {
		t.Error("the token did not change with the step-up")
	}
	old := h.newBrowser()
	site, _ := url.Parse(h.httpServer.URL)
	old.client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: before, Path: "/"}})
	if got := old.get(lead); got.path != "/login" {
		t.Errorf("the token from before the step-up still opens %s", got.path)
	}
}

func TestStepUp_PendingForm_DropsSSN(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	v, key, _ := h.enroll("olivia", clock)
	lead := v.startLead("Rivera-Match")
	page := v.waitFor(lead, `input[name="applicant.ssn"]`)
	for range 3 {
		clock.advance(25 * time.Minute)
		page = v.get(lead)
	}
	pending := v.send(page.form(`form[action$="/add-ssn"]`).with("applicant.ssn", "512-44-7193"))
	if pending.path != "/account/confirm" {
		t.Fatalf("got %d at %s, want a step-up first", pending.status, pending.path)
	}
	if strings.Contains(pending.body, "7193") || pending.Find(`input[name="applicant.ssn"]`).AttrOr("value", "") != "" {
		t.Fatal("the page contains the SSN")
	}
	form := pending.form("form#proof")
	if form.values.Get("operation") == "" {
		t.Error("the operation's id is lost")
	}
	done := v.send(form.with("applicant.ssn", "512-44-7193", "proof.code", totpCode(t, key, clock.now())))
	if done.path != lead {
		t.Errorf("got %d at %s, want the lead: %s", done.status, done.path, done.text())
	}
}

func TestStepUp_MovesPendingSetup(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	olivia, key, _ := h.enroll("olivia", clock)
	later := func(steps int) {
		for range steps {
			clock.advance(19 * time.Minute)
			olivia.get("/leads")
		}
	}
	later(3)
	page := olivia.get("/account/authenticator")
	newKey := totpKey(page)
	if newKey == "" || newKey == key {
		t.Fatalf("there is no app to add: %s", page.text())
	}
	clock.advance(5 * time.Minute)
	form := page.form(`form[action="/account/authenticator"]`).with("code", totpCode(t, newKey, clock.now()))
	asked := olivia.send(form)
	confirm := asked.form(`form[action="/account/authenticator"]`)
	olivia.send(confirm.with("proof.code", totpCode(t, key, clock.now()))).wantText("Save your recovery codes")
	later(4)
	if asked = olivia.get("/account/authenticator"); asked.path != "/account/confirm" {
		t.Fatalf("got %s", asked.path)
	}
	clock.advance(time.Minute)
	olivia.send(asked.form(`form[action="/account/confirm"]`).with("proof.code", totpCode(t, newKey, clock.now())))
	if back := olivia.get("/account/confirm"); back.status != http.StatusOK || back.path != "/leads" {
		t.Errorf("back on the step-up page: got %d at %s", back.status, back.path)
	}
}

func TestStepUp_ForeignLead_404First(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	olivia, _, _ := h.enroll("olivia", clock)
	lead := olivia.startLead("Rivera")
	piotr, _, _ := h.enroll("piotr", clock)
	for range 3 {
		clock.advance(25 * time.Minute)
		piotr.get("/leads")
	}
	if got := piotr.post(lead+"/reveal", url.Values{"reason": {"x"}}); got.status != http.StatusNotFound {
		t.Errorf("another user's lead: got %d, want 404 before any step-up", got.status)
	}
}

func TestStepUp_Page_ReturnsToIt(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	v, key, _ := h.enroll("olivia", clock)
	for range 3 {
		clock.advance(25 * time.Minute)
		v.get("/leads")
	}
	pending := v.get("/account/authenticator")
	if pending.path != "/account/confirm" {
		t.Fatalf("got %s, want a step-up first", pending.path)
	}
	if got := v.send(pending.form("form#proof").with("proof.code", totpCode(t, key, clock.now()))); got.path != "/account/authenticator" {
		t.Errorf("got %d at %s, want the requested page", got.status, got.path)
	}
}

func TestAccountPage_FactorsZoneAndSessions(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	here, there := h.signInAs("olivia"), h.signInAs("olivia")
	page := here.get("/account")
	page.wantText("Olivia", "No second factor yet", "This browser", "with password")
	setup := here.get("/account/authenticator")
	here.send(setup.form(`form[action="/account/authenticator"]`).with("code", totpCode(t, totpKey(setup), time.Now()))).wantText("Save your recovery codes")
	if got := here.post("/account/recovery", nil); got.path != "/account/confirm" {
		t.Errorf("a password-only session: got %d at %s, want a step-up", got.status, got.path)
	}
	page = here.get("/account")
	page.wantText("Authenticator app", "10 left")
	id := strings.TrimSuffix(strings.TrimPrefix(page.Find(`form[action$="/name"]`).AttrOr("action", ""), "/account/factors/"), "/name")
	here.post("/account/factors/"+id+"/name", url.Values{"name": {"Work phone"}}).wantText("Work phone")
	if got := h.signInAs("marcus").post("/account/factors/"+id+"/name", url.Values{"name": {"Mine"}}); got.status != http.StatusNotFound {
		t.Errorf("another user's session: got %d, want 404", got.status)
	}
	if got := here.post("/account/factors/"+id+"/name", url.Values{"name": {" "}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("no name: got %d, want 422", got.status)
	}
	if got := here.post("/account/zone", url.Values{"zone": {"Nowhere/Land"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown zone: got %d, want 422", got.status)
	}
	if got := here.post("/account/zone", url.Values{"zone": {"Pacific/Honolulu"}}).Find(`#zone option[selected]`).AttrOr("value", ""); got != "Pacific/Honolulu" {
		t.Errorf("the zone is %q", got)
	}
	here.post("/account/sessions/end-others", nil)
	if got := there.get("/leads"); got.path != "/login" {
		t.Errorf("the other session opens %s, want it ended", got.path)
	}
	if got := here.get("/leads"); got.path != "/leads" {
		t.Errorf("this session leads to %s", got.path)
	}
}

func TestStepUp_HTMXRequest_RedirectsByHeader(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	v, _, _ := h.enroll("olivia", clock)
	lead := v.startLead("Rivera")
	for range 3 {
		clock.advance(25 * time.Minute)
		v.get(lead)
	}
	got := v.post(lead+"/reveal", url.Values{"reason": {"callback"}}, "HX-Request", "true", "HX-Request-Type", "partial")
	if got.status != http.StatusNoContent || got.header.Get("HX-Redirect") != "/account/confirm" {
		t.Errorf("got %d to %q, want htmx redirected to the step-up", got.status, got.header.Get("HX-Redirect"))
	}
	v.get("/account/confirm").wantText("Confirm it’s you")
}

func TestRoleChange_OpenSession_TakesEffect(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	v := h.signInAs("maya")
	if got := v.get("/invite"); got.status != http.StatusOK {
		t.Fatalf("a manager: got %d", got.status)
	}
	if err := h.accountService.SetRole(t.Context(), h.people["maya"].Email, access.Assistant); err != nil {
		t.Fatal(err)
	}
	if got := v.get("/invite"); got.status != http.StatusForbidden {
		t.Errorf("an assistant: got %d, want 403 on the next request", got.status)
	}
	if err := h.accountService.Disable(t.Context(), h.people["maya"].Email); err != nil {
		t.Fatal(err)
	}
	if got := v.get("/account"); got.path != "/login" {
		t.Errorf("a disabled account opens %s", got.path)
	}
}

func TestFlowCookie_Attributes(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://portal.example": "__Host-pre-login=x; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax",
		"http://localhost:8080":  "pre-login=x; Path=/; Max-Age=600; HttpOnly; SameSite=Lax",
	} {
		w := httptest.NewRecorder()
		newFakedServer(t, base).guard.Frames.SetFlowCookie(w, signin.FlowSignIn, "x")
		if got := w.Header().Get("Set-Cookie"); got != want {
			t.Errorf("%s: got %q, want %q", base, got, want)
		}
	}
}

func TestSecondFactor_AtSSO_PasswordSignInRejected(t *testing.T) {
	t.Parallel()
	h, _ := newMFAHarness(t)
	ctx := t.Context()
	h.must(h.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddIdentity(ctx, "https://sso.example", "s1", "user-olivia"); err != nil {
			return err
		}
		return tx.MarkIdentityStrong(ctx, "https://sso.example", "s1")
	}))
	page := h.newBrowser().submitPassword("olivia")
	if page.status != http.StatusUnprocessableEntity || page.path != "/login" || totpKey(page) != "" {
		t.Errorf("got %d at %s, want the sign-in page and no app to add", page.status, page.path)
	}
	page.wantText("Your second factor is your organization’s single sign-on")
}
