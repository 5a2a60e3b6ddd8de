package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/internal/launch"
	"hearthline/internal/samplecrm"
	"hearthline/internal/store"
)

// accessEndings are the ways in which a user's access to a frame can be revoked while the frame is open.
func (a *crmFixture) accessEndings() map[string]func() {
	ctx, olivia := a.h.t.Context(), a.h.people["olivia"].UserID
	must := func(err error) {
		a.h.t.Helper()
		if err != nil {
			a.h.t.Fatal(err)
		}
	}
	return map[string]func(){
		"she ends her other sessions": func() {
			must(a.h.store.Write(ctx, func(tx *store.Tx) error { _, err := tx.EndSessionsOf(ctx, olivia, ""); return err }))
		},
		"the approval is renewed": func() { must(a.h.embedService.Attest(ctx, access.Operator(), "acme", "Quinn again")) },
		"her sign-in is disconnected": func() {
			links, err := a.h.embedService.Links(ctx, olivia)
			must(err)
			for _, l := range links {
				must(a.h.embedService.Disconnect(ctx, access.Operator(), olivia, l.ID))
			}
		},
		"its page may no longer frame the desk": func() {
			must(a.h.embedService.Save(ctx, access.Operator(), embed.Setup{Key: "acme", Name: "CRM acme", BrokerID: a.h.people["olivia"].BrokerID, Kind: "jwt", Issuer: crmOrigin, Origins: []string{"https://app.example"}}))
		},
		"the CRM is disabled": func() { must(a.h.embedService.Disable(ctx, access.Operator(), "acme")) },
	}
}

// TestEmbed_AccessEnded_401 checks what each kind of request from a frame gets after its access ended, and that an
// outsider cannot tell this from a launch that never existed.
func TestEmbed_AccessEnded_401(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	for name, end := range a.accessEndings() {
		a.restoreAccess()
		f := a.openFrame(launchFor("51"))
		if got := f.get("/leads"); got.status != http.StatusOK {
			t.Fatalf("%s, before: got %d", name, got.status)
		}
		end()
		disabled, again := name == "the CRM is disabled", f.base+"/"
		if disabled {
			again = ""
		}
		for path, got := range map[string]*response{
			"/account/session": f.testBrowser.do(f.request(http.MethodHead, f.base+"/account/session", nil, scriptHeaders("Cookie", f.cookie))),
			"/notifications":   f.post(f.base+"/notifications", nil, scriptHeaders("Cookie", f.cookie)...),
		} {
			if got.status != http.StatusUnauthorized || got.header.Get("HX-Redirect") != again && path == "/account/session" {
				t.Errorf("%s, %s by script: got %d to %q, want 401 to %q", name, path, got.status, got.header.Get("HX-Redirect"), again)
			}
		}
		if got := f.testBrowser.get(f.base+"/events", frameHeaders("Cookie", f.cookie, "Accept", "text/event-stream")...); got.status != http.StatusUnauthorized {
			t.Errorf("%s, the stream: got %d, want 401", name, got.status)
		}
		page, made := f.get("/leads"), h.newBrowser().get("/e/acme/0123456789abcdef0123456789abcdef/leads", frameHeaders()...)
		want, ends := http.StatusUnauthorized, "0"
		if disabled {
			want, ends = http.StatusNotFound, ""
		}
		if page.status != want || page.Find("[data-ends]").AttrOr("data-ends", "") != ends {
			t.Errorf("%s, the page: got %d, and the CRM is notified in %q ms: %s", name, page.status, page.Find("[data-ends]").AttrOr("data-ends", ""), page.text())
		}
		outsider := h.newBrowser().get(f.base+"/leads", frameHeaders()...)
		if outsider.status != made.status || outsider.text() != made.text() && !disabled {
			t.Errorf("%s: an outsider can tell it from a launch that never existed: %d %s; %d %s", name, outsider.status, outsider.text(), made.status, made.text())
		}
	}
}

// TestEmbedPendingForm_SessionEnded_ResumedAtNextLaunch ends a frame in every way and posts a note from it in every
// way. The note is offered again when the same user opens the same record, unless their access was revoked for good.
func TestEmbedPendingForm_SessionEnded_ResumedAtNextLaunch(t *testing.T) {
	t.Parallel()
	clock := &testClock{at: time.Now()}
	h := newHarness(t, harnessOptions{now: clock.now})
	a := newCRMFixture(t, h)
	lead := h.signInAs("olivia").startLead("Rivera")
	endings := a.accessEndings()
	const idle = "nothing is done for half an hour"
	endings[idle] = func() { clock.advance(embed.Idle + time.Second) }
	senders := map[string]func(f *embedFrame, text string) *response{
		"as a plain form": func(f *embedFrame, text string) *response {
			return f.send(postedForm{f.base + lead + "/note", url.Values{"note": {text}}})
		},
		"by script": func(f *embedFrame, text string) *response {
			return f.sendByScript(postedForm{f.base + lead + "/note", url.Values{"note": {text}, "applicant.ssn": {"512-44-7193"}, "confirm.x": {"true"}}})
		},
		"when the page is cleared": func(f *embedFrame, text string) *response {
			return f.sendByScript(postedForm{f.base + "/account/held", url.Values{"held.address": {f.base + lead + "/note"}, "note": {text}}})
		},
	}
	for ending, end := range endings {
		for by, sends := range senders {
			name, text := ending+", "+by, "A note: "+ending+", "+by
			a.restoreAccess()
			f := a.openFrame(launchFor("51"))
			end()
			late := sends(f, text)
			if ending == idle {
				clock.advance(-embed.Idle - time.Second) // launches are signed with the real clock
			}
			forGood := ending == "her sign-in is disconnected" || ending == "the CRM is disabled"
			if saved := strings.Contains(late.header.Get("HX-Redirect")+late.body, "kept=true") || strings.Contains(late.text(), "Your entries are saved"); saved == forGood {
				t.Errorf("%s: got %d to %q, %s; want it saved %v", name, late.status, late.header.Get("HX-Redirect"), late.text(), !forGood)
			}
			a.restoreAccess()
			if by == "as a plain form" { // each sign-in has a rate limit for launches
				if got := a.openFrame(launchFor("52")).get("/"); strings.Contains(got.body, text) {
					t.Errorf("%s: it is shown beside another record", name)
				}
			}
			next := a.openFrame(launchFor("51"))
			page := next.get("/")
			if forGood {
				if strings.Contains(page.body, text) {
					t.Errorf("%s: it is shown after the access was revoked for good", name)
				}
				continue
			}
			page.wantText("Continue where you left off", text)
			if strings.Contains(page.body, "7193") || strings.Contains(page.body, "confirm.x") {
				t.Errorf("%s: an SSN or a confirmation was saved", name)
			}
			if got := next.get("/"); got.path == next.base+"/account/held" {
				t.Errorf("%s: it is offered beside the record again", name)
			}
			form := next.get("/account/held").form("form#resume-form")
			if got := next.send(form.with("applicant.ssn", "")); got.path != next.base+lead {
				t.Errorf("%s: sending it led to %s (%d): %s", name, got.path, got.status, got.text())
			}
			next.get(lead).wantText(text)
		}
	}
}

