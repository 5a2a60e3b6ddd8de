package web

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/access"
)

func TestConnectCRM_NotifiedAndEndedByReset(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	email := h.people["olivia"].Email
	if m := h.mails(email); len(m) == 0 || !strings.Contains(m[0].Text, "A sign-in from CRM acme was connected") {
		t.Errorf("no mail about it: %+v", m)
	}
	if _, err := h.accountService.ResetAccount(t.Context(), access.Operator(), email, false); err != nil {
		t.Fatal(err)
	}
	_, code := h.mailedCode(email)
	v := h.newBrowser()
	setUp := v.send(v.get("/activate").form("form#code").with("token", code))
	if in := v.send(setUp.form("form#set-up").with("password", newPassword)); in.path != "/leads" {
		t.Fatalf("got %d at %s: %s", in.status, in.path, in.text())
	}
	if page := a.postLaunch(h.newBrowser(), launchFor("51")); !strings.Contains(page.text(), "isn’t connected to a Hearthline account") {
		t.Errorf("the previous CRM sign-in still works: %s", page.text())
	}
}

func TestConnectCRM_OtherCompany_403(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	outside, _ := newCRMFixture(t, h).postLaunch(h.newBrowser(), launchFor("51")).Find(`a[target="_blank"]`).Attr("href")
	got := h.signInAs("piotr").get(outside)
	if got.status != http.StatusForbidden || strings.Contains(got.body, "olivia@summit.test") {
		t.Errorf("got %d: %s", got.status, got.text())
	}
}

func TestConnectCRM_FirstLaunch_OutsideFrame(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	v := h.newBrowser()
	page := a.postLaunch(v, launchFor("51"))
	page.wantText("isn’t connected to a Hearthline account yet")
	if got := (&embedFrame{testBrowser: v}).send(page.form("#continue")); got.status != http.StatusUnprocessableEntity || len(got.header.Values("Set-Cookie")) > 0 {
		t.Errorf("before: got %d with %v", got.status, got.header.Values("Set-Cookie"))
	}
	outside, _ := page.Find(`a[target="_blank"]`).Attr("href")
	if got := h.newBrowser().get(outside); got.path != "/login" {
		t.Errorf("an unknown user outside: got %s, want the sign-in page", got.path)
	}
	olivia := h.signInAs("olivia")
	asked := olivia.get(outside)
	asked.wantText("Olivia B., olivia@summit.test", "CRM acme", "olivia@summit.test")
	if got := asked.header.Get("Content-Security-Policy"); !strings.Contains(got, "frame-ancestors 'none';") {
		t.Errorf("the page outside may be framed: %q", got)
	}
	wrong := asked.form("#connecting")
	wrong.values.Set("match", "XXXXX")
	if got := olivia.send(wrong); got.status != http.StatusUnprocessableEntity {
		t.Errorf("a wrong match code: got %d", got.status)
	}
	right := asked.form("#connecting")
	right.values.Set("match", strings.TrimSpace(page.Find(".letters").Text()))
	olivia.send(right).wantText("continue in CRM acme")
	// The pending launch continues now, because she has just authenticated.
	if got := a.continueLaunch(v, page).get("/"); !strings.HasSuffix(got.path, "/leads/new") {
		t.Errorf("the first launch led to %s", got.path)
	}
	a.openFrame(launchFor("51")).get("/").wantText("No inquiry has been started for this record yet", "Confirm it’s you")
	if got := h.signInAs("piotr").get(outside); got.status != http.StatusForbidden {
		t.Errorf("a user of another company: got %d", got.status)
	}
}

func TestEmbed_VouchedByCRM_MasksPII(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	app := h.signInAs("olivia").startLead("Rivera")
	f := a.openFrame(launchFor("51"))
	list := f.get("/leads?view=all")
	if body := list.body; strings.Contains(body, "Rivera") || strings.Contains(body, "Elena") || !strings.Contains(body, "R•••") {
		t.Errorf("the list is not masked: %s", list.text())
	}
	if rows := f.get("/leads?view=all&q=nobody").Find("table.leads tbody tr").Length(); rows != 1 {
		t.Errorf("a search distinguishes names: %d rows", rows)
	}
	for _, path := range []string{app, "/leads/new", "/drafts", app + "/documents.zip"} {
		if got := f.get(path); got.path != f.base+"/" || strings.Contains(got.body, "Rivera") {
			t.Errorf("%s led to %s (%d)", path, got.path, got.status)
		}
	}
	// The same user steps up outside, in a separate window; nobody else can.
	outside, _ := f.get("/").Find(`a[target="_blank"].pri`).Attr("href")
	if got := h.signInAs("marcus").get(outside); got.status != http.StatusForbidden {
		t.Errorf("another user: got %d", got.status)
	}
	poll := postedForm{action: f.base + "/confirmed"}
	if got := f.send(poll, "HX-Request", "true", "Sec-Fetch-Mode", "same-origin", "Sec-Fetch-Dest", "empty"); got.status != http.StatusNoContent || got.header.Get("Set-Cookie") != "" {
		t.Errorf("before: got %d", got.status)
	}
	olivia := h.signInAs("olivia")
	code := strings.TrimSpace(f.get("/").Find(".letters").Text())
	asked := olivia.get(outside)
	if code == "" || strings.Contains(asked.text(), code) || strings.Contains(asked.body, `value="`+code) {
		t.Errorf("the page outside shows the match code %q itself", code)
	}
	wrong := asked.form("#connecting")
	wrong.values.Set("match", "XXXXX")
	refused := olivia.send(wrong)
	if got := refused.form("#connecting").values.Get("match"); refused.status != http.StatusUnprocessableEntity || got != "XXXXX" {
		t.Errorf("a wrong match code: got %d with %q, want the form with its values", refused.status, got)
	}
	who := h.people["olivia"].UserID
	h.wantAudited(who + " embed.mismatch user:" + who + " refused")
	right := asked.form("#connecting")
	right.values.Set("match", " "+strings.ToLower(code))
	olivia.send(right).wantText("Done")
	was := f.cookie
	r := f.request(http.MethodPost, poll.action, nil, frameHeaders("Cookie", f.cookie))
	f.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	f.storeCookie(f.do(r))
	f.client.CheckRedirect = nil
	if f.cookie == was {
		t.Fatal("the token did not change")
	}
	f.get(app).wantText("Rivera")
	f.cookie = was
	if got := f.get(app); got.status != http.StatusUnauthorized {
		t.Errorf("the old token: got %d, want 401", got.status)
	}
}
