package web

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/access"
	"hearthline/internal/desk"
	"hearthline/internal/heloc"
	"hearthline/internal/store"
)

// atRest is all that the house keeps in files and in its log.
func (h *house) atRest() string {
	h.t.Helper()
	all := h.log.String()
	files, _ := filepath.Glob(filepath.Join(h.dir, "portal.db*"))
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			h.t.Fatal(err)
		}
		all += string(raw)
	}
	return all
}

// standing starts an inquiry and waits until it stands at a step.
func (v *visitor) standing(lastName string, step heloc.Step) (path string, app heloc.AppID) {
	v.h.t.Helper()
	path = v.start(lastName)
	app = heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	v.h.until(string(step), func() bool {
		row, err := v.h.store.AnyLead(v.h.t.Context(), app)
		return err == nil && row.Step == step && row.UnderWayUntil == 0
	})
	return path, app
}

func (h *house) row(app heloc.AppID) store.Lead {
	h.t.Helper()
	row, err := h.store.AnyLead(h.t.Context(), app)
	if err != nil {
		h.t.Fatal(err)
	}
	return row
}

func TestALookAtABorrowerLeavesItsTraceAndNothingElse(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	path, app := olivia.standing("Rivera", heloc.StepOffersAvailable)
	hidden := []string{"555-0147", "3035550147", "elena@borrower.test", "May 17, 1979", "1979-05-17", "2216 Larkspur"}
	got := olivia.post(path+"/reveal", url.Values{"reason": {""}})
	if got.status != http.StatusUnprocessableEntity || got.Find(`#reveal [name="reason"][aria-invalid="true"]`).Length() != 1 {
		t.Errorf("without a reason: got %d", got.status)
	}
	if rows, _ := h.store.Reveals(t.Context(), app, 9); len(rows) != 0 {
		t.Errorf("without a reason: got %d looks, want none", len(rows))
	}
	got = olivia.post(path+"/reveal", url.Values{"reason": {"callback"}})
	got.says("(303) 555-0147", "elena@borrower.test", "May 17, 1979", "The borrower asked to be called back", "Hidden again at")
	if c := got.header.Get("Cache-Control"); c != "no-store" {
		t.Errorf("Cache-Control: got %q, want no-store", c)
	}
	if got.Find("#borrower-part[data-hide-after][hx-morph-skip]").Length() != 1 || !strings.Contains(got.body, `content="300;url=`+path+`"`) {
		t.Error("nothing hides it after five minutes")
	}
	part := olivia.post(path+"/reveal", url.Values{"reason": {"she called about the gate code 4711"}}, "HX-Request", "true", "HX-Request-Type", "partial", "HX-Target", "div#borrower-part")
	if part.Find("#borrower-part").Length() != 1 || part.Find("h1").Length() != 0 || !strings.Contains(part.body, "555-0147") {
		t.Errorf("the fragment: got %d %.200s", part.status, part.body)
	}
	kept := h.atRest()
	for _, page := range []string{"", "/activity", "/history", "/underwriting"} {
		kept += olivia.get(path + page).body
	}
	for _, secret := range append(hidden[:5], "gate code") {
		if strings.Contains(h.atRest(), secret) {
			t.Errorf("%q is kept", secret)
		}
		if secret != "gate code" && strings.Contains(kept, secret) {
			t.Errorf("%q stands on a later page", secret)
		}
	}
	olivia.get(path+"/activity").says("Who opened this lead", "phone, e-mail, birth date, home", "she called about the gate code 4711", "Borrower details shown")
	rows, err := h.store.AuditOf(t.Context(), "lead:"+string(app), 9)
	if err != nil || len(rows) < 2 || rows[0].Action != "borrower.reveal" || rows[0].ActorID != "user-olivia" || !strings.Contains(rows[0].Detail, "reason:typed fields:phone") {
		t.Errorf("the audit: got %+v, %v", rows, err)
	}
}

