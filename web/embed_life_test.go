package web

import (
	"fmt"
	"net/http"
	"testing"
)

// TestWhatAFrameForgets looks at a log-out: nothing of the portal's own storage goes with
// it, because a tab and a CRM of the same site share that.
func TestWhatAFrameForgets(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	for name, f := range map[string]*frame{"frame": a.enters(opening("51")), "tab": a.opensTab(opening("51"))} {
		got := f.send(postedForm{action: f.base + "/logout"})
		if got.status != http.StatusOK || got.header.Get("Clear-Site-Data") != "" || got.Find("[data-forget]").Length() != 1 {
			t.Errorf("%s: got %d, Clear-Site-Data %q: %s", name, got.status, got.header.Get("Clear-Site-Data"), got.text())
		}
	}
}

// TestTheFirstStepOfARecordIsToldToo looks for the empty stand that the script starts from.
func TestTheFirstStepOfARecordIsToldToo(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	masked := a.enters(opening("52")).get("/")
	a.attest()
	for name, page := range map[string]*answerPage{"masked home": masked, "intake": a.enters(opening("51")).get("/leads/new")} {
		if stand, there := page.Find("[data-stand]").Attr("data-stand"); !there || stand != "" {
			t.Errorf("%s: got %q (%v), want an empty stand", name, stand, there)
		}
	}
}

func TestADraftHandedOverInAFrameStaysThere(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	f := a.enters(opening("51"))
	form := f.get("/leads/new").form("form#intake")
	form.action = f.base + "/drafts/" + form.values.Get("draft") + "/hand"
	if got := f.send(form.with("draft.originator", h.people["marcus"].OriginatorUUID)); got.path != f.base+"/drafts" {
		t.Errorf("got %d at %s: %s", got.status, got.path, got.text())
	}
}

// TestManyRecordsSignNobodyOut opens more records than a person may have sessions, in a
// browser that keeps nothing in frames, beside one that does.
func TestManyRecordsSignNobodyOut(t *testing.T) {
	h := newHouse(t, furnished{idle: true, still: true})
	a := newAcme(t, h)
	a.connects("olivia")
	a.attest()
	full, used := h.visit("olivia"), a.enters(opening("51"))
	used.get("/leads")
	tab := a.opensTab(opening("52"))
	for i := range 7 {
		a.enters(opening(fmt.Sprint("r", i)))
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
