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
	"hearthline/internal/store"
)

// handing is the form that hands a lead to a colleague.
func (v *visitor) handing(lead, first string, more ...string) postedForm {
	v.h.t.Helper()
	f := v.get(lead + "/reassign").form("form#form-reassign")
	return f.with(append([]string{"newLoanOriginatorUuid", v.h.people[first].OriginatorUUID, "confirm.reassign", "true"}, more...)...)
}

func TestALeadIsHandedOverWithItsBriefAndTakenBack(t *testing.T) {
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			h := newHouse(t, furnished{dialect: dialect})
			olivia, marcus := h.visit("olivia"), h.visit("marcus")
			lead := olivia.start("Rivera")
			olivia.awaits(lead, `input[name="offer.offerUuid"]`)
			page := olivia.get(lead + "/reassign?q=marc")
			page.says("Marcus Reyes", "NMLS 1902214", "Now with Olivia Bennett")
			if n := page.Find(`input[name="newLoanOriginatorUuid"]`).Length(); n != 1 || page.Find(`input[name="newLoanOriginatorUuid"][checked]`).Length() != 0 {
				t.Errorf("got %d candidates for marc, want Marcus alone and not chosen", n)
			}
			got := olivia.send(olivia.handing(lead, "marcus", "handOver.line", "Elena wants to sign on Monday"))
			if got.path != "/leads" || got.status != http.StatusOK {
				t.Fatalf("got %d at %s: %s", got.status, got.path, got.text())
			}
			got.says("Handed to Marcus Reyes, today")
			if strings.Contains(got.Find("#handed").Text(), "Rivera") || strings.Contains(got.Find("#handed").Text(), "Elena") {
				t.Error("the stub names the borrower")
			}
			if again := olivia.get(lead); again.status != http.StatusNotFound {
				t.Errorf("the lead of another: got %d, want 404", again.status)
			}
			brief := marcus.get(lead)
			brief.says("Handed over by Olivia Bennett, today", "Elena wants to sign on Monday", "Offers ready", "New inquiry", "Before with")
			if brief.Find(`#received form`).Length() != 0 {
				t.Error("who got the lead is offered to take it back")
			}
			back := olivia.send(got.form(`#handed form`))
			if back.path != lead || back.status != http.StatusOK {
				t.Fatalf("taken back: got %d at %s: %s", back.status, back.path, back.text())
			}
			if olivia.get("/leads").Find("#handed").Length() != 0 {
				t.Error("the stub stays after it was taken back")
			}
			if strings.Contains(back.Find("main").Text(), "Handed over by") {
				t.Error("a lead that came back shows a brief")
			}
			if got := marcus.get(lead); got.status != http.StatusNotFound {
				t.Errorf("taken back from marcus: got %d, want 404", got.status)
			}
			if twice := olivia.send(got.form(`#handed form`)); twice.path != lead {
				t.Errorf("the same undo again: got %d at %s", twice.status, twice.path)
			}
		})
	}
}

