package lead_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// selectedLead starts an inquiry, selects its first offer, and returns once the lender is waiting for the borrower.
func selectedLead(olivia *webtest.Browser) (path string, app heloc.AppID) {
	olivia.H.T.Helper()
	path, app = olivia.StartLeadAt("Xochiquetzal", heloc.StepOffersAvailable)
	selectOffer(olivia, path, app)
	return path, app
}

func selectOffer(olivia *webtest.Browser, path string, app heloc.AppID) {
	h := olivia.H
	h.T.Helper()
	page := olivia.WaitFor(path+"/offers", `input[name="offer.offerUuid"]`)
	// the page after the selection is the test's to open
	olivia.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	defer func() { olivia.Client.CheckRedirect = nil }()
	olivia.Send(page.Form("form#select").With("confirm.offer", "true",
		"offer.offerUuid", page.Find(`input[name="offer.offerUuid"]`).First().AttrOr("value", "")))
	h.WaitUntil("the sign-in", func() bool { return h.LeadRow(app).StatusKey == heloc.StatusBorrowerSignIn })
}

// play has the borrower act, and waits for the resulting status.
func play(olivia *webtest.Browser, app heloc.AppID, event string, then heloc.StatusKey) {
	h := olivia.H
	h.T.Helper()
	h.Must(h.Sandbox.Play(app, event))
	tries := 0
	h.WaitUntil(string(then), func() bool {
		if tries++; tries%25 == 1 { // a refresh that was already running can miss it
			olivia.Post("/leads/"+string(app)+"/refresh", nil)
		}
		return h.LeadRow(app).StatusKey == then
	})
}

// age moves everything that happened on a lead back in time.
func age(h *webtest.Harness, app heloc.AppID, by time.Duration) {
	h.T.Helper()
	ms := by.Milliseconds()
	h.ExecSQL(`UPDATE operations SET step_changed_at = step_changed_at - ?, sent_at = sent_at - ? WHERE app = ?`,
		ms, ms, app)
	h.ExecSQL(`UPDATE lead_events SET at = at - ? WHERE app = ?`, ms, app)
	h.EditLead(app, func(l *lead.Row) {
		l.StepSince -= ms
		if l.LastContactAt != 0 {
			l.LastContactAt -= ms
		}
	})
}

// linkViews counts how often the link was viewed.
func linkViews(h *webtest.Harness, app heloc.AppID) int {
	h.T.Helper()
	rows, err := h.Store.Reveals(h.T.Context(), app, 99)
	h.Must(err)
	return len(rows)
}

// ticks are the borrower's steps on a page, each with its state.
func ticks(page *webtest.Response) (states string) {
	page.Find(".ticks li").Each(func(_ int, li *webtest.Selection) { states += li.AttrOr("class", "") + "," })
	return states
}

