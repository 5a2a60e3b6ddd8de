package account_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/push"
	"hearthline/web/webtest"
)

// subscription is what a browser sends when notifications are turned on.
func subscription(t *testing.T, endpoint string) url.Values {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return url.Values{"endpoint": {endpoint}, "p256dh": {encode(key.PublicKey().Bytes())},
		"auth": {encode(make([]byte, 16))}}
}

// TestNotificationSettings_Choices_Stored: the page shows the defaults, stores what is chosen and returns to the
// defaults.
func TestNotificationSettings_Choices_Stored(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	if olivia.Get("/account").Find(`a[href="/account/notifications"]`).Length() != 1 {
		t.Error("the account page doesn’t link to the notifications")
	}
	const form = `form[action="/account/notifications"]`
	checked := func(page *webtest.Response) string {
		return page.Form(form).Values.Get("e.offers") + " " + page.Form(form).Values.Get("p.opened") + " " +
			page.Form(form).Values.Get("quiet.from") + " " + page.Form(form).Values.Get("weekends")
	}
	page := olivia.Get("/account/notifications")
	if got := checked(page); got != "now never 1200 true" {
		t.Errorf("got the defaults %q", got)
	}
	csp := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "worker-src 'self'") || !strings.Contains(csp, "trusted-types htmx worker;") {
		t.Errorf("got policy %q", csp)
	}
	olivia.Send(page.Form(form).With("e.offers", "never", "p.opened", "now", "quiet.from", "", "weekends", "",
		"zone", "America/Phoenix", "e.funded", "sometimes"))
	page = olivia.Get("/account/notifications")
	if got := checked(page); got != "never now  " || page.Form(form).Values.Get("zone") != "America/Phoenix" ||
		page.Form(form).Values.Get("e.funded") != "day" {
		t.Errorf("got %q, %v", got, page.Form(form).Values)
	}
	if got := olivia.Send(page.Form(form).With("zone", "Mars/Base")); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown zone: got %d", got.Status)
	}
	olivia.Post("/account/notifications/defaults", nil)
	if got := checked(olivia.Get("/account/notifications")); got != "now never 1200 true" {
		t.Errorf("after the reset: got %q", got)
	}
}

// TestNotificationSettings_Browser: a user turns notifications on in a browser, tests them and turns them off; another
// user can do neither with it.
func TestNotificationSettings_Browser(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
	if got := olivia.Post("/account/notifications/browser", subscription(t, "https://10.0.0.1/push")); got.Status !=
		http.StatusUnprocessableEntity {
		t.Errorf("a private address: got %d", got.Status)
	}
	on := subscription(t, "https://push.example/olivia")
	if got := olivia.Post("/account/notifications/browser", on); got.Path != "/account/notifications" {
		t.Fatalf("got %d at %s", got.Status, got.Path)
	}
	id := push.Subscription{Endpoint: on.Get("endpoint")}.Fingerprint()
	if got := olivia.Get("/account/notifications").Find("[data-push]").AttrOr("data-known", ""); got != id {
		t.Errorf("the page knows %q, want %q", got, id)
	}
	test := url.Values{"browser": {id}}
	olivia.Post("/account/notifications/browser/test", test).WantText("Test sent to this browser")
	if got := h.Pusher.Sent(); len(got) != 1 || got[0].Title != "Test notification" ||
		got[0].To.Endpoint != on.Get("endpoint") {
		t.Errorf("got %+v", got)
	}
	if got := marcus.Post("/account/notifications/browser/test", test); got.Status != http.StatusConflict ||
		len(h.Pusher.Sent()) != 1 {
		t.Errorf("another user’s test: got %d", got.Status)
	}
	marcus.Post("/account/notifications/browser/off", test)
	olivia.Post("/account/notifications/browser/off", test)
	if got := olivia.Post("/account/notifications/browser/test", test); got.Status != http.StatusConflict {
		t.Errorf("a test after turning off: got %d", got.Status)
	}
	olivia.Post("/account/notifications/email/test", nil).WantText("Test email to olivia@summit.test queued")
	if got := h.Mails("olivia@summit.test"); len(got) != 1 || got[0].Subject != "Test email from Hearthline" ||
		!strings.Contains(got[0].Text, "/account/notifications") {
		t.Errorf("got %+v", got)
	}
	if worker := h.NewBrowser().Get("/sw.js"); worker.Status != http.StatusOK ||
		worker.Header.Get("Cache-Control") != "no-cache" || !strings.Contains(worker.Body, "showNotification") {
		t.Errorf("the service worker: got %d, %v", worker.Status, worker.Header)
	}
}

// TestNotices_Outbox: the outbox of the demo shows the emails and what browsers are told; neither names the borrower.
func TestNotices_Outbox(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	c := lead.DefaultTellChoices()
	c.Push[lead.TellEnded] = lead.TellNow
	own, err := h.DeskService.For(h.People["olivia"].Actor).Account()
	h.Must(err)
	h.Must(own.SetTellChoices(t.Context(), c, ""))
	_, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	h.Must(h.Sandbox.Play(app, "expire"))
	h.Must(h.LenderSync.Refresh(t.Context(), app))
	h.Must(h.LenderSync.Refresh(t.Context(), app))
	h.ExecSQL(`UPDATE notifications SET email_at = 1, push_at = 1 WHERE email_at > 0 AND push_at > 0`)
	h.ExecSQL(`UPDATE outbox SET send_at = 1 WHERE kind IN ('notice-email', 'notice-push')`)
	h.DeliverNotices()
	outbox, short := h.NewBrowser().Get("/outbox"), h.LeadRow(app).ShortID
	outbox.WantText("Hearthline: 1 lead has an update", short+": Expired", "Choose what we tell you and when:",
		"Browser notification for olivia@summit.test", short+" · Hearthline")
	if strings.Contains(outbox.Text(), "Rivera") || strings.Contains(outbox.Text(), "Elena") {
		t.Errorf("the outbox names the borrower: %s", outbox.Text())
	}
	for _, link := range []string{"/account/notifications", "/leads/" + string(app)} {
		if outbox.Find(`a[href="`+link+`"]`).Length() == 0 {
			t.Errorf("no link to %s", link)
		}
	}
}
