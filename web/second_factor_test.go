package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"hearthline/internal/access"
	"hearthline/internal/account"
	"hearthline/internal/store"
	"hearthline/web/page"
	"hearthline/web/signin"
)

// turned is a clock that a test turns while others read it.
type turned struct {
	mu sync.Mutex
	at time.Time
}

func (c *turned) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *turned) by(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// strict is a house where everybody needs a second factor, and its clock.
func strict(t *testing.T) (*house, *turned) {
	clock := &turned{at: time.Now()}
	return newHouse(t, furnished{required: true, now: clock.now}), clock
}

// keyOf reads the key of an authenticator app from the page that shows it.
func keyOf(p *answerPage) string { return strings.ReplaceAll(p.Find(".totp b").Text(), " ", "") }

func codeOf(t *testing.T, key string, at time.Time) string {
	t.Helper()
	code, err := totp.GenerateCode(key, at)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// enrol signs a person in for the first time; the key of their app and their recovery
// codes are the answer.
func (h *house) enrol(first string, clock *turned) (v *visitor, key string, recovery []string) {
	h.t.Helper()
	v = h.stranger()
	page := v.password(first)
	key = keyOf(page)
	codes := v.send(page.form("form#second").with("proof.code", codeOf(h.t, key, clock.now())))
	codes.says("Keep these recovery codes")
	codes.Find(".codes li").Each(func(_ int, s *selection) { recovery = append(recovery, s.Text()) })
	return v, key, recovery
}

// password gives the right one on the log-in page.
func (v *visitor) password(first string) *answerPage {
	v.h.t.Helper()
	return v.send(v.get("/login?next=/drafts").form("form#login").with("email", v.h.people[first].Email, "password", "right"))
}

func TestAPasswordAloneOpensNothingWhereTwoFactorsAreRequired(t *testing.T) {
	h, clock := strict(t)
	v := h.stranger()
	page := v.password("olivia")
	if page.path != "/login/second-factor" || len(keyOf(page)) != 32 {
		t.Fatalf("got %s with the key %q, want an app to add", page.path, keyOf(page))
	}
	if got := v.get("/leads"); got.path != "/login" {
		t.Fatalf("between the steps /leads leads to %s, want /login", got.path)
	}
	wrong := v.send(page.form("form#second").with("proof.code", "000000"))
	if wrong.status != http.StatusUnprocessableEntity || wrong.Find(`#proof\.code[aria-invalid]`).Length() != 1 {
		t.Errorf("a wrong code: got %d, want the form with a complaint", wrong.status)
	}
	codes := v.send(wrong.form("form#second").with("proof.code", codeOf(t, keyOf(wrong), clock.now())))
	if codes.Find(".codes li").Length() != 10 {
		t.Errorf("got %d recovery codes, want ten", codes.Find(".codes li").Length())
	}
	if next := codes.Find("a.btn.pri").AttrOr("href", ""); next != "/drafts" {
		t.Errorf("it goes on to %q, want /drafts", next)
	}
	if got := v.get("/leads"); got.path != "/leads" {
		t.Errorf("signed in, /leads leads to %s", got.path)
	}
}

func TestTheSecondStepOfALogIn(t *testing.T) {
	h, clock := strict(t)
	_, key, recovery := h.enrol("olivia", clock)
	clock.by(time.Minute)
	v := h.stranger()
	page := v.password("olivia")
	if keyOf(page) != "" {
		t.Fatal("the key is shown to who has only the password")
	}
	in := v.send(page.form("form#second").with("proof.code", codeOf(t, key, clock.now())))
	if in.path != "/drafts" {
		t.Fatalf("got %d at %s, want the page that was asked for", in.status, in.path)
	}
	replay := h.stranger()
	page = replay.password("olivia")
	if got := replay.send(page.form("form#second").with("proof.code", codeOf(t, key, clock.now()))); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the code once more: got %d, want 422", got.status)
	}
	if got := replay.send(page.form("form#second").with("proof.recovery", recovery[4])); got.path != "/drafts" {
		t.Errorf("a recovery code: got %d at %s", got.status, got.path)
	}
}

func TestThePreSessionIsNoSession(t *testing.T) {
	h, _ := strict(t)
	v := h.stranger()
	v.password("olivia")
	site, _ := url.Parse(h.site.URL)
	for _, c := range v.client.Jar.Cookies(site) {
		v.client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: c.Value, Path: "/"}})
	}
	if got := v.get("/account"); got.path != "/login" {
		t.Errorf("the token of the first step opens %s", got.path)
	}
}

func TestASessionOfOneFactorEndsWhereTwoAreRequired(t *testing.T) {
	h, _ := strict(t)
	h.Server.Sessions.Suffices = func(access.Proof) bool { return true }
	v := h.stranger()
	h.Server.Accounts = lenient{h.Server.Accounts}
	v.password("olivia")
	if got := v.get("/account"); got.path != "/account" {
		t.Fatalf("got %s, want to be in by a password", got.path)
	}
	h.Server.Sessions.Suffices = h.known.Suffices
	if got := v.get("/account"); got.path != "/login" {
		t.Errorf("got %s, want to sign in anew", got.path)
	}
}

