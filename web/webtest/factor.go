package webtest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"
)

// Clock is a clock that a test sets while others read it.
type Clock struct {
	mu sync.Mutex
	At time.Time
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.At
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.At = c.At.Add(d)
}

// NewWithSecondFactors returns a harness in which every user needs a second factor, and its clock.
func NewWithSecondFactors(t testing.TB) (*Harness, *Clock) {
	clock := &Clock{At: time.Now()}
	return New(t, Options{MFARequired: true, Now: clock.Now}), clock
}

// TOTPKey returns the key of an authenticator app from the page that shows it.
func TOTPKey(p *Response) string { return strings.ReplaceAll(p.Find(".totp b").Text(), " ", "") }

// TOTPCode returns the code that an authenticator app shows.
func TOTPCode(t testing.TB, key string, at time.Time) string {
	t.Helper()
	code, err := totp.GenerateCode(key, at)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// Enroll signs a user in for the first time and returns the key of their app and their recovery codes.
func (h *Harness) Enroll(first string, clock *Clock) (v *Browser, key string, recovery []string) {
	h.T.Helper()
	v = h.NewBrowser()
	page := v.SubmitPassword(first)
	key = TOTPKey(page)
	codes := v.Send(page.Form("form#second").With("proof.code", TOTPCode(h.T, key, clock.Now())))
	codes.WantText("Save your recovery codes")
	codes.Find(".codes li").Each(func(_ int, s *Selection) { recovery = append(recovery, s.Text()) })
	return v, key, recovery
}

// SubmitPassword enters the right password on the sign-in page.
func (b *Browser) SubmitPassword(first string) *Response {
	b.H.T.Helper()
	return b.Send(b.Get("/login?next=/drafts").Form("form#login").With("email", b.H.People[first].Email,
		"password", "right"))
}