// TestHandoff_AfterSelection_TwoPressesToLogged: the sheet shows the link once, asks whether it was sent, and logs it.
func TestHandoff_AfterSelection_TwoPressesToLogged(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia := h.SignInAs("olivia")
			path, app := selectedLead(olivia)
			link := borrowerLinkOf(h, app)
			if maya := h.SignInAs("maya").Get(path); strings.Contains(maya.Body, link) ||
				maya.Find(`#step a[href$="/borrower-link"]`).Length() != 1 {
				t.Error("the link opens for somebody else than who selected, or has no button")
			}
			if olivia.Do(olivia.Request(http.MethodHead, path, nil, nil)); linkViews(h, app) != 0 {
				t.Error("a HEAD request opens the link")
			}
			for name, value := range map[string]string{"Sec-Purpose": "prefetch;prerender", "Sec-Fetch-Site": "cross-site"} {
				ahead := olivia.Request(http.MethodGet, path, nil, nil)
				ahead.Header.Set(name, value)
				if olivia.Do(ahead); linkViews(h, app) != 0 {
					t.Errorf("a request with %s: %s opens the link", name, value)
				}
			}
			sheet := olivia.Get(path)
			sheet.WantText("Send Elena the sign-in link", "Did you send it?", "Offer selection confirmed",
				"The link is shown to you now")
			if got := sheet.Find(`#step [name="borrower.link"]`).AttrOr("value", ""); got != link {
				t.Errorf("got the link %q, want %q", got, link)
			}
			if sheet.Find(`#step [autofocus]`).Length() != 0 {
				t.Error("a sheet that opens without a button takes the focus")
			}
			if got, want := ticks(sheet), "ok,now,,,"; got != want {
				t.Errorf("before it is sent: got %s, want %s", got, want)
			}
			if n := linkViews(h, app); n != 1 {
				t.Errorf("got %d logged views, want 1", n)
			}
			h.WantAudited("user-olivia borrower.link lead:" + string(app) + " opened")
			if l, err := h.DeskService.For(h.People["olivia"].Actor).Lead(t.Context(), string(app)); err != nil {
				t.Fatal(err)
			} else if _, err := l.BorrowerLinkOnce(t.Context(), 1); !fault.Is(err, fault.Conflict) || linkViews(h, app) != 1 {
				t.Errorf("a page that was requested at the same time: got %v, want no second view", err)
			}
			again := olivia.Get(path)
			if strings.Contains(again.Body, link) || linkViews(h, app) != 1 {
				t.Error("the link opens by itself a second time")
			}
			again.WantText("Send Elena the sign-in link", "Did you send it?", "The link was shown to you today")
			logged := olivia.Send(again.Form("#form-sent").With("contact.how", "link"))
			if row := h.LeadRow(app); logged.Path != path || row.LastContact != "link" {
				t.Errorf("yes led to %s and logged %q", logged.Path, row.LastContact)
			}
			olivia.Send(again.Form("#form-sent").With("contact.how", "link"))
			events, err := h.Store.Events(t.Context(), app, 99)
			h.Must(err)
			events = slices.DeleteFunc(events, func(e lead.Event) bool { return e.Kind != lead.EventContact })
			if len(events) != 1 {
				t.Errorf("a button that is pressed twice logs %d contacts", len(events))
			}
			logged.WantText("Waiting for the borrower to sign in", "logged today", "Last contact: Link sent, today")
			if got, want := ticks(logged), "ok,ok,now,,"; got != want || logged.Find("#form-sent").Length() != 0 {
				t.Errorf("after it was sent: got %s, want %s and no question", got, want)
			}
			play(olivia, app, "borrower-signs-in", heloc.StatusBrokerDocs)
			signedIn := olivia.Get(path)
			if got, want := ticks(signedIn), "ok,ok,ok,now,"; got != want {
				t.Errorf("after the sign-in: got %s, want %s", got, want)
			}
			signedIn.WantText("shown by the lender today")
			play(olivia, app, "documents-signed", heloc.StatusComplete)
			if got, want := ticks(olivia.Get(path)), "ok,ok,ok,ok,"; got != want {
				t.Errorf("after the documents: got %s, want %s", got, want)
			}
		})
	}
}

// TestHandoff_Message_HasFirstNameOnly: neither the message nor its URLs reveal more about the borrower than the first
// name, and the apps get no recipient.
func TestHandoff_Message_HasFirstNameOnly(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := selectedLead(olivia)
	link := borrowerLinkOf(h, app)
	for _, who := range []string{"olivia", "ada"} {
		page := h.SignInAs(who).Get(path + "/borrower-link")
		if page.Find(`#step [name="borrower.link"][autofocus]`).Length() != 1 {
			t.Errorf("%s: the link that was asked for does not have the focus", who)
		}
		page.WantNoText(webtest.BorrowerSecrets)
		for lang, want := range map[string][]string{
			"en": {"Hi Elena, it’s ", " at Summit Home Lending. Your home equity line of credit is ready", "(303) 555-",
				"NMLS 1847220"},
			"es": {"Hola, Elena: le escribe ",
				", de Summit Home Lending. Su línea de crédito sobre el valor de la vivienda (HELOC)",
				"(303) 555-", "NMLS 1847220"},
		} {
			for _, app := range []string{"sms:?&body=", "mailto:?subject="} {
				href := page.Find(`.ways a[hreflang="`+lang+`"][href^="`+app+`"]`).AttrOr("href", "")
				body, err := url.PathUnescape(href)
				if err != nil || !strings.Contains(body, link) {
					t.Fatalf("%s, %s, %s: got %q, %v", who, lang, app, href, err)
				}
				for _, text := range want {
					if !strings.Contains(body, text) {
						t.Errorf("%s, %s: %q has no %q", who, lang, body, text)
					}
				}
				for _, never := range []string{"Xochiquetzal", "elena@", "555-0147", "$", "60,000", "Larkspur"} {
					if strings.Contains(body, never) {
						t.Errorf("%s, %s: %q has %q", who, lang, body, never)
					}
				}
				if asks := strings.Contains(body, "Call me") || strings.Contains(body, "llámeme"); asks != (who == "olivia") {
					t.Errorf("%s, %s: whom to call is wrong in %q", who, lang, body)
				}
			}
		}
	}
}