func TestWhatWasTypedOutlivesTheConfirmation(t *testing.T) {
	h, clock := strict(t)
	v, key, _ := h.enrol("olivia", clock)
	lead := v.start("Rivera-Match")
	v.awaits(lead, `input[name="applicant.ssn"]`)
	clock.by(20 * time.Minute)
	v.get(lead)
	clock.by(25 * time.Minute)
	v.get(lead)
	clock.by(20 * time.Minute)
	before := v.cookie("sid")

	held := v.post(lead+"/reveal", url.Values{"reason": {"She asked for her address"}})
	if held.path != "/account/confirm" {
		t.Fatalf("got %d at %s, want to confirm first", held.status, held.path)
	}
	form := held.form("form#proof")
	if form.action != lead+"/reveal" || form.values.Get("reason") != "She asked for her address" {
		t.Fatalf("got %s with %v, want the form as it was typed", form.action, form.values)
	}
	wrong := v.send(form.with("proof.code", "000000"))
	if wrong.status != http.StatusUnprocessableEntity || wrong.form("form#proof").values.Get("reason") == "" {
		t.Fatalf("a wrong code: got %d, want the form again with what was typed", wrong.status)
	}
	shown := v.send(form.with("proof.code", codeOf(t, key, clock.now())))
	shown.says("elena@borrower.test")
	if now := v.cookie("sid"); now == before {
		t.Error("the token is the same after the confirmation")
	}
	old := h.stranger()
	site, _ := url.Parse(h.site.URL)
	old.client.Jar.SetCookies(site, []*http.Cookie{{Name: "sid", Value: before, Path: "/"}})
	if got := old.get(lead); got.path != "/login" {
		t.Errorf("the token before the confirmation still opens %s", got.path)
	}
}

func TestAnSSNIsNotKeptForTheConfirmation(t *testing.T) {
	h, clock := strict(t)
	v, key, _ := h.enrol("olivia", clock)
	lead := v.start("Rivera-Match")
	page := v.awaits(lead, `input[name="applicant.ssn"]`)
	for range 3 {
		clock.by(25 * time.Minute)
		page = v.get(lead)
	}
	held := v.send(page.form(`form[action$="/add-ssn"]`).with("applicant.ssn", "512-44-7193"))
	if held.path != "/account/confirm" {
		t.Fatalf("got %d at %s, want to confirm first", held.status, held.path)
	}
	if strings.Contains(held.body, "7193") || held.Find(`input[name="applicant.ssn"]`).AttrOr("value", "") != "" {
		t.Fatal("the SSN stands on the page")
	}
	form := held.form("form#proof")
	if form.values.Get("operation") == "" {
		t.Error("the operation's id is lost")
	}
	done := v.send(form.with("applicant.ssn", "512-44-7193", "proof.code", codeOf(t, key, clock.now())))
	if done.path != lead {
		t.Errorf("got %d at %s, want the lead: %s", done.status, done.path, done.text())
	}
}

func TestWhatWasBegunGoesAlongWithTheConfirmation(t *testing.T) {
	h, clock := strict(t)
	olivia, key, _ := h.enrol("olivia", clock)
	later := func(steps int) {
		for range steps {
			clock.by(19 * time.Minute)
			olivia.get("/leads")
		}
	}
	later(3)
	page := olivia.get("/account/authenticator")
	fresh := keyOf(page)
	if fresh == "" || fresh == key {
		t.Fatalf("no app to add: %s", page.text())
	}
	clock.by(5 * time.Minute)
	form := page.form(`form[action="/account/authenticator"]`).with("code", codeOf(t, fresh, clock.now()))
	asked := olivia.send(form)
	confirm := asked.form(`form[action="/account/authenticator"]`)
	olivia.send(confirm.with("proof.code", codeOf(t, key, clock.now()))).says("Keep these recovery codes")
	later(4)
	if asked = olivia.get("/account/authenticator"); asked.path != "/account/confirm" {
		t.Fatalf("got %s", asked.path)
	}
	clock.by(time.Minute)
	olivia.send(asked.form(`form[action="/account/confirm"]`).with("proof.code", codeOf(t, fresh, clock.now())))
	if back := olivia.get("/account/confirm"); back.status != http.StatusOK || back.path != "/leads" {
		t.Errorf("back at the question: got %d at %s", back.status, back.path)
	}
}

func TestAStrangerLearnsNothingFromTheConfirmation(t *testing.T) {
	h, clock := strict(t)
	olivia, _, _ := h.enrol("olivia", clock)
	lead := olivia.start("Rivera")
	piotr, _, _ := h.enrol("piotr", clock)
	for range 3 {
		clock.by(25 * time.Minute)
		piotr.get("/leads")
	}
	if got := piotr.post(lead+"/reveal", url.Values{"reason": {"x"}}); got.status != http.StatusNotFound {
		t.Errorf("somebody else's lead: got %d, want 404 before any confirmation", got.status)
	}
}