func TestAHandOverStaysWithinTheCompany(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	lead := olivia.start("Rivera")
	olivia.awaits(lead, `input[name="offer.offerUuid"]`)
	for _, tt := range []struct{ name, to, confirm, says string }{
		{"another company", h.people["piotr"].OriginatorUUID, "true", "same organization and broker company"},
		{"oneself", h.people["olivia"].OriginatorUUID, "true", "theirs already"},
		{"nobody known", "0f0e0d0c-0000-4000-8000-0000000000ff", "true", "same organization and broker company"},
		{"no id", "marcus", "true", "Choose who takes it"},
		{"nobody", "", "true", "Choose who takes it"},
		{"unconfirmed", h.people["marcus"].OriginatorUUID, "", "Confirm that it is to be handed over"},
	} {
		got := olivia.send(olivia.handing(lead, "marcus", "newLoanOriginatorUuid", tt.to, "confirm.reassign", tt.confirm, "handOver.line", "kept"))
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.Find(".err").Text(), tt.says) {
			t.Errorf("%s: got %d %q, want 422 and %q", tt.name, got.status, got.Find(".err").Text(), tt.says)
		}
		if got.form("form#form-reassign").values.Get("handOver.line") != "kept" {
			t.Errorf("%s: what was typed is gone", tt.name)
		}
	}
	if got := olivia.get(lead + "/reassign?q=piotr@lakeside.test"); got.Find(`input[name="newLoanOriginatorUuid"]`).Length() != 0 {
		t.Error("a search by e-mail finds somebody of another company")
	}
	ada := h.visit("ada")
	if got := ada.send(ada.handing(lead, "marcus")); got.path != lead || got.status != http.StatusOK {
		t.Errorf("an assistant: got %d at %s", got.status, got.path)
	}
	h.visit("marcus").get(lead).says("Handed over by Ada Assist")
}

// TestSomebodyMissingIsAskedByEmail forgets a colleague, whom the lender still knows.
func TestSomebodyMissingIsAskedByEmail(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	lead := olivia.start("Rivera")
	h.forget("marcus")
	if got := olivia.get(lead + "/reassign?q=marcus"); got.Find(`input[name="newLoanOriginatorUuid"]`).Length() != 0 {
		t.Fatal("the directory still knows him")
	}
	olivia.get(lead+"/reassign?q=Marcus@summit.test").says("Marcus Reyes", "NMLS 1902214")
	h.forget("marcus")
	olivia.get("/originators?q=marcus@summit.test").says("Marcus Reyes", "Summit Home Lending", "NMLS 312440")
	h.forget("piotr")
	if got := olivia.get("/originators?q=piotr@lakeside.test"); strings.Contains(got.Find("table").Text(), "Zielinski") {
		t.Error("the directory shows another company")
	}
	h.visit("admin").get("/originators?q=zielin").says("Piotr Zielinski", "Lakeside Home Finance")
}

// forget takes a person out of our directory, as if the lender had added them since.
func (h *house) forget(first string) {
	h.t.Helper()
	h.raw(`DELETE FROM originators WHERE uuid = ?`, h.people[first].OriginatorUUID)
}

// losing makes the lender lose the answers of reassignments, after or before it did them.
type losing struct {
	mu   sync.Mutex
	next http.Handler
	deed func(w http.ResponseWriter, r *http.Request, pass http.Handler) bool // false: as usual
}

