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
	"hearthline/internal/store"
)

// deliver does what waits in the outbox, as the background does.
func (h *house) deliver() {
	h.t.Helper()
	for more := true; more; {
		var err error
		if more, err = h.known.Deliver(h.t.Context()); err != nil {
			h.t.Fatal(err)
		}
	}
}

// mails are the letters to an address, the newest first.
func (h *house) mails(to string) []account.Posted {
	h.t.Helper()
	h.deliver()
	all, err := h.known.Outbox(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	var own []account.Posted
	for _, m := range all {
		if m.To == to {
			own = append(own, m)
		}
	}
	return own
}

var linkInMail = regexp.MustCompile(`http://localhost(/[a-z]+)#([\w-]{43})`)

// code is the page and the code of the newest link in a person's mail.
func (h *house) code(to string) (page, code string) {
	h.t.Helper()
	for _, m := range h.mails(to) {
		if found := linkInMail.FindStringSubmatch(m.Text); found != nil {
			return found[1], found[2]
		}
	}
	h.t.Fatalf("no link was mailed to %s", to)
	return "", ""
}

// anyNewcomer finds an originator of the sandbox's directory who has no account.
func (h *house) anyNewcomer() string {
	h.t.Helper()
	for _, o := range h.box.Originators() {
		if o.Broker != nil && !strings.HasPrefix(o.Email, "olivia") && !strings.HasPrefix(o.Email, "marcus") && !strings.HasPrefix(o.Email, "maya") && !strings.HasPrefix(o.Email, "piotr") {
			return strings.ToLower(o.Email)
		}
	}
	h.t.Fatal("the directory has nobody else")
	return ""
}

const goodPassword = "kettle-lantern-orchard"

func TestAnOriginatorOfTheDirectoryComesIn(t *testing.T) {
	h, clock := strict(t)
	email := h.anyNewcomer()
	v := h.stranger()
	v.send(v.get("/activate").form("form#ask").with("email", strings.ToUpper(email))).says("Look at your mail", "If we know the address")
	page, code := h.code(email)
	if page != "/activate" {
		t.Fatalf("the link leads to %s", page)
	}
	setUp := v.send(v.get("/activate").form("form#code").with("token", code))
	setUp.says("Welcome", email)
	short := v.send(setUp.form("form#set-up").with("password", "short", "code", codeOf(t, keyOf(setUp), clock.now())))
	if short.status != http.StatusUnprocessableEntity || short.Find(`#password[aria-invalid]`).Length() != 1 {
		t.Fatalf("a short password: got %d", short.status)
	}
	without := v.send(short.form("form#set-up").with("password", goodPassword, "code", ""))
	if without.status != http.StatusUnprocessableEntity {
		t.Fatalf("without a second factor: got %d, want 422", without.status)
	}
	codes := v.send(without.form("form#set-up").with("password", goodPassword, "zone", "America/Chicago", "code", codeOf(t, keyOf(without), clock.now())))
	codes.says("Keep these recovery codes")
	if user, _, err := h.store.UserByEmail(t.Context(), email); err != nil || user.TimeZone != "America/Chicago" {
		t.Errorf("got zone %q, %v, want the browser's", user.TimeZone, err)
	}
	if got := v.get("/leads"); got.status != http.StatusOK || got.path != "/leads" {
		t.Errorf("got %d at %s, want the pipeline", got.status, got.path)
	}
	again := h.stranger()
	if got := again.send(again.get("/activate").form("form#code").with("token", code)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the link once more: got %d, want 422", got.status)
	}
	again.send(again.get("/activate").form("form#ask").with("email", email))
	if m := h.mails(email); !strings.Contains(m[0].Text, "have an account already") {
		t.Errorf("asked once more: got %q", m[0].Text)
	}
}

func TestTheAnswerTellsNothingAboutAnAddress(t *testing.T) {
	h, _ := strict(t)
	answers := map[string]string{}
	for _, email := range []string{h.anyNewcomer(), h.people["olivia"].Email, "nobody@nowhere.test", "", "not an address"} {
		for _, page := range []string{"/activate", "/reset"} {
			v := h.stranger()
			got := v.post(page, url.Values{"email": {email}})
			text := got.header.Get("Content-Type") + got.Find("main").Text()
			if before, known := answers[page]; known && before != text || got.status != http.StatusOK {
				t.Errorf("%s for %q: got %d, %q, want what everybody reads", page, email, got.status, text)
			}
			answers[page] = text
		}
	}
	h.deliver()
	all, err := h.known.Outbox(t.Context())
	if err != nil || len(all) != 3 { // a first visit, and two for olivia
		t.Errorf("got %d mails, %v, want three", len(all), err)
	}
}

func TestNobodyElseActivates(t *testing.T) {
	h, _ := strict(t)
	for _, email := range []string{h.people["admin"].Email, "stranger@evil.test"} {
		v := h.stranger()
		v.post("/activate", url.Values{"email": {email}})
		for _, m := range h.mails(email) {
			if linkInMail.MatchString(m.Text) {
				t.Errorf("%s was sent a link", email)
			}
		}
	}
	v := h.stranger()
	for _, code := range []string{"", "x", strings.Repeat("A", 43), strings.Repeat("y", 5000)} {
		if got := v.post("/activate", url.Values{"token": {code}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("the code %.10q: got %d, want 422", code, got.status)
		}
	}
	if got := v.post("/activate", url.Values{"password": {goodPassword}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("without any code: got %d, want 422", got.status)
	}
}

func TestAResetKeepsTheSecondFactor(t *testing.T) {
	h, clock := strict(t)
	olivia, key, _ := h.enrol("olivia", clock)
	email := h.people["olivia"].Email
	v := h.stranger()
	v.post("/reset", url.Values{"email": {email}})
	page, code := h.code(email)
	if page != "/reset" {
		t.Fatalf("the link leads to %s", page)
	}
	if got := v.send(v.get("/reset").form("form#code").with("token", code)); got.Find("[data-passkey]").Length() != 0 || keyOf(got) != "" {
		t.Error("a reset offers another second factor")
	}
	done := v.send(v.get("/reset").form("form#set-up").with("password", goodPassword))
	if done.path != "/login" {
		t.Fatalf("got %d at %s, want to sign in", done.status, done.path)
	}
	done.says("Your password is changed")
	if got := olivia.get("/leads"); got.path != "/login" {
		t.Errorf("a session outlives the reset: %s", got.path)
	}
	clock.by(time.Minute)
	second := v.send(v.get("/login").form("form#login").with("email", email, "password", goodPassword))
	if second.path != "/login/second-factor" || keyOf(second) != "" {
		t.Fatalf("got %s, want the second factor asked for", second.path)
	}
	if got := v.send(second.form("form#second").with("proof.code", codeOf(t, key, clock.now()))); got.path != "/leads" {
		t.Errorf("got %d at %s", got.status, got.path)
	}
	if m := h.mails(email); !strings.Contains(m[0].Text, "Your password was reset") {
		t.Errorf("no notice of the reset: %q", m[0].Text)
	}
}

func TestALinkEndsWithItsTime(t *testing.T) {
	h, clock := strict(t)
	email := h.people["olivia"].Email
	v := h.stranger()
	v.post("/reset", url.Values{"email": {email}})
	_, first := h.code(email)
	clock.by(time.Minute)
	v.post("/reset", url.Values{"email": {email}})
	_, second := h.code(email)
	if got := v.post("/reset", url.Values{"token": {first}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a link before the last one: got %d, want 422", got.status)
	}
	clock.by(31 * time.Minute)
	if got := v.post("/reset", url.Values{"token": {second}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a link of half an hour ago: got %d, want 422", got.status)
	}
}

func TestALinkWorksOnceEvenInTwoBrowsers(t *testing.T) {
	h, _ := strict(t)
	email := h.people["olivia"].Email
	one, two := h.stranger(), h.stranger()
	one.post("/reset", url.Values{"email": {email}})
	_, code := h.code(email)
	one.post("/reset", url.Values{"token": {code}})
	two.post("/reset", url.Values{"token": {code}})
	late := two.get("/reset").form("form#set-up").with("password", "another lantern in the orchard")
	if got := one.send(one.get("/reset").form("form#set-up").with("password", goodPassword)); got.path != "/login" {
		t.Fatalf("the first: got %d at %s", got.status, got.path)
	}
	if got := two.send(late); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the second: got %d at %s, want 422", got.status, got.path)
	}
}

func TestInvitationsStayWithinTheCompany(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	maya, admin := h.visit("maya"), h.visit("admin")
	maya.send(maya.get("/invite").form("form#form-invite").with("name", "Ada Two", "email", "Ada2@Summit.test", "role", "assistant")).says("ada2@summit.test")
	for _, role := range []string{"manager", "admin", "originator"} {
		if got := maya.post("/invite", url.Values{"name": {"X"}, "email": {"x@summit.test"}, "role": {role}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("a manager invites a %s: got %d, want 422", role, got.status)
		}
	}
	if got := admin.post("/invite", url.Values{"name": {"X"}, "email": {"x@summit.test"}, "role": {"originator"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("an originator is invited past the directory: got %d, want 422", got.status)
	}
	if got := admin.post("/invite", url.Values{"name": {"X"}, "email": {h.people["olivia"].Email}, "role": {"admin"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("somebody with an account: got %d, want 422", got.status)
	}
	if got := h.visit("olivia").get("/invite"); got.status != http.StatusForbidden {
		t.Errorf("an originator: got %d, want 403", got.status)
	}
	lakeside := h.people["piotr"].BrokerID
	admin.send(admin.get("/invite").form("form#form-invite").with("name", "Lars Lake", "email", "lars@lakeside.test", "role", "manager", "broker", lakeside)).says("lars@lakeside.test", "ada2@summit.test")
	page := maya.get("/invite")
	if strings.Contains(page.body, "lars@lakeside.test") {
		t.Error("a manager sees the invitation of another company")
	}
	id := admin.get("/invite").Find(`form[action$="/revoke"]`).First().AttrOr("action", "")
	if got := maya.post(id, nil); got.status != http.StatusNotFound {
		t.Errorf("a manager takes back another company's: got %d, want 404", got.status)
	}

	_, code := h.code("ada2@summit.test")
	ada := h.stranger()
	setUp := ada.send(ada.get("/activate").form("form#code").with("token", code))
	setUp.says("Welcome, Ada Two", "Assistant")
	in := ada.send(setUp.form("form#set-up").with("password", goodPassword))
	if in.path != "/leads" {
		t.Fatalf("got %d at %s: %s", in.status, in.path, in.text())
	}
	user, _, err := h.store.UserByEmail(t.Context(), "ada2@summit.test")
	if err != nil || user.BrokerID != h.people["maya"].BrokerID || user.Role != "assistant" {
		t.Errorf("got %+v, %v, want an assistant of maya's company", user, err)
	}
}

// TestAnOrganizationWithoutBrokerCompanies has originators who work for it directly.
func TestAnOrganizationWithoutBrokerCompanies(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	ctx := t.Context()
	rhea := heloc.Originator{ID: "0f0e0d0c-0000-4000-8000-0000000000b1", Email: "rhea@evergreen.test", FirstName: "Rhea", LastName: "Retail", Organization: "Evergreen Bank"}
	lead := store.Lead{App: "0f0e0d0c-0000-4000-8000-0000000000b2", ShortID: "1-26325-777", Originator: rhea.ID, Organization: rhea.Organization}
	h.must(h.store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SaveOriginator(ctx, rhea, time.Now()); err != nil {
			return err
		}
		return tx.AddLead(ctx, &lead, time.Now())
	}))
	admin := h.visit("admin")
	form := admin.get("/invite").form("form#form-invite")
	admin.get("/invite").says("Evergreen Bank (the organization itself)", "Summit Home Lending")
	admin.send(form.with("name", "Max Retail", "email", "max@evergreen.test", "role", "manager", "broker", "org:Evergreen Bank")).says("Manager, Evergreen Bank")
	comesIn := func(email string) *visitor {
		_, code := h.code(email)
		v := h.stranger()
		v.send(v.send(v.get("/activate").form("form#code").with("token", code)).form("form#set-up").with("password", goodPassword))
		return v
	}
	max := comesIn("max@evergreen.test")
	max.send(max.get("/invite").form("form#form-invite").with("name", "Ada Retail", "email", "ada@evergreen.test", "role", "assistant")).says("Assistant, Evergreen Bank")
	ada := comesIn("ada@evergreen.test")
	for who, v := range map[string]*visitor{"manager": max, "assistant": ada} {
		if got := v.get("/leads?view=all"); !strings.Contains(got.body, lead.ShortID) {
			t.Errorf("the %s does not see the organization's lead: %d", who, got.status)
		}
		if got := v.get("/leads/" + string(lead.App)); got.status != http.StatusOK {
			t.Errorf("the %s opens it: got %d, want 200", who, got.status)
		}
		v.get("/originators").says("Rhea Retail")
	}
	if got := max.get("/team/unassigned"); got.status != http.StatusOK {
		t.Errorf("the manager's desk: got %d, want 200", got.status)
	}
	for _, first := range []string{"maya", "ada", "piotr"} {
		if got := h.visit(first).get("/leads/" + string(lead.App)); got.status != http.StatusNotFound {
			t.Errorf("%s, of a broker company: got %d, want 404", first, got.status)
		}
	}
	if got := max.get("/leads?view=all"); strings.Contains(got.body, "Olivia") {
		t.Error("the organization's manager sees a broker company's people")
	}
}

func TestAnInvitationGoesWithWhoSentIt(t *testing.T) {
	for name, leave := range map[string]func(h *house){
		"closed": func(h *house) {
			h.visit("admin").post("/admin/users/user-maya/close", url.Values{"confirm.close": {"true"}})
		},
		"no longer": func(h *house) {
			h.visit("admin").post("/admin/users/user-maya/role", url.Values{"role": {"assistant"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, furnished{still: true, idle: true})
			maya := h.visit("maya")
			maya.send(maya.get("/invite").form("form#form-invite").with("name", "Ada Two", "email", "ada2@summit.test", "role", "assistant"))
			_, code := h.code("ada2@summit.test")
			ada := h.stranger()
			setUp := ada.send(ada.get("/activate").form("form#code").with("token", code))
			leave(h)
			if in := ada.send(setUp.form("form#set-up").with("password", goodPassword)); in.status != http.StatusUnprocessableEntity {
				t.Errorf("got %d at %s, want 422", in.status, in.path)
			}
			if _, _, err := h.store.UserByEmail(t.Context(), "ada2@summit.test"); err == nil {
				t.Error("the account stands")
			}
		})
	}
}

func TestNobodyInvitesAnOriginatorAsSomethingElse(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	email := h.anyNewcomer()
	got := h.visit("maya").post("/invite", url.Values{"name": {"Newcomer"}, "email": {email}, "role": {"assistant"}})
	if got.status != http.StatusUnprocessableEntity || got.Find("#email[aria-invalid]").Length() != 1 {
		t.Errorf("got %d: %s, want a complaint beside the e-mail", got.status, got.text())
	}
	got.says("They come in by themselves")
	v := h.stranger()
	v.send(v.get("/activate").form("form#ask").with("email", email))
	if _, code := h.code(email); code == "" {
		t.Error("the originator cannot come in")
	}
}

func TestWhoHasBecomeAnOriginatorComesInAsOne(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	maya := h.visit("maya")
	maya.send(maya.get("/invite").form("form#form-invite").with("name", "Ada Two", "email", "ada2@summit.test", "role", "assistant")).says("ada2@summit.test")
	_, code := h.code("ada2@summit.test")
	ada := h.stranger()
	setUp := ada.send(ada.get("/activate").form("form#code").with("token", code))
	h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.SaveOriginator(t.Context(), heloc.Originator{ID: "0f0e0d0c-0000-4000-8000-0000000000ad", Email: "Ada2@Summit.test", FirstName: "Ada", LastName: "Two"}, time.Now())
	}))
	in := ada.send(setUp.form("form#set-up").with("password", goodPassword))
	if in.status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d at %s, want 422", in.status, in.path)
	}
	in.says("Ask for your own link here")
	ada.send(in.form("form#ask").with("email", "ada2@summit.test"))
	if m := h.mails("ada2@summit.test"); !strings.Contains(m[0].Subject, "first visit") {
		t.Errorf("got %q, want the link of an originator", m[0].Subject)
	}
}

func TestTheOutboxIsTheDemosAlone(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	v := h.stranger()
	v.post("/reset", url.Values{"email": {h.people["olivia"].Email}})
	h.deliver()
	page := v.get("/outbox")
	page.says("Another password for Hearthline", h.people["olivia"].Email)
	if href := page.Find(".outbox article a").AttrOr("href", ""); !strings.HasPrefix(href, "/reset#") {
		t.Errorf("the link leads to %q", href)
	}
	p := newPortal(t, "http://localhost")
	if body := p.browser(t).get("/login").Body.String(); strings.Contains(body, `href="/reset"`) || strings.Contains(body, `href="/activate"`) {
		t.Error("a portal without mail offers links by mail")
	}
	for _, route := range p.routes() {
		if route.Pattern == "/outbox" {
			t.Error("the outbox stands open outside the demo")
		}
	}
}

func TestAnAdministratorLetsSomebodyBeginAnew(t *testing.T) {
	h, clock := strict(t)
	olivia, key, _ := h.enrol("olivia", clock)
	admin, _, _ := h.enrol("admin", clock)
	page := admin.get("/admin/users/user-olivia")
	if got := admin.send(page.form(`form[action$="/reset"]`)); got.status != http.StatusUnprocessableEntity {
		t.Errorf("unconfirmed: got %d, want 422", got.status)
	}
	admin.send(page.form(`form[action$="/reset"]`).with("confirm.reset", "true"))
	if got := olivia.get("/leads"); got.path != "/login" {
		t.Errorf("her session goes on: %s", got.path)
	}
	if got := admin.post("/admin/users/user-admin/reset", url.Values{"confirm.reset": {"true"}}); got.status != http.StatusForbidden {
		t.Errorf("one's own: got %d, want 403", got.status)
	}
	if got := h.stranger().password("olivia"); got.path != "/login/second-factor" {
		t.Errorf("until the link is used: got %s, want what she had to stay", got.path)
	}
	admin.send(page.form(`form[action$="/reset"]`).with("confirm.reset", "true", "shut", "true"))
	if got := h.stranger().password("olivia"); got.path != "/login" || got.status == http.StatusOK {
		t.Errorf("shut: got %d at %s, want her password refused", got.status, got.path)
	}
	h.wroteDown("user-admin user.shut user:user-olivia done")
	email := h.people["olivia"].Email
	_, code := h.code(email)
	v := h.stranger()
	setUp := v.send(v.get("/activate").form("form#code").with("token", code))
	clock.by(time.Minute)
	v.send(setUp.form("form#set-up").with("password", goodPassword, "code", codeOf(t, keyOf(setUp), clock.now()))).says("Keep these recovery codes")
	clock.by(time.Minute)
	again := h.stranger()
	second := again.send(again.get("/login").form("form#login").with("email", email, "password", goodPassword))
	if got := again.send(second.form("form#second").with("proof.code", codeOf(t, key, clock.now()))); got.status != http.StatusUnprocessableEntity {
		t.Errorf("the app of before: got %d, want it worthless", got.status)
	}
	if m := h.mails(email); !strings.Contains(m[0].Text, "set up anew") {
		t.Errorf("no notice: %q", m[0].Text)
	}
}
