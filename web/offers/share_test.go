package offers_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/offers"
	"hearthline/web/webtest"
)

const aBrowser = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 " +
	"Mobile/15E148 Safari/604.1"

// share creates a link as a user would: from the offers to the form, and returns the link's path.
func share(t *testing.T, v *webtest.Browser, aLead string, change func(*webtest.Form)) (*webtest.Response, string) {
	t.Helper()
	grid := v.WaitFor(aLead+"/offers", `input[name="offer.offerUuid"]`)
	page := v.Get(grid.Find(`#pins header a[href*="/share?"]`).AttrOr("href", ""))
	form := page.Form(`#share form`)
	if change != nil {
		change(&form)
	}
	created := v.Send(form)
	link := created.Find(`#shared input[name="link"]`).First().AttrOr("value", "")
	u, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(u.Path, "/q/") || len(u.Path) < len("/q/")+26 {
		t.Fatalf("the link is %q: %d %s", link, created.Status, created.MainText())
	}
	return created, u.Path
}

// open requests a shared page as somebody without a session.
func open(h *webtest.Harness, method, path, agent string, header map[string]string) *webtest.Response {
	v := h.NewBrowser()
	headers := []string{"User-Agent", agent}
	for name, value := range header {
		headers = append(headers, name, value)
	}
	return v.Do(v.Request(method, path, nil, headers))
}

// TestSharedQuote_HasNoPII opens a link to a lead whose borrower, address and ids are distinct texts.
func TestSharedQuote_HasNoPII(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			aLead := olivia.StartLead("Xochiquetzal")
			_, link := share(t, olivia, aLead, nil)
			view, err := h.DeskService.For(h.People["olivia"].Actor).Lead(t.Context(), strings.TrimPrefix(aLead, "/leads/"))
			h.Must(err)
			details, err := view.Snapshot(t.Context())
			h.Must(err)
			address := details.Details.App.PropertyAddress
			never := []string{"Xochiquetzal", "Elena", string(details.Row.App), details.Row.ShortID, address.Street1,
				address.City, address.ZIP, "740", "score of", "apply.", "lender.test", "localhost:", "Hearthline",
				"/leads/", "<script"}
			for _, o := range details.Details.App.Underwriting.Offers {
				never = append(never, o.UUID)
			}
			for _, lang := range []string{"", "?lang=es", "?lang=en"} {
				page := open(h, http.MethodGet, link+lang, aBrowser, nil)
				if page.Status != http.StatusOK {
					t.Fatalf("got %d: %s", page.Status, page.MainText())
				}
				for _, text := range never {
					if text != "" && strings.Contains(page.Body, text) {
						t.Errorf("the shared page%s contains %q", lang, text)
					}
				}
				for name, want := range map[string]string{
					"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow, noarchive",
					"X-Frame-Options": "DENY", "Set-Cookie": "",
					"Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; " +
						"base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
				} {
					if got := page.Header.Get(name); got != want {
						t.Errorf("%s: got %q, want %q", name, got, want)
					}
				}
				if page.Find(`meta[name="robots"][content*="noindex"]`).Length() != 1 ||
					page.Find("form, script, iframe, a[href^='http']").Length() != 0 {
					t.Error("the shared page has a form, a script, a frame or a link elsewhere, or may be indexed")
				}
			}
			open(h, http.MethodGet, link, aBrowser, nil).WantText("Estimate, not a commitment to lend", "Olivia Bennett",
				"NMLS 1847220", "Summit Home Lending", "The link to this page expires", "$60,000")
			open(h, http.MethodGet, link+"?lang=es", aBrowser, nil).
				WantText("Estimado, no es un compromiso de préstamo", "El enlace a esta página vence el")
			pdf := open(h, http.MethodGet, link+"?as=pdf&lang=es", aBrowser, nil)
			if !strings.HasPrefix(pdf.Body, "%PDF-") || pdf.Header.Get("Content-Type") != "application/pdf" ||
				pdf.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("the PDF: %d %v", pdf.Status, pdf.Header)
			}
			if strings.Contains(h.Log.String(), strings.TrimPrefix(link, "/q/")) {
				t.Error("the log contains the token")
			}
		})
	}
}

