package signin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/web/webtest"
)

// TestSignIn_KnownBrowser_NotDelayedByOthers sends wrong passwords from the owner's network until the
// network is rate limited.
func TestSignIn_KnownBrowser_NotDelayedByOthers(t *testing.T) {
	t.Parallel()
	at := time.Now()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true, Now: func() time.Time { return at }})
	right := url.Values{"email": {"olivia@summit.test"}, "password": {"right"}}
	own, other := h.NewBrowser(), h.NewBrowser()
	if got := own.Post("/login", right); got.Status != http.StatusOK || own.Cookie("device") == "" {
		t.Fatalf("got %d and the device cookie %q", got.Status, own.Cookie("device"))
	}
	for _, secret := range []string{"olivia", "summit", h.People["olivia"].UserID} {
		if strings.Contains(own.Cookie("device"), secret) {
			t.Errorf("the device cookie contains %q: %s", secret, own.Cookie("device"))
		}
	}
	own.Post("/logout", url.Values{})
	for range 30 {
		other.Post("/login", url.Values{"email": {"olivia@summit.test"}, "password": {"wrong"}})
	}
	if got := other.Post("/login", right); got.Status != http.StatusTooManyRequests {
		t.Fatalf("another browser in the network: got %d, want 429", got.Status)
	}
	before := own.Cookie("device")
	if got := own.Post("/login", right); got.Status != http.StatusOK || own.Cookie("sid") == "" {
		t.Errorf("the owner's browser: got %d: %s", got.Status, got.MainText())
	}
	if now := own.Cookie("device"); now == "" || now == before {
		t.Errorf("the device cookie was not renewed: %q", now)
	}
}