// TestHandoff_FollowUps_FitWhatWasLogged: what the message says after one, three and seven days.
func TestHandoff_FollowUps_FitWhatWasLogged(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for name, tt := range map[string]struct {
		sent   bool
		signed bool
		after  time.Duration
		due    string // the number of the follow-up that is due
		says   string
	}{
		"an hour":               {true, false, time.Hour, "", "is ready for the next step"},
		"a day":                 {true, false, day, "1", "Did you get my link?"},
		"three days":            {true, false, 3 * day, "3", "Would a quick call help"},
		"seven days":            {true, false, 7 * day, "7", "I’m checking in"},
		"three days, not sent":  {false, false, 3 * day, "3", "is ready for the next step"},
		"documents, a day":      {true, true, day, "1", "still need your signature"},
		"documents, seven days": {false, true, 7 * day, "7", "by phone"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := webtest.New(t, webtest.Options{})
			olivia := h.SignInAs("olivia")
			path, app := selectedLead(olivia)
			if tt.sent {
				olivia.Post(path+"/contact", url.Values{"contact.how": {"link"}, "contact.only": {"true"}})
			}
			if !tt.sent { // a text about something else does not send the link
				olivia.Post(path+"/contact", url.Values{"contact.how": {"text"}, "contact.only": {"true"}})
			}
			quiet, due := heloc.StatusBorrowerSignIn, heloc.StatusFollowUpSignIn
			if tt.signed {
				quiet, due = heloc.StatusBrokerDocs, heloc.StatusFollowUpDocs
				play(olivia, app, "borrower-signs-in", quiet)
			}
			age(h, app, tt.after+time.Minute)
			page := olivia.Get(path + "/borrower-link")
			if got := page.Find(".plan .now .day").Text(); got != tt.due {
				t.Errorf("got %q days due, want %q", got, tt.due)
			}
			if got := page.Find(`.bubble[lang="en"]`).Text(); !strings.Contains(got, tt.says) {
				t.Errorf("the message is %q, want %q", got, tt.says)
			}
			if text := page.Find("#step").Text(); !tt.sent &&
				(strings.Contains(text, "Did you get my link") || strings.Contains(text, "again")) {
				t.Error("the page speaks of a link that was not sent")
			}
			previews := page.Find(".plan li:not(.now) .sm:last-child:contains('…')").Length()
			if want := tt.sent || tt.signed; (previews > 0) != want && tt.after < 7*day {
				t.Errorf("got %d previews of later messages, want some: %v", previews, want)
			}
			if tt.due == "" {
				return
			}
			if got := page.Find(".plan .now p").Last().Text(); got != "The message above." {
				t.Errorf("the due follow-up says %q beside its message", got)
			}
			if got := h.LeadRow(app).StatusKey; got != due {
				t.Errorf("got the status %s, want %s", got, due)
			}
			done := olivia.Send(page.Form("#form-sent").With("contact.how", "link"))
			after := olivia.Get(path + "/borrower-link").Find(`.bubble[lang="en"]`).Text()
			if tt.due == "1" && strings.Contains(after, tt.says) {
				t.Errorf("after it was sent, the message is still %q", after)
			}
			if got := h.LeadRow(app).StatusKey; got != quiet || done.Find(".plan .now").Length() != 0 {
				t.Errorf("after the follow-up: got the status %s", got)
			}
			done.WantText("Link sent, today")
		})
	}
}

