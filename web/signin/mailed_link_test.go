package signin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// unregisteredEmail returns the email of an originator in the sandbox's directory who has no account.
func unregisteredEmail(h *webtest.Harness) string {
	h.T.Helper()
	for _, o := range h.Sandbox.Originators() {
		if o.Broker != nil && !strings.HasPrefix(o.Email, "olivia") && !strings.HasPrefix(o.Email, "marcus") &&
			!strings.HasPrefix(o.Email, "maya") && !strings.HasPrefix(o.Email, "piotr") {
			return strings.ToLower(o.Email)
		}
	}
	h.T.Fatal("everybody in the directory has an account")
	return ""
}

func TestActivate_DirectoryOriginator_SignsIn(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	email := unregisteredEmail(h)
	v := h.NewBrowser()
	v.Send(v.Get("/activate").Form("form#ask").With("email", strings.ToUpper(email))).
		WantText("Check your email", "If your email is on file with the lender")
	page, code := h.MailedCode(email)
	if page != "/activate" {
		t.Fatalf("the link leads to %s", page)
	}
	setUp := v.Send(v.Get("/activate").Form("form#code").With("token", code))
	setUp.WantText("Welcome", email)
	short := v.Send(setUp.Form("form#set-up").With("password", "short",
		"code", webtest.TOTPCode(t, webtest.TOTPKey(setUp), clock.Now())))
	if short.Status != http.StatusUnprocessableEntity || short.Find(`#password[aria-invalid]`).Length() != 1 {
		t.Fatalf("a short password: got %d", short.Status)
	}
	without := v.Send(short.Form("form#set-up").With("password", webtest.NewPassword, "code", ""))
	if without.Status != http.StatusUnprocessableEntity {
		t.Fatalf("without a second factor: got %d, want 422", without.Status)
	}
	codes := v.Send(without.Form("form#set-up").With("password", webtest.NewPassword, "zone", "America/Chicago",
		"code", webtest.TOTPCode(t, webtest.TOTPKey(without), clock.Now())))
	codes.WantText("Save your recovery codes")
	if user, _, err := h.Store.UserByEmail(t.Context(), email); err != nil || user.TimeZone != "America/Chicago" {
		t.Errorf("got zone %q, %v, want the browser's", user.TimeZone, err)
	}
	if got := v.Get("/leads"); got.Status != http.StatusOK || got.Path != "/leads" {
		t.Errorf("got %d at %s, want the pipeline", got.Status, got.Path)
	}
	again := h.NewBrowser()
	if got := again.Send(again.Get("/activate").Form("form#code").
		With("token", code)); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("the link again: got %d, want 422", got.Status)
	}
	again.Send(again.Get("/activate").Form("form#ask").With("email", email))
	if m := h.Mails(email); !strings.Contains(m[0].Text, "You already have one") {
		t.Errorf("requested again: got %q", m[0].Text)
	}
}

func TestMailedLink_NothingTypedOrWrongCode_SaysSo(t *testing.T) {
	t.Parallel()
	h, _ := webtest.NewWithSecondFactors(t)
	v := h.NewBrowser()
	for _, page := range []string{"/activate", "/reset"} {
		for control, tt := range map[string]struct{ typed, want string }{
			"email": {" ", "Enter your email"}, "token": {" ", "Enter the code from your email"},
		} {
			got := v.Post(page, url.Values{control: {tt.typed}})
			if got.Status != http.StatusUnprocessableEntity {
				t.Errorf("%s without %s: got %d, want 422", page, control, got.Status)
			}
			got.WantText(tt.want)
			got.WantNoText([]string{"Check your email.", "on its way"})
		}
		v.Post(page, url.Values{"token": {"mistyped"}}).WantText("This link or code isn’t valid. "+
			"It may be mistyped, already used or expired.", "ask the person who invited you")
	}
}

func TestRequestLink_AnyAddress_SameResponse(t *testing.T) {
	t.Parallel()
	h, _ := webtest.NewWithSecondFactors(t)
	answers := map[string]string{}
	for _, email := range []string{unregisteredEmail(h), h.People["olivia"].Email, "nobody@nowhere.test",
		"not an address"} {
		for _, page := range []string{"/activate", "/reset"} {
			v := h.NewBrowser()
			got := v.Post(page, url.Values{"email": {email}})
			text := got.Header.Get("Content-Type") + got.Find("main").Text()
			if before, known := answers[page]; known && before != text || got.Status != http.StatusOK {
				t.Errorf("%s for %q: got %d, %q, want the same response for every address", page, email, got.Status, text)
			}
			answers[page] = text
		}
	}
	h.DeliverMail()
	all, err := h.AccountService.Outbox(t.Context())
	if err != nil || len(all) != 3 { // an activation, and two mails for olivia
		t.Errorf("got %d mails, %v, want three", len(all), err)
	}
}

