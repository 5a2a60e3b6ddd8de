package embed_test

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
	"hearthline/web/webtest"
)

// accessEndings are the ways in which a user's access to a frame can be revoked while the frame is open.
func accessEndings(a *webtest.CRM) map[string]func() {
	ctx, olivia := a.H.T.Context(), a.H.People["olivia"].UserID
	must := func(err error) {
		a.H.T.Helper()
		if err != nil {
			a.H.T.Fatal(err)
		}
	}
	return map[string]func(){
		"she ends her other sessions": func() {
			must(a.H.Store.Write(ctx, func(tx *store.Tx) error { _, err := tx.EndSessionsOf(ctx, olivia, ""); return err }))
		},
		"the approval is renewed": func() { must(a.H.EmbedService.Attest(ctx, access.Operator(), "acme", "Quinn again")) },
		"her sign-in is disconnected": func() {
			links, err := a.H.EmbedService.Links(ctx, olivia)
			must(err)
			for _, l := range links {
				must(a.H.EmbedService.Disconnect(ctx, access.Operator(), olivia, l.ID))
			}
		},
		"its page may no longer frame the desk": func() {
			must(a.H.EmbedService.Save(ctx, access.Operator(),
				embed.Setup{Key: "acme", Name: "CRM acme", BrokerID: a.H.People["olivia"].BrokerID, Kind: "jwt",
					Issuer: webtest.CRMOrigin, Origins: []string{"https://app.example"}}))
		},
		"the CRM is disabled": func() { must(a.H.EmbedService.Disable(ctx, access.Operator(), "acme")) },
	}
}

// TestEmbed_AccessEnded_401 checks what each kind of request from a frame gets after its access ended, and that an
// outsider cannot tell this from a launch that never existed.
func TestEmbed_AccessEnded_401(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	for name, end := range accessEndings(a) {
		restoreAccess(a)
		f := a.OpenFrame(webtest.LaunchFor("51"))
		if got := f.Get("/leads"); got.Status != http.StatusOK {
			t.Fatalf("%s, before: got %d", name, got.Status)
		}
		end()
		disabled, again := name == "the CRM is disabled", f.Base+"/"
		if disabled {
			again = ""
		}
		for path, got := range map[string]*webtest.Response{
			"/account/session": f.Browser.Do(f.Request(http.MethodHead, f.Base+"/account/session", nil,
				scriptHeaders("Cookie", f.Cookie))),
			"/notifications": f.Post(f.Base+"/notifications", nil, scriptHeaders("Cookie", f.Cookie)...),
		} {
			if got.Status != http.StatusUnauthorized || got.Header.Get("HX-Redirect") != again && path == "/account/session" {
				t.Errorf("%s, %s by script: got %d to %q, want 401 to %q",
					name, path, got.Status, got.Header.Get("HX-Redirect"), again)
			}
		}
		if got := f.Browser.Get(f.Base+"/events",
			webtest.FrameHeaders("Cookie", f.Cookie, "Accept", "text/event-stream")...); got.Status != http.StatusUnauthorized {
			t.Errorf("%s, the stream: got %d, want 401", name, got.Status)
		}
		page, made := f.Get("/leads"), h.NewBrowser().Get("/e/acme/0123456789abcdef0123456789abcdef/leads",
			webtest.FrameHeaders()...)
		want, ends := http.StatusUnauthorized, "0"
		if disabled {
			want, ends = http.StatusNotFound, ""
		}
		if page.Status != want || page.Find("[data-ends]").AttrOr("data-ends", "") != ends {
			t.Errorf("%s, the page: got %d, and the CRM is notified in %q ms: %s",
				name, page.Status, page.Find("[data-ends]").AttrOr("data-ends", ""), page.MainText())
		}
		outsider := h.NewBrowser().Get(f.Base+"/leads", webtest.FrameHeaders()...)
		if outsider.Status != made.Status || outsider.MainText() != made.MainText() && !disabled {
			t.Errorf("%s: an outsider can tell it from a launch that never existed: %d %s; %d %s",
				name, outsider.Status, outsider.MainText(), made.Status, made.MainText())
		}
	}
}

