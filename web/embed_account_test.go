package web

import (
	"net/http"
	"strings"
	"testing"
)

// TestAPersonSeesAndCutsTheirCRMs finds the log-in and the frame on the account page, and
// cuts both.
func TestAPersonSeesAndCutsTheirCRMs(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	f := a.enters(opening("51"))
	olivia := h.visit("olivia")
	page := olivia.get("/account")
	row := strings.Join(strings.Fields(page.Find("#crms tbody tr").Text()), " ")
	for _, want := range []string{"CRM acme", "Olivia B.", "olivia@summit.test", "u-7"} {
		if !strings.Contains(row, want) {
			t.Errorf("the connected CRM lacks %q: %q", want, row)
		}
	}
	if got := page.Find("#sessions").Text(); !strings.Contains(got, "inside CRM acme") {
		t.Errorf("the frame is not among the places: %q", got)
	}
	cut := page.form("#crms form")
	if got := h.visit("marcus").send(cut); got.status != http.StatusNotFound {
		t.Errorf("by a colleague: got %d", got.status)
	}
	if got := olivia.send(cut); got.path != "/account" || got.Find("#crms").Length() != 0 || strings.Contains(got.Find("#sessions").Text(), "inside CRM") {
		t.Errorf("after the cut: got %d at %s: %s", got.status, got.path, got.Find("#crms, #sessions").Text())
	}
	if got := f.get("/leads"); got.status != http.StatusUnauthorized && got.status != http.StatusNotFound {
		t.Errorf("the frame goes on: got %d", got.status)
	}
	if m := h.mails(h.people["olivia"].Email); len(m) == 0 || !strings.Contains(m[0].Text, "was disconnected") {
		t.Errorf("no notice: %+v", m)
	}
	who := h.people["olivia"].UserID
	h.wroteDown(who + " embed.disconnect user:" + who + " done")
	if page := a.posts(h.stranger(), opening("51")); !strings.Contains(page.text(), "Connect CRM acme once") {
		t.Errorf("the log-in goes on: %s", page.text())
	}
}

func TestAFrameIsEndedFromTheAccount(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	v := h.stranger()
	in := (&frame{visitor: v}).send(a.posts(v, opening("51")).form("#continue"))
	olivia := h.visit("olivia")
	var end postedForm
	olivia.get("/account").Find("#sessions tbody tr").Each(func(_ int, s *selection) {
		if strings.Contains(s.Text(), "inside CRM acme") {
			action, _ := s.Find("form").Attr("action")
			end = postedForm{action: action}
		}
	})
	if got := h.visit("marcus").send(end); got.status != http.StatusNotFound {
		t.Errorf("by a colleague: got %d", got.status)
	}
	if got := olivia.send(end); strings.Contains(got.Find("#sessions").Text(), "inside CRM") {
		t.Errorf("it is still there: %s", got.Find("#sessions").Text())
	}
	tab := in.form(`form[target="_blank"]`)
	if got := v.post(tab.action, tab.values, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"); got.status != http.StatusConflict {
		t.Errorf("a tab opens in its place: got %d", got.status)
	}
}

func TestAnAdministratorCutsACRMsLogIn(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	f := a.enters(opening("51"))
	admin, who := h.visit("admin"), h.people["olivia"].UserID
	page := admin.get("/admin/users/" + who)
	if got := page.Find("#crms").Text(); !strings.Contains(got, "CRM acme") || !strings.Contains(got, "u-7") {
		t.Fatalf("the connected CRM: got %q", got)
	}
	if got := admin.send(page.form("#crms form")); got.Find("#crms").Length() != 0 {
		t.Errorf("after the cut: %s", got.Find("#crms").Text())
	}
	if got := f.get("/leads"); got.status != http.StatusUnauthorized && got.status != http.StatusNotFound {
		t.Errorf("the frame goes on: got %d", got.status)
	}
	h.wroteDown(h.people["admin"].UserID + " embed.disconnect user:" + who + " done")
}
