package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// reassignForm returns the form that reassigns a lead to a colleague.
func (v *testBrowser) reassignForm(path, first string, more ...string) postedForm {
	v.h.t.Helper()
	f := v.get(path + "/reassign").form("form#form-reassign")
	return f.with(append([]string{"newLoanOriginatorUuid", v.h.people[first].OriginatorUUID, "confirm.reassign", "true"}, more...)...)
}

func TestReassign_WithNote_ShownAndUndone(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHarness(t, harnessOptions{dialect: dialect})
			olivia, marcus := h.signInAs("olivia"), h.signInAs("marcus")
			path := olivia.startLead("Rivera")
			olivia.waitFor(path, `input[name="offer.offerUuid"]`)
			page := olivia.get(path + "/reassign?q=marc")
			page.wantText("Marcus Reyes", "NMLS 1902214", "Current originator: Olivia Bennett")
			if n := page.Find(`input[name="newLoanOriginatorUuid"]`).Length(); n != 1 || page.Find(`input[name="newLoanOriginatorUuid"][checked]`).Length() != 0 {
				t.Errorf("got %d candidates for marc, want Marcus only and not selected", n)
			}
			got := olivia.send(olivia.reassignForm(path, "marcus", "handOver.line", "Elena wants to sign on Monday"))
			if got.path != "/leads" || got.status != http.StatusOK {
				t.Fatalf("got %d at %s: %s", got.status, got.path, got.text())
			}
			got.wantText("Reassigned to Marcus Reyes, today")
			if strings.Contains(got.Find("#handed").Text(), "Rivera") || strings.Contains(got.Find("#handed").Text(), "Elena") {
				t.Error("the remaining entry names the borrower")
			}
			if again := olivia.get(path); again.status != http.StatusNotFound {
				t.Errorf("another user's lead: got %d, want 404", again.status)
			}
			brief := marcus.get(path)
			brief.wantText("Handed over by Olivia Bennett, today", "Elena wants to sign on Monday", "Offers ready", "New inquiry", "Before with")
			if brief.Find(`#received form`).Length() != 0 {
				t.Error("the new originator is offered an undo")
			}
			back := olivia.send(got.form(`#handed form`))
			if back.path != path || back.status != http.StatusOK {
				t.Fatalf("undone: got %d at %s: %s", back.status, back.path, back.text())
			}
			if olivia.get("/leads").Find("#handed").Length() != 0 {
				t.Error("the remaining entry is still there after the undo")
			}
			if strings.Contains(back.Find("main").Text(), "Handed over by") {
				t.Error("a returned lead shows a reassignment note")
			}
			if got := marcus.get(path); got.status != http.StatusNotFound {
				t.Errorf("marcus undoes it: got %d, want 404", got.status)
			}
			if twice := olivia.send(got.form(`#handed form`)); twice.path != path {
				t.Errorf("the same undo again: got %d at %s", twice.status, twice.path)
			}
		})
	}
}

func TestReassign_OtherCompany_422(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	path := olivia.startLead("Rivera")
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	for _, tt := range []struct{ name, to, confirm, want string }{
		{"another company", h.people["piotr"].OriginatorUUID, "true", "at the same broker company"},
		{"oneself", h.people["olivia"].OriginatorUUID, "true", "already has the lead"},
		{"an unknown originator", "0f0e0d0c-0000-4000-8000-0000000000ff", "true", "at the same broker company"},
		{"no id", "marcus", "true", "Choose an originator"},
		{"nobody", "", "true", "Choose an originator"},
		{"unconfirmed", h.people["marcus"].OriginatorUUID, "", "Check this box to reassign"},
	} {
		got := olivia.send(olivia.reassignForm(path, "marcus", "newLoanOriginatorUuid", tt.to, "confirm.reassign", tt.confirm, "handOver.line", "kept"))
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Find(".err").Text(), tt.want) {
			t.Errorf("%s: got %d %q, want 422 and %q", tt.name, got.status, got.Find(".err").Text(), tt.want)
		}
		if got.form("form#form-reassign").values.Get("handOver.line") != "kept" {
			t.Errorf("%s: the form lost its values", tt.name)
		}
	}
	if got := olivia.get(path + "/reassign?q=piotr@lakeside.test"); got.Find(`input[name="newLoanOriginatorUuid"]`).Length() != 0 {
		t.Error("a search by email finds a user of another company")
	}
	ada := h.signInAs("ada")
	if got := ada.send(ada.reassignForm(path, "marcus")); got.path != path || got.status != http.StatusOK {
		t.Errorf("an assistant: got %d at %s", got.status, got.path)
	}
	h.signInAs("marcus").get(path).wantText("Handed over by Ada Assist")
}