// TestHandoff_LogsContactsInOnePlace: while the card logs contacts, the panel does not; on any other tab it does.
func TestHandoff_LogsContactsInOnePlace(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, _ := selectedLead(olivia)
	overview := olivia.Get(path)
	if overview.Find("#form-contact").Length() != 1 || overview.Find("#form-log-contact").Length() != 0 {
		t.Error("the overview does not log contacts in the card alone")
	}
	part := []string{"HX-Request", "true", "HX-Request-Type", "partial", "HX-Target", "div#borrower-part",
		"HX-Current-URL"}
	for tab, want := range map[string]int{"": 0, "/documents": 1, "/documents?x=1": 1, "/elsewhere": 0} {
		shown := olivia.Post(path+"/contact", url.Values{"contact.how": {"call"}},
			append(part, "http://localhost"+path+tab)...)
		if got := shown.Find("#form-log-contact").Length(); got != want || !strings.Contains(shown.Text(), "555-0147") {
			t.Errorf("%s: got %d forms beside the phone number, want %d", tab, got, want)
		}
	}
	if olivia.Get(path+"/documents").Find("#form-log-contact").Length() != 1 {
		t.Error("another tab has nothing to log a contact with")
	}
	tomorrow := olivia.Send(olivia.Send(overview.Form("#form-sent").With("contact.how", "link")).Form("#form-tomorrow"))
	tomorrow.WantText("Reminder due tomorrow 9:00 AM")
	olivia.Send(tomorrow.Form("#form-contact").With("contact.how", "in-person", "contact.note", "Met at the branch")).
		WantText("Last contact: In person", "Met at the branch")
	refused := olivia.Post(path+"/contact", url.Values{"contact.how": {""}, "contact.only": {"true"}})
	if refused.Status != http.StatusUnprocessableEntity || refused.Find("#log-contact[open] #form-contact").Length() != 1 {
		t.Errorf("without a method: got %d, want the open form", refused.Status)
	}
}

// TestHandoff_InFrame_NeedsPress: in a CRM's frame, a click must show that the user sees the page.
func TestHandoff_InFrame_NeedsPress(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	crm := webtest.NewCRM(t, h)
	crm.Attest()
	crm.ConnectUser("olivia")
	frame := crm.OpenFrame(webtest.LaunchFor("51"))
	path := frame.StartLead("Xochiquetzal")
	app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	selectOffer(h.SignInAs("olivia"), path, app)
	page := frame.Get(path)
	if strings.Contains(page.Body, borrowerLinkOf(h, app)) || linkViews(h, app) != 0 {
		t.Error("the link opens by itself in a frame")
	}
	href := page.Find(`#step a[href$="/borrower-link"]`).AttrOr("href", "")
	if opened := frame.Get(strings.TrimPrefix(href, frame.Base)); opened.Find(`.ways a[href^="sms:?"]`).Length() != 2 {
		t.Errorf("the button led to %d: %s", opened.Status, opened.MainText())
	}
}

// TestHandoff_OpenedLongAgo_NotByItself: hours after the selection, nobody is about to send the link.
func TestHandoff_OpenedLongAgo_NotByItself(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := selectedLead(olivia)
	age(h, app, time.Hour)
	page := olivia.Get(path)
	if strings.Contains(page.Body, borrowerLinkOf(h, app)) || page.Find("#form-sent").Length() != 0 {
		t.Error("the sheet is open, or asks about a link that nobody opened")
	}
	rows, err := h.Store.AuditOf(t.Context(), "lead:"+string(app), 99)
	h.Must(err)
	for _, a := range rows {
		if a.Action == store.ActionBorrowerLink {
			t.Errorf("got the audit %+v", a)
		}
	}
}
