package admin_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hearthline/internal/asvs"
	deskadmin "hearthline/internal/desk/admin"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/partner"
	"hearthline/internal/store"
	"hearthline/views/text"
	"hearthline/web/admin"
	"hearthline/web/webtest"
)

func TestInterfacePage_ListsEveryEndpointWithCounts(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia, admin := h.SignInAs("olivia"), h.SignInAs("admin")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	page := admin.Get("/admin/interface")
	rows := map[string]string{}
	page.Find("#endpoints tbody tr").Each(func(_ int, s *webtest.Selection) {
		rows[strings.TrimSpace(s.Find("td").Eq(2).Text())] = strings.Join(strings.Fields(s.Text()), " ")
	})
	for _, e := range partner.Endpoints() {
		row, ok := rows[e.Func]
		if !ok || !strings.Contains(row, e.Path) || text.UsedOn(e.Func) == "" || !strings.Contains(row, text.UsedOn(e.Func)) {
			t.Errorf("%s: got %q, want its address and its uses", e.Func, row)
		}
		if e.Deprecated != strings.Contains(row, "deprecated") {
			t.Errorf("%s: got %q, deprecated %v", e.Func, row, e.Deprecated)
		}
	}
	if len(rows) != len(partner.Endpoints()) {
		t.Errorf("got %d rows, want %d", len(rows), len(partner.Endpoints()))
	}
	if got := rows["Start"]; !strings.Contains(got, " 1 ") ||
		!strings.Contains(got, "ms") && !strings.Contains(got, " s ") {
		t.Errorf("the start: got %q, want one call with its time", got)
	}
	if got := rows["Cancel"]; !strings.Contains(got, "— not called yet") && !strings.Contains(got, " 0 ") {
		t.Errorf("an endpoint without calls: got %q", got)
	}
	for _, leak := range []string{"Rivera", strings.TrimPrefix(path, "/leads/")} {
		if strings.Contains(page.Body, leak) {
			t.Errorf("the page contains %q", leak)
		}
	}
}

// TestInterfacePage_CountsMethodsSeparately calls the deprecated quick estimate once and the borrowers once: the other
// versions of these endpoints have not been called.
func TestInterfacePage_CountsMethodsSeparately(t *testing.T) {
	t.Parallel()
	estimate := webtest.EstimateAccess()
	estimate.Unencrypted = true
	h := webtest.New(t, webtest.Options{NoJobs: true, Estimate: estimate})
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	_, _ = h.DeskDeps.Lender.PrequalifyPlain(t.Context(), heloc.Prequalification{}) // a refused call counts too
	calls := map[string]string{}
	h.SignInAs("admin").Get("/admin/interface").Find("#endpoints tbody tr").Each(func(_ int, s *webtest.Selection) {
		calls[strings.TrimSpace(s.Find("td").Eq(2).Text())] = strings.TrimSpace(s.Find("td").Eq(5).Text())
	})
	for method, want := range map[string]string{"Prequalify": "0", "PrequalifyPlain": "1", "Signers": "0"} {
		if calls[method] != want {
			t.Errorf("%s: got %q calls, want %s", method, calls[method], want)
		}
	}
	if calls["Details"] == "0" {
		t.Error("Details: got no calls")
	}
}

func TestHealthPage_Healthy_HasNoWarnings(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	admin := h.SignInAs("admin")
	page := admin.Get("/admin/health")
	page.WantText("Responding", "Verified,", "Leads stored")
	if page.Find(".note.fail").Length() != 0 {
		t.Errorf("got a warning, want none: %s", page.Find(".note.fail").Text())
	}
	admin.Get("/admin/originators").WantText("Olivia Bennett", "Active", "Summit Home Lending")
}

// TestHealthPage_AuditHeadNotSent_Warns records deliveries of the audit's head as the server does.
func TestHealthPage_AuditHeadNotSent_Warns(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	admin := h.SignInAs("admin")
	for _, sent := range []bool{true, false, true} {
		if err := h.Store.SaveHeadDelivery(t.Context(), store.AuditHead{Seq: 4711}, sent); err != nil {
			t.Fatal(err)
		}
		page := admin.Get("/admin/health")
		page.WantText(", row 4711")
		if warned := strings.Contains(page.MainText(), "The audit chain head isn’t being sent."); warned == sent {
			t.Errorf("sent %v: got the warning %v", sent, warned)
		}
	}
}