// TestAssigneeSearch_UnknownEmail_AsksLender deletes a colleague from the portal's directory; the lender still lists
// him.
func TestAssigneeSearch_UnknownEmail_AsksLender(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	path := olivia.startLead("Rivera")
	h.forgetOriginator("marcus")
	if got := olivia.get(path + "/reassign?q=marcus"); got.Find(`input[name="newLoanOriginatorUuid"]`).Length() != 0 {
		t.Fatal("the portal's directory still has him")
	}
	olivia.get(path+"/reassign?q=Marcus@summit.test").wantText("Marcus Reyes", "NMLS 1902214")
	h.forgetOriginator("marcus")
	olivia.get("/originators?q=marcus@summit.test").wantText("Marcus Reyes", "Summit Home Lending", "NMLS 312440")
	h.forgetOriginator("piotr")
	if got := olivia.get("/originators?q=piotr@lakeside.test"); strings.Contains(got.Find("table").Text(), "Zielinski") {
		t.Error("the search shows another company")
	}
	h.signInAs("admin").get("/originators?q=zielin").wantText("Piotr Zielinski", "Lakeside Home Finance")
}

// forgetOriginator deletes a user from the portal's directory, as if the lender had added them since.
func (h *harness) forgetOriginator(first string) {
	h.t.Helper()
	h.execSQL(`DELETE FROM originators WHERE uuid = ?`, h.people[first].OriginatorUUID)
}

// reassignFaults makes the lender lose the responses to reassignments, before or after executing them.
type reassignFaults struct {
	mu     sync.Mutex
	next   http.Handler
	handle func(w http.ResponseWriter, r *http.Request, pass http.Handler) bool // returns false to continue as usual
}

func (l *reassignFaults) middleware(next http.Handler) http.Handler {
	l.next = next
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		handler := l.handle
		l.mu.Unlock()
		if handler != nil && strings.HasSuffix(r.URL.Path, "/reassign") && handler(w, r, next) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (l *reassignFaults) set(handler func(http.ResponseWriter, *http.Request, http.Handler) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.handle = handler
}

// dropResponse executes the request and drops the response.
func dropResponse(_ http.ResponseWriter, r *http.Request, pass http.Handler) bool {
	pass.ServeHTTP(&discardWriter{header: http.Header{}}, r)
	panic(http.ErrAbortHandler)
}

type discardWriter struct{ header http.Header }

func (n *discardWriter) Header() http.Header         { return n.header }
func (n *discardWriter) Write(b []byte) (int, error) { return len(b), nil }
func (n *discardWriter) WriteHeader(int)             {}

func TestReassign_LostResponse_SettledByDetails(t *testing.T) {
	t.Parallel()
	lose := &reassignFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lose.middleware})
	olivia := h.signInAs("olivia")
	path := olivia.startLead("Rivera")
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	form := olivia.reassignForm(path, "marcus")
	lose.set(dropResponse)
	got := olivia.send(form)
	if !strings.HasPrefix(got.path, "/operations/") {
		t.Fatalf("got %d at %s, want the receipt", got.status, got.path)
	}
	lose.set(nil)
	h.waitUntil("it is confirmed", func() bool {
		op, err := h.store.Operation(t.Context(), strings.TrimPrefix(got.path, "/operations/"))
		return err == nil && op.State == lead.OpConfirmed
	})
	list := olivia.get("/leads")
	list.wantText("Reassigned to Marcus Reyes, today")
	list.checkNoLeadStyles()
	h.signInAs("marcus").get(path).wantText("Handed over by Olivia Bennett")
}