func TestSharedQuote_UnknownAndMalformed_LookAlike(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	_, link := share(t, olivia, olivia.StartLead("Rivera"), nil)
	token := strings.TrimPrefix(link, "/q/")
	bodies := map[string]bool{}
	for _, tampered := range []string{token[:25] + "A" + token[25:], token[:25], strings.ToLower(token), "x",
		strings.Repeat("A", 26), strings.Repeat("A", 3000), "%00", "..%2f..", "%C3%A9", token + "%20"} {
		got := open(h, http.MethodGet, "/q/"+tampered, aBrowser, nil)
		if got.Status != http.StatusNotFound {
			t.Errorf("%.40q: got %d, want 404", tampered, got.Status)
		}
		bodies[got.Body] = true
	}
	if len(bodies) != 1 {
		t.Errorf("got %d different pages, want one", len(bodies))
	}
	open(h, http.MethodGet, "/q/x", aBrowser, nil).WantText("This link doesn’t exist")
}

func TestShare_Snapshot_StaysAsItWas(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	_, link := share(t, olivia, aLead, nil)
	before := open(h, http.MethodGet, link, aBrowser, nil)
	olivia.Post(aLead+"/calculate-offers", url.Values{"amount": {"45,000"}})
	after := open(h, http.MethodGet, link, aBrowser, nil)
	if before.Body != after.Body || !strings.Contains(after.Text(), "$60,000") {
		t.Errorf("the shared page changed: %s", after.MainText())
	}
}

func TestShare_Expiry(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true}) // the jobs read the desk that this test replaces
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	for _, days := range []string{"0", "2", "30", "-1", "x", "99999999999999999999"} {
		grid := olivia.WaitFor(aLead+"/offers", `input[name="offer.offerUuid"]`)
		page := olivia.Get(grid.Find(`#pins header a[href*="/share?"]`).AttrOr("href", ""))
		if got := olivia.Send(page.Form(`#share form`).With("expires", days)); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s days: got %d, want 422", days, got.Status)
		}
	}
	_, link := share(t, olivia, aLead, func(f *webtest.Form) { *f = f.With("expires", "3") })
	now := time.Now()
	h.DeskDeps.Now = func() time.Time { return now }
	h.RebuildDesks()
	now = now.Add(3*24*time.Hour - time.Minute)
	if got := open(h, http.MethodGet, link, aBrowser, nil); got.Status != http.StatusOK {
		t.Errorf("a minute before the end: got %d", got.Status)
	}
	now = now.Add(2 * time.Minute)
	ended := open(h, http.MethodGet, link, aBrowser, nil)
	ended.WantText("This estimate is no longer available", "Olivia Bennett", "NMLS 1847220", "(303)")
	if ended.Status != http.StatusGone || strings.Contains(ended.Text(), "$") {
		t.Errorf("after the end: got %d, %s", ended.Status, ended.MainText())
	}
	if pdf := open(h, http.MethodGet, link+"?as=pdf", aBrowser, nil); strings.HasPrefix(pdf.Body, "%PDF") {
		t.Error("after the end, the PDF is still there")
	}
	olivia.Get(aLead + "/share").WantText("Expired")
}

func TestShare_NeverBeyondTheInquiry(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true}) // the jobs read the desk that this test replaces
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	olivia.WaitFor(aLead+"/offers", `input[name="offer.offerUuid"]`)
	l, err := h.DeskService.For(h.People["olivia"].Actor).Lead(t.Context(), strings.TrimPrefix(aLead, "/leads/"))
	h.Must(err)
	day, ok := l.Row().ExpirationDate.Time()
	if !ok {
		t.Fatal("the sandbox states no expiration date: the test checks nothing")
	}
	now := day.Add(-36 * time.Hour)
	h.DeskDeps.Now = func() time.Time { return now }
	h.RebuildDesks()
	share(t, olivia, aLead, func(f *webtest.Form) { *f = f.With("expires", "14") })
	l, err = h.DeskService.For(h.People["olivia"].Actor).Lead(t.Context(), strings.TrimPrefix(aLead, "/leads/"))
	h.Must(err)
	links, err := l.Offers().SharedQuotes(t.Context())
	h.Must(err)
	if len(links) != 1 || time.UnixMilli(links[0].ExpiresAt).After(day.Add(36*time.Hour)) ||
		links[0].Quote.LinkExpires != l.Row().ExpirationDate {
		t.Errorf("got %+v, want the end of %s", links, l.Row().ExpirationDate)
	}
	grid := olivia.Get(aLead + "/offers")
	form := olivia.Get(grid.Find(`#pins header a[href*="/share?"]`).AttrOr("href", "")).Form(`#share form`)
	now = day.Add(72 * time.Hour)
	if got := olivia.Send(form); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Text(), "has expired at the lender") {
		t.Errorf("after the inquiry has expired: got %d: %s", got.Status, got.MainText())
	}
}

