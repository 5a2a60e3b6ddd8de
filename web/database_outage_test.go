package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store/storetest"
	"hearthline/web/webtest"
)

// afterCall runs a function once, after the lender has processed a call to an endpoint and before it responds.
type afterCall struct {
	endpoint string
	run      atomic.Pointer[func()]
	calls    atomic.Int32 // to the endpoint
}

func (a *afterCall) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, a.endpoint) || r.Method == http.MethodGet {
			next.ServeHTTP(w, r)
			return
		}
		a.calls.Add(1)
		if f := a.run.Swap(nil); f != nil {
			defer (*f)()
		}
		next.ServeHTTP(w, r)
	})
}

// TestWrite_DatabaseFailsAfterAnswer_ReceiptUntilSaved loses the database's writes between the lender's answer and
// the transaction that stores it. The page is the receipt, claims nothing that it cannot know, and turns into the
// usual receipt when the database is back.
func TestWrite_DatabaseFailsAfterAnswer_ReceiptUntilSaved(t *testing.T) {
	t.Parallel()
	after := &afterCall{endpoint: "/add-ssn"}
	h := webtest.New(t, webtest.Options{LenderMiddleware: after.Middleware})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	form := olivia.Get(path).Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193")
	fail := func() {
		storetest.RefuseUpdates(t, h.Database(), "operations", "NEW.state <> 'sent'", "database or disk is full")
	}
	after.run.Store(&fail)
	got := olivia.Send(form)
	if got.Status != http.StatusServiceUnavailable {
		t.Errorf("got %d, want 503", got.Status)
	}
	const unsaved = "We couldn’t save it yet and will when the database is back. Don’t send it again."
	got.WantText("Sent, and not saved yet", "The lender answered. "+unsaved)
	if text := got.MainText(); strings.Contains(text, "Nothing was") || strings.Contains(text, "Try again") {
		t.Errorf("the page says %q after a byte was sent", text)
	}
	ops, err := h.Store.Operations(t.Context(), app, 9)
	if err != nil || len(ops) == 0 || ops[0].Kind != heloc.OpAddSSN || ops[0].State != lead.OpSent {
		t.Fatalf("got %+v, %v", ops, err)
	}
	receipt := olivia.Get("/operations/" + ops[0].ID)
	receipt.WantText("SSN accepted by the lender.", "We couldn’t save this yet and will when the database is back.")
	h.WaitUntil("the lead has moved on", func() bool { return h.LeadRow(app).Step != heloc.StepCreditMatch })
	if again := olivia.Send(form); again.Status != http.StatusServiceUnavailable || after.calls.Load() != 1 {
		t.Errorf("the same form again: got %d after %d calls, want 503 after one", again.Status, after.calls.Load())
	}
	storetest.AllowUpdates(t, h.Database(), "operations")
	h.WaitUntil("the answer is saved", func() bool {
		op, err := h.Store.Operation(t.Context(), ops[0].ID)
		return err == nil && op.State == lead.OpSucceeded
	})
	saved := olivia.Get("/operations/" + ops[0].ID)
	saved.WantText("SSN accepted by the lender.")
	if strings.Contains(saved.MainText(), "couldn’t save") {
		t.Errorf("the receipt still says %q", saved.MainText())
	}
}

// TestPages_DatabaseRefusesWrites_ReadableAndNothingSent holds the lock of the database, as a full disk or a backup
// tool would: read-only pages work, and a submitted form keeps its entries and sends nothing.
func TestPages_DatabaseRefusesWrites_ReadableAndNothingSent(t *testing.T) {
	t.Parallel()
	after := &afterCall{endpoint: "/add-ssn"}
	h := webtest.New(t, webtest.Options{LenderMiddleware: after.Middleware, NoJobs: true})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	income := olivia.Get(path).Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193")
	unlock := storetest.LockWriter(t, h.Database())
	defer unlock()
	for _, page := range []string{"/leads", path, path + "/documents", path + "/activity", "/leads/new", "/notifications",
		"/account"} {
		if got := olivia.Get(page); got.Status != http.StatusOK {
			t.Errorf("GET %s: %d %s", page, got.Status, got.MainText())
		}
	}
	for _, page := range []string{"/team", "/reports", "/team/people"} {
		if got := maya.Get(page); got.Status != http.StatusOK {
			t.Errorf("GET %s: %d %s", page, got.Status, got.MainText())
		}
	}
	got := olivia.Send(income)
	if got.Status != http.StatusServiceUnavailable || after.calls.Load() != 0 {
		t.Errorf("the form: got %d after %d calls: %s", got.Status, after.calls.Load(), got.MainText())
	}
	got.WantText("Not sent.", "Hearthline is busy. Try again in a moment.")
	unlock()
	again := olivia.Send(got.Form(`form[action$="/add-ssn"]`).With("applicant.ssn", "512-44-7193"))
	if again.Path != path || after.calls.Load() != 1 {
		t.Errorf("afterwards: got %d at %s after %d calls: %s",
			again.Status, again.Path, after.calls.Load(), again.MainText())
	}
}

// TestPages_DatabaseGone_503AndEntriesKept runs without a database.
func TestPages_DatabaseGone_503AndEntriesKept(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true, NoSync: true})
	olivia := h.SignInAs("olivia")
	form := olivia.IntakeForm("Rivera-Match")
	if err := h.Store.Close(); err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"/leads", "/leads/new", "/account"} {
		if got := olivia.Get(page); got.Status != http.StatusServiceUnavailable {
			t.Errorf("GET %s: %d %s", page, got.Status, got.MainText())
		}
	}
	got := olivia.Send(form.With("applicant.ssn", "512-44-7193", "applicant.name.firstName", `"><b>Elena`))
	if got.Status != http.StatusServiceUnavailable {
		t.Errorf("POST: %d", got.Status)
	}
	got.WantText("Your entries are still on this page, except for any SSN, password, code or confirmation.")
	kept := got.Form(`#oops form`)
	if kept.Values.Get("applicant.name.firstName") != `"><b>Elena` ||
		kept.Values.Get("operation") != form.Values.Get("operation") ||
		kept.Values.Get("draft") != form.Values.Get("draft") || form.Values.Get("draft") == "" || kept.Action != form.Action {
		t.Errorf("the page keeps %v", kept)
	}
	if webtest.HasDigits(got.Body, "7193") {
		t.Error("the page repeats the SSN")
	}
	for path, values := range map[string]url.Values{
		"/login":            {"email": {"olivia@summit.test"}, "password": {"kettle-lantern-orchard"}},
		"/account/password": {"password.current": {"kettle-lantern-orchard"}, "password.new": {"kettle-lantern-orchard-2"}},
	} {
		if got := olivia.Post(path, values); strings.Contains(got.Body, "kettle") {
			t.Errorf("POST %s repeats a password", path)
		}
	}
}
