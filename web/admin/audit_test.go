package admin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/web/guard"
	"hearthline/web/webtest"
)

func TestDenials_TooMany_429(t *testing.T) {
	t.Parallel()
	// All requests have the same time, however long they take.
	at := time.Now()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true, Now: func() time.Time { return at }})
	ada, other := h.SignInAs("ada"), h.SignInAs("ada")
	var last *webtest.Response
	for range guard.MaxDenialsPerMinute + 1 {
		last = ada.Post("/leads", url.Values{})
	}
	if last.Status != http.StatusTooManyRequests || last.Header.Get("Retry-After") == "" {
		t.Errorf("got %d, want 429 with Retry-After", last.Status)
	}
	if got := other.Get("/leads"); got.Status != http.StatusOK {
		t.Errorf("another session: got %d, want 200", got.Status)
	}
}

func TestAudit_RecordsSignInsViewsAndDownloads(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera")
	lead := "lead:" + strings.TrimPrefix(path, "/leads/")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	docs := olivia.WaitFor(path+"/documents", `a[href*="/documents/"]`)
	olivia.Get(docs.Find(`a[href*="/documents/"]`).First().AttrOr("href", ""))
	olivia.Post(path+"/reveal", url.Values{"reason": {"callback"}})
	olivia.Post("/login", url.Values{"email": {"olivia@summit.test"}, "password": {"wrong"}})
	for _, want := range []string{
		"user-olivia login user:user-olivia accepted", "nobody login user:user-olivia refused",
		"user-olivia lead.open " + lead + " opened", "user-olivia document.download " + lead + " allowed",
		"user-olivia borrower.reveal " + lead + " opened",
	} {
		h.WantAudited(want)
	}
	if _, _, intact, err := h.Store.BrokenAudit(t.Context()); err != nil || !intact {
		t.Errorf("the chain: intact %v, %v", intact, err)
	}
}

// TestAuditPage_RowsInPlainWords: a row says who, when and what happened in words. Its ids and stored values are in the
// technical details only.
func TestAuditPage_RowsInPlainWords(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	olivia.Post(path+"/reveal", url.Values{"reason": {"callback"}})
	olivia.Post(path+"/contact", url.Values{"contact.how": {"email"}, "contact.only": {"true"}})
	h.SignInAs("ada").Post("/leads", url.Values{})
	page := h.SignInAs("admin").Get("/admin/audit")
	rows := strings.Join(strings.Fields(page.Find("#rows tbody").Text()), " ")
	for _, want := range []string{
		"Requested borrower details Phone, email, birth date, home. The borrower asked to be called back",
		"Logged a contact with the borrower Email", "Sent to lender: New inquiry", "Accepted by the lender", "Denied",
		"Sign-in Password",
	} {
		if !strings.Contains(rows, want) {
			t.Errorf("the rows do not say %q: %s", want, rows)
		}
	}
	for _, raw := range []string{string(app), "reason:", "method:", "proof:", "operation:", "succeeded", "refused"} {
		if strings.Contains(rows, raw) {
			t.Errorf("the rows contain %q: %s", raw, rows)
		}
	}
	technical := page.Find("details#technical:not([open])").Text()
	for _, stored := range []string{string(app), "reason:callback", "method:email", "succeeded"} {
		if !strings.Contains(technical, stored) {
			t.Errorf("the technical details do not contain %q", stored)
		}
	}
}

func TestAuditPage_FiltersByPersonLeadActionAndDay(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	olivia := h.SignInAs("olivia")
	app := strings.TrimPrefix(olivia.StartLead("Rivera"), "/leads/")
	h.SignInAs("ada").Post("/leads", url.Values{})
	admin := h.SignInAs("admin")
	lines := func(query string) string { return admin.Get("/admin/audit" + query).Find("#rows tbody").Text() }
	for query, want := range map[string][2]string{ // a text that the page must contain, and one that it must not
		"":                       {"Ada Assist", "Rivera"},
		"?person=user-ada":       {"Access denied", "Olivia"},
		"?action=refused":        {"Ada Assist", "Sign-in"},
		"?lead=" + app:           {"New inquiry", "Sign-in"},
		"?action=login":          {"Olivia", "Access denied"},
		"?to=01/01/2020":         {"", "Olivia"},
		"?person=nobody-at-all":  {"", "Olivia"},
		"?from=01/01/2020&to=":   {"Olivia", "Rivera"},
		"?before=2":              {"Added a user", "Sign-in"},
		"?action=%27%20OR%201=1": {"", "Olivia"},
	} {
		got := lines(query)
		if !strings.Contains(got, want[0]) || want[1] != "" && strings.Contains(got, want[1]) {
			t.Errorf("%s: got %q, want %q and not %q", query, strings.Join(strings.Fields(got), " "), want[0], want[1])
		}
	}
	if got := lines("?action=login"); !strings.Contains(got, "127.0.0.0/24") {
		t.Errorf("the sign-ins do not show their location: %q", got)
	}
	for _, query := range []string{"?lead=nothing", "?from=tomorrow"} {
		if got := admin.Get("/admin/audit" + query); got.Status != http.StatusUnprocessableEntity ||
			got.Find(".err, #complaints").Length() == 0 {
			t.Errorf("%s: got %d, want 422 with an explanation", query, got.Status)
		}
	}
	for _, begins := range []string{"Row 1. Rows are stored for six years",
		"Row 3. Earlier rows were deleted after six years, most recently today"} {
		if got := admin.Get("/admin/audit").Find("#head").Text(); !strings.Contains(got, begins) {
			t.Errorf("the chain: got %q, want %q", strings.Join(strings.Fields(got), " "), begins)
		}
		if err := h.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.TrimAudit(t.Context(), time.Now().Add(time.Hour), 2)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	heads := admin.Get("/admin/audit/heads")
	head, _ := h.Store.AuditHead(t.Context())
	if !strings.Contains(heads.Body, head.MAC) || heads.Header.Get("Content-Disposition") == "" {
		t.Errorf("the heads: got %q, want the MAC %s", heads.Body, head.MAC)
	}
	h.WantAudited("user-admin audit.heads audit:heads allowed")
}

// TestAuditActions_AllHaveText needs to check the list only, because the store writes no other action.
func TestAuditActions_AllHaveText(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, pair := range text.AuditActions() {
		if seen[pair[0]] || pair[1] == "" {
			t.Errorf("%s has the same text as another action, or none", pair[0])
		}
		seen[pair[0]] = true
	}
	for _, act := range store.Actions() {
		if !seen[string(act)] {
			t.Errorf("%s has no text", act)
		}
		delete(seen, string(act))
	}
	for act := range seen {
		t.Errorf("there is text for %s, which is not an action", act)
	}
}

func TestPolicyPage_ShowsPolicyTable(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	page := h.SignInAs("admin").Get("/admin/policy")
	page.WantText("Select an offer", "Yes, if linked to an originator", "POST /leads/{app}/select-offer", "Public")
	if got := h.SignInAs("maya").Get("/admin/policy"); got.Status != http.StatusForbidden {
		t.Errorf("a manager: got %d, want 403", got.Status)
	}
}
