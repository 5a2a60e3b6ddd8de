package team_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

func TestReassign_WithNote_ShownAndUndone(t *testing.T) {
	t.Parallel()
	for _, dialect := range webtest.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			h := webtest.New(t, webtest.Options{Dialect: dialect})
			olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
			path := olivia.StartLead("Rivera")
			olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
			page := olivia.Get(path + "/reassign?q=marc")
			page.WantText("Marcus Reyes", "NMLS 1902214", "Current originator: Olivia Bennett")
			if n := page.Find(`input[name="newLoanOriginatorUuid"]`).Length(); n != 1 ||
				page.Find(`input[name="newLoanOriginatorUuid"][checked]`).Length() != 0 {
				t.Errorf("got %d candidates for marc, want Marcus only and not selected", n)
			}
			got := olivia.Send(olivia.ReassignForm(path, "marcus", "handOver.line", "Elena wants to sign on Monday"))
			if got.Path != "/leads" || got.Status != http.StatusOK {
				t.Fatalf("got %d at %s: %s", got.Status, got.Path, got.MainText())
			}
			got.WantText("Reassigned " + h.LeadRow(heloc.AppID(strings.TrimPrefix(path, "/leads/"))).ShortID +
				" to Marcus Reyes, today")
			if strings.Contains(got.Find("#handed").Text(), "Rivera") || strings.Contains(got.Find("#handed").Text(), "Elena") {
				t.Error("the remaining entry names the borrower")
			}
			if again := olivia.Get(path); again.Status != http.StatusNotFound {
				t.Errorf("another user's lead: got %d, want 404", again.Status)
			}
			brief := marcus.Get(path)
			brief.WantText("Assigned by Olivia Bennett, today", "Elena wants to sign on Monday", "Offers ready", "Inquiry",
				"Accepted by the lender, today", "Previous originator")
			if brief.Find(`#received form`).Length() != 0 {
				t.Error("the new originator is offered an undo")
			}
			back := olivia.Send(got.Form(`#handed form`))
			if back.Path != path || back.Status != http.StatusOK {
				t.Fatalf("undone: got %d at %s: %s", back.Status, back.Path, back.MainText())
			}
			if olivia.Get("/leads").Find("#handed").Length() != 0 {
				t.Error("the remaining entry is still there after the undo")
			}
			if strings.Contains(back.Find("main").Text(), "Assigned by") {
				t.Error("a returned lead shows a reassignment note")
			}
			if got := marcus.Get(path); got.Status != http.StatusNotFound {
				t.Errorf("marcus undoes it: got %d, want 404", got.Status)
			}
			app := heloc.AppID(strings.TrimPrefix(path, "/leads/"))
			h.WaitUntil("both have been read from the lender", func() bool {
				all, err := h.Store.Events(t.Context(), app, 200)
				h.Must(err)
				return len(slices.DeleteFunc(all, func(e lead.Event) bool { return e.Kind != lead.EventReassigned })) == 2
			})
			var titles []string
			for _, title := range olivia.Get(path + "/activity").Find(".tl b").EachIter() {
				if strings.Contains(title.Text(), "eassign") {
					titles = append(titles, title.Text())
				}
			}
			if want := []string{"Reassignment undone, back to Olivia Bennett",
				"Reassigned from Olivia Bennett to Marcus Reyes"}; !slices.Equal(titles, want) {
				t.Errorf("activity: got %q, want each reassignment once: %q", titles, want)
			}
			if twice := olivia.Send(got.Form(`#handed form`)); twice.Path != path {
				t.Errorf("the same undo again: got %d at %s", twice.Status, twice.Path)
			}
		})
	}
}

func TestReassign_OtherCompany_422(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	for _, tt := range []struct{ name, to, confirm, want string }{
		{"another company", h.People["piotr"].OriginatorUUID, "true", "at the same broker company"},
		{"oneself", h.People["olivia"].OriginatorUUID, "true", "already has the lead"},
		{"an unknown originator", "0f0e0d0c-0000-4000-8000-0000000000ff", "true", "at the same broker company"},
		{"no id", "marcus", "true", "Choose an originator"},
		{"nobody", "", "true", "Choose an originator"},
		{"unconfirmed", h.People["marcus"].OriginatorUUID, "", "Check this box to reassign"},
	} {
		got := olivia.Send(olivia.ReassignForm(path, "marcus", "newLoanOriginatorUuid", tt.to, "confirm.reassign", tt.confirm,
			"handOver.line", "kept"))
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Find(".err").Text(), tt.want) {
			t.Errorf("%s: got %d %q, want 422 and %q", tt.name, got.Status, got.Find(".err").Text(), tt.want)
		}
		if got.Form("form#form-reassign").Values.Get("handOver.line") != "kept" {
			t.Errorf("%s: the form lost its values", tt.name)
		}
	}
	if got := olivia.Get(path + "/reassign?q=piotr@lakeside.test"); got.Find(`input[name="newLoanOriginatorUuid"]`).
		Length() != 0 {
		t.Error("a search by email finds a user of another company")
	}
	ada := h.SignInAs("ada")
	if got := ada.Send(ada.ReassignForm(path, "marcus")); got.Path != path || got.Status != http.StatusOK {
		t.Errorf("an assistant: got %d at %s", got.Status, got.Path)
	}
	h.SignInAs("marcus").Get(path).WantText("Assigned by Ada Assist")
}

