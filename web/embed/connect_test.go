package embed_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/embed"
	"hearthline/web/webtest"
)

func TestConnectCRM_NotifiedAndEndedByReset(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	email := h.People["olivia"].Email
	if m := h.Mails(email); len(m) == 0 || !strings.Contains(m[0].Text, "A sign-in from CRM acme was connected") {
		t.Errorf("no mail about it: %+v", m)
	}
	if _, err := h.AccountService.ResetAccount(t.Context(), access.Operator(), email, false); err != nil {
		t.Fatal(err)
	}
	_, code := h.MailedCode(email)
	v := h.NewBrowser()
	setUp := v.Send(v.Get("/activate").Form("form#code").With("token", code))
	if in := v.Send(setUp.Form("form#set-up").With("password", webtest.NewPassword)); in.Path != "/leads" {
		t.Fatalf("got %d at %s: %s", in.Status, in.Path, in.MainText())
	}
	if page := a.PostLaunch(h.NewBrowser(), webtest.LaunchFor("51")); !strings.Contains(page.MainText(),
		"isn’t connected to a Hearthline account") {
		t.Errorf("the previous CRM sign-in still works: %s", page.MainText())
	}
}

func TestConnectCRM_OtherCompany_403(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	outside, _ := webtest.NewCRM(t, h).PostLaunch(h.NewBrowser(), webtest.LaunchFor("51")).Find(`a[target="_blank"]`).
		Attr("href")
	piotr := h.SignInAs("piotr")
	got := piotr.Get(outside)
	if got.Status != http.StatusForbidden || strings.Contains(got.Body, "olivia@summit.test") {
		t.Errorf("got %d: %s", got.Status, got.MainText())
	}
	signIn := piotr.Send(got.Form("#oops form"))
	back := piotr.Send(signIn.Form("form#login").With("email", h.People["olivia"].Email, "password", "right"))
	if back.Path != outside {
		t.Errorf("as another user: got %d at %s, want %s", back.Status, back.Path, outside)
	}
}

func TestConnectCRM_FirstLaunch_OutsideFrame(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	v := h.NewBrowser()
	page := a.PostLaunch(v, webtest.LaunchFor("51"))
	page.WantText("isn’t connected to a Hearthline account yet")
	if got := (&webtest.Frame{Browser: v}).Send(page.Form("#continue")); got.Status != http.StatusUnprocessableEntity ||
		len(got.Header.Values("Set-Cookie")) > 0 {
		t.Errorf("before: got %d with %v", got.Status, got.Header.Values("Set-Cookie"))
	}
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	if got := h.NewBrowser().Get(outside); got.Path != "/login" {
		t.Errorf("an unknown user outside: got %s, want the sign-in page", got.Path)
	}
	olivia := h.SignInAs("olivia")
	asked := olivia.Get(outside)
	asked.WantText("Olivia B., olivia@summit.test", "CRM acme", "olivia@summit.test")
	if got := asked.Header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors 'none';") {
		t.Errorf("the page outside may be framed: %q", got)
	}
	wrong := asked.Form("#connecting")
	wrong.Values.Set("match", "XXXXX")
	if got := olivia.Send(wrong); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong match code: got %d", got.Status)
	}
	right := asked.Form("#connecting")
	right.Values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	olivia.Send(right).WantText("continue in CRM acme")
	// The pending launch continues now, because she has just authenticated.
	if got := a.ContinueLaunch(v, page).Get("/"); !strings.HasSuffix(got.Path, "/leads/new") {
		t.Errorf("the first launch led to %s", got.Path)
	}
	a.OpenFrame(webtest.LaunchFor("51")).Get("/").WantText("No lead is linked to this record yet",
		"Confirm it’s you")
	if got := h.SignInAs("piotr").Get(outside); got.Status != http.StatusForbidden {
		t.Errorf("a user of another company: got %d", got.Status)
	}
}