// TestEmbedPendingForm_SessionEnded_ResumedAtNextLaunch ends a frame in every way and posts a note from it in every
// way. The note is offered again when the same user opens the same record, unless their access was revoked for good.
func TestEmbedPendingForm_SessionEnded_ResumedAtNextLaunch(t *testing.T) {
	t.Parallel()
	clock := &webtest.Clock{At: time.Now()}
	h := webtest.New(t, webtest.Options{Now: clock.Now})
	a := webtest.NewCRM(t, h)
	lead := h.SignInAs("olivia").StartLead("Rivera")
	endings := accessEndings(a)
	const idle = "nothing is done for half an hour"
	endings[idle] = func() { clock.Advance(embed.Idle + time.Second) }
	senders := map[string]func(f *webtest.Frame, text string) *webtest.Response{
		"as a plain form": func(f *webtest.Frame, text string) *webtest.Response {
			return f.Send(webtest.Form{Action: f.Base + lead + "/note", Values: url.Values{"note": {text}}})
		},
		"by script": func(f *webtest.Frame, text string) *webtest.Response {
			return sendByScript(f, webtest.Form{Action: f.Base + lead + "/note",
				Values: url.Values{"note": {text}, "applicant.ssn": {"512-44-7193"}, "confirm.x": {"true"}}})
		},
		"when the page is cleared": func(f *webtest.Frame, text string) *webtest.Response {
			return sendByScript(f, webtest.Form{Action: f.Base + "/account/held",
				Values: url.Values{"held.address": {f.Base + lead + "/note"}, "note": {text}}})
		},
	}
	for ending, end := range endings {
		for by, sends := range senders {
			name, text := ending+", "+by, "A note: "+ending+", "+by
			restoreAccess(a)
			f := a.OpenFrame(webtest.LaunchFor("51"))
			end()
			late := sends(f, text)
			if ending == idle {
				clock.Advance(-embed.Idle - time.Second) // launches are signed with the real clock
			}
			forGood := ending == "her sign-in is disconnected" || ending == "the CRM is disabled"
			if saved := strings.Contains(late.Header.Get("HX-Redirect")+late.Body, "kept=true") ||
				strings.Contains(late.MainText(), "Your entries are saved"); saved == forGood {
				t.Errorf("%s: got %d to %q, %s; want it saved %v",
					name, late.Status, late.Header.Get("HX-Redirect"), late.MainText(), !forGood)
			}
			restoreAccess(a)
			if by == "as a plain form" { // each sign-in has a rate limit for launches
				if got := a.OpenFrame(webtest.LaunchFor("52")).Get("/"); strings.Contains(got.Body, text) {
					t.Errorf("%s: it is shown beside another record", name)
				}
			}
			next := a.OpenFrame(webtest.LaunchFor("51"))
			page := next.Get("/")
			if forGood {
				if strings.Contains(page.Body, text) {
					t.Errorf("%s: it is shown after the access was revoked for good", name)
				}
				continue
			}
			page.WantText("Continue where you left off", text)
			if strings.Contains(page.Body, "44-7193") || strings.Contains(page.Body, "447193") ||
				strings.Contains(page.Body, "confirm.x") {
				t.Errorf("%s: an SSN or a confirmation was saved", name)
			}
			if got := next.Get("/"); got.Path == next.Base+"/account/held" {
				t.Errorf("%s: it is offered beside the record again", name)
			}
			form := next.Get("/account/held").Form("form#resume-form")
			if got := next.Send(form.With("applicant.ssn", "")); got.Path != next.Base+lead {
				t.Errorf("%s: sending it led to %s (%d): %s", name, got.Path, got.Status, got.MainText())
			}
			next.Get(lead).WantText(text)
		}
	}
}