// restoreAccess restores the access of everybody in the company, and lists the CRM's page as an origin again.
func (a *crmFixture) restoreAccess() {
	a.h.t.Helper()
	if err := a.h.embedService.Enable(a.h.t.Context(), access.Operator(), "acme"); err != nil {
		a.h.t.Fatal(err)
	}
	setup := embed.Setup{Key: "acme", Name: "CRM acme", BrokerID: a.h.people["olivia"].BrokerID, Kind: "jwt", Issuer: crmOrigin, Origins: []string{crmOrigin, "https://app.example"}}
	if err := a.h.embedService.Save(a.h.t.Context(), access.Operator(), setup); err != nil {
		a.h.t.Fatal(err)
	}
	a.attest()
	links, err := a.h.embedService.Links(a.h.t.Context(), a.h.people["olivia"].UserID)
	if err != nil {
		a.h.t.Fatal(err)
	}
	if len(links) == 0 {
		a.connectDirectly("olivia", launchFor("0"))
	}
}

// connectDirectly connects a CRM sign-in to a user without going through the pages.
func (a *crmFixture) connectDirectly(first string, o samplecrm.LaunchClaims) {
	a.h.t.Helper()
	p, err := a.h.embedService.LaunchByPost(a.h.t.Context(), launch.KindToken, "acme", a.token(o))
	if err == nil && !p.Connected() {
		err = a.h.embedService.Connect(a.h.t.Context(), a.h.people[first].Actor, p.VerifiedLaunch, p.MatchCode)
	}
	if err != nil {
		a.h.t.Fatal(err)
	}
}

// TestEmbedPendingForm_OtherUser_NotShown tries it as other users.
func TestEmbedPendingForm_OtherUser_NotShown(t *testing.T) {
	t.Parallel()
	clock := &testClock{at: time.Now()}
	h := newHarness(t, harnessOptions{now: clock.now})
	a := newCRMFixture(t, h)
	a.restoreAccess()
	lead := h.signInAs("olivia").startLead("Rivera")
	f := a.openFrame(launchFor("51"))
	note := func(text string) postedForm {
		return postedForm{f.base + lead + "/note", url.Values{"note": {text}}}
	}
	clock.advance(embed.Idle + time.Second)
	back := func() { clock.advance(-embed.Idle - time.Second) }
	// Without her cookie, nobody can save a pending form for her.
	for name, other := range map[string]string{"no cookie": "", "only a token": strings.Split(f.cookie, ".")[0], "another user's cookie": f.cookie + "x"} {
		if got := (&embedFrame{testBrowser: h.newBrowser(), base: f.base, cookie: other}).send(note("Planted by " + name)); got.status != http.StatusUnauthorized || strings.Contains(got.text(), "Your entries are saved") {
			t.Errorf("%s: got %d: %s", name, got.status, got.text())
		}
	}
	back()
	if got := a.openFrame(launchFor("51")).get("/"); strings.Contains(got.body, "Planted") {
		t.Error("another user's text is pending for her")
	}
	clock.advance(embed.Idle + time.Second)
	f.send(note("The gate code is on the fence"))
	back()
	// A user vouched for only by the CRM sees none of it.
	h.must(h.embedService.RevokeAttestation(t.Context(), access.Operator(), "acme"))
	alone := a.openFrame(launchFor("51"))
	for _, path := range []string{"/", "/account/held"} {
		if got := alone.get(path); strings.Contains(got.body, "gate code") {
			t.Errorf("%s shows it to a user who has not authenticated", path)
		}
	}
	a.attest()
	his := launchFor("51")
	his.Subject, his.Email = "u-8", h.people["marcus"].Email
	a.connectDirectly("marcus", his)
	if got := a.openFrame(his).get("/"); strings.Contains(got.body, "gate code") {
		t.Error("marcus can see what olivia typed")
	}
	a.openFrame(launchFor("51")).get("/").wantText("Continue where you left off", "gate code")
}