func TestEmbed_VouchedByCRM_MasksPII(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	app := h.SignInAs("olivia").StartLead("Rivera")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	list := f.Get("/leads?view=all")
	if body := list.Body; strings.Contains(body, "Rivera") || strings.Contains(body, "Elena") ||
		!strings.Contains(body, "R•••") {
		t.Errorf("the list is not masked: %s", list.MainText())
	}
	if rows := f.Get("/leads?view=all&q=nobody").Find("table.leads tbody tr").Length(); rows != 1 {
		t.Errorf("a search distinguishes names: %d rows", rows)
	}
	for _, path := range []string{app, "/leads/new", "/drafts", app + "/documents.zip"} {
		if got := f.Get(path); got.Path != f.Base+"/" || strings.Contains(got.Body, "Rivera") {
			t.Errorf("%s led to %s (%d)", path, got.Path, got.Status)
		}
	}
	// The same user steps up outside, in a separate window; nobody else can.
	outside, _ := f.Get("/").Find(`a[target="_blank"].pri`).Attr("href")
	if got := h.SignInAs("marcus").Get(outside); got.Status != http.StatusForbidden {
		t.Errorf("another user: got %d", got.Status)
	}
	poll := webtest.Form{Action: f.Base + "/confirmed"}
	if got := f.Send(poll, "HX-Request", "true", "Sec-Fetch-Mode", "same-origin",
		"Sec-Fetch-Dest", "empty"); got.Status != http.StatusNoContent || got.Header.Get("Set-Cookie") != "" {
		t.Errorf("before: got %d", got.Status)
	}
	olivia := h.SignInAs("olivia")
	code := strings.TrimSpace(f.Get("/").Find(".letters").Text())
	asked := olivia.Get(outside)
	if code == "" || strings.Contains(asked.MainText(), code) || strings.Contains(asked.Body, `value="`+code) {
		t.Errorf("the page outside shows the match code %q itself", code)
	}
	wrong := asked.Form("#connecting")
	wrong.Values.Set("match", "XXXXX")
	refused := olivia.Send(wrong)
	if got := refused.Form("#connecting").Values.Get("match"); refused.Status != http.StatusUnprocessableEntity ||
		got != "XXXXX" {
		t.Errorf("a wrong match code: got %d with %q, want the form with its values", refused.Status, got)
	}
	who := h.People["olivia"].UserID
	h.WantAudited(who + " embed.mismatch user:" + who + " refused")
	right := asked.Form("#connecting")
	right.Values.Set("match", " "+strings.ToLower(code))
	olivia.Send(right).WantText("Done")
	was := f.Cookie
	r := f.Request(http.MethodPost, poll.Action, nil, webtest.FrameHeaders("Cookie", f.Cookie))
	f.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	f.StoreCookie(f.Do(r))
	f.Client.CheckRedirect = nil
	if f.Cookie == was {
		t.Fatal("the token did not change")
	}
	f.Get(app).WantText("Rivera")
	f.Cookie = was
	if got := f.Get(app); got.Status != http.StatusUnauthorized {
		t.Errorf("the old token: got %d, want 401", got.Status)
	}
}

// TestConfirmByPasskey_OnlyFromFrame: only our own page may open the tab, nothing may frame it, and the frame learns
// nothing from an answer that no passkey gave.
func TestConfirmByPasskey_OnlyFromFrame(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	if f.Get("/").Find("#confirm form[target]").Length() != 0 {
		t.Error("a user without a passkey is offered one")
	}
	visit, err := h.EmbedService.Find(t.Context(), "acme", strings.TrimPrefix(f.Base, "/e/acme/"))
	if err != nil {
		t.Fatal(err)
	}
	code, err := h.EmbedService.NewConfirmCode(t.Context(), embed.Visit{VerifiedLaunch: visit})
	if err != nil {
		t.Fatal(err)
	}
	v, values := h.NewBrowser(), url.Values{"code": {code}}
	if got := v.Post("/confirm/acme", values, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate",
		"Sec-Fetch-Dest", "document", "Origin", webtest.CRMOrigin); got.Status != http.StatusForbidden {
		t.Errorf("from another site: got %d", got.Status)
	}
	if got := v.Post("/confirm/acme", values, webtest.FrameHeaders()...); got.Status != http.StatusForbidden {
		t.Errorf("in a frame: got %d", got.Status)
	}
	if got := v.Post("/confirm/acme", url.Values{"code": {"x"}}); got.Status != http.StatusConflict {
		t.Errorf("an unknown code: got %d", got.Status)
	}
	asks := v.Post("/confirm/acme", values)
	asks.WantText("Continue as Olivia Bennett in CRM acme")
	if asks.Header.Get("X-Frame-Options") != "DENY" || asks.Find("[data-passkey][data-now]").Length() != 1 {
		t.Errorf("got %q: %s", asks.Header.Get("X-Frame-Options"), asks.MainText())
	}
	if other, _ := asks.Find("main a").Attr("href"); other != "/connect/acme/"+visit.ID {
		t.Errorf("another method is at %q", other)
	}
	v.Post("/login/passkey/options", nil)
	values.Set("credential", "{}")
	got := v.Post("/confirm/acme", values)
	if got.Status != http.StatusUnprocessableEntity || got.Find("[data-close-tab], [data-now]").Length() != 0 {
		t.Errorf("no passkey: got %d: %s", got.Status, got.MainText())
	}
	f.Send(webtest.Form{Action: f.Base + "/confirmed"}).WantText("Confirm it’s you")
}