// restoreAccess restores the access of everybody in the company, and lists the CRM's page as an origin again.
func restoreAccess(a *webtest.CRM) {
	a.H.T.Helper()
	if err := a.H.EmbedService.Enable(a.H.T.Context(), access.Operator(), "acme"); err != nil {
		a.H.T.Fatal(err)
	}
	setup := embed.Setup{Key: "acme", Name: "CRM acme", BrokerID: a.H.People["olivia"].BrokerID, Kind: "jwt",
		Issuer: webtest.CRMOrigin, Origins: []string{webtest.CRMOrigin, "https://app.example"}}
	if err := a.H.EmbedService.Save(a.H.T.Context(), access.Operator(), setup); err != nil {
		a.H.T.Fatal(err)
	}
	a.Attest()
	links, err := a.H.EmbedService.Links(a.H.T.Context(), a.H.People["olivia"].UserID)
	if err != nil {
		a.H.T.Fatal(err)
	}
	if len(links) == 0 {
		connectDirectly(a, "olivia", webtest.LaunchFor("0"))
	}
}

// connectDirectly connects a CRM sign-in to a user without going through the pages.
func connectDirectly(a *webtest.CRM, first string, o samplecrm.LaunchClaims) {
	a.H.T.Helper()
	p, err := a.H.EmbedService.LaunchByPost(a.H.T.Context(), launch.KindToken, "acme", a.Token(o))
	if err == nil && !p.Connected() {
		err = a.H.EmbedService.Connect(a.H.T.Context(), a.H.People[first].Actor, p.VerifiedLaunch, p.MatchCode)
	}
	if err != nil {
		a.H.T.Fatal(err)
	}
}

// TestEmbedPendingForm_OtherUser_NotShown tries it as other users.
func TestEmbedPendingForm_OtherUser_NotShown(t *testing.T) {
	t.Parallel()
	clock := &webtest.Clock{At: time.Now()}
	h := webtest.New(t, webtest.Options{Now: clock.Now})
	a := webtest.NewCRM(t, h)
	restoreAccess(a)
	lead := h.SignInAs("olivia").StartLead("Rivera")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	note := func(text string) webtest.Form {
		return webtest.Form{Action: f.Base + lead + "/note", Values: url.Values{"note": {text}}}
	}
	clock.Advance(embed.Idle + time.Second)
	back := func() { clock.Advance(-embed.Idle - time.Second) }
	// Without her cookie, nobody can save a pending form for her.
	for name, other := range map[string]string{"no cookie": "", "only a token": strings.Split(f.Cookie, ".")[0],
		"another user's cookie": f.Cookie + "x"} {
		if got := (&webtest.Frame{Browser: h.NewBrowser(), Base: f.Base, Cookie: other}).
			Send(note("Planted by " + name)); got.Status != http.StatusUnauthorized ||
			strings.Contains(got.MainText(), "Your entries are saved") {
			t.Errorf("%s: got %d: %s", name, got.Status, got.MainText())
		}
	}
	back()
	if got := a.OpenFrame(webtest.LaunchFor("51")).Get("/"); strings.Contains(got.Body, "Planted") {
		t.Error("another user's text is pending for her")
	}
	clock.Advance(embed.Idle + time.Second)
	f.Send(note("The gate code is on the fence"))
	back()
	// A user vouched for only by the CRM sees none of it.
	h.Must(h.EmbedService.RevokeAttestation(t.Context(), access.Operator(), "acme"))
	alone := a.OpenFrame(webtest.LaunchFor("51"))
	for _, path := range []string{"/", "/account/held"} {
		if got := alone.Get(path); strings.Contains(got.Body, "gate code") {
			t.Errorf("%s shows it to a user who has not authenticated", path)
		}
	}
	a.Attest()
	his := webtest.LaunchFor("51")
	his.Subject, his.Email = "u-8", h.People["marcus"].Email
	connectDirectly(a, "marcus", his)
	if got := a.OpenFrame(his).Get("/"); strings.Contains(got.Body, "gate code") {
		t.Error("marcus can see what olivia typed")
	}
	a.OpenFrame(webtest.LaunchFor("51")).Get("/").WantText("Continue where you left off", "gate code")
}
