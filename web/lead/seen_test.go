package lead_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/web/webtest"
)

// sinceLine is the line of what has changed since the user's last visit.
func sinceLine(page *webtest.Response) string {
	return strings.Join(strings.Fields(page.Find(".since").Text()), " ")
}

// TestLead_SinceLastVisit_ShownOnce has others change the lead, and then opens several tabs: only the first one says
// so.
func TestLead_SinceLastVisit_ShownOnce(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	offers := olivia.Get(path + "/offers")
	sharing := olivia.Get(offers.Find(`#pins header a[href*="/share?"]`).AttrOr("href", ""))
	created := olivia.Send(sharing.Form("#share form"))
	link, err := url.Parse(created.Find(`#shared input[name="link"]`).First().AttrOr("value", ""))
	h.Must(err)
	for _, tt := range []struct {
		want string
		do   func()
	}{
		{"note added", func() { maya.Post(path+"/note", url.Values{"note": {"Ask for the insurance"}}) }},
		{"call", func() { maya.Post(path+"/contact", url.Values{"contact.how": {"call"}, "contact.only": {"true"}}) }},
		{"viewed borrower details", func() { maya.Post(path+"/reveal", url.Values{"reason": {"identity"}}) }},
		{"shared quote opened", func() { h.NewBrowser().Get(link.Path, "User-Agent", "Mozilla/5.0 Safari/604.1") }},
		{"new documents", func() {
			h.Must(h.Sandbox.Play(app, "complete"))
			h.Must(h.LenderSync.Refresh(t.Context(), app))
		}},
	} {
		olivia.Get(path)
		tt.do()
		if got := sinceLine(olivia.Get(path)); !strings.Contains(got, tt.want) {
			t.Errorf("the first tab says %q, want %q", got, tt.want)
		}
		for _, tab := range []string{"/offers", "/documents", ""} {
			if got := sinceLine(olivia.Get(path + tab)); got != "" {
				t.Errorf("%s: the tab %q says it again: %s", tt.want, tab, got)
			}
		}
	}
}

// TestLead_UpdateOfOpenPage_CountsAsSeen shows a colleague's note on the open page. The next tab does not name it
// again, but it names the second note, since the time of the update.
func TestLead_UpdateOfOpenPage_CountsAsSeen(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	note := func() { maya.Post(path+"/note", url.Values{"note": {"Ask for the insurance"}}) }
	open := olivia.Get(path)
	note()
	update(olivia, open)
	if got := sinceLine(olivia.Get(path + "/offers")); got != "" {
		t.Errorf("the update has shown the note, and the next tab says %q", got)
	}
	open = olivia.Get(path)
	note()
	update(olivia, open)
	note()
	if got := sinceLine(olivia.Get(path + "/offers")); strings.Count(got, "note added") != 1 {
		t.Errorf("one of two notes was not shown, and the next tab says %q", got)
	}
}

// TestLead_OpenedByAnotherSite_StaysUnread opens a lead as a page of another site can, also through the next lead in
// Today: only the user's own visit counts.
func TestLead_OpenedByAnotherSite_StaysUnread(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	olivia.Get(path)
	maya.Post(path+"/note", url.Values{"note": {"Ask for the insurance"}})
	for _, site := range []string{"cross-site", "same-site"} {
		for _, from := range []string{path, "/leads/next"} {
			got := olivia.Get(from, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
			if got.Status != http.StatusOK || got.Path != path {
				t.Fatalf("%s from a %s page: got %d at %s, want the lead", from, site, got.Status, got.Path)
			}
		}
	}
	own := olivia.Get(path, "Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate")
	if got := sinceLine(own); !strings.Contains(got, "note added") {
		t.Errorf("after another site opened the lead, its user reads %q, want the note", got)
	}
	if got := sinceLine(olivia.Get(path)); got != "" {
		t.Errorf("the user has opened the lead, and reads %q again", got)
	}
}