func TestActivate_UnknownAddressOrCode_Rejected(t *testing.T) {
	t.Parallel()
	h, _ := webtest.NewWithSecondFactors(t)
	for _, email := range []string{h.People["admin"].Email, "stranger@evil.test"} {
		v := h.NewBrowser()
		v.Post("/activate", url.Values{"email": {email}})
		for _, m := range h.Mails(email) {
			if webtest.MailedLinkPattern.MatchString(m.Text) {
				t.Errorf("%s got a link", email)
			}
		}
	}
	v := h.NewBrowser()
	for _, code := range []string{"", "x", strings.Repeat("A", 43), strings.Repeat("y", 5000)} {
		if got := v.Post("/activate", url.Values{"token": {code}}); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("the code %.10q: got %d, want 422", code, got.Status)
		}
	}
	if got := v.Post("/activate", url.Values{"password": {webtest.NewPassword}}); got.Status !=
		http.StatusUnprocessableEntity {
		t.Errorf("without any code: got %d, want 422", got.Status)
	}
}

func TestPasswordReset_KeepsSecondFactor(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	olivia, key, _ := h.Enroll("olivia", clock)
	email := h.People["olivia"].Email
	v := h.NewBrowser()
	v.Post("/reset", url.Values{"email": {email}})
	page, code := h.MailedCode(email)
	if page != "/reset" {
		t.Fatalf("the link leads to %s", page)
	}
	if got := v.Send(v.Get("/reset").Form("form#code").With("token", code)); got.Find("[data-passkey]").Length() != 0 ||
		webtest.TOTPKey(got) != "" {
		t.Error("a reset offers another second factor")
	}
	done := v.Send(v.Get("/reset").Form("form#set-up").With("password", webtest.NewPassword))
	if done.Path != "/login" {
		t.Fatalf("got %d at %s, want the sign-in page", done.Status, done.Path)
	}
	done.WantText("Your password was changed")
	if got := olivia.Get("/leads"); got.Path != "/login" {
		t.Errorf("a session survives the reset: %s", got.Path)
	}
	clock.Advance(time.Minute)
	second := v.Send(v.Get("/login").Form("form#login").With("email", email, "password", webtest.NewPassword))
	if second.Path != "/login/second-factor" || webtest.TOTPKey(second) != "" {
		t.Fatalf("got %s, want the second factor page", second.Path)
	}
	if got := v.Send(second.Form("form#second").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now()))); got.Path != "/leads" {
		t.Errorf("got %d at %s", got.Status, got.Path)
	}
	if m := h.Mails(email); !strings.Contains(m[0].Text, "Your password was reset") {
		t.Errorf("no mail about the reset: %q", m[0].Text)
	}
}