func TestShare_Revoked_ShowsPhoneOnly(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	created, link := share(t, olivia, aLead, nil)
	created.WantText("Not opened yet", "Expires ", "Hearthline can’t tell who opened a link")
	if created.Find("#shared svg.qr path").AttrOr("d", "") == "" {
		t.Error("there is no QR code")
	}
	revoke := created.Find(`#shared form[action$="/revoke"]`).AttrOr("action", "")
	olivia.Post(revoke, nil).WantText("Revoked", "by Olivia Bennett")
	ended := open(h, http.MethodGet, link, aBrowser, nil)
	ended.WantText("This estimate is no longer available", "Olivia Bennett", "(303)")
	if ended.Status != http.StatusGone || strings.Contains(ended.Text(), "$") {
		t.Errorf("got %d, %s", ended.Status, ended.MainText())
	}
	if again := olivia.Post(revoke, nil); again.Status != http.StatusNotFound {
		t.Errorf("revoked again: got %d, want 404", again.Status)
	}
	olivia.Get(aLead+"/history").WantText("Quote shared by link", "Shared quote revoked")
	for _, act := range []store.AuditAction{store.ActionShare, store.ActionShareRevoke} {
		if rows, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: act, Limit: 5}); err != nil || len(rows) != 1 ||
			strings.Contains(rows[0].Detail, strings.TrimPrefix(link, "/q/")) {
			t.Errorf("%s: got %+v, %v, want one entry without the token", act, rows, err)
		}
	}
}

// TestShare_LeadEnded_NothingToShare creates a link, ends the lead, and looks at the links and at the form of before.
func TestShare_LeadEnded_NothingToShare(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	_, link := share(t, olivia, aLead, nil)
	grid := olivia.Get(aLead + "/offers")
	form := olivia.Get(grid.Find(`#pins header a[href*="/share?"]`).AttrOr("href", "")).Form(`#share form`)
	olivia.Send(olivia.Get(aLead).Form(`form[action$="/cancel"]`).With("confirm.cancel", "true"))
	h.WaitUntil("the lead has ended", func() bool {
		return h.LeadRow(heloc.AppID(strings.TrimPrefix(aLead, "/leads/"))).StatusKey.Ended()
	})
	ended := olivia.Get(aLead + "/share")
	ended.WantText("This lead has ended, so its offers can’t be shared.", "Shows only whom to call. Not opened yet.")
	if ended.Find(`#share form, #shared input, #shared svg, #shared [data-copy], #shared a`).Length() != 0 ||
		strings.Contains(ended.Text(), "Expires ") {
		t.Errorf("the page of the links offers one: %s", ended.MainText())
	}
	if got := open(h, http.MethodGet, link, aBrowser, nil); got.Status != http.StatusGone {
		t.Errorf("the link: got %d", got.Status)
	}
	if got := olivia.Send(form); got.Status == http.StatusOK || strings.Contains(got.Text(), "1 active") {
		t.Errorf("the form of before: got %d: %s", got.Status, got.MainText())
	}
	l, err := h.DeskService.For(h.People["olivia"].Actor).Lead(t.Context(), strings.TrimPrefix(aLead, "/leads/"))
	h.Must(err)
	links, err := l.Offers().SharedQuotes(t.Context())
	h.Must(err)
	if len(links) != 1 {
		t.Errorf("got %d links, want 1", len(links))
	}
}

func sharesOf(t *testing.T, h *webtest.Harness, aLead, who string) (opened int, notices int) {
	t.Helper()
	l, err := h.DeskService.For(h.People[who].Actor).Lead(t.Context(), strings.TrimPrefix(aLead, "/leads/"))
	h.Must(err)
	links, err := l.Offers().SharedQuotes(t.Context())
	h.Must(err)
	page, err := h.Store.Notices(t.Context(), store.UserScopeOf(h.People[who].Actor), "")
	h.Must(err)
	for _, n := range page.Notices {
		if n.Kind == lead.NoticeShareOpened {
			notices++
		}
	}
	return links[0].Opened, notices
}

