package lead_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

func TestReveal_LoggedAndNotStored(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	hidden := []string{"555-0147", "3035550147", "elena@borrower.test", "May 17, 1979", "1979-05-17", "2216 Larkspur"}
	got := olivia.Post(path+"/reveal", url.Values{"reason": {""}})
	if got.Status != http.StatusUnprocessableEntity ||
		got.Find(`#reveal [name="reason"][aria-invalid="true"]`).Length() != 1 {
		t.Errorf("without a reason: got %d", got.Status)
	}
	if rows, _ := h.Store.Reveals(t.Context(), app, 9); len(rows) != 0 {
		t.Errorf("without a reason: got %d reveals, want none", len(rows))
	}
	got = olivia.Post(path+"/reveal", url.Values{"reason": {"callback"}})
	got.WantText("(303) 555-0147", "elena@borrower.test", "May 17, 1979", "The borrower asked to be called back",
		"Visible to you until")
	if c := got.Header.Get("Cache-Control"); c != "no-store" {
		t.Errorf("Cache-Control: got %q, want no-store", c)
	}
	if got.Find("#borrower-part[data-hide-after][hx-morph-skip]").Length() != 1 ||
		!strings.Contains(got.Body, `content="300; url=`+path+`"`) {
		t.Error("the details are not hidden after five minutes")
	}
	part := olivia.Post(path+"/reveal", url.Values{"reason": {"she called about the gate code 4711"}}, "HX-Request",
		"true", "HX-Request-Type", "partial", "HX-Target", "div#borrower-part")
	if part.Find("#borrower-part").Length() != 1 || part.Find("h1").Length() != 0 ||
		!strings.Contains(part.Body, "555-0147") {
		t.Errorf("the fragment: got %d %.200s", part.Status, part.Body)
	}
	stored := storedText(h)
	for _, page := range []string{"", "/activity", "/history", "/underwriting"} {
		stored += olivia.Get(path + page).Body
	}
	for _, secret := range append(hidden[:5], "gate code") {
		if strings.Contains(storedText(h), secret) {
			t.Errorf("%q is kept", secret)
		}
		if secret != "gate code" && strings.Contains(stored, secret) {
			t.Errorf("%q is on a later page", secret)
		}
	}
	olivia.Get(path+"/activity").WantText("Who opened this lead", "phone, email, birth date, home",
		"she called about the gate code 4711", "Viewed borrower details")
	rows, err := h.Store.AuditOf(t.Context(), "lead:"+string(app), 9)
	// recorded again when the lead changes
	rows = slices.DeleteFunc(rows, func(a store.AuditEntry) bool { return a.Action == store.ActionLeadOpen })
	if err != nil || len(rows) < 2 || rows[0].Action != "borrower.reveal" || rows[0].ActorID != "user-olivia" ||
		!strings.Contains(rows[0].Detail, "reason:typed fields:phone") {
		t.Errorf("the audit: got %+v, %v", rows, err)
	}
}

// TestReveal_LenderDown_OnlyInAudit: nothing was shown, which is what the audit says, and the lead's log has no view.
func TestReveal_LenderDown_OnlyInAudit(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{Timeout: time.Second})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	h.Lender.Close()
	got := olivia.Post(path+"/reveal", url.Values{"reason": {"identity"}})
	if got.Status != http.StatusServiceUnavailable && got.Status != http.StatusBadGateway {
		t.Errorf("got %d, want an error that the lender does not respond", got.Status)
	}
	rows, err := h.Store.Reveals(t.Context(), app, 9)
	if err != nil || len(rows) != 0 {
		t.Errorf("got %d reveals, %v, want none", len(rows), err)
	}
	h.WantAudited("user-olivia borrower.reveal lead:" + string(app) + " failed")
	if text := olivia.Get(path + "/activity").Text(); strings.Contains(text, "Viewed borrower details") {
		t.Errorf("the activity says that they were viewed: %s", text)
	}
}