func TestAPageBehindTheConfirmationIsComeBackTo(t *testing.T) {
	h, clock := strict(t)
	v, key, _ := h.enrol("olivia", clock)
	for range 3 {
		clock.by(25 * time.Minute)
		v.get("/leads")
	}
	held := v.get("/account/authenticator")
	if held.path != "/account/confirm" {
		t.Fatalf("got %s, want to confirm first", held.path)
	}
	if got := v.send(held.form("form#proof").with("proof.code", codeOf(t, key, clock.now()))); got.path != "/account/authenticator" {
		t.Errorf("got %d at %s, want the page that was asked for", got.status, got.path)
	}
}

func TestTheAccountPage(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	here, there := h.visit("olivia"), h.visit("olivia")
	page := here.get("/account")
	page.says("Olivia", "No second factor yet", "This browser", "by password")
	setup := here.get("/account/authenticator")
	here.send(setup.form(`form[action="/account/authenticator"]`).with("code", codeOf(t, keyOf(setup), time.Now()))).says("Keep these recovery codes")
	if got := here.post("/account/recovery", nil); got.path != "/account/confirm" {
		t.Errorf("a session of a password alone: got %d at %s, want to confirm", got.status, got.path)
	}
	page = here.get("/account")
	page.says("Authenticator app", "10 are left")
	id := strings.TrimSuffix(strings.TrimPrefix(page.Find(`form[action$="/name"]`).AttrOr("action", ""), "/account/factors/"), "/name")
	here.post("/account/factors/"+id+"/name", url.Values{"name": {"Work phone"}}).says("Work phone")
	if got := h.visit("marcus").post("/account/factors/"+id+"/name", url.Values{"name": {"Mine"}}); got.status != http.StatusNotFound {
		t.Errorf("somebody else's: got %d, want 404", got.status)
	}
	if got := here.post("/account/factors/"+id+"/name", url.Values{"name": {" "}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("no name: got %d, want 422", got.status)
	}
	if got := here.post("/account/zone", url.Values{"zone": {"Nowhere/Land"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("no such zone: got %d, want 422", got.status)
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

// lenient asks nobody for a second factor.
type lenient struct{ page.Accounts }

func (lenient) Needs(context.Context, string) (account.Need, error) { return account.NeedNothing, nil }

func TestAPartOfAPageIsToldWhereToConfirm(t *testing.T) {
	h, clock := strict(t)
	v, _, _ := h.enrol("olivia", clock)
	lead := v.start("Rivera")
	for range 3 {
		clock.by(25 * time.Minute)
		v.get(lead)
	}
	got := v.post(lead+"/reveal", url.Values{"reason": {"callback"}}, "HX-Request", "true", "HX-Request-Type", "partial")
	if got.status != http.StatusNoContent || got.header.Get("HX-Redirect") != "/account/confirm" {
		t.Errorf("got %d to %q, want htmx sent to the confirmation", got.status, got.header.Get("HX-Redirect"))
	}
	v.get("/account/confirm").says("Confirm it is you")
}

func TestANewRoleCountsInAnOpenSession(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	v := h.visit("maya")
	if got := v.get("/invite"); got.status != http.StatusOK {
		t.Fatalf("a manager: got %d", got.status)
	}
	if err := h.known.SetRole(t.Context(), h.people["maya"].Email, access.Assistant); err != nil {
		t.Fatal(err)
	}
	if got := v.get("/invite"); got.status != http.StatusForbidden {
		t.Errorf("an assistant: got %d, want 403 with the next request", got.status)
	}
	if err := h.known.Disable(t.Context(), h.people["maya"].Email); err != nil {
		t.Fatal(err)
	}
	if got := v.get("/account"); got.path != "/login" {
		t.Errorf("a closed account opens %s", got.path)
	}
}

func TestTheCookieOfTheFirstStepIsAsStrictAsTheSessions(t *testing.T) {
	for base, want := range map[string]string{
		"https://portal.example": "__Host-pre-login=x; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax",
		"http://localhost:8080":  "pre-login=x; Path=/; Max-Age=600; HttpOnly; SameSite=Lax",
	} {
		w := httptest.NewRecorder()
		newPortal(t, base).KeepBegun(w, signin.BegunLogIn, "x")
		if got := w.Header().Get("Set-Cookie"); got != want {
			t.Errorf("%s: got %q, want %q", base, got, want)
		}
	}
}

func TestWhoHasTheirSecondFactorElsewhereIsSentThere(t *testing.T) {
	h, _ := strict(t)
	ctx := t.Context()
	h.must(h.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.AddIdentity(ctx, "https://sso.example", "s1", "user-olivia"); err != nil {
			return err
		}
		return tx.StrengthenIdentity(ctx, "https://sso.example", "s1")
	}))
	page := h.stranger().password("olivia")
	if page.status != http.StatusUnprocessableEntity || page.path != "/login" || keyOf(page) != "" {
		t.Errorf("got %d at %s, want the log-in page and no app to add", page.status, page.path)
	}
	page.says("Your second factor is at your organization’s single sign-on")
}