// TestHealthPage_KeyRefused_SaysSinceWhen: users whom the lender's refusal sends to the administrator find its reason
// there, during and after it.
func TestHealthPage_KeyRefused_SaysSinceWhen(t *testing.T) {
	t.Parallel()
	var refuses atomic.Bool
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true,
		LenderMiddleware: func(sandbox http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if refuses.Load() {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				sandbox.ServeHTTP(w, r)
			})
		}})
	admin := h.SignInAs("admin")
	admin.Get("/admin/health").WantText("InterfaceResponding", "Key last refusedNot since the server started")
	refuses.Store(true)
	if err := h.LenderSync.SyncDirectory(t.Context()); err == nil {
		t.Fatal("the lender refuses the key, and the directory was read")
	}
	page := admin.Get("/admin/health")
	page.WantText("InterfaceRefuses Hearthline’s key (HTTP 401) since", "Key last refusedToday",
		"The lender refuses Hearthline’s key.", "PARTNER_API_KEY",
		"The lender’s directory couldn’t be loaded completely. The lender refused Hearthline’s key (HTTP 401).")
	page.WantNoText([]string{"Tell your administrator", "InterfaceResponding"})
	refuses.Store(false)
	h.Must(h.LenderSync.SyncDirectory(t.Context()))
	page = admin.Get("/admin/health")
	page.WantText("InterfaceResponding", "Key last refusedToday", "HTTP 401")
	page.WantNoText([]string{"Refuses", "refuses"})
}

// TestPolicyPage_RoutesInWordsOfTheProduct: the purpose of a route has no name that only the source knows.
func TestPolicyPage_RoutesInWordsOfTheProduct(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	purposes := map[string]bool{}
	h.SignInAs("admin").Get("/admin/policy").Find("#doors tbody tr td:nth-child(2)").
		Each(func(_ int, s *webtest.Selection) {
			purposes[strings.TrimSpace(s.Text())] = true
		})
	for _, code := range []string{"nudge", "set-aside", "take-off", "clone", "abandon", "notifications read"} {
		if purposes[code] || !purposes[text.RouteName(code)] {
			t.Errorf("%s: got its own name, or not %q", code, text.RouteName(code))
		}
	}
}

func TestASVSPage_ListsEveryRequirement(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	page := h.SignInAs("admin").Get("/admin/asvs")
	page.WantText("TestInjectedMarkup_HasNoEffect", "operator’s duty", "V16 Logging and errors",
		"Tests fail when the control is removed", "Failed without the control on ")
	rows := 0
	page.Find("#v1, #v2, #v3, #v4, #v5, #v6, #v7, #v8, #v9, #v10, #v11, #v12, #v13, #v14, #v15, #v16").
		Each(func(_ int, s *webtest.Selection) {
			rows += s.Find("tbody tr").Length()
		})
	if rows != len(asvs.Requirements()) {
		t.Errorf("got %d rows, want %d", rows, len(asvs.Requirements()))
	}
}

func TestReencryptionText_States(t *testing.T) {
	t.Parallel()
	done := store.Reencryption{DoneAt: 1}
	left, lost := done, done
	left.Remaining, lost.Undecryptable = 1, 2
	for want, f := range map[string]deskadmin.Health{
		"None": {},
		"Re-encrypting: 999+ leads and 7 values left": {HasOlderKeys: true,
			Reencryption: store.ReencryptionProgress{Pending: store.PendingCounts{Leads: lead.CountLimit, Values: 7}}},
		"Re-encryption complete. Older keys can be deleted": {HasOlderKeys: true,
			Reencryption: store.ReencryptionProgress{Reencryption: done}},
		"Re-encrypted except 2 values that can’t be decrypted. Run portal doctor to list them": {HasOlderKeys: true,
			Reencryption: store.ReencryptionProgress{Reencryption: lost}},
		"Re-encrypted except search data of 1 lead for deleted text": {HasOlderKeys: true,
			Reencryption: store.ReencryptionProgress{Reencryption: left}},
	} {
		if got := admin.ReencryptionText(f); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestWaitingCallsText(t *testing.T) {
	t.Parallel()
	for want, q := range map[string]partner.QueueStats{
		"None": {}, "3, 0 of them in the background; the first for 250 ms": {Interactive: 3, Oldest: 250 * time.Millisecond},
		"999+, 998 of them in the background; the first for 90.0 s": {Interactive: 5, Background: 998, Companies: 3,
			Oldest: 90 * time.Second},
	} {
		if got := admin.WaitingCallsText(deskadmin.Health{WaitingCalls: q}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
