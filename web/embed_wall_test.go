package web

import (
	"net/http"
	"testing"
	"time"

	"hearthline/internal/embed"
	"hearthline/web/page"
)

// TestABackgroundPollRenewsNoFrame asks for news alone for half an hour.
func TestABackgroundPollRenewsNoFrame(t *testing.T) {
	clock := &turned{at: time.Now()}
	h := newHouse(t, furnished{idle: true, still: true, now: clock.now})
	a := newAcme(t, h)
	a.opensAgain()
	f := a.enters(opening("51"))
	f.get("/leads")
	for range 2 {
		clock.by(embed.Idle / 2)
		f.visitor.get(f.base+"/leads", byScript("Cookie", f.cookie, "Session-Renew", "no")...)
	}
	if got := f.get("/leads"); got.status != http.StatusUnauthorized {
		t.Errorf("after half an hour of polls: got %d, want 401", got.status)
	}
}

// TestWhoCollectsRefusalsInAFrameWaits counts what does not exist for them.
func TestWhoCollectsRefusalsInAFrameWaits(t *testing.T) {
	clock := &turned{at: time.Now()}
	h := newHouse(t, furnished{idle: true, still: true, now: clock.now})
	a := newAcme(t, h)
	a.opensAgain()
	f := a.enters(opening("51"))
	for range page.MostRefusals {
		h.Refused.Count(h.people["olivia"].UserID, clock.now())
	}
	if got := f.get("/leads"); got.status != http.StatusTooManyRequests {
		t.Errorf("got %d, want 429", got.status)
	}
}

// TestOnlyTheRecordsOwnLeadIsNews opens leads beside a record that has none.
func TestOnlyTheRecordsOwnLeadIsNews(t *testing.T) {
	h := newHouse(t, furnished{})
	a := newAcme(t, h)
	a.opensAgain()
	olivia := h.visit("olivia")
	f := a.enters(opening("51"))
	for _, name := range []string{"Rivera", "Whitfield"} {
		page := f.get(olivia.start(name))
		if stand, there := page.Find("[data-stand]").Attr("data-stand"); !there || stand != "" || page.status != http.StatusOK {
			t.Errorf("%s: got %d with %q (%v), want an empty stand", name, page.status, stand, there)
		}
	}
}
