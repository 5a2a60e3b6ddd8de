package embed_test

import (
	"net/http"
	"testing"
	"time"

	"hearthline/internal/embed"
	"hearthline/web/guard"
	"hearthline/web/webtest"
)

// TestEmbedSession_BackgroundPoll_NotRenewed polls for updates for half an hour.
func TestEmbedSession_BackgroundPoll_NotRenewed(t *testing.T) {
	t.Parallel()
	clock := &webtest.Clock{At: time.Now()}
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, Now: clock.Now})
	a := webtest.NewCRM(t, h)
	restoreAccess(a)
	f := a.OpenFrame(webtest.LaunchFor("51"))
	f.Get("/leads")
	for range 2 {
		clock.Advance(embed.Idle / 2)
		f.Browser.Get(f.Base+"/leads", scriptHeaders("Cookie", f.Cookie, "Session-Renew", "no")...)
	}
	clock.Advance(time.Millisecond) // the clock stood still between the creation and the first use, which counts as later
	if got := f.Get("/leads"); got.Status != http.StatusUnauthorized {
		t.Errorf("after half an hour of polls: got %d, want 401", got.Status)
	}
}

// TestEmbedDenials_TooMany_429 requests leads that the user may not see.
func TestEmbedDenials_TooMany_429(t *testing.T) {
	t.Parallel()
	clock := &webtest.Clock{At: time.Now()}
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, Now: clock.Now})
	a := webtest.NewCRM(t, h)
	restoreAccess(a)
	f := a.OpenFrame(webtest.LaunchFor("51"))
	for range guard.MaxDenialsPerMinute {
		f.Get("/leads/" + webtest.ForeignLead)
	}
	if got := f.Get("/leads"); got.Status != http.StatusTooManyRequests {
		t.Errorf("got %d, want 429", got.Status)
	}
}

// TestEmbedRecord_OtherLeadOpen_EmptyStatus opens leads beside a record that has none.
func TestEmbedRecord_OtherLeadOpen_EmptyStatus(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	a := webtest.NewCRM(t, h)
	restoreAccess(a)
	olivia := h.SignInAs("olivia")
	f := a.OpenFrame(webtest.LaunchFor("51"))
	for _, name := range []string{"Rivera", "Whitfield"} {
		page := f.Get(olivia.StartLead(name))
		if status, there := page.Find("[data-stand]").Attr("data-stand"); !there || status != "" ||
			page.Status != http.StatusOK {
			t.Errorf("%s: got %d with %q (%v), want an empty status", name, page.Status, status, there)
		}
	}
}
