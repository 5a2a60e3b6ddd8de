package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"hearthline/internal/account"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// deliverMail processes the outbox as the background jobs do.
func (h *harness) deliverMail() {
	h.t.Helper()
	for more := true; more; {
		var err error
		if more, err = h.accountService.Deliver(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
	}
}

// mails returns the mails to an address, newest first.
func (h *harness) mails(to string) []account.PendingMail {
	h.t.Helper()
	h.deliverMail()
	all, err := h.accountService.Outbox(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	var own []account.PendingMail
	for _, m := range all {
		if m.To == to {
			own = append(own, m)
		}
	}
	return own
}

var mailedLinkPattern = regexp.MustCompile(`http://localhost(/[a-z]+)#([\w-]{43})`)

// mailedCode returns the page and the code of the newest link in a user's mail.
func (h *harness) mailedCode(to string) (page, code string) {
	h.t.Helper()
	for _, m := range h.mails(to) {
		if found := mailedLinkPattern.FindStringSubmatch(m.Text); found != nil {
			return found[1], found[2]
		}
	}
	h.t.Fatalf("no link was mailed to %s", to)
	return "", ""
}

// unregisteredEmail returns the email of an originator in the sandbox's directory who has no account.
func (h *harness) unregisteredEmail() string {
	h.t.Helper()
	for _, o := range h.sandbox.Originators() {
		if o.Broker != nil && !strings.HasPrefix(o.Email, "olivia") && !strings.HasPrefix(o.Email, "marcus") && !strings.HasPrefix(o.Email, "maya") && !strings.HasPrefix(o.Email, "piotr") {
			return strings.ToLower(o.Email)
		}
	}
	h.t.Fatal("everybody in the directory has an account")
	return ""
}

const newPassword = "kettle-lantern-orchard"

func TestActivate_DirectoryOriginator_SignsIn(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	email := h.unregisteredEmail()
	v := h.newBrowser()
	v.send(v.get("/activate").form("form#ask").with("email", strings.ToUpper(email))).wantText("Check your email", "If the address is on file")
	page, code := h.mailedCode(email)
	if page != "/activate" {
		t.Fatalf("the link leads to %s", page)
	}
	setUp := v.send(v.get("/activate").form("form#code").with("token", code))
	setUp.wantText("Welcome", email)
	short := v.send(setUp.form("form#set-up").with("password", "short", "code", totpCode(t, totpKey(setUp), clock.now())))
	if short.status != http.StatusUnprocessableEntity || short.Find(`#password[aria-invalid]`).Length() != 1 {
		t.Fatalf("a short password: got %d", short.status)
	}
	without := v.send(short.form("form#set-up").with("password", newPassword, "code", ""))
	if without.status != http.StatusUnprocessableEntity {
		t.Fatalf("without a second factor: got %d, want 422", without.status)
	}
	codes := v.send(without.form("form#set-up").with("password", newPassword, "zone", "America/Chicago", "code", totpCode(t, totpKey(without), clock.now())))
	codes.wantText("Save your recovery codes")
	if user, _, err := h.store.UserByEmail(t.Context(), email); err != nil || user.TimeZone != "America/Chicago" {
		t.Errorf("got zone %q, %v, want the browser's", user.TimeZone, err)
	}
	if got := v.get("/leads"); got.status != http.StatusOK || got.path != "/leads" {
		t.Errorf("got %d at %s, want the pipeline", got.status, got.path)
	}
	again := h.newBrowser()
	if got := again.send(again.get("/activate").form("form#code").with("token", code)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the link again: got %d, want 422", got.status)
	}
	again.send(again.get("/activate").form("form#ask").with("email", email))
	if m := h.mails(email); !strings.Contains(m[0].Text, "You already have one") {
		t.Errorf("requested again: got %q", m[0].Text)
	}
}

func TestRequestLink_AnyAddress_SameResponse(t *testing.T) {
	t.Parallel()
	h, _ := newMFAHarness(t)
	answers := map[string]string{}
	for _, email := range []string{h.unregisteredEmail(), h.people["olivia"].Email, "nobody@nowhere.test", "", "not an address"} {
		for _, page := range []string{"/activate", "/reset"} {
			v := h.newBrowser()
			got := v.post(page, url.Values{"email": {email}})
			text := got.header.Get("Content-Type") + got.Find("main").Text()
			if before, known := answers[page]; known && before != text || got.status != http.StatusOK {
				t.Errorf("%s for %q: got %d, %q, want the same response for every address", page, email, got.status, text)
			}
			answers[page] = text
		}
	}
	h.deliverMail()
	all, err := h.accountService.Outbox(t.Context())
	if err != nil || len(all) != 3 { // an activation, and two mails for olivia
		t.Errorf("got %d mails, %v, want three", len(all), err)
	}
}

func TestActivate_UnknownAddressOrCode_Rejected(t *testing.T) {
	t.Parallel()
	h, _ := newMFAHarness(t)
	for _, email := range []string{h.people["admin"].Email, "stranger@evil.test"} {
		v := h.newBrowser()
		v.post("/activate", url.Values{"email": {email}})
		for _, m := range h.mails(email) {
			if mailedLinkPattern.MatchString(m.Text) {
				t.Errorf("%s got a link", email)
			}
		}
	}
	v := h.newBrowser()
	for _, code := range []string{"", "x", strings.Repeat("A", 43), strings.Repeat("y", 5000)} {
		if got := v.post("/activate", url.Values{"token": {code}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("the code %.10q: got %d, want 422", code, got.status)
		}
	}
	if got := v.post("/activate", url.Values{"password": {newPassword}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("without any code: got %d, want 422", got.status)
	}
}

func TestPasswordReset_KeepsSecondFactor(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	olivia, key, _ := h.enroll("olivia", clock)
	email := h.people["olivia"].Email
	v := h.newBrowser()
	v.post("/reset", url.Values{"email": {email}})
	page, code := h.mailedCode(email)
	if page != "/reset" {
		t.Fatalf("the link leads to %s", page)
	}
	if got := v.send(v.get("/reset").form("form#code").with("token", code)); got.Find("[data-passkey]").Length() != 0 || totpKey(got) != "" {
		t.Error("a reset offers another second factor")
	}
	done := v.send(v.get("/reset").form("form#set-up").with("password", newPassword))
	if done.path != "/login" {
		t.Fatalf("got %d at %s, want the sign-in page", done.status, done.path)
	}
	done.wantText("Your password was changed")
	if got := olivia.get("/leads"); got.path != "/login" {
		t.Errorf("a session survives the reset: %s", got.path)
	}
	clock.advance(time.Minute)
	second := v.send(v.get("/login").form("form#login").with("email", email, "password", newPassword))
	if second.path != "/login/second-factor" || totpKey(second) != "" {
		t.Fatalf("got %s, want the second factor page", second.path)
	}
	if got := v.send(second.form("form#second").with("proof.code", totpCode(t, key, clock.now()))); got.path != "/leads" {
		t.Errorf("got %d at %s", got.status, got.path)
	}
	if m := h.mails(email); !strings.Contains(m[0].Text, "Your password was reset") {
		t.Errorf("no mail about the reset: %q", m[0].Text)
	}
}

func TestMailedLink_ReplacedOrExpired_422(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	email := h.people["olivia"].Email
	v := h.newBrowser()
	v.post("/reset", url.Values{"email": {email}})
	_, first := h.mailedCode(email)
	clock.advance(time.Minute)
	v.post("/reset", url.Values{"email": {email}})
	_, second := h.mailedCode(email)
	if got := v.post("/reset", url.Values{"token": {first}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a link before the latest one: got %d, want 422", got.status)
	}
	clock.advance(31 * time.Minute)
	if got := v.post("/reset", url.Values{"token": {second}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a link from half an hour ago: got %d, want 422", got.status)
	}
}

func TestMailedLink_TwoBrowsers_WorksOnce(t *testing.T) {
	t.Parallel()
	h, _ := newMFAHarness(t)
	email := h.people["olivia"].Email
	one, two := h.newBrowser(), h.newBrowser()
	one.post("/reset", url.Values{"email": {email}})
	_, code := h.mailedCode(email)
	one.post("/reset", url.Values{"token": {code}})
	two.post("/reset", url.Values{"token": {code}})
	late := two.get("/reset").form("form#set-up").with("password", "another lantern in the orchard")
	if got := one.send(one.get("/reset").form("form#set-up").with("password", newPassword)); got.path != "/login" {
		t.Fatalf("the first: got %d at %s", got.status, got.path)
	}
	if got := two.send(late); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the second: got %d at %s, want 422", got.status, got.path)
	}
}

func TestInvitation_OtherCompanyOrRole_Rejected(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	maya, admin := h.signInAs("maya"), h.signInAs("admin")
	maya.send(maya.get("/invite").form("form#form-invite").with("name", "Ada Two", "email", "Ada2@Summit.test", "role", "assistant")).wantText("ada2@summit.test")
	for _, role := range []string{"manager", "admin", "originator"} {
		if got := maya.post("/invite", url.Values{"name": {"X"}, "email": {"x@summit.test"}, "role": {role}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("a manager invites a %s: got %d, want 422", role, got.status)
		}
	}
	if got := admin.post("/invite", url.Values{"name": {"X"}, "email": {"x@summit.test"}, "role": {"originator"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("an invitation for an originator, who must be in the directory: got %d, want 422", got.status)
	}
	if got := admin.post("/invite", url.Values{"name": {"X"}, "email": {h.people["olivia"].Email}, "role": {"admin"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a user who has an account: got %d, want 422", got.status)
	}
	if got := h.signInAs("olivia").get("/invite"); got.status != http.StatusForbidden {
		t.Errorf("an originator: got %d, want 403", got.status)
	}
	lakeside := h.people["piotr"].BrokerID
	admin.send(admin.get("/invite").form("form#form-invite").with("name", "Lars Lake", "email", "lars@lakeside.test", "role", "manager", "broker", lakeside)).wantText("lars@lakeside.test", "ada2@summit.test")
	page := maya.get("/invite")
	if strings.Contains(page.body, "lars@lakeside.test") {
		t.Error("a manager sees the invitation of another company")
	}
	id := admin.get("/invite").Find(`form[action$="/revoke"]`).First().AttrOr("action", "")
	if got := maya.post(id, nil); got.status != http.StatusNotFound {
		t.Errorf("a manager revokes another company's invitation: got %d, want 404", got.status)
	}

	_, code := h.mailedCode("ada2@summit.test")
	ada := h.newBrowser()
	setUp := ada.send(ada.get("/activate").form("form#code").with("token", code))
	setUp.wantText("Welcome, Ada Two", "Assistant")
	in := ada.send(setUp.form("form#set-up").with("password", newPassword))
	if in.path != "/leads" {
		t.Fatalf("got %d at %s: %s", in.status, in.path, in.text())
	}
	user, _, err := h.store.UserByEmail(t.Context(), "ada2@summit.test")
	if err != nil || user.BrokerID != h.people["maya"].BrokerID || user.Role != "assistant" {
		t.Errorf("got %+v, %v, want an assistant of maya's company", user, err)
	}
}

// TestInvitation_OrganizationWithoutBrokers_ScopedToOrganization has originators who work for the organization
// directly.
func TestInvitation_OrganizationWithoutBrokers_ScopedToOrganization(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	ctx := t.Context()
	originator := heloc.Originator{ID: "0f0e0d0c-0000-4000-8000-0000000000b1", Email: "rhea@evergreen.test", FirstName: "Rhea", LastName: "Retail", Organization: "Evergreen Bank"}
	row := lead.Row{App: "0f0e0d0c-0000-4000-8000-0000000000b2", ShortID: "1-26325-777", Originator: originator.ID, Organization: originator.Organization}
	h.must(h.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveOriginator(ctx, originator, time.Now()); err != nil {
			return err
		}
		return tx.AddLead(ctx, &row, time.Now())
	}))
	admin := h.signInAs("admin")
	form := admin.get("/invite").form("form#form-invite")
	admin.get("/invite").wantText("Evergreen Bank (the organization itself)", "Summit Home Lending")
	admin.send(form.with("name", "Max Retail", "email", "max@evergreen.test", "role", "manager", "broker", "org:Evergreen Bank")).wantText("Manager, Evergreen Bank")
	signIn := func(email string) *testBrowser {
		_, code := h.mailedCode(email)
		v := h.newBrowser()
		v.send(v.send(v.get("/activate").form("form#code").with("token", code)).form("form#set-up").with("password", newPassword))
		return v
	}
	max := signIn("max@evergreen.test")
	max.send(max.get("/invite").form("form#form-invite").with("name", "Ada Retail", "email", "ada@evergreen.test", "role", "assistant")).wantText("Assistant, Evergreen Bank")
	ada := signIn("ada@evergreen.test")
	for who, v := range map[string]*testBrowser{"manager": max, "assistant": ada} {
		if got := v.get("/leads?view=all"); !strings.Contains(got.body, row.ShortID) {
			t.Errorf("the %s does not see the organization's lead: %d", who, got.status)
		}
		if got := v.get("/leads/" + string(row.App)); got.status != http.StatusOK {
			t.Errorf("the %s opens it: got %d, want 200", who, got.status)
		}
		v.get("/originators").wantText("Rhea Retail")
	}
	if got := max.get("/team/unassigned"); got.status != http.StatusOK {
		t.Errorf("the manager's pages: got %d, want 200", got.status)
	}
	for _, first := range []string{"maya", "ada", "piotr"} {
		if got := h.signInAs(first).get("/leads/" + string(row.App)); got.status != http.StatusNotFound {
			t.Errorf("%s, of a broker company: got %d, want 404", first, got.status)
		}
	}
	if got := max.get("/leads?view=all"); strings.Contains(got.body, "Olivia") {
		t.Error("the organization's manager sees a broker company's users")
	}
}

func TestInvitation_InviterClosedOrDemoted_Rejected(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(h *harness){
		"closed": func(h *harness) {
			h.signInAs("admin").post("/admin/users/user-maya/close", url.Values{"confirm.close": {"true"}})
		},
		"expired": func(h *harness) {
			h.signInAs("admin").post("/admin/users/user-maya/role", url.Values{"role": {"assistant"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
			maya := h.signInAs("maya")
			maya.send(maya.get("/invite").form("form#form-invite").with("name", "Ada Two", "email", "ada2@summit.test", "role", "assistant"))
			_, code := h.mailedCode("ada2@summit.test")
			ada := h.newBrowser()
			setUp := ada.send(ada.get("/activate").form("form#code").with("token", code))
			leave(h)
			if in := ada.send(setUp.form("form#set-up").with("password", newPassword)); in.status != http.StatusUnprocessableEntity {
				t.Errorf("got %d at %s, want 422", in.status, in.path)
			}
			if _, _, err := h.store.UserByEmail(t.Context(), "ada2@summit.test"); err == nil {
				t.Error("the account was created")
			}
		})
	}
}

func TestInvitation_DirectoryOriginator_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	email := h.unregisteredEmail()
	got := h.signInAs("maya").post("/invite", url.Values{"name": {"Newcomer"}, "email": {email}, "role": {"assistant"}})
	if got.status != http.StatusUnprocessableEntity || got.Find("#email[aria-invalid]").Length() != 1 {
		t.Errorf("got %d: %s, want an error beside the email", got.status, got.text())
	}
	got.wantText("who signs in under")
	v := h.newBrowser()
	v.send(v.get("/activate").form("form#ask").with("email", email))
	if _, code := h.mailedCode(email); code == "" {
		t.Error("the originator cannot sign in")
	}
}

func TestInvitation_InviteeBecameOriginator_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	maya := h.signInAs("maya")
	maya.send(maya.get("/invite").form("form#form-invite").with("name", "Ada Two", "email", "ada2@summit.test", "role", "assistant")).wantText("ada2@summit.test")
	_, code := h.mailedCode("ada2@summit.test")
	ada := h.newBrowser()
	setUp := ada.send(ada.get("/activate").form("form#code").with("token", code))
	h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SaveOriginator(t.Context(), heloc.Originator{ID: "0f0e0d0c-0000-4000-8000-0000000000ad", Email: "Ada2@Summit.test", FirstName: "Ada", LastName: "Two"}, time.Now())
	}))
	in := ada.send(setUp.form("form#set-up").with("password", newPassword))
	if in.status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d at %s, want 422", in.status, in.path)
	}
	in.wantText("Request your own link here")
	ada.send(in.form("form#ask").with("email", "ada2@summit.test"))
	if m := h.mails("ada2@summit.test"); !strings.Contains(m[0].Subject, "Set up your") {
		t.Errorf("got %q, want the link of an originator", m[0].Subject)
	}
}

func TestOutbox_OutsideDemo_HasNoRoute(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	v := h.newBrowser()
	v.post("/reset", url.Values{"email": {h.people["olivia"].Email}})
	h.deliverMail()
	page := v.get("/outbox")
	page.wantText("Reset your Hearthline password", h.people["olivia"].Email)
	if href := page.Find(".outbox article a").AttrOr("href", ""); !strings.HasPrefix(href, "/reset#") {
		t.Errorf("the link leads to %q", href)
	}
	p := newFakedServer(t, "http://localhost")
	if body := p.newBrowser(t).get("/login").Body.String(); strings.Contains(body, `href="/reset"`) || strings.Contains(body, `href="/activate"`) {
		t.Error("a portal without mail offers links by mail")
	}
	for _, route := range p.routes() {
		if route.Pattern == "/outbox" {
			t.Error("the outbox is available outside the demo")
		}
	}
}

func TestAdminReset_ReplacesSecondFactor(t *testing.T) {
	t.Parallel()
	h, clock := newMFAHarness(t)
	olivia, key, _ := h.enroll("olivia", clock)
	admin, _, _ := h.enroll("admin", clock)
	page := admin.get("/admin/users/user-olivia")
	if got := admin.send(page.form(`form[action$="/reset"]`)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("unconfirmed: got %d, want 422", got.status)
	}
	admin.send(page.form(`form[action$="/reset"]`).with("confirm.reset", "true"))
	if got := olivia.get("/leads"); got.path != "/login" {
		t.Errorf("her session still works: %s", got.path)
	}
	if got := admin.post("/admin/users/user-admin/reset", url.Values{"confirm.reset": {"true"}}); got.status != http.StatusForbidden {
		t.Errorf("own account: got %d, want 403", got.status)
	}
	if got := h.newBrowser().submitPassword("olivia"); got.path != "/login/second-factor" {
		t.Errorf("until the link is used: got %s, want her current factor to remain valid", got.path)
	}
	admin.send(page.form(`form[action$="/reset"]`).with("confirm.reset", "true", "shut", "true"))
	if got := h.newBrowser().submitPassword("olivia"); got.path != "/login" || got.status == http.StatusOK {
		t.Errorf("locked: got %d at %s, want her password rejected", got.status, got.path)
	}
	h.wantAudited("user-admin user.shut user:user-olivia done")
	email := h.people["olivia"].Email
	_, code := h.mailedCode(email)
	v := h.newBrowser()
	setUp := v.send(v.get("/activate").form("form#code").with("token", code))
	clock.advance(time.Minute)
	v.send(setUp.form("form#set-up").with("password", newPassword, "code", totpCode(t, totpKey(setUp), clock.now()))).wantText("Save your recovery codes")
	clock.advance(time.Minute)
	again := h.newBrowser()
	second := again.send(again.get("/login").form("form#login").with("email", email, "password", newPassword))
	if got := again.send(second.form("form#second").with("proof.code", totpCode(t, key, clock.now()))); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the previous authenticator app: got %d, want it rejected", got.status)
	}
	if m := h.mails(email); !strings.Contains(m[0].Text, "second factors were reset") {
		t.Errorf("no mail about it: %q", m[0].Text)
	}
}
