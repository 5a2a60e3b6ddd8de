package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/views/words"
	"hearthline/web/guard"
	"hearthline/web/page"
)

// auditLines returns the audit entries, newest first, as "actor action object outcome".
func (h *harness) auditLines() []string {
	h.t.Helper()
	rows, err := h.store.Audits(h.t.Context(), store.AuditQuery{Limit: 200})
	if err != nil {
		h.t.Fatal(err)
	}
	var all []string
	for _, a := range rows {
		all = append(all, strings.Join([]string{a.ActorID, string(a.Action), a.Object, a.Outcome}, " "))
	}
	return all
}

func (h *harness) wantAudited(want string) {
	h.t.Helper()
	all := h.auditLines()
	for _, got := range all {
		if got == want {
			return
		}
	}
	h.t.Errorf("the audit lacks %q: %s", want, strings.Join(all, "\n"))
}

// TestDenials_EveryRoute_Audited requests every route as every user who is denied there.
func TestDenials_EveryRoute_Audited(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{estimate: testEstimateAccess(), borrowerLink: testBorrowerLink(t), noJobs: true})
	olivia := h.signInAs("olivia")
	app := strings.TrimPrefix(olivia.startLead("Rivera"), "/leads/")
	olivia.waitFor("/leads/"+app, `input[name="offer.offerUuid"]`)
	for name, v := range map[string]*testBrowser{"ada": h.signInAs("ada"), "piotr": h.signInAs("piotr"), "admin": h.signInAs("admin"), "marcus": h.signInAs("marcus")} {
		for _, route := range h.routes() {
			if route.Public || route.Class == page.Stream || route.Pattern == "/logout" {
				continue
			}
			before := h.auditLines()[0]
			h.guard.Denials = guard.Denials{} // no delays in this test
			got := v.do(v.request(route.Method, examplePath(route.Pattern, app+"/none"), url.Values{}, nil))
			hidden := got.status == http.StatusNotFound && strings.HasPrefix(route.Pattern, "/leads/{app}") && (name == "piotr" || name == "admin" || name == "marcus")
			if got.status != http.StatusForbidden && !hidden {
				continue
			}
			object := "route:" + route.Pattern
			if strings.Contains(route.Pattern, "{app}") {
				object = "lead:" + app
			}
			want := "user-" + name + " refused " + object + " refused"
			if all := h.auditLines(); all[0] != want || all[1] != before {
				t.Errorf("%s at %s %s: got %q, want %q", name, route.Method, route.Pattern, all[0], want)
			}
			if t.Failed() {
				return
			}
		}
	}
}

// TestForeignIDs_EveryRoute_DeniedAndAudited requests every route that has an id in its path, with ids that belong to
// other users.
func TestForeignIDs_EveryRoute_DeniedAndAudited(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noJobs: true})
	olivia, marcus := h.signInAs("olivia"), h.signInAs("marcus")
	h.signInAs("olivia") // a session for another user to end
	app := strings.TrimPrefix(olivia.startLead("Rivera"), "/leads/")
	ops, err := h.store.Operations(t.Context(), heloc.AppID(app), 1)
	h.must(err)
	typed := olivia.intakeForm("Okafor")
	draft := typed.values.Get("draft")
	olivia.send(postedForm{"/drafts/" + draft, typed.values})
	sessions, err := h.store.SessionsOf(t.Context(), "user-olivia", h.Now())
	h.must(err)
	ids := []string{ops[0].ID, draft, sessions[0].IDHash, "user-olivia"}
	for _, route := range h.routes() {
		if !strings.Contains(route.Pattern, "{id}") || route.Embedded {
			continue
		}
		for _, id := range ids {
			h.guard.Denials = guard.Denials{}
			path := strings.Replace(route.Pattern, "{id}", id, 1)
			before := h.auditLines()[0]
			got := marcus.do(marcus.request(route.Method, path, url.Values{"name": {"mine"}, "draft.originator": {h.people["olivia"].OriginatorUUID}}, nil))
			if got.status != http.StatusNotFound && got.status != http.StatusForbidden && !strings.HasSuffix(route.Pattern, "/delete") {
				t.Errorf("%s %s: got %d, want it denied", route.Method, path, got.status)
			}
			if now := h.auditLines(); got.status != http.StatusOK && (now[1] != before || !strings.HasPrefix(now[0], "user-marcus refused ")) {
				t.Errorf("%s %s: %d was not audited: %q", route.Method, path, got.status, now[0])
			}
		}
	}
	if remaining, err := h.store.SessionsOf(t.Context(), "user-olivia", h.Now()); err != nil || len(remaining) != len(sessions) {
		t.Errorf("olivia has %d sessions, want %d", len(remaining), len(sessions))
	}
	olivia.get("/leads/new?draft=" + draft).wantText("Okafor")
	if got := marcus.get("/leads/new?draft=" + draft); got.status != http.StatusNotFound || !strings.HasSuffix(h.auditLines()[0], "refused") {
		t.Errorf("another user's draft: got %d, %q", got.status, h.auditLines()[0])
	}
}