func TestALookIsWrittenDownBeforeTheLenderIsAsked(t *testing.T) {
	h := newHouse(t, furnished{timeout: time.Second})
	olivia := h.visit("olivia")
	path, app := olivia.standing("Rivera", heloc.StepOffersAvailable)
	h.lender.Close()
	if got := olivia.post(path+"/reveal", url.Values{"reason": {"identity"}}); got.status != http.StatusServiceUnavailable && got.status != http.StatusBadGateway {
		t.Errorf("got %d, want the lender's silence", got.status)
	}
	rows, err := h.store.Reveals(t.Context(), app, 9)
	if err != nil || len(rows) != 1 {
		t.Errorf("got %d looks, %v, want the one that was tried", len(rows), err)
	}
}

func TestNobodyLooksWithoutEnd(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	path, app := olivia.standing("Rivera", heloc.StepOffersAvailable)
	err := h.store.Write(t.Context(), func(tx *store.Tx) error {
		for i := range 60 {
			r := store.Reveal{ID: "r" + string(rune('0'+i/10)) + string(rune('0'+i%10)), App: app, UserID: "user-olivia", UserName: "Olivia", At: store.Millis(time.Now())}
			if err := tx.AddReveal(t.Context(), r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := olivia.post(path+"/reveal", url.Values{"reason": {"identity"}})
	if got.status != http.StatusTooManyRequests || strings.Contains(got.body, "555-0147") || got.header.Get("Retry-After") == "" {
		t.Errorf("the 61st: got %d", got.status)
	}
	if got := olivia.post(path+"/contact", url.Values{"contact.how": {"call"}}); got.status != http.StatusTooManyRequests {
		t.Errorf("a contact: got %d, want it bounded too", got.status)
	}
	if h.row(app).LastContactAt != 0 {
		t.Error("what was not shown was logged as a contact")
	}
	if got := h.visit("maya").post(path+"/reveal", url.Values{"reason": {"identity"}}); got.status != http.StatusOK {
		t.Errorf("somebody else: got %d, want 200", got.status)
	}
}

func TestAContactShowsOneFieldAndIsLogged(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	path, app := olivia.standing("Rivera", heloc.StepOffersAvailable)
	for _, tt := range []struct{ how, href, shown, other string }{
		{"call", "tel:+13035550147", "(303) 555-0147", "elena@borrower.test"},
		{"text", "sms:+13035550147?", "(303) 555-0147", "elena@borrower.test"},
		{"email", "mailto:elena@borrower.test?", "elena@borrower.test", "555-0147"},
		{"link", "", "", "555-0147"},
	} {
		got := olivia.post(path+"/contact", url.Values{"contact.how": {tt.how}})
		if got.status != http.StatusOK || strings.Contains(got.body, tt.other) || !strings.Contains(got.body, tt.shown) {
			t.Errorf("%s: got %d with %q shown %v, %q shown %v", tt.how, got.status, tt.shown, strings.Contains(got.body, tt.shown), tt.other, strings.Contains(got.body, tt.other))
		}
		if tt.href != "" && got.Find(`#borrower-part a[href^="`+tt.href+`"]`).Length() == 0 {
			t.Errorf("%s: no link %s…", tt.how, tt.href)
		}
		if tt.how == "link" && !strings.HasPrefix(got.Find(`[name="borrower.link"]`).AttrOr("value", ""), "https://") {
			t.Error("link: none to copy")
		}
		if row := h.row(app); row.LastContact != tt.how || row.LastContactAt == 0 {
			t.Errorf("%s: got the last contact %q", tt.how, row.LastContact)
		}
	}
	text := olivia.post(path+"/contact", url.Values{"contact.how": {"text"}}).Find(`#borrower-part a[hreflang="es"]`).AttrOr("href", "")
	body, err := url.QueryUnescape(text[strings.Index(text, "body=")+5:])
	if err != nil || !strings.Contains(body, "Hola Elena") || !strings.Contains(body, "NMLS") || !strings.Contains(body, "Ya llegaron sus ofertas") {
		t.Errorf("the text in Spanish: got %q, %v", body, err)
	}
	before, _ := h.store.Reveals(t.Context(), app, 99)
	got := olivia.post(path+"/contact", url.Values{"contact.how": {"in-person"}, "contact.note": {"met at the branch, brings the statement"}})
	got.says("met at the branch", "In person")
	olivia.post(path+"/contact", url.Values{"contact.how": {"call"}, "contact.only": {"true"}})
	if after, _ := h.store.Reveals(t.Context(), app, 99); len(after) != len(before) {
		t.Errorf("noting alone: got %d looks more, want none", len(after)-len(before))
	}
	if strings.Contains(h.atRest(), "met at the branch") {
		t.Error("the words of a contact lie open")
	}
	if got := olivia.post(path+"/contact", url.Values{"contact.how": {"pigeon"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("by pigeon: got %d, want 422", got.status)
	}
	if page := olivia.get(path).body; strings.Contains(page, h.link(app)) {
		t.Error("the borrower's link stands on the page without a press")
	}
}

// link is the borrower's own, as the sandbox gave it.
func (h *house) link(app heloc.AppID) string {
	h.t.Helper()
	got, err := h.rooms.Lender.Details(h.t.Context(), app)
	if err != nil || got.Value.BorrowerAppLink == "" {
		h.t.Fatalf("no link: %v", err)
	}
	return got.Value.BorrowerAppLink
}

func TestNotesAndFollowUps(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia, maya := h.visit("olivia"), h.visit("maya")
	path, app := olivia.standing("Rivera", heloc.StepOffersAvailable)
	long := strings.Repeat("ñ", 4000)
	if got := olivia.post(path+"/note", url.Values{"note": {long}}); got.status != http.StatusOK || !strings.Contains(got.body, long) {
		t.Errorf("4,000 characters: got %d", got.status)
	}
	got := olivia.post(path+"/note", url.Values{"note": {long + "x"}})
	if got.status != http.StatusUnprocessableEntity || got.Find(`textarea[name="note"]`).Text() != long+"x" {
		t.Errorf("4,001 characters: got %d, and what was typed is gone", got.status)
	}
	if got := olivia.post(path+"/note", url.Values{"note": {" \r\n"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("nothing: got %d", got.status)
	}
	maya.post(path+"/note", url.Values{"note": {"Ask for the deed\r\n<b>first</b>"}})
	page := olivia.get(path)
	if first := page.Find("#notes .said").First().Text(); first != "Ask for the deed\n<b>first</b>" {
		t.Errorf("the newest first: got %q", first)
	}
	page.says("Maya")
	if strings.Contains(h.atRest(), "Ask for the deed") {
		t.Error("a note lies open")
	}
	olivia.get("/leads").says("1 lead with a new note")

	for typed, want := range map[string]string{"": "Choose a day", "2020-01-01": "This day has passed", "soon": "Enter a date", "2199-01-01": "within a year"} {
		got := olivia.post(path+"/follow-up", url.Values{"followUp.on": {typed}, "followUp.note": {"call back"}})
		if got.status != http.StatusUnprocessableEntity || got.Find(`#form-follow-up [name="followUp.note"]`).AttrOr("value", "") != "call back" {
			t.Errorf("%q: got %d", typed, got.status)
		}
		got.says(want)
	}
	denver, _ := time.LoadLocation("America/Denver")
	soon := time.Now().In(denver).AddDate(0, 0, 2)
	olivia.post(path+"/follow-up", url.Values{"followUp.on": {soon.Format(time.DateOnly)}, "followUp.note": {"ask for the statement"}})
	want := time.Date(soon.Year(), soon.Month(), soon.Day(), 9, 0, 0, 0, denver)
	if row := h.row(app); row.FollowUpAt != want.UnixMilli() || row.Lane != heloc.LaneOffers {
		t.Errorf("a day alone: got %v in %s, want %v", time.UnixMilli(row.FollowUpAt).In(denver), row.Lane, want)
	}
	due := time.Now().In(denver).Add(-time.Minute)
	olivia.post(path+"/follow-up", url.Values{"followUp.on": {due.Format("2006-01-02T15:04")}})
	if row := h.row(app); row.FollowUpAt > time.Now().UnixMilli() || row.DueAt != row.FollowUpAt {
		t.Errorf("due now: got %+v", row)
	}
	page = olivia.get(path)
	page.says("ask for the statement", "set by you")
	olivia.get("/leads?view=offers").says("follow-up due")
	ics := olivia.get("/leads.ics")
	if ct := ics.header.Get("Content-Type"); !strings.HasPrefix(ct, "text/calendar") || !strings.Contains(ics.body, "SUMMARY:Follow-up ") || !strings.Contains(ics.body, "\r\nEND:VCALENDAR\r\n") {
		t.Errorf("the calendar: got %s %s", ct, ics.body)
	}
	for _, leak := range []string{"Rivera", "Elena", string(app), "statement"} {
		if strings.Contains(ics.body, leak) {
			t.Errorf("the calendar says %q", leak)
		}
	}
	page.Find(`[name="followUp.done"]`).Each(func(_ int, s *goquery.Selection) {
		olivia.post(path+"/follow-up", url.Values{"followUp.done": {s.AttrOr("value", "")}})
	})
	if row := h.row(app); row.FollowUpAt != 0 {
		t.Errorf("all done: got a follow-up at %d", row.FollowUpAt)
	}
	if n := olivia.get(path).Find(`[name="followUp.done"]`).Length(); n != 0 {
		t.Errorf("all done: %d are shown", n)
	}
}

// planned plans a re-pull by the form of the card.
func (v *visitor) planned(path string, lifted time.Time, more ...string) *answerPage {
	v.h.t.Helper()
	denver, _ := time.LoadLocation("America/Denver")
	values := url.Values{
		"thaw.liftedAt": {lifted.In(denver).Format("2006-01-02T15:04")}, "thaw.until": {""},
		"consent.attested": {"true"}, "consent.method": {"recorded-call"}, "consent.version": {consentVersion},
	}
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return v.post(path+"/follow-up", values)
}

func (h *house) repulls(app heloc.AppID) (asked int, last store.Repull) {
	h.t.Helper()
	ops, err := h.store.Operations(h.t.Context(), app, 20)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, op := range ops {
		if op.Kind == heloc.OpRepullCredit {
			asked++
		}
	}
	plans, err := h.store.Repulls(h.t.Context(), app, 1)
	if err != nil || len(plans) == 0 {
		h.t.Fatalf("no plan: %v", err)
	}
	return asked, plans[0]
}

func TestAPlannedRepullIsAskedForOnce(t *testing.T) {
	h := newHouse(t, furnished{})
	olivia := h.visit("olivia")
	path, app := olivia.standing("Rivera-Frozen", heloc.StepUnfreezeCredit)
	for name, more := range map[string][]string{
		"thaw.liftedAt":    {"thaw.liftedAt", ""},
		"consent.attested": {"consent.attested", ""},
		"consent.method":   {"consent.method", ""},
		"thaw.until":       {"thaw.until", "2020-01-01T10:00"},
	} {
		got := olivia.planned(path, time.Now(), more...)
		if got.status != http.StatusUnprocessableEntity || got.Find(`#form-thaw #complaints a`).Length() == 0 {
			t.Errorf("%s: got %d", name, got.status)
		}
	}
	olivia.planned(path, time.Now().Add(2*time.Hour)).says("To be lifted", "Credit is asked for", "in the name of Olivia Bennett")
	asked, plan := h.repulls(app)
	if row := h.row(app); asked != 0 || plan.State != store.RepullWaiting || row.RepullAt != plan.DueAt || row.Lane != heloc.LaneToday {
		t.Errorf("planned: got %d asked, %+v, the lead in %s", asked, plan, row.Lane)
	}
	olivia.send(olivia.get(path).form("#form-thaw-cancel"))
	if _, plan := h.repulls(app); plan.State != store.RepullDropped || h.row(app).RepullAt != 0 {
		t.Errorf("taken back: got %+v", plan)
	}
	if got := olivia.post(path+"/follow-up", url.Values{"thaw.cancel": {"true"}}); got.status != http.StatusConflict {
		t.Errorf("taken back twice: got %d, want 409", got.status)
	}
	if got := h.visit("ada").planned(path, time.Now()); got.status != http.StatusForbidden {
		t.Errorf("an assistant plans: got %d, want 403", got.status)
	}
	// Lifted two hours ago, it is due now.
	olivia.planned(path, time.Now().Add(-2*time.Hour))
	h.until("it is asked for", func() bool { _, plan := h.repulls(app); return plan.State == store.RepullDone })
	asked, plan = h.repulls(app)
	if asked != 1 {
		t.Errorf("got %d re-pulls, want 1", asked)
	}
	consents, err := h.store.Consents(t.Context(), app)
	if err != nil || len(consents) != 2 || consents[0].At != plan.CreatedAt || consents[0].Method != "recorded-call" {
		t.Errorf("the consent of the plan: got %+v, %v", consents, err)
	}
	h.until("the lender asks again", func() bool { return h.row(app).Attempt == 2 })
	for range 3 {
		if err := h.work.RunDue(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if asked, _ := h.repulls(app); asked != 1 {
		t.Errorf("later: got %d re-pulls, want still 1", asked)
	}
}

// TestAPlannedRepullAsksEverythingAgain changes one thing between the plan and its time.
func TestAPlannedRepullAsksEverythingAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(t *testing.T, h *house, app heloc.AppID)
		why    string
	}{
		"the account was closed": {func(t *testing.T, h *house, _ heloc.AppID) { h.must(h.store.DisableUser(t.Context(), "user-olivia")) }, "person"},
		"the role changed": {func(t *testing.T, h *house, _ heloc.AppID) {
			h.must(h.store.SetUserRole(t.Context(), "user-olivia", "admin"))
		}, "owner"},
		"the lead moved": {func(t *testing.T, h *house, app heloc.AppID) {
			h.edit(app, func(l *store.Lead) { l.Originator = heloc.OriginatorID(h.people["marcus"].OriginatorUUID) })
		}, "owner"},
		"the step changed": {func(_ *testing.T, h *house, app heloc.AppID) {
			h.edit(app, func(l *store.Lead) { l.Step = heloc.StepOffersAvailable })
		}, "step"},
		"it was set aside": {func(_ *testing.T, h *house, app heloc.AppID) {
			h.edit(app, func(l *store.Lead) { l.SetAsideAt = 1 })
		}, "step"},
		"the text changed":           {func(_ *testing.T, h *house, _ heloc.AppID) { h.rooms.Consent.Version = "2027-01-01" }, "consent"},
		"the lender does not answer": {func(_ *testing.T, h *house, _ heloc.AppID) { h.lender.Close() }, "down"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, furnished{still: true, idle: true})
			olivia := h.visit("olivia")
			app := h.frozenLead()
			path := "/leads/" + string(app)
			if got := olivia.planned(path, time.Now().Add(-2*time.Hour)); got.status != http.StatusOK {
				t.Fatalf("the plan: got %d: %s", got.status, got.text())
			}
			tt.change(t, h, app)
			h.must(h.work.RunDue(t.Context()))
			h.must(h.work.RunDue(t.Context()))
			asked, plan := h.repulls(app)
			if want := map[bool]int{true: 1}[tt.why == "down"]; plan.State != store.RepullMissed || plan.Outcome != tt.why || asked != want {
				t.Errorf("got %s, %q, %d asked; want it missed by %q", plan.State, plan.Outcome, asked, tt.why)
			}
			events, err := h.store.Events(t.Context(), app, 9)
			if err != nil || events[0].Kind != store.EventNotAsked || events[0].Detail != tt.why {
				t.Errorf("told: got %+v, %v", events, err)
			}
		})
	}
}

func TestATryThatWasInterruptedIsNotRepeated(t *testing.T) {
	h := newHouse(t, furnished{still: true, idle: true})
	olivia := h.visit("olivia")
	app := h.frozenLead()
	olivia.planned("/leads/"+string(app), time.Now().Add(-2*time.Hour))
	_, plan := h.repulls(app)
	plan.State, plan.TriedAt = store.RepullTrying, store.Millis(time.Now().Add(-time.Minute))
	h.must(h.store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.MoveRepull(t.Context(), plan, store.RepullWaiting)
		return err
	}))
	h.must(h.work.RunDue(t.Context()))
	if _, got := h.repulls(app); got.State != store.RepullTrying {
		t.Errorf("a minute later: got %s, want another process's try left alone", got.State)
	}
	h.rooms.Now = func() time.Time { return time.Now().Add(5 * time.Minute) }
	h.must(h.work.RunDue(t.Context()))
	asked, got := h.repulls(app)
	if got.State != store.RepullMissed || got.Outcome != "interrupted" || asked != 0 {
		t.Errorf("after it was given up: got %s %q, %d asked", got.State, got.Outcome, asked)
	}
	v := viewer{now: time.Now(), zone: time.UTC}
	facts := leadFacts{view: desk.LeadView{Repull: &got}, can: func(access.Permission) bool { return true }}
	if f := v.showFreeze(facts); !strings.Contains(f.Missed, "interrupted") || f.Lifted != "" || !f.CanNote {
		t.Errorf("the card: got %+v", f)
	}
	facts.view.Operations = []desk.Operation{{Kind: heloc.OpRepullCredit, CreatedAt: got.TriedAt + 1}}
	if f := v.showFreeze(facts); f.Missed != "" {
		t.Errorf("asked by hand since: got %q", f.Missed)
	}
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) edit(app heloc.AppID, change func(*store.Lead)) {
	h.t.Helper()
	h.must(h.store.Write(h.t.Context(), func(tx *store.Tx) error {
		l, err := tx.AnyLead(h.t.Context(), app)
		if err != nil {
			return err
		}
		change(&l)
		return tx.SaveLead(h.t.Context(), &l, time.Now(), true)
	}))
}

// frozenLead is one of olivia's, with nothing watching it.
func (h *house) frozenLead() heloc.AppID {
	h.t.Helper()
	olivia := h.people["olivia"]
	app := heloc.AppID("0f0e0d0c-0000-4000-8000-00000000f001")
	l := store.Lead{
		App: app, Originator: heloc.OriginatorID(olivia.OriginatorUUID), BrokerID: olivia.BrokerID, Organization: olivia.Organization,
		Step: heloc.StepUnfreezeCredit, StepSince: store.Millis(time.Now()), RefreshAt: store.Millis(time.Now().Add(time.Hour)),
	}
	h.must(h.store.Write(h.t.Context(), func(tx *store.Tx) error { return tx.AddLead(h.t.Context(), &l, time.Now()) }))
	return app
}

func TestDatesComingUp(t *testing.T) {
	h := newHouse(t, furnished{still: true})
	olivia, marcus := h.visit("olivia"), h.visit("marcus")
	app := h.frozenLead()
	day := func(n int) heloc.Date { return heloc.DateOf(time.Now().UTC().AddDate(0, 0, n)) }
	h.edit(app, func(l *store.Lead) {
		l.ShortID, l.ExpirationDate, l.NotaryDate, l.PricingDate, l.CreditDate = "7-1", day(5), day(40), day(-30), day(-3)
	})
	text := strings.Join(strings.Fields(olivia.get("/leads").Find("#dates").Text()), " ")
	for _, want := range []string{"Inquiry expires", "Pricing as of", "7-1"} {
		if !strings.Contains(text, want) {
			t.Errorf("got %q, want %q in it", text, want)
		}
	}
	for _, not := range []string{"Credit as of", "Notary"} {
		if strings.Contains(text, not) {
			t.Errorf("got %q, which has %q", text, not)
		}
	}
	if ics := olivia.get("/leads.ics").body; !strings.Contains(ics, "SUMMARY:Notary appointment 7-1") || !strings.Contains(ics, "DTSTART;VALUE=DATE:"+strings.ReplaceAll(string(day(5)), "-", "")) {
		t.Errorf("the calendar: got %s", ics)
	}
	if got := marcus.get("/leads"); got.Find("#dates").Length() != 0 || strings.Contains(marcus.get("/leads.ics").body, "7-1") {
		t.Error("a colleague sees the dates")
	}
	h.edit(app, func(l *store.Lead) { l.CanceledDate = day(0) })
	if got := olivia.get("/leads"); got.Find("#dates").Length() != 0 {
		t.Errorf("ended: got %q, want no dates", got.Find("#dates").Text())
	}
}
