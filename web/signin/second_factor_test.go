package signin_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/store"
	"hearthline/web/signin"
	"hearthline/web/webtest"
)

func TestSecondFactor_Required_PasswordAloneDenied(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	v := h.NewBrowser()
	page := v.SubmitPassword("olivia")
	if page.Path != "/login/second-factor" || len(webtest.TOTPKey(page)) != 32 {
		t.Fatalf("got %s with the key %q, want an app to add", page.Path, webtest.TOTPKey(page))
	}
	if got := v.Get("/leads"); got.Path != "/login" {
		t.Fatalf("between the steps /leads leads to %s, want /login", got.Path)
	}
	wrong := v.Send(page.Form("form#second").With("proof.code", "000000"))
	if wrong.Status != http.StatusUnprocessableEntity || wrong.Find(`#proof\.code[aria-invalid]`).Length() != 1 {
		t.Errorf("a wrong code: got %d, want the form with an error", wrong.Status)
	}
	codes := v.Send(wrong.Form("form#second").With("proof.code", webtest.TOTPCode(t, webtest.TOTPKey(wrong), clock.Now())))
	if codes.Find(".codes li").Length() != 10 {
		t.Errorf("got %d recovery codes, want ten", codes.Find(".codes li").Length())
	}
	if next := codes.Find("a.btn.pri").AttrOr("href", ""); next != "/drafts" {
		t.Errorf("it continues to %q, want /drafts", next)
	}
	if got := v.Get("/leads"); got.Path != "/leads" {
		t.Errorf("signed in, /leads leads to %s", got.Path)
	}
}

func TestSecondFactor_CodeReplayAndRecovery(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	_, key, recovery := h.Enroll("olivia", clock)
	clock.Advance(time.Minute)
	v := h.NewBrowser()
	page := v.SubmitPassword("olivia")
	if webtest.TOTPKey(page) != "" {
		t.Fatal("the key is shown to a user who has entered only the password")
	}
	in := v.Send(page.Form("form#second").With("proof.code", webtest.TOTPCode(t, key, clock.Now())))
	if in.Path != "/drafts" {
		t.Fatalf("got %d at %s, want the requested page", in.Status, in.Path)
	}
	replay := h.NewBrowser()
	page = replay.SubmitPassword("olivia")
	if got := replay.Send(page.Form("form#second").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now()))); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("the code again: got %d, want 422", got.Status)
	}
	if got := replay.Send(page.Form("form#second").With("proof.recovery", recovery[4])); got.Path != "/drafts" {
		t.Errorf("a recovery code: got %d at %s", got.Status, got.Path)
	}
}

func TestFlowToken_IsNoSession(t *testing.T) {
	t.Parallel()
	h, _ := webtest.NewWithSecondFactors(t)
	v := h.NewBrowser()
	v.SubmitPassword("olivia")
	site, _ := url.Parse(h.HTTPServer.URL)
	for _, c := range v.Client.Jar.Cookies(site) {
		v.Client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: c.Value, Path: "/"}})
	}
	if got := v.Get("/account"); got.Path != "/login" {
		t.Errorf("the token of the first step opens %s", got.Path)
	}
}

func TestSecondFactor_Required_OneFactorSessionEnds(t *testing.T) {
	t.Parallel()
	h, _ := webtest.NewWithSecondFactors(t)
	h.AccountService.SecondFactorRequired = false
	v := h.NewBrowser()
	v.SubmitPassword("olivia")
	if got := v.Get("/account"); got.Path != "/account" {
		t.Fatalf("got %s, want to be signed in with a password", got.Path)
	}
	h.AccountService.SecondFactorRequired = true
	if got := v.Get("/account"); got.Path != "/login" {
		t.Errorf("got %s, want the sign-in page", got.Path)
	}
}

func TestStepUp_PendingForm_Resumed(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	v, key, _ := h.Enroll("olivia", clock)
	lead := v.StartLead("Rivera-Match")
	v.WaitFor(lead, `input[name="applicant.ssn"]`)
	clock.Advance(20 * time.Minute)
	v.Get(lead)
	clock.Advance(25 * time.Minute)
	v.Get(lead)
	clock.Advance(20 * time.Minute)
	before := v.Cookie("sid")

	pending := v.Post(lead+"/reveal", url.Values{"reason": {"She asked for her address"}})
	if pending.Path != "/account/confirm" {
		t.Fatalf("got %d at %s, want a step-up first", pending.Status, pending.Path)
	}
	form := pending.Form("form#proof")
	if form.Action != lead+"/reveal" || form.Values.Get("reason") != "She asked for her address" {
		t.Fatalf("got %s with %v, want the form with its values", form.Action, form.Values)
	}
	wrong := v.Send(form.With("proof.code", "000000"))
	if wrong.Status != http.StatusUnprocessableEntity || wrong.Form("form#proof").Values.Get("reason") == "" {
		t.Fatalf("a wrong code: got %d, want the form with its values", wrong.Status)
	}
	shown := v.Send(form.With("proof.code", webtest.TOTPCode(t, key, clock.Now())))
	shown.WantText("elena@borrower.test")
	if now := v.Cookie("sid"); now == before {
		t.Error("the token did not change with the step-up")
	}
	old := h.NewBrowser()
	site, _ := url.Parse(h.HTTPServer.URL)
	old.Client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: before, Path: "/"}})
	if got := old.Get(lead); got.Path != "/login" {
		t.Errorf("the token from before the step-up still opens %s", got.Path)
	}
}

