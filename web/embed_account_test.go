package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestDisconnectCRM_OwnAccount_EndsAccess disconnects the CRM and ends its session on the account page.
func TestDisconnectCRM_OwnAccount_EndsAccess(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	f := a.openFrame(launchFor("51"))
	olivia := h.signInAs("olivia")
	page := olivia.get("/account")
	row := strings.Join(strings.Fields(page.Find("#crms tbody tr").Text()), " ")
	for _, want := range []string{"CRM acme", "Olivia B.", "olivia@summit.test", "u-7"} {
		if !strings.Contains(row, want) {
			t.Errorf("the connected CRM lacks %q: %q", want, row)
		}
	}
	if got := page.Find("#sessions").Text(); !strings.Contains(got, "in CRM acme") {
		t.Errorf("the session list lacks the frame: %q", got)
	}
	cut := page.form("#crms form")
	if got := h.signInAs("marcus").send(cut); got.status != http.StatusNotFound {
		t.Errorf("by a colleague: got %d", got.status)
	}
	if got := olivia.send(cut); got.path != "/account" || got.Find("#crms").Length() != 0 || strings.Contains(got.Find("#sessions").Text(), "in CRM") {
		t.Errorf("after disconnecting: got %d at %s: %s", got.status, got.path, got.Find("#crms, #sessions").Text())
	}
	if got := f.get("/leads"); got.status != http.StatusUnauthorized && got.status != http.StatusNotFound {
		t.Errorf("the frame still works: got %d", got.status)
	}
	if m := h.mails(h.people["olivia"].Email); len(m) == 0 || !strings.Contains(m[0].Text, "was disconnected") {
		t.Errorf("no mail about it: %+v", m)
	}
	who := h.people["olivia"].UserID
	h.wantAudited(who + " embed.disconnect user:" + who + " done")
	if page := a.postLaunch(h.newBrowser(), launchFor("51")); !strings.Contains(page.text(), "isn’t connected to a Hearthline account") {
		t.Errorf("the CRM sign-in still works: %s", page.text())
	}
}

func TestEndSession_EmbeddedSession_EndsFrame(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	v := h.newBrowser()
	in := (&embedFrame{testBrowser: v}).send(a.postLaunch(v, launchFor("51")).form("#continue"))
	olivia := h.signInAs("olivia")
	var end postedForm
	olivia.get("/account").Find("#sessions tbody tr").Each(func(_ int, s *selection) {
		if strings.Contains(s.Text(), "in CRM acme") {
			action, _ := s.Find("form").Attr("action")
			end = postedForm{action: action}
		}
	})
	if got := h.signInAs("marcus").send(end); got.status != http.StatusNotFound {
		t.Errorf("by a colleague: got %d", got.status)
	}
	if got := olivia.send(end); strings.Contains(got.Find("#sessions").Text(), "in CRM") {
		t.Errorf("it is still there: %s", got.Find("#sessions").Text())
	}
	tab := in.form(`form[target="_blank"]`)
	if got := v.post(tab.action, tab.values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); got.status != http.StatusConflict {
		t.Errorf("a tab opens in its place: got %d", got.status)
	}
}

func TestDisconnectCRM_ByAdmin_EndsAccess(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	f := a.openFrame(launchFor("51"))
	admin, who := h.signInAs("admin"), h.people["olivia"].UserID
	page := admin.get("/admin/users/" + who)
	if got := page.Find("#crms").Text(); !strings.Contains(got, "CRM acme") || !strings.Contains(got, "u-7") {
		t.Fatalf("the connected CRM: got %q", got)
	}
	if got := admin.send(page.form("#crms form")); got.Find("#crms").Length() != 0 {
		t.Errorf("after disconnecting: %s", got.Find("#crms").Text())
	}
	if got := f.get("/leads"); got.status != http.StatusUnauthorized && got.status != http.StatusNotFound {
		t.Errorf("the frame still works: got %d", got.status)
	}
	h.wantAudited(h.people["admin"].UserID + " embed.disconnect user:" + who + " done")
}
