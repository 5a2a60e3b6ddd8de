package web

import (
	"fmt"
	"net/http"
	"testing"
)

// TestEmbedSignOut_KeepsSiteStorage: signing out of a frame clears none of the portal's storage, because a tab and a
// CRM of the same site share it.
func TestEmbedSignOut_KeepsSiteStorage(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	for name, f := range map[string]*embedFrame{"frame": a.openFrame(launchFor("51")), "tab": a.openTab(launchFor("51"))} {
		got := f.send(postedForm{action: f.base + "/logout"})
		if got.status != http.StatusOK || got.header.Get("Clear-Site-Data") != "" || got.Find("[data-forget]").Length() != 1 {
			t.Errorf("%s: got %d, Clear-Site-Data %q: %s", name, got.status, got.header.Get("Clear-Site-Data"), got.text())
		}
	}
}

// TestEmbed_RecordWithoutLead_HasEmptyStatus looks for the empty status that the script starts from.
func TestEmbed_RecordWithoutLead_HasEmptyStatus(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	masked := a.openFrame(launchFor("52")).get("/")
	a.attest()
	for name, page := range map[string]*response{"masked home": masked, "intake": a.openFrame(launchFor("51")).get("/leads/new")} {
		if status, there := page.Find("[data-stand]").Attr("data-stand"); !there || status != "" {
			t.Errorf("%s: got %q (%v), want an empty status", name, status, there)
		}
	}
}

func TestTransferDraft_InFrame_StaysInFrame(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	f := a.openFrame(launchFor("51"))
	form := f.get("/leads/new").form("form#intake")
	form.action = f.base + "/drafts/" + form.values.Get("draft") + "/hand"
	if got := f.send(form.with("draft.originator", h.people["marcus"].OriginatorUUID)); got.path != f.base+"/drafts" {
		t.Errorf("got %d at %s: %s", got.status, got.path, got.text())
	}
}

// TestEmbed_ManyLaunches_KeepsActiveSessions opens more records than a user may have sessions, in a browser that
// stores nothing in frames and in one that does.
func TestEmbed_ManyLaunches_KeepsActiveSessions(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true})
	a := newCRMFixture(t, h)
	a.connectUser("olivia")
	a.attest()
	full, used := h.signInAs("olivia"), a.openFrame(launchFor("51"))
	used.get("/leads")
	tab := a.openTab(launchFor("52"))
	for i := range 7 {
		a.openFrame(launchFor(fmt.Sprint("r", i)))
	}
	for name, got := range map[string]int{"the frame in use": used.get("/leads").status, "the tab": tab.get("/leads").status} {
		if got != http.StatusOK {
			t.Errorf("%s: got %d", name, got)
		}
	}
	if got := full.get("/leads"); got.path != "/leads" {
		t.Errorf("the full portal: got %s", got.path)
	}
}
