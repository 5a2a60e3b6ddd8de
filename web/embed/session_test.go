package embed_test

import (
	"fmt"
	"net/http"
	"testing"

	"hearthline/web/webtest"
)

// TestEmbedSignOut_KeepsSiteStorage: signing out of a frame clears none of the portal's storage, because a tab and a
// CRM of the same site share it.
func TestEmbedSignOut_KeepsSiteStorage(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	for name, f := range map[string]*webtest.Frame{"frame": a.OpenFrame(webtest.LaunchFor("51")),
		"tab": a.OpenTab(webtest.LaunchFor("51"))} {
		got := f.Send(webtest.Form{Action: f.Base + "/logout"})
		if got.Status != http.StatusOK || got.Header.Get("Clear-Site-Data") != "" || got.Find("[data-forget]").Length() != 1 {
			t.Errorf("%s: got %d, Clear-Site-Data %q: %s", name, got.Status, got.Header.Get("Clear-Site-Data"), got.MainText())
		}
	}
}

// TestEmbed_RecordWithoutLead_HasEmptyStatus looks for the empty status that the script starts from.
func TestEmbed_RecordWithoutLead_HasEmptyStatus(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	masked := a.OpenFrame(webtest.LaunchFor("52")).Get("/")
	a.Attest()
	for name, page := range map[string]*webtest.Response{"masked home": masked,
		"intake": a.OpenFrame(webtest.LaunchFor("51")).Get("/leads/new")} {
		if status, there := page.Find("[data-stand]").Attr("data-stand"); !there || status != "" {
			t.Errorf("%s: got %q (%v), want an empty status", name, status, there)
		}
	}
}

func TestTransferDraft_InFrame_StaysInFrame(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	f := a.OpenFrame(webtest.LaunchFor("51"))
	form := f.Get("/leads/new").Form("form#intake")
	form.Action = f.Base + "/drafts/" + form.Values.Get("draft") + "/hand"
	if got := f.Send(form.With("draft.originator", h.People["marcus"].OriginatorUUID)); got.Path != f.Base+"/drafts" {
		t.Errorf("got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
}

// TestEmbed_ManyLaunches_KeepsActiveSessions opens more records than a user may have sessions, in a browser that
// stores nothing in frames and in one that does.
func TestEmbed_ManyLaunches_KeepsActiveSessions(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	a := webtest.NewCRM(t, h)
	a.ConnectUser("olivia")
	a.Attest()
	full, used := h.SignInAs("olivia"), a.OpenFrame(webtest.LaunchFor("51"))
	used.Get("/leads")
	tab := a.OpenTab(webtest.LaunchFor("52"))
	for i := range 7 {
		a.OpenFrame(webtest.LaunchFor(fmt.Sprint("r", i)))
	}
	for name, got := range map[string]int{"the frame in use": used.Get("/leads").Status,
		"the tab": tab.Get("/leads").Status} {
		if got != http.StatusOK {
			t.Errorf("%s: got %d", name, got)
		}
	}
	if got := full.Get("/leads"); got.Path != "/leads" {
		t.Errorf("the full portal: got %s", got.Path)
	}
}