// startMany starts leads as olivia, through the desk.
func (h *harness) startMany(n int) []string {
	h.t.Helper()
	in, err := h.deskService.For(h.people["olivia"].Actor).Intake()
	if err != nil {
		h.t.Fatal(err)
	}
	drafts, err := h.deskService.For(h.people["olivia"].Actor).Drafts()
	if err != nil {
		h.t.Fatal(err)
	}
	var apps []string
	for i := range n {
		year := heloc.Dollars(124_600)
		value := heloc.Dollars(560_000)
		op, err := in.Start(h.t.Context(), desk.StartForm{
			OperationID: in.NewOperationID(), DraftID: drafts.New(),
			Consent:  desk.Consent{Attested: true, Method: "in-person", Version: consentVersion},
			Snapshot: lead.StartSnapshot{Name: heloc.Name{First: "Elena", Last: "Rivera"}}, ConfirmDuplicate: true,
			Inquiry: heloc.Inquiry{
				Applicant: heloc.Applicant{
					Name: heloc.Name{First: "Elena", Last: fmt.Sprintf("Rivera%c%c", 'a'+i/26, 'a'+i%26)}, DateOfBirth: "1979-05-17", Phone: "3035550147", Email: "elena@borrower.test",
					HomeAddress: heloc.Address{Street1: "2216 Larkspur Ave", City: "Boise", State: "ID", ZIP: "83702"},
					Income:      heloc.Income{EmploymentType: "FULL_TIME", GrossAnnual: &year},
				},
				Property: heloc.Property{
					Address: heloc.Address{Street1: "2216 Larkspur Ave", City: "Boise", State: "ID", ZIP: "83702"}, PropertyType: "PRIMARY", EstimatedValue: &value,
				},
			},
		})
		if err != nil || op.App == "" {
			h.t.Fatalf("start %d: %v %+v", i, err, op.State)
		}
		apps = append(apps, string(op.App))
	}
	return apps
}

// TestBulkReassign_PartlyRejected_ReportsEachRow reassigns them in one run: each row is either done or has a reason,
// and none is left in between.
func TestBulkReassign_PartlyRejected_ReportsEachRow(t *testing.T) {
	t.Parallel()
	const words = "The lead is locked by an underwriter."
	lose := &reassignFaults{}
	h := newHarness(t, harnessOptions{lenderMiddleware: lose.middleware})
	apps := h.startMany(100)
	refused := map[string]bool{apps[7]: true, apps[50]: true, apps[99]: true}
	calls := map[string]int{}
	var mu sync.Mutex
	lose.set(func(w http.ResponseWriter, r *http.Request, _ http.Handler) bool {
		app := strings.Split(strings.TrimPrefix(r.URL.Path, "/products/heloc/v1/lead/"), "/")[0]
		mu.Lock()
		defer mu.Unlock()
		calls[app]++
		if refused[app] {
			w.WriteHeader(http.StatusConflict)
			writeTestJSON(w, map[string]any{"messages": []any{map[string]string{"level": "ERROR", "message": words}}})
		}
		return refused[app]
	})
	maya := h.signInAs("maya")
	page := maya.post("/reassignments", url.Values{"app": apps})
	page.wantText("100 of 100 can be reassigned", "Nothing has been sent")
	form := page.form("form#form-many").with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID)
	form.values["app"] = append(apps, "0f0e0d0c-0000-4000-8000-0000000000ff")
	dry := maya.send(form.with("dry", "true"))
	dry.wantText("100 of 101 ready to reassign", "Lead not found, or you don’t have access")
	if len(calls) != 0 {
		t.Errorf("the check called the lender %d times", len(calls))
	}
	form.values["app"] = apps
	if got := maya.send(form); got.status != http.StatusUnprocessableEntity {
		t.Errorf("unconfirmed: got %d, want 422", got.status)
	}
	run := maya.send(form.with("confirm.reassign", "true"))
	if !strings.HasPrefix(run.path, "/reassignments/") || run.status != http.StatusOK {
		t.Fatalf("got %d at %s: %s", run.status, run.path, run.text())
	}
	if again := maya.send(form.with("confirm.reassign", "true")); again.path != run.path {
		t.Errorf("the same form again: got %s, want the same run %s", again.path, run.path)
	}
	h.waitUntil("the run is done", func() bool { return strings.Contains(maya.get(run.path).Find(".note").Text(), "Done.") })
	done := maya.get(run.path)
	done.wantText("97 of 100 reassigned, 3 not reassigned", "Retry 3 leads")
	if n := strings.Count(done.Find("table").Text(), "“"+words+"”"); n != 3 {
		t.Errorf("the lender's message appears %d times, want 3", n)
	}
	count := 0
	for _, q := range h.sandbox.Inquiries() {
		if q.OriginatorUUID == heloc.OriginatorID(h.people["marcus"].OriginatorUUID) {
			count++
		}
	}
	if count != 97 {
		t.Errorf("the lender has %d leads with marcus, want 97", count)
	}
	mu.Lock()
	for _, app := range apps {
		if calls[app] != 1 {
			t.Errorf("%s was sent %d times", app, calls[app])
		}
	}
	mu.Unlock()
	lose.set(nil)
	maya.send(done.form("form#form-retry"))
	h.waitUntil("the three moved too", func() bool { return strings.Contains(maya.get(run.path).Text(), "100 of 100 reassigned") })
	maya.get("/leads").wantText("100 leads to Marcus Reyes")
	if got := h.signInAs("olivia").get(run.path); got.status != http.StatusNotFound {
		t.Errorf("another user's run: got %d, want 404", got.status)
	}
}