func TestStepUp_PendingForm_DropsSSN(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	v, key, _ := h.Enroll("olivia", clock)
	lead := v.StartLead("Rivera-Match")
	page := v.WaitFor(lead, `input[name="applicant.ssn"]`)
	for range 3 {
		clock.Advance(25 * time.Minute)
		page = v.Get(lead)
	}
	pending := v.Send(page.Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193"))
	if pending.Path != "/account/confirm" {
		t.Fatalf("got %d at %s, want a step-up first", pending.Status, pending.Path)
	}
	if webtest.HasDigits(pending.Body, "7193") || pending.Find(`input[name="applicant.ssn"]`).AttrOr("value", "") != "" {
		t.Fatal("the page contains the SSN")
	}
	form := pending.Form("form#proof")
	if form.Values.Get("operation") == "" {
		t.Error("the operation's id is lost")
	}
	done := v.Send(form.With("applicant.ssn", "512-44-7193", "proof.code", webtest.TOTPCode(t, key, clock.Now())))
	if done.Path != lead {
		t.Errorf("got %d at %s, want the lead: %s", done.Status, done.Path, done.MainText())
	}
}

func TestStepUp_MovesPendingSetup(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	olivia, key, _ := h.Enroll("olivia", clock)
	later := func(steps int) {
		for range steps {
			clock.Advance(19 * time.Minute)
			olivia.Get("/leads")
		}
	}
	later(3)
	page := olivia.Get("/account/authenticator")
	newKey := webtest.TOTPKey(page)
	if newKey == "" || newKey == key {
		t.Fatalf("there is no app to add: %s", page.MainText())
	}
	clock.Advance(5 * time.Minute)
	form := page.Form(`form[action="/account/authenticator"]`).With("code", webtest.TOTPCode(t, newKey, clock.Now()))
	asked := olivia.Send(form)
	confirm := asked.Form(`form[action="/account/authenticator"]`)
	olivia.Send(confirm.With("proof.code", webtest.TOTPCode(t, key, clock.Now()))).WantText("Save your recovery codes")
	later(4)
	if asked = olivia.Get("/account/authenticator"); asked.Path != "/account/confirm" {
		t.Fatalf("got %s", asked.Path)
	}
	clock.Advance(time.Minute)
	olivia.Send(asked.Form(`form[action="/account/confirm"]`).With("proof.code", webtest.TOTPCode(t, newKey, clock.Now())))
	if back := olivia.Get("/account/confirm"); back.Status != http.StatusOK || back.Path != "/leads" {
		t.Errorf("back on the step-up page: got %d at %s", back.Status, back.Path)
	}
}

func TestStepUp_ForeignLead_404First(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	olivia, _, _ := h.Enroll("olivia", clock)
	lead := olivia.StartLead("Rivera")
	piotr, _, _ := h.Enroll("piotr", clock)
	for range 3 {
		clock.Advance(25 * time.Minute)
		piotr.Get("/leads")
	}
	if got := piotr.Post(lead+"/reveal", url.Values{"reason": {"x"}}); got.Status != http.StatusNotFound {
		t.Errorf("another user's lead: got %d, want 404 before any step-up", got.Status)
	}
}

func TestStepUp_Page_ReturnsToIt(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	v, key, _ := h.Enroll("olivia", clock)
	for range 3 {
		clock.Advance(25 * time.Minute)
		v.Get("/leads")
	}
	pending := v.Get("/account/authenticator")
	if pending.Path != "/account/confirm" {
		t.Fatalf("got %s, want a step-up first", pending.Path)
	}
	if got := v.Send(pending.Form("form#proof").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now()))); got.Path != "/account/authenticator" {
		t.Errorf("got %d at %s, want the requested page", got.Status, got.Path)
	}
}

