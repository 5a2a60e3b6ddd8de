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

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// storedText returns everything that the harness has in its files and its log.
func (h *harness) storedText() string {
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

// startLeadAt starts an inquiry and waits until it reaches a step.
func (v *testBrowser) startLeadAt(lastName string, step heloc.Step) (path string, app heloc.AppID) {
	v.h.t.Helper()
	path = v.startLead(lastName)
	app = heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	v.h.waitUntil(string(step), func() bool {
		row, err := v.h.store.AnyLead(v.h.t.Context(), app)
		return err == nil && row.Step == step && row.PendingUntil == 0
	})
	return path, app
}

func (h *harness) leadRow(app heloc.AppID) lead.Row {
	h.t.Helper()
	row, err := h.store.AnyLead(h.t.Context(), app)
	if err != nil {
		h.t.Fatal(err)
	}
	return row
}

func TestNotesAndFollowUps_SavedShownAndDone(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{})
	olivia, maya := h.signInAs("olivia"), h.signInAs("maya")
	path, app := olivia.startLeadAt("Rivera", heloc.StepOffersAvailable)
	long := strings.Repeat("ñ", 4000)
	if got := olivia.post(path+"/note", url.Values{"note": {long}}); got.status != http.StatusOK || !strings.Contains(got.body, long) {
		t.Errorf("4,000 characters: got %d", got.status)
	}
	got := olivia.post(path+"/note", url.Values{"note": {long + "x"}})
	if got.status != http.StatusUnprocessableEntity || got.Find(`textarea[name="note"]`).Text() != long+"x" {
		t.Errorf("4,001 characters: got %d, and the typed text is lost", got.status)
	}
	if got := olivia.post(path+"/note", url.Values{"note": {" \r\n"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("nothing: got %d", got.status)
	}
	maya.post(path+"/note", url.Values{"note": {"Ask for the deed\r\n<b>first</b>"}})
	page := olivia.get(path)
	if first := page.Find("#notes .said").First().Text(); first != "Ask for the deed\n<b>first</b>" {
		t.Errorf("newest first: got %q", first)
	}
	page.wantText("Maya")
	if strings.Contains(h.storedText(), "Ask for the deed") {
		t.Error("a note is stored unencrypted")
	}
	olivia.get("/leads").wantText("1 lead with a new note")

	for typed, want := range map[string]string{"": "Choose a day", "2020-01-01": "This day has passed", "soon": "Enter a date", "2199-01-01": "within a year"} {
		got := olivia.post(path+"/follow-up", url.Values{"followUp.on": {typed}, "followUp.note": {"call back"}})
		if got.status != http.StatusUnprocessableEntity || got.Find(`#form-follow-up [name="followUp.note"]`).AttrOr("value", "") != "call back" {
			t.Errorf("%q: got %d", typed, got.status)
		}
		got.wantText(want)
	}
	denver, _ := time.LoadLocation("America/Denver")
	soon := time.Now().In(denver).AddDate(0, 0, 2)
	olivia.post(path+"/follow-up", url.Values{"followUp.on": {soon.Format(time.DateOnly)}, "followUp.note": {"ask for the statement"}})
	want := time.Date(soon.Year(), soon.Month(), soon.Day(), 9, 0, 0, 0, denver)
	if row := h.leadRow(app); row.FollowUpAt != want.UnixMilli() || row.Lane != heloc.LaneOffers {
		t.Errorf("only a day: got %v in %s, want %v", time.UnixMilli(row.FollowUpAt).In(denver), row.Lane, want)
	}
	due := time.Now().In(denver).Add(-time.Minute)
	olivia.post(path+"/follow-up", url.Values{"followUp.on": {due.Format("2006-01-02T15:04")}})
	if row := h.leadRow(app); row.FollowUpAt > time.Now().UnixMilli() || row.DueAt != row.FollowUpAt {
		t.Errorf("due now: got %+v", row)
	}
	page = olivia.get(path)
	page.wantText("ask for the statement", "set by you")
	olivia.get("/leads?view=offers").wantText("follow-up due")
	ics := olivia.get("/leads.ics")
	if ct := ics.header.Get("Content-Type"); !strings.HasPrefix(ct, "text/calendar") || !strings.Contains(ics.body, "SUMMARY:Follow-up ") || !strings.Contains(ics.body, "\r\nEND:VCALENDAR\r\n") {
		t.Errorf("the calendar: got %s %s", ct, ics.body)
	}
	for _, leak := range []string{"Rivera", "Elena", string(app), "statement"} {
		if strings.Contains(ics.body, leak) {
			t.Errorf("the calendar contains %q", leak)
		}
	}
	page.Find(`[name="followUp.done"]`).Each(func(_ int, s *goquery.Selection) {
		olivia.post(path+"/follow-up", url.Values{"followUp.done": {s.AttrOr("value", "")}})
	})
	if row := h.leadRow(app); row.FollowUpAt != 0 {
		t.Errorf("all done: got a follow-up at %d", row.FollowUpAt)
	}
	if n := olivia.get(path).Find(`[name="followUp.done"]`).Length(); n != 0 {
		t.Errorf("all done: %d are shown", n)
	}
}

func (h *harness) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) editLead(app heloc.AppID, change func(*lead.Row)) {
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

func TestComingDates_ShownToOriginatorOnly(t *testing.T) {
	t.Parallel()
	h := newHarness(t, harnessOptions{noSync: true})
	olivia, marcus := h.signInAs("olivia"), h.signInAs("marcus")
	app := h.addFrozenLead()
	day := func(n int) heloc.Date { return heloc.DateOf(time.Now().UTC().AddDate(0, 0, n)) }
	h.editLead(app, func(l *lead.Row) {
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
			t.Errorf("got %q, which contains %q", text, not)
		}
	}
	if ics := olivia.get("/leads.ics").body; !strings.Contains(ics, "SUMMARY:Notary appointment 7-1") || !strings.Contains(ics, "DTSTART;VALUE=DATE:"+strings.ReplaceAll(string(day(5)), "-", "")) {
		t.Errorf("the calendar: got %s", ics)
	}
	if got := marcus.get("/leads"); got.Find("#dates").Length() != 0 || strings.Contains(marcus.get("/leads.ics").body, "7-1") {
		t.Error("a colleague sees the dates")
	}
	h.editLead(app, func(l *lead.Row) { l.CanceledDate = day(0) })
	if got := olivia.get("/leads"); got.Find("#dates").Length() != 0 {
		t.Errorf("ended: got %q, want no dates", got.Find("#dates").Text())
	}
}
