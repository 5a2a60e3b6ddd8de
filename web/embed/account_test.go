package embed_test

import (
	"net/http"
	"strings"
	"testing"

	"hearthline/web/webtest"
)

// TestDisconnectCRM_OwnAccount_EndsAccess disconnects the CRM and ends its session on the account page.
func TestDisconnectCRM_OwnAccount_EndsAccess(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	olivia := h.SignInAs("olivia")
	page := olivia.Get("/account")
	row := strings.Join(strings.Fields(page.Find("#crms tbody tr").Text()), " ")
	for _, want := range []string{"CRM acme", "Olivia B.", "olivia@summit.test", "u-7"} {
		if !strings.Contains(row, want) {
			t.Errorf("the connected CRM lacks %q: %q", want, row)
		}
	}
	if got := page.Find("#sessions").Text(); !strings.Contains(got, "in CRM acme") {
		t.Errorf("the session list lacks the frame: %q", got)
	}
	cut := page.Form("#crms form")
	if got := h.SignInAs("marcus").Send(cut); got.Status != http.StatusNotFound {
		t.Errorf("by a colleague: got %d", got.Status)
	}
	if got := olivia.Send(cut); got.Path != "/account" || got.Find("#crms").Length() != 0 ||
		strings.Contains(got.Find("#sessions").Text(), "in CRM") {
		t.Errorf("after disconnecting: got %d at %s: %s", got.Status, got.Path, got.Find("#crms, #sessions").Text())
	}
	if got := f.Get("/leads"); got.Status != http.StatusUnauthorized && got.Status != http.StatusNotFound {
		t.Errorf("the frame still works: got %d", got.Status)
	}
	if m := h.Mails(h.People["olivia"].Email); len(m) == 0 || !strings.Contains(m[0].Text, "was disconnected") {
		t.Errorf("no mail about it: %+v", m)
	}
	who := h.People["olivia"].UserID
	h.WantAudited(who + " embed.disconnect user:" + who + " done")
	if page := a.PostLaunch(h.NewBrowser(), webtest.LaunchFor("51")); !strings.Contains(page.MainText(),
		"isn’t connected to a Hearthline account") {
		t.Errorf("the CRM sign-in still works: %s", page.MainText())
	}
}

func TestEndSession_EmbeddedSession_EndsFrame(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	v := h.NewBrowser()
	in := (&webtest.Frame{Browser: v}).Send(a.PostLaunch(v, webtest.LaunchFor("51")).Form("#continue"))
	olivia := h.SignInAs("olivia")
	var end webtest.Form
	olivia.Get("/account").Find("#sessions tbody tr").Each(func(_ int, s *webtest.Selection) {
		if strings.Contains(s.Text(), "in CRM acme") {
			action, _ := s.Find("form").Attr("action")
			end = webtest.Form{Action: action}
		}
	})
	if got := h.SignInAs("marcus").Send(end); got.Status != http.StatusNotFound {
		t.Errorf("by a colleague: got %d", got.Status)
	}
	if got := olivia.Send(end); strings.Contains(got.Find("#sessions").Text(), "in CRM") {
		t.Errorf("it is still there: %s", got.Find("#sessions").Text())
	}
	tab := in.Form(`form[target="_blank"]`)
	if got := v.Post(tab.Action, tab.Values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate",
		"Sec-Fetch-Dest", "document"); got.Status != http.StatusConflict {
		t.Errorf("a tab opens in its place: got %d", got.Status)
	}
}

func TestDisconnectCRM_ByAdmin_EndsAccess(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	admin, who := h.SignInAs("admin"), h.People["olivia"].UserID
	page := admin.Get("/admin/users/" + who)
	if got := page.Find("#crms").Text(); !strings.Contains(got, "CRM acme") || !strings.Contains(got, "u-7") {
		t.Fatalf("the connected CRM: got %q", got)
	}
	if got := admin.Send(page.Form("#crms form")); got.Find("#crms").Length() != 0 {
		t.Errorf("after disconnecting: %s", got.Find("#crms").Text())
	}
	if got := f.Get("/leads"); got.Status != http.StatusUnauthorized && got.Status != http.StatusNotFound {
		t.Errorf("the frame still works: got %d", got.Status)
	}
	h.WantAudited(h.People["admin"].UserID + " embed.disconnect user:" + who + " done")
}