// TestAssigneeSearch_UnknownEmail_AsksLender deletes a colleague from the portal's directory; the lender still lists
// him.
func TestAssigneeSearch_UnknownEmail_AsksLender(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera")
	forgetOriginator(h, "marcus")
	if got := olivia.Get(path + "/reassign?q=marcus"); got.Find(`input[name="newLoanOriginatorUuid"]`).Length() != 0 {
		t.Fatal("the portal's directory still has him")
	}
	olivia.Get(path+"/reassign?q=Marcus@summit.test").WantText("Marcus Reyes", "NMLS 1902214")
	forgetOriginator(h, "marcus")
	olivia.Get("/originators?q=marcus@summit.test").WantText("Marcus Reyes", "Summit Home Lending", "NMLS 312440")
	forgetOriginator(h, "piotr")
	if got := olivia.Get("/originators?q=piotr@lakeside.test"); strings.Contains(got.Find("table").Text(), "Zielinski") {
		t.Error("the search shows another company")
	}
	h.SignInAs("admin").Get("/originators?q=zielin").WantText("Piotr Zielinski", "Lakeside Home Finance")
}

// forgetOriginator deletes a user from the portal's directory, as if the lender had added them since.
func forgetOriginator(h *webtest.Harness, first string) {
	h.T.Helper()
	h.ExecSQL(`DELETE FROM originators WHERE uuid = ?`, h.People[first].OriginatorUUID)
}

// reassignFaults makes the lender lose the responses to reassignments, before or after executing them.
type reassignFaults struct {
	mu     sync.Mutex
	next   http.Handler
	handle func(w http.ResponseWriter, r *http.Request, pass http.Handler) bool // returns false to continue as usual
}