func (l *losing) around(next http.Handler) http.Handler {
	l.next = next
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		deed := l.deed
		l.mu.Unlock()
		if deed != nil && strings.HasSuffix(r.URL.Path, "/reassign") && deed(w, r, next) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (l *losing) set(deed func(http.ResponseWriter, *http.Request, http.Handler) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deed = deed
}

// swallow does the deed and loses the answer.
func swallow(_ http.ResponseWriter, r *http.Request, pass http.Handler) bool {
	pass.ServeHTTP(&nowhere{header: http.Header{}}, r)
	panic(http.ErrAbortHandler)
}

type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (n *nowhere) WriteHeader(int)             {}

func TestALostAnswerSettlesByTheOriginatorInTheDetails(t *testing.T) {
	lose := &losing{}
	h := newHouse(t, furnished{around: lose.around})
	olivia := h.visit("olivia")
	lead := olivia.start("Rivera")
	olivia.awaits(lead, `input[name="offer.offerUuid"]`)
	form := olivia.handing(lead, "marcus")
	lose.set(swallow)
	got := olivia.send(form)
	if !strings.HasPrefix(got.path, "/operations/") {
		t.Fatalf("got %d at %s, want the receipt", got.status, got.path)
	}
	lose.set(nil)
	h.until("it is confirmed", func() bool {
		op, err := h.store.Operation(t.Context(), strings.TrimPrefix(got.path, "/operations/"))
		return err == nil && op.State == store.OpConfirmed
	})
	list := olivia.get("/leads")
	list.says("Handed to Marcus Reyes, today")
	list.dressed()
	h.visit("marcus").get(lead).says("Handed over by Olivia Bennett")
}

// many starts leads as olivia, through the desk.
func (h *house) many(n int) []string {
	h.t.Helper()
	in, err := h.rooms.For(h.people["olivia"].Actor).Intake()
	if err != nil {
		h.t.Fatal(err)
	}
	drafts, err := h.rooms.For(h.people["olivia"].Actor).Drafts()
	if err != nil {
		h.t.Fatal(err)
	}
	var apps []string
	for i := range n {
		year := heloc.Dollars(124_600)
		value := heloc.Dollars(560_000)
		op, err := in.Start(h.t.Context(), desk.StartForm{
			Ticket: in.Ticket(), DraftID: drafts.New(),
			Consent: desk.Consent{Attested: true, Method: "in-person", Version: consentVersion},
			Newborn: desk.Newborn{Name: heloc.Name{First: "Elena", Last: "Rivera"}}, ConfirmDuplicate: true,
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

// TestAHundredLeadsAndThreeRefusals hands them over in one run: what moved moved, what
// did not says why, and nothing is left in between.
func TestAHundredLeadsAndThreeRefusals(t *testing.T) {
	const words = "The lead is locked by an underwriter."
	lose := &losing{}
	h := newHouse(t, furnished{around: lose.around})
	apps := h.many(100)
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
			asJSON(w, map[string]any{"messages": []any{map[string]string{"level": "ERROR", "message": words}}})
		}
		return refused[app]
	})
	maya := h.visit("maya")
	page := maya.post("/reassignments", url.Values{"app": apps})
	page.says("100 of 100 can be handed over", "Nothing has been sent")
	form := page.form("form#form-many").with("newLoanOriginatorUuid", h.people["marcus"].OriginatorUUID)
	form.values["app"] = append(apps, "0f0e0d0c-0000-4000-8000-0000000000ff")
	dry := maya.send(form.with("dry", "true"))
	dry.says("100 of 101 would move", "This lead does not exist, or not for you")
	if len(calls) != 0 {
		t.Errorf("the dry run asked the lender %d times", len(calls))
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
	h.until("the run is done", func() bool { return strings.Contains(maya.get(run.path).Find(".note").Text(), "Done.") })
	done := maya.get(run.path)
	done.says("97 of 100 moved, 3 not", "Try 3 leads again")
	if n := strings.Count(done.Find("table").Text(), "“"+words+"”"); n != 3 {
		t.Errorf("the lender's words stand %d times, want 3", n)
	}
	moved := 0
	for _, q := range h.box.Inquiries() {
		if q.OriginatorUUID == heloc.OriginatorID(h.people["marcus"].OriginatorUUID) {
			moved++
		}
	}
	if moved != 97 {
		t.Errorf("the lender has %d with marcus, want 97", moved)
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
	h.until("the three moved too", func() bool { return strings.Contains(maya.get(run.path).Text(), "100 of 100 moved") })
	maya.get("/leads").says("100 leads to Marcus Reyes")
	if got := h.visit("olivia").get(run.path); got.status != http.StatusNotFound {
		t.Errorf("somebody else's run: got %d, want 404", got.status)
	}
}

// TestASecondPressFindsTheReceipt presses again where no script holds the press back, and
// steps back in the browser: what has gone is not said to have never been.
func TestASecondPressFindsTheReceipt(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia, piotr := h.visit("olivia"), h.visit("piotr")
	lead := olivia.start("Rivera")
	olivia.awaits(lead, `input[name="offer.offerUuid"]`)
	form := olivia.handing(lead, "marcus")
	olivia.send(form)
	for name, got := range map[string]*answerPage{"the same form": olivia.send(form), "an empty one": olivia.post(lead+"/reassign", nil), "the page": olivia.get(lead + "/reassign")} {
		if got.status != http.StatusOK || !strings.HasPrefix(got.path, "/operations/") {
			t.Errorf("%s: got %d at %s, want the receipt", name, got.status, got.path)
		}
		got.says("Marcus Reyes")
		if strings.Contains(got.Find("main").Text(), "Rivera") {
			t.Errorf("%s names the borrower of another's lead", name)
		}
	}
	if n := h.callsTo("/reassign"); n != 1 {
		t.Errorf("the lender was asked %d times, want once", n)
	}
	for name, got := range map[string]*answerPage{
		"her lead itself": olivia.get(lead), "a stranger's press": piotr.send(form), "a stranger's page": piotr.get(lead + "/reassign"),
		"no lead": olivia.post("/leads/none/reassign", nil),
	} {
		if got.status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", name, got.status)
		}
	}
}

// TestEnterInARowSendsTheForm looks at what a browser takes for Enter: the first button.
func TestEnterInARowSendsTheForm(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	liens, _ := olivia.standing("Rivera-Liens", heloc.StepLienMatching)
	for page, form := range map[string]string{"/leads/new": "form#intake", liens: "form#form-verify-liens"} {
		first := olivia.get(page).Find(form).Find(`button:not([type="button"]), input[type="submit"]`).First()
		if name, named := first.Attr("name"); first.Length() == 0 || named {
			t.Errorf("%s: Enter presses the button %q, want one without a name", page, name)
		}
	}
}

// TestWhoMayActInTheStateIsSaidBeforeTheChoice: a licence that nobody knows of refuses nothing,
// but whoever hands a borrower over reads of it first, one lead or many.
func TestWhoMayActInTheStateIsSaidBeforeTheChoice(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	here := olivia.start("Rivera", "property.address.state", "WY", "property.address.zip", "82001", "property.address.city", "Cheyenne")
	there := olivia.start("Stone", "property.address.state", "OR", "property.address.zip", "97201", "property.address.city", "Portland")
	olivia.awaits(here, `input[name="offer.offerUuid"]`)
	olivia.awaits(there, `input[name="offer.offerUuid"]`)
	licence := func(first, state string, may bool) {
		h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.SaveLicence(t.Context(), store.Licence{Holder: h.people[first].OriginatorUUID, State: state, Party: store.PartyOriginator, May: may, ByHand: "admin"})
		}))
	}
	licence("maya", "WY", true)
	licence("maya", "OR", false)
	for _, tt := range []struct{ who, path, want string }{
		{"marcus", here, "not known to be licensed in Wyoming"}, {"maya", here, "licensed in Wyoming"}, {"maya", there, "not licensed in Oregon"},
	} {
		page := olivia.get(tt.path + "/reassign?q=" + tt.who)
		if got := page.Find(`#form-reassign label.ck .dim`).First().Text(); !strings.HasSuffix(got, " · "+tt.want) {
			t.Errorf("%s: got %q, want %q at its end", tt.who, got, tt.want)
		}
	}
	apps := []string{strings.TrimPrefix(here, "/leads/"), strings.TrimPrefix(there, "/leads/")}
	many := olivia.post("/reassignments", url.Values{"app": apps, "q": {"maya"}, "find": {"true"}})
	many.says("not licensed in Oregon, licensed in Wyoming")
	dry := olivia.post("/reassignments", url.Values{"app": apps, "newLoanOriginatorUuid": {h.people["marcus"].OriginatorUUID}, "dry": {"true"}})
	dry.says("They are not known to be licensed in Wyoming. Ask before you hand it over.", "2 of 2 would move")
	if got := olivia.send(olivia.handing(here, "marcus")); got.path != "/leads" || got.status != http.StatusOK {
		t.Errorf("handed over all the same: got %d at %s: %s", got.status, got.path, got.text())
	}
}