// TestReassign_SentTwice_ShowsReceipt submits again without the script that prevents it, and uses the browser's Back
// button: the page must not deny a reassignment that was made.
func TestReassign_SentTwice_ShowsReceipt(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, piotr := h.signInAs("olivia"), h.signInAs("piotr")
	path := olivia.startLead("Rivera")
	olivia.waitFor(path, `input[name="offer.offerUuid"]`)
	form := olivia.reassignForm(path, "marcus")
	olivia.send(form)
	for name, got := range map[string]*response{"the same form": olivia.send(form), "an empty one": olivia.post(path+"/reassign", nil), "the page": olivia.get(path + "/reassign")} {
		if got.status != http.StatusOK || !strings.HasPrefix(got.path, "/operations/") {
			t.Errorf("%s: got %d at %s, want the receipt", name, got.status, got.path)
		}
		got.wantText("Marcus Reyes")
		if strings.Contains(got.Find("main").Text(), "Rivera") {
			t.Errorf("%s names the borrower of another user's lead", name)
		}
	}
	if n := h.lenderCallCount("/reassign"); n != 1 {
		t.Errorf("the lender got %d calls, want one", n)
	}
	for name, got := range map[string]*response{
		"her lead": olivia.get(path), "another company's submission": piotr.send(form), "another company's page": piotr.get(path + "/reassign"),
		"no lead": olivia.post("/leads/none/reassign", nil),
	} {
		if got.status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", name, got.status)
		}
	}
}

// TestForms_EnterKey_SubmitsPrimaryAction checks the button that a browser uses for Enter: the first one.
func TestForms_EnterKey_SubmitsPrimaryAction(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	liens, _ := olivia.startLeadAt("Rivera-Liens", heloc.StepLienMatching)
	for page, form := range map[string]string{"/leads/new": "form#intake", liens: "form#form-verify-liens"} {
		first := olivia.get(page).Find(form).Find(`button:not([type="button"]), input[type="submit"]`).First()
		if name, named := first.Attr("name"); first.Length() == 0 || named {
			t.Errorf("%s: Enter presses the button %q, want one without a name", page, name)
		}
	}
}

// TestAssigneeSearch_ShowsStateLicenses: an unknown license blocks nothing, but the user sees it before they reassign
// one lead or many.
func TestAssigneeSearch_ShowsStateLicenses(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia := h.signInAs("olivia")
	here := olivia.startLead("Rivera", "property.address.state", "WY", "property.address.zip", "82001", "property.address.city", "Cheyenne")
	there := olivia.startLead("Stone", "property.address.state", "OR", "property.address.zip", "97201", "property.address.city", "Portland")
	olivia.waitFor(here, `input[name="offer.offerUuid"]`)
	olivia.waitFor(there, `input[name="offer.offerUuid"]`)
	license := func(first, state string, may bool) {
		h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SaveLicense(t.Context(), lead.License{Holder: h.people[first].OriginatorUUID, State: state, Party: lead.PartyOriginator, Allowed: may, SetBy: "admin"})
		}))
	}
	license("maya", "WY", true)
	license("maya", "OR", false)
	for _, tt := range []struct{ who, path, want string }{
		{"marcus", here, "No license on file: WY"}, {"maya", here, "Licensed: WY"}, {"maya", there, "Not licensed: OR"},
	} {
		page := olivia.get(tt.path + "/reassign?q=" + tt.who)
		if got := page.Find(`#form-reassign label.ck .dim`).First().Text(); !strings.HasSuffix(got, " · "+tt.want) {
			t.Errorf("%s: got %q, want %q at its end", tt.who, got, tt.want)
		}
	}
	apps := []string{strings.TrimPrefix(here, "/leads/"), strings.TrimPrefix(there, "/leads/")}
	many := olivia.post("/reassignments", url.Values{"app": apps, "q": {"maya"}, "find": {"true"}})
	many.wantText("Not licensed: OR. Licensed: WY")
	dry := olivia.post("/reassignments", url.Values{"app": apps, "newLoanOriginatorUuid": {h.people["marcus"].OriginatorUUID}, "dry": {"true"}})
	dry.wantText("No license on file in Wyoming. Check with the originator first.", "2 of 2 ready to reassign")
	if got := olivia.send(olivia.reassignForm(here, "marcus")); got.path != "/leads" || got.status != http.StatusOK {
		t.Errorf("reassigned anyway: got %d at %s: %s", got.status, got.path, got.text())
	}
}
