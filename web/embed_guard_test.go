package web

import (
	"net/http"
	"testing"
	"time"

	"hearthline/internal/embed"
	"hearthline/web/guard"
)

// TestEmbedSession_BackgroundPoll_NotRenewed polls for updates for half an hour.
func TestEmbedSession_BackgroundPoll_NotRenewed(t *testing.T) {
	t.Parallel()
	clock := &testClock{at: time.Now()}
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true, now: clock.now})
	a := newCRMFixture(t, h)
	a.restoreAccess()
	f := a.openFrame(launchFor("51"))
	f.get("/leads")
	for range 2 {
		clock.advance(embed.Idle / 2)
		f.testBrowser.get(f.base+"/leads", scriptHeaders("Cookie", f.cookie, "Session-Renew", "no")...)
	}
	if got := f.get("/leads"); got.status != http.StatusUnauthorized {
		t.Errorf("after half an hour of polls: got %d, want 401", got.status)
	}
}

// TestEmbedDenials_TooMany_429 requests leads that the user may not see.
func TestEmbedDenials_TooMany_429(t *testing.T) {
	t.Parallel()
	clock := &testClock{at: time.Now()}
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true, now: clock.now})
	a := newCRMFixture(t, h)
	a.restoreAccess()
	f := a.openFrame(launchFor("51"))
	for range guard.MaxDenialsPerMinute {
		h.guard.Denials.Count(h.people["olivia"].UserID, clock.now())
	}
	if got := f.get("/leads"); got.status != http.StatusTooManyRequests {
		t.Errorf("got %d, want 429", got.status)
	}
}

// TestEmbedRecord_OtherLeadOpen_EmptyStatus opens leads beside a record that has none.
func TestEmbedRecord_OtherLeadOpen_EmptyStatus(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	a := newCRMFixture(t, h)
	a.restoreAccess()
	olivia := h.signInAs("olivia")
	f := a.openFrame(launchFor("51"))
	for _, name := range []string{"Rivera", "Whitfield"} {
		page := f.get(olivia.startLead(name))
		if status, there := page.Find("[data-stand]").Attr("data-stand"); !there || status != "" || page.status != http.StatusOK {
			t.Errorf("%s: got %d with %q (%v), want an empty status", name, page.status, status, there)
		}
	}
}
