package pipeline_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// createFeed creates the user's secret URL and returns its path.
func createFeed(b *webtest.Browser) string {
	b.H.T.Helper()
	got := b.Post("/calendar", nil)
	shown := got.Find(`input[name="calendar.url"]`).AttrOr("value", "")
	u, err := url.Parse(shown)
	if err != nil || u.Host == "" || !strings.HasPrefix(u.Path, "/calendar/") || !strings.HasSuffix(u.Path, ".ics") {
		b.H.T.Fatalf("got %d with the URL %q", got.Status, shown)
	}
	if c := got.Header.Get("Cache-Control"); c != "no-store" {
		b.H.T.Errorf("Cache-Control: got %q, want no-store", c)
	}
	return u.Path
}

func TestCalendarFeed_SecretURL_ReadsOwnDatesWithoutSignIn(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	path, _ := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	day := time.Now().AddDate(0, 0, 3).Format("01/02/2006")
	if got := olivia.Post(path+"/follow-up",
		url.Values{"followUp.on": {day}, "followUp.note": {"call about the gate"}}); got.Status != http.StatusOK {
		t.Fatalf("the reminder: got %d %s", got.Status, got.MainText())
	}
	feed := createFeed(olivia)
	got := h.NewBrowser().Get(feed)
	if got.Status != http.StatusOK || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/calendar") ||
		strings.Count(got.Body, "BEGIN:VEVENT") == 0 {
		t.Fatalf("got %d: %s", got.Status, got.Body)
	}
	for _, leak := range []string{"Rivera", "Elena", "Larkspur", "gate", "/leads/", strings.TrimPrefix(path, "/leads/")} {
		if strings.Contains(got.Body, leak) {
			t.Errorf("the feed contains %q", leak)
		}
	}
	if piotr := h.NewBrowser().Get(createFeed(h.SignInAs("piotr"))); strings.Contains(piotr.Body, "BEGIN:VEVENT") {
		t.Errorf("the feed of another company lists %s", piotr.Body)
	}
	if token := strings.TrimSuffix(strings.TrimPrefix(feed, "/calendar/"), ".ics"); strings.Contains(h.Log.String(),
		token) {
		t.Error("the log contains the secret URL")
	}
	if page := olivia.Get("/calendar"); strings.Contains(page.Body, feed) {
		t.Error("the page shows the secret URL again")
	}
}

func TestCalendarFeed_RenewedOrEnded_OldURLStops(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, calendar := h.SignInAs("olivia"), h.NewBrowser()
	first := createFeed(olivia)
	olivia.Get("/calendar").WantText("Your secret URL was created today ")
	second := createFeed(olivia)
	if got := calendar.Get(first); got.Status != http.StatusNotFound {
		t.Errorf("the renewed URL: got %d, want 404", got.Status)
	}
	if got := calendar.Get(second); got.Status != http.StatusOK {
		t.Errorf("the new URL: got %d, want 200", got.Status)
	}
	olivia.Post("/calendar/end", nil)
	if got := calendar.Get(second); got.Status != http.StatusNotFound {
		t.Errorf("after the end: got %d, want 404", got.Status)
	}
	rows, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionCalendarFeed, Limit: 9})
	if err != nil || len(rows) != 3 {
		t.Errorf("the audit: got %d rows, %v, want 3", len(rows), err)
	}
}

func TestCalendarFeed_UserDisabled_Revoked(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	feed := createFeed(h.SignInAs("olivia"))
	h.Must(h.Store.DisableUser(t.Context(), h.People["olivia"].UserID))
	if got := h.NewBrowser().Get(feed); got.Status != http.StatusNotFound {
		t.Errorf("got %d, want 404", got.Status)
	}
	// The same URL does not work again when the account is reopened.
	h.ExecSQL(`UPDATE users SET disabled_at = 0 WHERE id = ?`, h.People["olivia"].UserID)
	if got := h.NewBrowser().Get(feed); got.Status != http.StatusNotFound {
		t.Errorf("reopened: got %d, want 404", got.Status)
	}
}

func TestCalendarFeed_TooManyRequests_429(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	calendar := h.NewBrowser()
	for range 200 {
		if calendar.Get("/calendar/guess.ics").Status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("200 requests in a row are not limited")
}