func TestDenials_TooMany_429(t *testing.T) {
	t.Parallel()
	// All requests have the same time, however long they take.
	at := time.Now()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true, now: func() time.Time { return at }})
	ada, maya := h.signInAs("ada"), h.signInAs("maya")
	var last *response
	for range guard.MaxDenialsPerMinute + 1 {
		last = ada.post("/leads", url.Values{})
	}
	if last.status != http.StatusTooManyRequests || last.header.Get("Retry-After") == "" {
		t.Errorf("got %d, want 429 with Retry-After", last.status)
	}
	if got := maya.get("/leads"); got.status != http.StatusOK {
		t.Errorf("another user: got %d, want 200", got.status)
	}
}

func TestAudit_RecordsSignInsViewsAndDownloads(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	path := olivia.startLead("Rivera")
	lead := "lead:" + strings.TrimPrefix(path, "/leads/")
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	docs := olivia.waitFor(path+"/documents", `a[href*="/documents/"]`)
	olivia.get(docs.Find(`a[href*="/documents/"]`).First().AttrOr("href", ""))
	olivia.post(path+"/reveal", url.Values{"reason": {"callback"}})
	olivia.post("/login", url.Values{"email": {"olivia@summit.test"}, "password": {"wrong"}})
	for _, want := range []string{
		"user-olivia login user:user-olivia accepted", "nobody login user:user-olivia refused", "user-olivia lead.open " + lead + " opened",
		"user-olivia document.download " + lead + " allowed", "user-olivia borrower.reveal " + lead + " opened",
	} {
		h.wantAudited(want)
	}
	if _, _, intact, err := h.store.BrokenAudit(t.Context()); err != nil || !intact {
		t.Errorf("the chain: intact %v, %v", intact, err)
	}
}

func TestAuditPage_FiltersByPersonLeadActionAndDay(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	olivia := h.signInAs("olivia")
	app := strings.TrimPrefix(olivia.startLead("Rivera"), "/leads/")
	h.signInAs("ada").post("/leads", url.Values{})
	admin := h.signInAs("admin")
	lines := func(query string) string { return admin.get("/admin/audit" + query).Find("#rows tbody").Text() }
	for query, want := range map[string][2]string{ // a text that the page must contain, and one that it must not
		"":                       {"Ada Assist", "Rivera"},
		"?person=user-ada":       {"Access denied", "Olivia"},
		"?action=refused":        {"Ada Assist", "Signed in"},
		"?lead=" + app:           {"New inquiry", "Signed in"},
		"?action=login":          {"Olivia", "Access denied"},
		"?to=01/01/2020":         {"", "Olivia"},
		"?person=nobody-at-all":  {"", "Olivia"},
		"?from=01/01/2020&to=":   {"Olivia", "Rivera"},
		"?before=2":              {"Added a user", "Signed in"},
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
		if got := admin.get("/admin/audit" + query); got.status != http.StatusUnprocessableEntity || got.Find(".err, #complaints").Length() == 0 {
			t.Errorf("%s: got %d, want 422 with an explanation", query, got.status)
		}
	}
	for _, begins := range []string{"Row 1. Rows are stored for six years", "Row 3. Earlier rows were deleted after six years, most recently today"} {
		if got := admin.get("/admin/audit").Find("#head").Text(); !strings.Contains(got, begins) {
			t.Errorf("the chain: got %q, want %q", strings.Join(strings.Fields(got), " "), begins)
		}
		if err := h.store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.TrimAudit(t.Context(), time.Now().Add(time.Hour), 2)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	heads := admin.get("/admin/audit/heads")
	head, _ := h.store.AuditHead(t.Context())
	if !strings.Contains(heads.body, head.MAC) || heads.header.Get("Content-Disposition") == "" {
		t.Errorf("the heads: got %q, want the MAC %s", heads.body, head.MAC)
	}
	h.wantAudited("user-admin audit.heads audit:heads allowed")
}

// TestAuditActions_AllHaveText needs to check the list only, because the store writes no other action.
func TestAuditActions_AllHaveText(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, pair := range words.AuditActions() {
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
	h := newHarness(t, harnessOptions{noSync: true, noJobs: true})
	page := h.signInAs("admin").get("/admin/policy")
	page.wantText("Select an offer", "Yes, if linked to an originator", "POST /leads/{app}/select-offer", "Public")
	if got := h.signInAs("maya").get("/admin/policy"); got.status != http.StatusForbidden {
		t.Errorf("a manager: got %d, want 403", got.status)
	}
}