func TestAccountPage_FactorsZoneAndSessions(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	here, there := h.SignInAs("olivia"), h.SignInAs("olivia")
	page := here.Get("/account")
	page.WantText("Olivia", "No passkey or authenticator app yet", "This browser", "with password")
	setup := here.Get("/account/authenticator")
	here.Send(setup.Form(`form[action="/account/authenticator"]`).With("code",
		webtest.TOTPCode(t, webtest.TOTPKey(setup), time.Now()))).WantText("Save your recovery codes")
	if got := here.Post("/account/recovery", nil); got.Path != "/account/confirm" {
		t.Errorf("a password-only session: got %d at %s, want a step-up", got.Status, got.Path)
	}
	page = here.Get("/account")
	page.WantText("Authenticator app", "10 left")
	id := strings.TrimSuffix(strings.TrimPrefix(page.Find(`form[action$="/name"]`).AttrOr("action", ""),
		"/account/factors/"), "/name")
	here.Post("/account/factors/"+id+"/name", url.Values{"name": {"Work phone"}}).WantText("Work phone")
	if got := h.SignInAs("marcus").Post("/account/factors/"+id+"/name",
		url.Values{"name": {"Mine"}}); got.Status != http.StatusNotFound {
		t.Errorf("another user's session: got %d, want 404", got.Status)
	}
	if got := here.Post("/account/factors/"+id+"/name",
		url.Values{"name": {" "}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("no name: got %d, want 422", got.Status)
	}
	if got := here.Post("/account/zone", url.Values{"zone": {"Nowhere/Land"}}); got.Status !=
		http.StatusUnprocessableEntity {
		t.Errorf("an unknown zone: got %d, want 422", got.Status)
	}
	if got := here.Post("/account/zone", url.Values{"zone": {"Pacific/Honolulu"}}).Find(`#zone option[selected]`).
		AttrOr("value", ""); got != "Pacific/Honolulu" {
		t.Errorf("the zone is %q", got)
	}
	here.Post("/account/sessions/end-others", nil)
	if got := there.Get("/leads"); got.Path != "/login" {
		t.Errorf("the other session opens %s, want it ended", got.Path)
	}
	if got := here.Get("/leads"); got.Path != "/leads" {
		t.Errorf("this session leads to %s", got.Path)
	}
}

func TestStepUp_HTMXRequest_RedirectsByHeader(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	v, _, _ := h.Enroll("olivia", clock)
	lead := v.StartLead("Rivera")
	for range 3 {
		clock.Advance(25 * time.Minute)
		v.Get(lead)
	}
	got := v.Post(lead+"/reveal", url.Values{"reason": {"callback"}}, "HX-Request", "true", "HX-Request-Type", "partial")
	if got.Status != http.StatusNoContent || got.Header.Get("HX-Redirect") != "/account/confirm" {
		t.Errorf("got %d to %q, want htmx redirected to the step-up", got.Status, got.Header.Get("HX-Redirect"))
	}
	v.Get("/account/confirm").WantText("Confirm it’s you")
}

func TestRoleChange_OpenSession_TakesEffect(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	v := h.SignInAs("maya")
	if got := v.Get("/invite"); got.Status != http.StatusOK {
		t.Fatalf("a manager: got %d", got.Status)
	}
	if err := h.AccountService.SetRole(t.Context(), h.People["maya"].Email, access.Assistant); err != nil {
		t.Fatal(err)
	}
	if got := v.Get("/invite"); got.Status != http.StatusForbidden {
		t.Errorf("an assistant: got %d, want 403 on the next request", got.Status)
	}
	if err := h.AccountService.Disable(t.Context(), h.People["maya"].Email); err != nil {
		t.Fatal(err)
	}
	if got := v.Get("/account"); got.Path != "/login" {
		t.Errorf("a disabled account opens %s", got.Path)
	}
}

func TestFlowCookie_Attributes(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://portal.example": "__Host-pre-login=x; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax",
		"http://localhost:8080":  "pre-login=x; Path=/; Max-Age=600; HttpOnly; SameSite=Lax",
	} {
		w := httptest.NewRecorder()
		webtest.NewFakedServer(t, base).Guard().Frames.SetFlowCookie(w, signin.FlowSignIn, "x")
		if got := w.Header().Get("Set-Cookie"); got != want {
			t.Errorf("%s: got %q, want %q", base, got, want)
		}
	}
}

func TestSecondFactor_AtSSO_PasswordSignInRejected(t *testing.T) {
	t.Parallel()
	h, _ := webtest.NewWithSecondFactors(t)
	ctx := t.Context()
	h.Must(h.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddIdentity(ctx, "https://sso.example", "s1", "user-olivia"); err != nil {
			return err
		}
		return tx.MarkIdentityStrong(ctx, "https://sso.example", "s1")
	}))
	page := h.NewBrowser().SubmitPassword("olivia")
	if page.Status != http.StatusUnprocessableEntity || page.Path != "/login" || webtest.TOTPKey(page) != "" {
		t.Errorf("got %d at %s, want the sign-in page and no app to add", page.Status, page.Path)
	}
	page.WantText("Your second factor is your organization’s single sign-on")
}
