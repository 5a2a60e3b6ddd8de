package web_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store/storetest"
	"hearthline/web/webtest"
)

// TestPages_PostgresUnreachable_503UntilItIsBack loses PostgreSQL while people work: pages and probes say so, a form
// keeps its entries and sends nothing, and everything works again when the server is back.
func TestPages_PostgresUnreachable_503UntilItIsBack(t *testing.T) {
	t.Parallel()
	link, after := &storetest.PostgresLink{}, &afterCall{endpoint: "/start"}
	h := webtest.New(t, webtest.Options{PostgresLink: link, LenderMiddleware: after.Middleware})
	olivia := h.SignInAs("olivia")
	path, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	form, before := olivia.IntakeForm("Rivera-Liens", "property.address.street1", "9 Elk St"), after.calls.Load()
	pages := []string{"/leads", path, path + "/documents", path + "/activity", "/leads/new", "/notifications", "/account",
		"/readyz"}
	if got := olivia.Get("/readyz"); got.Status != http.StatusOK {
		t.Errorf("GET /readyz: %d", got.Status)
	}
	link.Break()
	for _, page := range pages {
		if got := olivia.Get(page); got.Status != http.StatusServiceUnavailable {
			t.Errorf("GET %s: %d %s", page, got.Status, got.MainText())
		}
	}
	if got := olivia.Get("/healthz"); got.Status != http.StatusOK {
		t.Errorf("GET /healthz: %d", got.Status)
	}
	got := olivia.Send(form)
	if got.Status != http.StatusServiceUnavailable || after.calls.Load() != before {
		t.Errorf("the form: got %d after %d calls", got.Status, after.calls.Load()-before)
	}
	got.WantText("Your entries are still on this page")
	link.Restore()
	h.WaitUntil("the portal is ready", func() bool { return olivia.Get("/readyz").Status == http.StatusOK })
	asked := olivia.Send(got.Form(`#oops form`)) // for the consent, which the page does not repeat
	again := asked.Form(`form#intake`).With("consent.attested", "true", "consent.method", "recorded-call")
	h.WaitUntil("the form is sent", func() bool { return strings.HasPrefix(olivia.Send(again).Path, "/leads/") })
	if got := after.calls.Load() - before; got != 1 {
		t.Errorf("the form was sent %d times", got)
	}
	for _, page := range pages {
		h.WaitUntil(page+" works", func() bool { return olivia.Get(page).Status == http.StatusOK })
	}
}

// TestPages_PostgresCutAtAnyStatement_Never500 cuts the connections of a page before each one of its statements.
func TestPages_PostgresCutAtAnyStatement_Never500(t *testing.T) {
	t.Parallel()
	link := &storetest.PostgresLink{}
	h := webtest.New(t, webtest.Options{PostgresLink: link, NoJobs: true, NoSync: true})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path := olivia.StartLead("Rivera-Match")
	for page, user := range map[string]*webtest.Browser{"/leads": olivia, path: olivia, path + "/activity": olivia,
		"/team": maya} {
		for n := rand.N(2); ; n += 2 {
			link.BreakAfter(n)
			got := user.Get(page)
			link.Restore()
			if got.Status == http.StatusOK {
				if n < 2 {
					t.Errorf("GET %s worked without the database", page)
				}
				break
			}
			if got.Status != http.StatusServiceUnavailable {
				t.Errorf("GET %s after %d messages: %d %s", page, n, got.Status, got.MainText())
			}
		}
	}
}