func (f *reassignFaults) middleware(next http.Handler) http.Handler {
	f.next = next
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		handler := f.handle
		f.mu.Unlock()
		if handler != nil && strings.HasSuffix(r.URL.Path, "/reassign") && handler(w, r, next) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (f *reassignFaults) set(handler func(http.ResponseWriter, *http.Request, http.Handler) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handle = handler
}

// dropResponse executes the request and drops the response.
func dropResponse(_ http.ResponseWriter, r *http.Request, pass http.Handler) bool {
	pass.ServeHTTP(&discardWriter{header: http.Header{}}, r)
	panic(http.ErrAbortHandler)
}

type discardWriter struct{ header http.Header }

func (d *discardWriter) Header() http.Header         { return d.header }
func (d *discardWriter) Write(b []byte) (int, error) { return len(b), nil }
func (d *discardWriter) WriteHeader(int)             {}

func TestReassign_LostResponse_SettledByDetails(t *testing.T) {
	t.Parallel()
	lose := &reassignFaults{}
	h := webtest.New(t, webtest.Options{LenderMiddleware: lose.middleware})
	olivia := h.SignInAs("olivia")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	form := olivia.ReassignForm(path, "marcus")
	lose.set(dropResponse)
	got := olivia.Send(form)
	if !strings.HasPrefix(got.Path, "/operations/") {
		t.Fatalf("got %d at %s, want the receipt", got.Status, got.Path)
	}
	lose.set(nil)
	h.WaitUntil("it is confirmed", func() bool {
		op, err := h.Store.Operation(t.Context(), strings.TrimPrefix(got.Path, "/operations/"))
		return err == nil && op.State == lead.OpConfirmed
	})
	list := olivia.Get("/leads")
	list.WantText("Reassigned " + h.LeadRow(heloc.AppID(strings.TrimPrefix(path, "/leads/"))).ShortID +
		" to Marcus Reyes, today")
	list.CheckNoLeadStyles()
	h.SignInAs("marcus").Get(path).WantText("Assigned by Olivia Bennett")
}

// startMany starts leads as olivia, through the desk.
func startMany(h *webtest.Harness, n int) []string {
	h.T.Helper()
	in, err := h.DeskService.For(h.People["olivia"].Actor).Intake()
	if err != nil {
		h.T.Fatal(err)
	}
	drafts, err := h.DeskService.For(h.People["olivia"].Actor).Drafts()
	if err != nil {
		h.T.Fatal(err)
	}
	var apps []string
	for i := range n {
		year := heloc.Dollars(124_600)
		value := heloc.Dollars(560_000)
		op, err := in.Start(h.T.Context(), deskintake.StartForm{
			OperationID: in.NewOperationID(), DraftID: drafts.New(),
			Consent:  lead.ConsentForm{Attested: true, Method: "in-person", Version: webtest.ConsentVersion},
			Snapshot: lead.StartSnapshot{Name: heloc.Name{First: "Elena", Last: "Rivera"}}, ConfirmDuplicate: true,
			Inquiry: heloc.Inquiry{
				Applicant: heloc.Applicant{
					Name: heloc.Name{First: "Elena", Last: fmt.Sprintf("Rivera%c%c", 'a'+i/26, 'a'+i%26)}, DateOfBirth: "1979-05-17",
					Phone: "3035550147", Email: "elena@borrower.test",
					HomeAddress: heloc.Address{Street1: "2216 Larkspur Ave", City: "Boise", State: "ID", ZIP: "83702"},
					Income:      heloc.Income{EmploymentType: "FULL_TIME", GrossAnnual: &year},
				},
				Property: heloc.Property{
					Address:      heloc.Address{Street1: "2216 Larkspur Ave", City: "Boise", State: "ID", ZIP: "83702"},
					PropertyType: "PRIMARY", EstimatedValue: &value,
				},
			},
		})
		if err != nil || op.App == "" {
			h.T.Fatalf("start %d: %v %+v", i, err, op.State)
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
	h := webtest.New(t, webtest.Options{LenderMiddleware: lose.middleware})
	apps := startMany(h, 100)
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
			webtest.WriteJSON(w, map[string]any{"messages": []any{map[string]string{"level": "ERROR", "message": words}}})
		}
		return refused[app]
	})
	maya := h.SignInAs("maya")
	page := maya.Post("/reassignments", url.Values{"app": apps})
	page.WantText("100 of 100 can be reassigned", "Nothing has been sent")
	form := page.Form("form#form-many").With("newLoanOriginatorUuid", h.People["marcus"].OriginatorUUID)
	form.Values["app"] = append(apps, "0f0e0d0c-0000-4000-8000-0000000000ff")
	dry := maya.Send(form.With("dry", "true"))
	dry.WantText("100 of 101 ready to reassign", "Lead not found, or you don’t have access")
	if len(calls) != 0 {
		t.Errorf("the check called the lender %d times", len(calls))
	}
	form.Values["app"] = apps
	if got := maya.Send(form); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("unconfirmed: got %d, want 422", got.Status)
	}
	run := maya.Send(form.With("confirm.reassign", "true"))
	if !strings.HasPrefix(run.Path, "/reassignments/") || run.Status != http.StatusOK {
		t.Fatalf("got %d at %s: %s", run.Status, run.Path, run.MainText())
	}
	if again := maya.Send(form.With("confirm.reassign", "true")); again.Path != run.Path {
		t.Errorf("the same form again: got %s, want the same run %s", again.Path, run.Path)
	}
	h.WaitUntil("the run is done", func() bool {
		return strings.Contains(maya.Get(run.Path).Find(".note").Text(), "Done.")
	})
	done := maya.Get(run.Path)
	done.WantText("97 of 100 reassigned, 3 not reassigned", "Retry 3 leads")
	if n := strings.Count(done.Find("table").Text(), "“"+words+"”"); n != 3 {
		t.Errorf("the lender's message appears %d times, want 3", n)
	}
	count := 0
	for _, q := range h.Sandbox.Inquiries() {
		if q.OriginatorUUID == heloc.OriginatorID(h.People["marcus"].OriginatorUUID) {
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
	maya.Send(done.Form("form#form-retry"))
	h.WaitUntil("the three moved too", func() bool {
		return strings.Contains(maya.Get(run.Path).Text(), "100 of 100 reassigned")
	})
	maya.Get("/leads").WantText("100 leads to Marcus Reyes")
	if got := h.SignInAs("olivia").Get(run.Path); got.Status != http.StatusNotFound {
		t.Errorf("another user's run: got %d, want 404", got.Status)
	}
}

// TestReassign_SentTwice_ShowsReceipt submits again without the script that prevents it, and uses the browser's Back
// button: the page must not deny a reassignment that was made.
func TestReassign_SentTwice_ShowsReceipt(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, piotr := h.SignInAs("olivia"), h.SignInAs("piotr")
	path := olivia.StartLead("Rivera")
	olivia.WaitFor(path, `input[name="offer.offerUuid"]`)
	form := olivia.ReassignForm(path, "marcus")
	olivia.Send(form)
	for name, got := range map[string]*webtest.Response{"the same form": olivia.Send(form),
		"an empty one": olivia.Post(path+"/reassign", nil), "the page": olivia.Get(path + "/reassign")} {
		if got.Status != http.StatusOK || !strings.HasPrefix(got.Path, "/operations/") {
			t.Errorf("%s: got %d at %s, want the receipt", name, got.Status, got.Path)
		}
		got.WantText("Marcus Reyes")
		if strings.Contains(got.Find("main").Text(), "Rivera") {
			t.Errorf("%s names the borrower of another user's lead", name)
		}
	}
	if n := h.LenderCallCount("/reassign"); n != 1 {
		t.Errorf("the lender got %d calls, want one", n)
	}
	for name, got := range map[string]*webtest.Response{
		"her lead": olivia.Get(path), "another company's submission": piotr.Send(form),
		"another company's page": piotr.Get(path + "/reassign"),
		"no lead":                olivia.Post("/leads/none/reassign", nil),
	} {
		if got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", name, got.Status)
		}
	}
}