func TestMailedLink_ReplacedOrExpired_422(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	email := h.People["olivia"].Email
	v := h.NewBrowser()
	v.Post("/reset", url.Values{"email": {email}})
	_, first := h.MailedCode(email)
	clock.Advance(time.Minute)
	v.Post("/reset", url.Values{"email": {email}})
	_, second := h.MailedCode(email)
	if got := v.Post("/reset", url.Values{"token": {first}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("a link before the latest one: got %d, want 422", got.Status)
	}
	clock.Advance(31 * time.Minute)
	if got := v.Post("/reset", url.Values{"token": {second}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("a link from half an hour ago: got %d, want 422", got.Status)
	}
}

func TestMailedLink_TwoBrowsers_WorksOnce(t *testing.T) {
	t.Parallel()
	h, _ := webtest.NewWithSecondFactors(t)
	email := h.People["olivia"].Email
	one, two := h.NewBrowser(), h.NewBrowser()
	one.Post("/reset", url.Values{"email": {email}})
	_, code := h.MailedCode(email)
	one.Post("/reset", url.Values{"token": {code}})
	two.Post("/reset", url.Values{"token": {code}})
	late := two.Get("/reset").Form("form#set-up").With("password", "another lantern in the orchard")
	if got := one.Send(one.Get("/reset").Form("form#set-up").With("password", webtest.NewPassword)); got.Path != "/login" {
		t.Fatalf("the first: got %d at %s", got.Status, got.Path)
	}
	if got := two.Send(late); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("the second: got %d at %s, want 422", got.Status, got.Path)
	}
}

func TestInvitation_OtherCompanyOrRole_Rejected(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya, admin := h.SignInAs("maya"), h.SignInAs("admin")
	maya.Send(maya.Get("/invite").Form("form#form-invite").With("name", "Ada Two", "email", "Ada2@Summit.test",
		"role", "assistant", "worksFor", h.People["marcus"].OriginatorUUID)).WantText("ada2@summit.test")
	if got := maya.Post("/invite", url.Values{"name": {"X"}, "email": {"x@summit.test"}, "role": {"assistant"},
		"worksFor": {h.People["piotr"].OriginatorUUID}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("for another company's originator: got %d, want 422", got.Status)
	}
	for _, role := range []string{"manager", "admin", "originator"} {
		if got := maya.Post("/invite", url.Values{"name": {"X"}, "email": {"x@summit.test"},
			"role": {role}}); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("a manager invites a %s: got %d, want 422", role, got.Status)
		}
	}
	if got := admin.Post("/invite", url.Values{"name": {"X"}, "email": {"x@summit.test"},
		"role": {"originator"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("an invitation for an originator, who must be in the directory: got %d, want 422", got.Status)
	}
	if got := admin.Post("/invite", url.Values{"name": {"X"}, "email": {h.People["olivia"].Email},
		"role": {"admin"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("a user who has an account: got %d, want 422", got.Status)
	}
	if got := h.SignInAs("olivia").Get("/invite"); got.Status != http.StatusForbidden {
		t.Errorf("an originator: got %d, want 403", got.Status)
	}
	lakeside := h.People["piotr"].BrokerID
	admin.Send(admin.Get("/invite").Form("form#form-invite").With("name", "Lars Lake", "email", "lars@lakeside.test",
		"role", "manager", "broker", lakeside, "reason", "Runs Lakeside")).WantText("Invite Lars Lake")
	h.ApproveRequest()
	admin.Get("/invite").WantText("lars@lakeside.test", "ada2@summit.test")
	page := maya.Get("/invite")
	if strings.Contains(page.Body, "lars@lakeside.test") {
		t.Error("a manager sees the invitation of another company")
	}
	id := admin.Get("/invite").Find(`form[action$="/revoke"]`).First().AttrOr("action", "")
	if got := maya.Post(id, nil); got.Status != http.StatusNotFound {
		t.Errorf("a manager revokes another company's invitation: got %d, want 404", got.Status)
	}

	_, code := h.MailedCode("ada2@summit.test")
	ada := h.NewBrowser()
	setUp := ada.Send(ada.Get("/activate").Form("form#code").With("token", code))
	setUp.WantText("Welcome, Ada Two", "Assistant")
	in := ada.Send(setUp.Form("form#set-up").With("password", webtest.NewPassword))
	if in.Path != "/leads" {
		t.Fatalf("got %d at %s: %s", in.Status, in.Path, in.MainText())
	}
	user, _, err := h.Store.UserByEmail(t.Context(), "ada2@summit.test")
	if err != nil || user.BrokerID != h.People["maya"].BrokerID || user.Role != "assistant" ||
		string(user.WorksFor) != h.People["marcus"].OriginatorUUID || user.Reassigns {
		t.Errorf("got %+v, %v, want an assistant of maya's company who works for Marcus", user, err)
	}
}

// TestInvitation_OrganizationWithoutBrokers_ScopedToOrganization has originators who work for the organization
// directly.
func TestInvitation_OrganizationWithoutBrokers_ScopedToOrganization(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	ctx := t.Context()
	originator := heloc.Originator{ID: "0f0e0d0c-0000-4000-8000-0000000000b1", Email: "rhea@evergreen.test",
		FirstName: "Rhea", LastName: "Retail", Organization: "Evergreen Bank"}
	row := lead.Row{App: "0f0e0d0c-0000-4000-8000-0000000000b2", ShortID: "1-26325-777", Originator: originator.ID,
		Company: "org:Evergreen Bank", Organization: originator.Organization}
	h.Must(h.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveOriginator(ctx, originator, time.Now()); err != nil {
			return err
		}
		return tx.AddLead(ctx, &row, time.Now())
	}))
	admin := h.SignInAs("admin")
	form := admin.Get("/invite").Form("form#form-invite")
	admin.Get("/invite").WantText("Evergreen Bank (organization)", "Summit Home Lending")
	admin.Send(form.With("name", "Max Retail", "email", "max@evergreen.test", "role", "manager",
		"broker", "org:Evergreen Bank", "reason", "Runs the bank’s team"))
	h.ApproveRequest()
	admin.Get("/invite").WantText("Manager, Evergreen Bank")
	signIn := func(email string) *webtest.Browser {
		_, code := h.MailedCode(email)
		v := h.NewBrowser()
		v.Send(v.Send(v.Get("/activate").Form("form#code").With("token", code)).Form("form#set-up").With("password",
			webtest.NewPassword))
		return v
	}
	max := signIn("max@evergreen.test")
	max.Send(max.Get("/invite").Form("form#form-invite").With("name", "Ada Retail", "email", "ada@evergreen.test",
		"role", "assistant", "worksFor", "*")).WantText("Assistant, Evergreen Bank")
	ada := signIn("ada@evergreen.test")
	for who, v := range map[string]*webtest.Browser{"manager": max, "assistant": ada} {
		if got := v.Get("/leads?view=all"); !strings.Contains(got.Body, row.ShortID) {
			t.Errorf("the %s does not see the organization's lead: %d", who, got.Status)
		}
		if got := v.Get("/leads/" + string(row.App)); got.Status != http.StatusOK {
			t.Errorf("the %s opens it: got %d, want 200", who, got.Status)
		}
		v.Get("/originators").WantText("Rhea Retail")
	}
	if got := max.Get("/team/unassigned"); got.Status != http.StatusOK {
		t.Errorf("the manager's pages: got %d, want 200", got.Status)
	}
	for _, first := range []string{"maya", "ada", "piotr"} {
		if got := h.SignInAs(first).Get("/leads/" + string(row.App)); got.Status != http.StatusNotFound {
			t.Errorf("%s, of a broker company: got %d, want 404", first, got.Status)
		}
	}
	if got := max.Get("/leads?view=all"); strings.Contains(got.Body, "Olivia") {
		t.Error("the organization's manager sees a broker company's users")
	}
}

func TestInvitation_InviterClosedOrDemoted_Rejected(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(h *webtest.Harness){
		"closed": func(h *webtest.Harness) {
			h.SignInAs("admin").Post("/admin/users/user-maya/close", url.Values{"confirm.close": {"true"}})
		},
		"expired": func(h *webtest.Harness) {
			h.SignInAs("admin").Post("/admin/users/user-maya/role", url.Values{"role": {"assistant"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
			maya := h.SignInAs("maya")
			maya.Send(maya.Get("/invite").Form("form#form-invite").With("name", "Ada Two", "email", "ada2@summit.test",
				"role", "assistant"))
			_, code := h.MailedCode("ada2@summit.test")
			ada := h.NewBrowser()
			setUp := ada.Send(ada.Get("/activate").Form("form#code").With("token", code))
			leave(h)
			if in := ada.Send(setUp.Form("form#set-up").With("password",
				webtest.NewPassword)); in.Status != http.StatusUnprocessableEntity {
				t.Errorf("got %d at %s, want 422", in.Status, in.Path)
			}
			if _, _, err := h.Store.UserByEmail(t.Context(), "ada2@summit.test"); err == nil {
				t.Error("the account was created")
			}
		})
	}
}

func TestInvitation_DirectoryOriginator_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	email := unregisteredEmail(h)
	got := h.SignInAs("maya").Post("/invite", url.Values{"name": {"Newcomer"}, "email": {email}, "role": {"assistant"}})
	if got.Status != http.StatusUnprocessableEntity || got.Find("#email[aria-invalid]").Length() != 1 {
		t.Errorf("got %d: %s, want an error beside the email", got.Status, got.MainText())
	}
	got.WantText("who signs in under")
	v := h.NewBrowser()
	v.Send(v.Get("/activate").Form("form#ask").With("email", email))
	if _, code := h.MailedCode(email); code == "" {
		t.Error("the originator cannot sign in")
	}
}

func TestInvitation_InviteeBecameOriginator_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	maya := h.SignInAs("maya")
	maya.Send(maya.Get("/invite").Form("form#form-invite").With("name", "Ada Two", "email", "ada2@summit.test",
		"role", "assistant")).WantText("ada2@summit.test")
	_, code := h.MailedCode("ada2@summit.test")
	ada := h.NewBrowser()
	setUp := ada.Send(ada.Get("/activate").Form("form#code").With("token", code))
	h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SaveOriginator(t.Context(), heloc.Originator{ID: "0f0e0d0c-0000-4000-8000-0000000000ad",
			Email: "Ada2@Summit.test", FirstName: "Ada", LastName: "Two"}, time.Now())
	}))
	in := ada.Send(setUp.Form("form#set-up").With("password", webtest.NewPassword))
	if in.Status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d at %s, want 422", in.Status, in.Path)
	}
	in.WantText("Request your own link here")
	ada.Send(in.Form("form#ask").With("email", "ada2@summit.test"))
	if m := h.Mails("ada2@summit.test"); !strings.Contains(m[0].Subject, "Set up your") {
		t.Errorf("got %q, want the link of an originator", m[0].Subject)
	}
}