// TestWrite_PostgresCutAtCommit_SentOnceAndSaved cuts the connection while a transaction of a write commits: the one
// before the write is sent, or the one with the lender's answer. Either way, the server may have received the commit.
func TestWrite_PostgresCutAtCommit_SentOnceAndSaved(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answered, received bool
		says               string
		calls              int32
	}{
		"before it is sent":           {false, false, "Not sent.", 0},
		"before it is sent, received": {false, true, "Not sent.", 0},
		"with the answer": {true, false,
			"The lender answered. We couldn’t save it yet and will when the database is back. Don’t send it again.", 1},
		"with the answer, received": {true, true,
			"The lender answered. We couldn’t save it yet and will when the database is back. Don’t send it again.", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			link, after := &storetest.PostgresLink{}, &afterCall{endpoint: "/add-ssn"}
			h := webtest.New(t, webtest.Options{PostgresLink: link, LenderMiddleware: after.Middleware})
			olivia := h.SignInAs("olivia")
			path, app := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
			form := olivia.Get(path).Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193")
			cut := func() { link.BreakCommits(tt.received) }
			if tt.answered {
				after.run.Store(&cut)
			} else {
				cut()
			}
			got := olivia.Send(form)
			if got.Status != http.StatusServiceUnavailable || after.calls.Load() != tt.calls {
				t.Errorf("got %d after %d calls, want 503 after %d", got.Status, after.calls.Load(), tt.calls)
			}
			got.WantText(tt.says)
			if webtest.HasDigits(got.Body, "7193") {
				t.Error("the page repeats the SSN")
			}
			link.Restore()
			if !tt.answered {
				form = got.Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193")
			}
			h.WaitUntil("the write is done", func() bool {
				if !tt.answered && after.calls.Load() == 0 {
					form.Values.Set("operation", olivia.Get(path).Form(`form[action$="/add-ssn"]`).Values.Get("operation"))
					olivia.Send(form)
				}
				ops, err := h.Store.Operations(t.Context(), app, 1)
				return err == nil && len(ops) == 1 && ops[0].State == lead.OpSucceeded
			})
			h.WaitUntil("the lead has moved on", func() bool { return h.LeadRow(app).Step != heloc.StepCreditMatch })
			if again := olivia.Send(form); after.calls.Load() != 1 {
				t.Errorf("the form again: got %d at %s after %d calls, want one", again.Status, again.Path, after.calls.Load())
			}
		})
	}
}

// TestWrite_PostgresCutAtAnyStatement_SentOnce cuts the connections of a write before each one of its
// statements. The page never offers to retry what was sent, and submitting the form again sends nothing twice.
func TestWrite_PostgresCutAtAnyStatement_SentOnce(t *testing.T) {
	t.Parallel()
	link, after := &storetest.PostgresLink{}, &afterCall{endpoint: "/attributions"}
	h := webtest.New(t, webtest.Options{PostgresLink: link, LenderMiddleware: after.Middleware, NoJobs: true})
	olivia := h.SignInAs("olivia")
	path, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	unsaved := 0
	for n := rand.N(2); ; n += 2 {
		form := olivia.Get(path+"/history").Form(`form#form-attributions`).
			With("attributions.utmParameters.source", fmt.Sprint("radio ", n))
		before := after.calls.Load()
		link.BreakAfter(n)
		got := olivia.Send(form)
		link.Restore()
		sent := after.calls.Load() - before
		if got.Path != form.Action { // the page after the write
			break
		}
		if got.Status != http.StatusServiceUnavailable {
			t.Errorf("after %d messages: %d %s", n, got.Status, got.MainText())
		}
		if says := strings.Contains(got.Text(), "Don’t send it again."); says != (sent > 0) {
			t.Errorf("after %d messages, %d sent: %s", n, sent, got.MainText())
		} else if says {
			unsaved++
		}
		h.WaitUntil("the answer is saved", func() bool { return h.DeskDeps.Journal.SaveVerdicts(t.Context()) == 0 })
		if again := olivia.Send(form); after.calls.Load()-before > 1 || again.Status >= http.StatusInternalServerError {
			t.Errorf("after %d messages, the form again: %d after %d calls", n, again.Status, after.calls.Load()-before)
		}
	}
	if unsaved == 0 {
		t.Error("no answer of the lender was unsaved")
	}
}