// TestForms_EnterKey_SubmitsPrimaryAction checks the button that a browser uses for Enter: the first one.
func TestForms_EnterKey_SubmitsPrimaryAction(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	liens, _ := olivia.StartLeadAt("Rivera-Liens", heloc.StepLienMatching)
	for page, form := range map[string]string{"/leads/new": "form#intake", liens: "form#form-verify-liens"} {
		first := olivia.Get(page).Find(form).Find(`button:not([type="button"]), input[type="submit"]`).First()
		if name, named := first.Attr("name"); first.Length() == 0 || named {
			t.Errorf("%s: Enter presses the button %q, want one without a name", page, name)
		}
	}
}

// TestAssigneeSearch_ShowsStateLicenses: an unknown license blocks nothing, but the user sees it before they reassign
// one lead or many.
func TestAssigneeSearch_ShowsStateLicenses(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	here := olivia.StartLead("Rivera", "property.address.state", "WY", "property.address.zip", "82001",
		"property.address.city", "Cheyenne")
	there := olivia.StartLead("Stone", "property.address.state", "OR", "property.address.zip", "97201",
		"property.address.city", "Portland")
	olivia.WaitFor(here, `input[name="offer.offerUuid"]`)
	olivia.WaitFor(there, `input[name="offer.offerUuid"]`)
	license := func(first, state string, may bool) {
		h.Must(h.Store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SaveLicense(t.Context(), lead.License{Holder: h.People[first].OriginatorUUID, State: state,
				Party: lead.PartyOriginator, Allowed: may, SetBy: "admin"})
		}))
	}
	license("maya", "WY", true)
	license("maya", "OR", false)
	for _, tt := range []struct{ who, path, want string }{
		{"marcus", here, "No license on file: WY"}, {"maya", here, "Licensed: WY"}, {"maya", there, "Not licensed: OR"},
	} {
		page := olivia.Get(tt.path + "/reassign?q=" + tt.who)
		if got := page.Find(`#form-reassign label.ck .dim`).First().Text(); !strings.HasSuffix(got, " · "+tt.want) {
			t.Errorf("%s: got %q, want %q at its end", tt.who, got, tt.want)
		}
	}
	apps := []string{strings.TrimPrefix(here, "/leads/"), strings.TrimPrefix(there, "/leads/")}
	many := olivia.Post("/reassignments", url.Values{"app": apps, "q": {"maya"}, "find": {"true"}})
	many.WantText("Not licensed: OR")
	if got := strings.TrimSpace(many.Find(".targets .codes").Text()); got != "WY" {
		t.Errorf("licensed in: got %q, want WY", got)
	}
	dry := olivia.Post("/reassignments", url.Values{"app": apps,
		"newLoanOriginatorUuid": {h.People["marcus"].OriginatorUUID}, "dry": {"true"}})
	dry.WantText("No license on file in Wyoming. Check with the originator first.", "2 of 2 ready to reassign")
	if got := olivia.Send(olivia.ReassignForm(here, "marcus")); got.Path != "/leads" || got.Status != http.StatusOK {
		t.Errorf("reassigned anyway: got %d at %s: %s", got.Status, got.Path, got.MainText())
	}
}