func TestReveal_TooMany_429(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	err := h.Store.Write(t.Context(), func(tx *store.Tx) error {
		for i := range 60 {
			r := lead.Reveal{ID: "r" + string(rune('0'+i/10)) + string(rune('0'+i%10)), App: app, UserID: "user-olivia",
				UserName: "Olivia", At: store.Millis(time.Now())}
			if err := tx.AddReveal(t.Context(), r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := olivia.Post(path+"/reveal", url.Values{"reason": {"identity"}})
	if got.Status != http.StatusTooManyRequests || strings.Contains(got.Body, "555-0147") ||
		got.Header.Get("Retry-After") == "" {
		t.Errorf("the 61st: got %d", got.Status)
	}
	if got := olivia.Post(path+"/contact", url.Values{"contact.how": {"call"}}); got.Status != http.StatusTooManyRequests {
		t.Errorf("a contact: got %d, want it limited too", got.Status)
	}
	if h.LeadRow(app).LastContactAt != 0 {
		t.Error("a rejected contact was logged")
	}
	if got := h.SignInAs("maya").Post(path+"/reveal", url.Values{"reason": {"identity"}}); got.Status != http.StatusOK {
		t.Errorf("another user: got %d, want 200", got.Status)
	}
}

// TestContact_Show_IsViewAndNoContact: showing a phone number, an email or the link is logged as a view, and the lead
// still has no contact.
func TestContact_Show_IsViewAndNoContact(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	olivia.Get(path).WantText("No contact yet.", "Viewing and each contact are logged.")
	for _, tt := range []struct{ how, href, shown, other, fields string }{
		{"call", "tel:+13035550147", "(303) 555-0147", "elena@borrower.test", "phone"},
		{"text", "sms:+13035550147?", "(303) 555-0147", "elena@borrower.test", "phone"},
		{"email", "mailto:elena@borrower.test?", "elena@borrower.test", "555-0147", "email"},
		{"link", "", "", "555-0147", "link"},
	} {
		got := olivia.Post(path+"/contact", url.Values{"contact.how": {tt.how}})
		if got.Status != http.StatusOK || strings.Contains(got.Body, tt.other) || !strings.Contains(got.Body, tt.shown) {
			t.Errorf("%s: got %d with %q shown %v, %q shown %v",
				tt.how, got.Status, tt.shown, strings.Contains(got.Body, tt.shown), tt.other, strings.Contains(got.Body, tt.other))
		}
		if tt.href != "" && got.Find(`#borrower-part a[href^="`+tt.href+`"]`).Length() == 0 {
			t.Errorf("%s: no link %s…", tt.how, tt.href)
		}
		if tt.how == "link" && !strings.HasPrefix(got.Find(`[name="borrower.link"]`).AttrOr("value", ""), "https://") {
			t.Error("link: none to copy")
		}
		if row := h.LeadRow(app); row.LastContact != "" || row.LastContactAt != 0 {
			t.Errorf("%s: showing logged the contact %q", tt.how, row.LastContact)
		}
		rows, err := h.Store.Reveals(t.Context(), app, 1)
		if err != nil || len(rows) != 1 || rows[0].Fields != tt.fields {
			t.Errorf("%s: got the views %+v, %v, want %s", tt.how, rows, err, tt.fields)
		}
	}
	olivia.Get(path).WantText("No contact yet.")
	olivia.Get("/leads?view=all").WantText("Not contacted")
}

// TestContact_Said_LoggedAndAudited: "I called", "I texted" and "I emailed" log a contact and show nothing.
func TestContact_Said_LoggedAndAudited(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	for _, tt := range []struct{ label, how, last string }{{"I called", "call", "Call,"}, {"I texted", "text", "Text,"},
		{"I emailed", "email", "Email,"}} {
		page := olivia.Get(path)
		if got := strings.TrimSpace(page.Find(`#form-log-contact button[name="contact.how"][value="` +
			tt.how + `"]`).Text()); got != tt.label {
			t.Errorf("%s: got the button %q, want %q", tt.how, got, tt.label)
		}
		got := olivia.Send(page.Form("#form-log-contact").With("contact.how", tt.how))
		got.WantText("Last contact: " + tt.last)
		got.WantNoText(webtest.BorrowerSecrets)
		if row := h.LeadRow(app); row.LastContact != tt.how || row.LastContactAt == 0 {
			t.Errorf("%s: got the last contact %q", tt.how, row.LastContact)
		}
		rows, err := h.Store.AuditOf(t.Context(), "lead:"+string(app), 99)
		audited := slices.ContainsFunc(rows, func(a store.AuditEntry) bool {
			return a.Action == store.ActionContactLog && a.ActorID == "user-olivia" && a.Detail == "method:"+tt.how
		})
		if err != nil || !audited {
			t.Errorf("%s: got the audit %+v, %v", tt.how, rows, err)
		}
	}
	if views, _ := h.Store.Reveals(t.Context(), app, 9); len(views) != 0 {
		t.Errorf("logging showed borrower details: %+v", views)
	}
}

// TestContact_ShowWithNoteOfWhatWasSaid_Logged: a form of an older build showed and logged at once. A note of what was
// said still says that there was a contact, so it is neither lost nor stored without one.
func TestContact_ShowWithNoteOfWhatWasSaid_Logged(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	olivia.Post(path+"/contact", url.Values{"contact.how": {"call"}, "contact.note": {"prefers mornings"}}).
		WantText("(303) 555-0147", "prefers mornings")
	if row := h.LeadRow(app); row.LastContact != "call" {
		t.Errorf("got the last contact %q, want call", row.LastContact)
	}
}

func TestContact_MessageTextsAndNotes(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	text := olivia.Post(path+"/contact", url.Values{"contact.how": {"text"}}).Find(`#borrower-part a[hreflang="es"]`).
		AttrOr("href", "")
	body, err := url.QueryUnescape(text[strings.Index(text, "body=")+5:])
	if err != nil || !strings.Contains(body, "Hola Elena") || !strings.Contains(body, "NMLS") ||
		!strings.Contains(body, "Ya llegaron sus ofertas") {
		t.Errorf("the text in Spanish: got %q, %v", body, err)
	}
	before, _ := h.Store.Reveals(t.Context(), app, 99)
	got := olivia.Post(path+"/contact", url.Values{"contact.how": {"in-person"},
		"contact.note": {"met at the branch, brings the statement"}})
	got.WantText("met at the branch", "In person")
	olivia.Post(path+"/contact", url.Values{"contact.how": {"call"}, "contact.only": {"true"}})
	if after, _ := h.Store.Reveals(t.Context(), app, 99); len(after) != len(before) {
		t.Errorf("a note alone: got %d more reveals, want none", len(after)-len(before))
	}
	if strings.Contains(storedText(h), "met at the branch") {
		t.Error("the text of a contact is stored unencrypted")
	}
	if got := olivia.Post(path+"/contact",
		url.Values{"contact.how": {"pigeon"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("an unknown method: got %d, want 422", got.Status)
	}
	if page := olivia.Get(path).Body; strings.Contains(page, borrowerLinkOf(h, app)) {
		t.Error("the borrower link is on the page without being requested")
	}
}

// borrowerLinkOf returns the borrower link that the sandbox created.
func borrowerLinkOf(h *webtest.Harness, app heloc.AppID) string {
	h.T.Helper()
	got, err := h.DeskDeps.Lender.Details(h.T.Context(), app)
	if err != nil || got.Value.BorrowerAppLink == "" {
		h.T.Fatalf("no link: %v", err)
	}
	return got.Value.BorrowerAppLink
}
