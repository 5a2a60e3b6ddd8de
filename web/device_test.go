package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestSignIn_KnownBrowser_NotDelayedByOthers sends wrong passwords from the owner's network until the
// network is rate limited.
func TestSignIn_KnownBrowser_NotDelayedByOthers(t *testing.T) {
	t.Parallel()
	at := time.Now()
	h := newHarness(t, harnessOptions{noJobs: true, noSync: true, now: func() time.Time { return at }})
	right := url.Values{"email": {"olivia@summit.test"}, "password": {"right"}}
	own, other := h.newBrowser(), h.newBrowser()
	if got := own.post("/login", right); got.status != http.StatusOK || own.cookie("device") == "" {
		t.Fatalf("got %d and the device cookie %q", got.status, own.cookie("device"))
	}
	for _, secret := range []string{"olivia", "summit", h.people["olivia"].UserID} {
		if strings.Contains(own.cookie("device"), secret) {
			t.Errorf("the device cookie contains %q: %s", secret, own.cookie("device"))
		}
	}
	own.post("/logout", url.Values{})
	for range 30 {
		other.post("/login", url.Values{"email": {"olivia@summit.test"}, "password": {"wrong"}})
	}
	if got := other.post("/login", right); got.status != http.StatusTooManyRequests {
		t.Fatalf("another browser in the network: got %d, want 429", got.status)
	}
	before := own.cookie("device")
	if got := own.post("/login", right); got.status != http.StatusOK || own.cookie("sid") == "" {
		t.Errorf("the owner's browser: got %d: %s", got.status, got.text())
	}
	if now := own.cookie("device"); now == "" || now == before {
		t.Errorf("the device cookie was not renewed: %q", now)
	}
}