// TestSharedQuote_CountsVisitsOnly opens a link in ways that are not a visit, and then at once with several browsers.
func TestSharedQuote_CountsVisitsOnly(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	_, link := share(t, olivia, aLead, nil)
	for name, r := range map[string]func() *webtest.Response{
		"HEAD": func() *webtest.Response { return open(h, http.MethodHead, link, aBrowser, nil) },
		"prefetch": func() *webtest.Response {
			return open(h, http.MethodGet, link, aBrowser, map[string]string{"Sec-Purpose": "prefetch;prerender"})
		},
		"old Firefox": func() *webtest.Response {
			return open(h, http.MethodGet, link, aBrowser, map[string]string{"X-Moz": "prefetch"})
		},
		"Slack": func() *webtest.Response {
			return open(h, http.MethodGet, link, "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", nil)
		},
		"iMessage": func() *webtest.Response {
			return open(h, http.MethodGet, link, "Mozilla/5.0 (Macintosh; "+
				"Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0", nil)
		},
		"a tool":   func() *webtest.Response { return open(h, http.MethodGet, link, "curl/8.5.0", nil) },
		"language": func() *webtest.Response { return open(h, http.MethodGet, link+"?lang=es", aBrowser, nil) },
		"PDF":      func() *webtest.Response { return open(h, http.MethodGet, link+"?lang=es&as=pdf", aBrowser, nil) },
	} {
		if got := r(); got.Status != http.StatusOK {
			t.Errorf("%s: got %d", name, got.Status)
		}
		if n, _ := sharesOf(t, h, aLead, "olivia"); n != 0 {
			t.Fatalf("%s is counted as an opening", name)
		}
	}
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			open(h, http.MethodGet, link, aBrowser, map[string]string{"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
				"Sec-Fetch-Site": "cross-site"})
		})
	}
	all.Wait()
	if n, notices := sharesOf(t, h, aLead, "olivia"); n != 12 || notices != 1 {
		t.Errorf("got %d openings and %d notifications, want 12 and one", n, notices)
	}
	olivia.Get(aLead+"/share").WantText("Opened 12 times", "first today")
	olivia.Get(aLead + "/history").WantText("Shared quote opened for the first time")
	olivia.Get("/notifications").WantText("Your shared quote was opened")
	if rows, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionShareOpen, Limit: 5}); err != nil ||
		len(rows) != 1 {
		t.Errorf("got %+v, %v, want one audit entry", rows, err)
	}
}

func TestSharedQuote_TooManyRequests_SlowedDown(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	last := 0
	for range offers.OpensPerMinute + 1 {
		last = open(h, http.MethodGet, "/q/x", aBrowser, nil).Status
	}
	if last != http.StatusServiceUnavailable && last != http.StatusTooManyRequests {
		t.Errorf("got %d after %d requests", last, offers.OpensPerMinute+1)
	}
}

// TestShare_Permissions: a link belongs to its lead, and so follows it to another originator.
func TestShare_Permissions(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	aLead := olivia.StartLead("Rivera")
	created, link := share(t, olivia, aLead, nil)
	other := olivia.StartLead("Silva")
	revoke := created.Find(`#shared form[action$="/revoke"]`).AttrOr("action", "")
	id := strings.Split(revoke, "/")[4]
	piotr, ada, marcus := h.SignInAs("piotr"), h.SignInAs("ada"), h.SignInAs("marcus")
	for name, got := range map[string]*webtest.Response{
		"another company lists":   piotr.Get(aLead + "/share"),
		"another company shares":  piotr.Post(aLead+"/share", url.Values{"expires": {"7"}}),
		"another company revokes": piotr.Post(revoke, nil), "a colleague lists": marcus.Get(aLead + "/share"),
		"a colleague revokes": marcus.Post(revoke, nil),
		"under another lead":  olivia.Post(other+"/share/"+id+"/revoke", nil),
	} {
		if got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", name, got.Status)
		}
	}
	if got := ada.Post(aLead+"/share", url.Values{"amount": {"60,000"},
		"expires": {"7"}}); got.Status != http.StatusForbidden {
		t.Errorf("an assistant shares: got %d, want 403", got.Status)
	}
	page := ada.Get(aLead + "/share")
	page.WantText("A loan originator of your company can create a link.", "Expires ")
	if page.Find(`#share form`).Length() != 0 {
		t.Error("an assistant is shown the form")
	}
	unknown := access.Actor{UserID: "user-stranger"}
	d := h.DeskService.For(h.People["olivia"].Actor)
	l, err := d.Lead(context.Background(), strings.TrimPrefix(aLead, "/leads/"))
	h.Must(err)
	*d.Actor = unknown
	if err := l.Offers().RevokeShare(t.Context(), id); !fault.Is(err, fault.Denied) {
		t.Errorf("the desk: got %v, want denied", err)
	}
	// The new originator sees the link and is the one to call.
	olivia.Send(olivia.ReassignForm(aLead, "marcus"))
	marcus.Get(aLead+"/share").WantText("Expires ", "by Olivia Bennett")
	open(h, http.MethodGet, link, aBrowser, nil).WantText("Marcus", "Your loan officer")
	if got := olivia.Get(aLead + "/share"); got.Status != http.StatusNotFound {
		t.Errorf("the former originator: got %d, want 404", got.Status)
	}
	marcus.Post(revoke, nil).WantText("Revoked", "by Marcus")
}