func TestOutbox_OutsideDemo_HasNoRoute(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	v := h.NewBrowser()
	v.Post("/reset", url.Values{"email": {h.People["olivia"].Email}})
	h.DeliverMail()
	page := v.Get("/outbox")
	page.WantText("Reset your Hearthline password", h.People["olivia"].Email)
	if href := page.Find(".outbox article a").AttrOr("href", ""); !strings.HasPrefix(href, "/reset#") {
		t.Errorf("the link leads to %q", href)
	}
	p := webtest.NewFakedServer(t, "http://localhost")
	if body := p.NewBrowser(t).Get("/login").Body.String(); strings.Contains(body, `href="/reset"`) ||
		strings.Contains(body, `href="/activate"`) {
		t.Error("a portal without mail offers links by mail")
	}
	for _, route := range p.Routes() {
		if route.Pattern == "/outbox" {
			t.Error("the outbox is available outside the demo")
		}
	}
}

func TestAdminReset_ReplacesSecondFactor(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	olivia, key, _ := h.Enroll("olivia", clock)
	admin, _, _ := h.Enroll("admin", clock)
	page := admin.Get("/admin/users/user-olivia")
	if got := admin.Send(page.Form(`form[action$="/reset"]`)); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("unconfirmed: got %d, want 422", got.Status)
	}
	admin.Send(page.Form(`form[action$="/reset"]`).With("confirm.reset", "true"))
	if got := olivia.Get("/leads"); got.Path != "/login" {
		t.Errorf("her session still works: %s", got.Path)
	}
	if got := admin.Post("/admin/users/user-admin/reset",
		url.Values{"confirm.reset": {"true"}}); got.Status != http.StatusForbidden {
		t.Errorf("own account: got %d, want 403", got.Status)
	}
	if got := h.NewBrowser().SubmitPassword("olivia"); got.Path != "/login/second-factor" {
		t.Errorf("until the link is used: got %s, want her current factor to remain valid", got.Path)
	}
	admin.Send(page.Form(`form[action$="/reset"]`).With("confirm.reset", "true", "shut", "true"))
	if got := h.NewBrowser().SubmitPassword("olivia"); got.Path != "/login" || got.Status == http.StatusOK {
		t.Errorf("locked: got %d at %s, want her password rejected", got.Status, got.Path)
	}
	h.WantAudited("user-admin user.shut user:user-olivia done")
	email := h.People["olivia"].Email
	_, code := h.MailedCode(email)
	v := h.NewBrowser()
	setUp := v.Send(v.Get("/activate").Form("form#code").With("token", code))
	clock.Advance(time.Minute)
	v.Send(setUp.Form("form#set-up").With("password", webtest.NewPassword,
		"code", webtest.TOTPCode(t, webtest.TOTPKey(setUp), clock.Now()))).WantText("Save your recovery codes")
	clock.Advance(time.Minute)
	again := h.NewBrowser()
	second := again.Send(again.Get("/login").Form("form#login").With("email", email, "password", webtest.NewPassword))
	if got := again.Send(second.Form("form#second").With("proof.code",
		webtest.TOTPCode(t, key, clock.Now()))); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("the previous authenticator app: got %d, want it rejected", got.Status)
	}
	if m := h.Mails(email); !strings.Contains(m[0].Text, "second factors were reset") {
		t.Errorf("no mail about it: %q", m[0].Text)
	}
}
