package page

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"hearthline/views/ui"
)

func TestRefreshWithoutScript_Bounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 14, 15, 0, 0, time.UTC)
	s := &Responder{Now: func() time.Time { return now }}
	r := httptest.NewRequest(http.MethodGet, "/leads/x", nil)
	for waited, want := range map[time.Duration]string{0: "5", 59 * time.Second: "5", time.Minute: "20",
		9 * time.Minute: "20", 10 * time.Minute: "", time.Hour: "", -time.Minute: ""} {
		var p ui.Page
		if s.RefreshWithoutScript(r, &p, now.Add(-waited)); p.RefreshSeconds != want {
			t.Errorf("after %s: got %q, want %q", waited, p.RefreshSeconds, want)
		}
	}
	var p ui.Page
	if s.RefreshWithoutScript(r, &p, time.Time{}); p.RefreshSeconds != "" {
		t.Error("a page that waits for nothing refreshes")
	}
	for _, r := range []*http.Request{httptest.NewRequest(http.MethodGet, "/leads/x?stay=true", nil),
		httptest.NewRequest(http.MethodPost, "/leads/x", nil)} {
		var p ui.Page
		if s.RefreshWithoutScript(r, &p, now); p.RefreshSeconds != "" {
			t.Errorf("%s %s refreshes", r.Method, r.URL)
		}
	}
}
