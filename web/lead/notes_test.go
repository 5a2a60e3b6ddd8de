package lead_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/web/webtest"
)

// storedText returns everything that the harness has in its files and its log.
func storedText(h *webtest.Harness) string {
	h.T.Helper()
	all := h.Log.String()
	for _, stored := range h.Stored() {
		all += stored
	}
	return all
}

func TestNotesAndFollowUps_SavedShownAndDone(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia, maya := h.SignInAs("olivia"), h.SignInAs("maya")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	long := strings.Repeat("ñ", 4000)
	if got := olivia.Post(path+"/note", url.Values{"note": {long}}); got.Status != http.StatusOK ||
		!strings.Contains(got.Body, long) {
		t.Errorf("4,000 characters: got %d", got.Status)
	}
	got := olivia.Post(path+"/note", url.Values{"note": {long + "x"}})
	if got.Status != http.StatusUnprocessableEntity || got.Find(`textarea[name="note"]`).Text() != long+"x" {
		t.Errorf("4,001 characters: got %d, and the typed text is lost", got.Status)
	}
	if got := olivia.Post(path+"/note", url.Values{"note": {" \r\n"}}); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("nothing: got %d", got.Status)
	}
	maya.Post(path+"/note", url.Values{"note": {"Ask for the deed\r\n<b>first</b>"}})
	page := olivia.Get(path)
	if first := page.Find("#notes .said").First().Text(); first != "Ask for the deed\n<b>first</b>" {
		t.Errorf("newest first: got %q", first)
	}
	page.WantText("Maya")
	if strings.Contains(storedText(h), "Ask for the deed") {
		t.Error("a note is stored unencrypted")
	}
	olivia.Get("/leads").WantText("1 lead with a new note")

	for typed, want := range map[string]string{"": "Choose a day", "2020-01-01": "This day has passed",
		"soon": "Enter the date", "2199-01-01": "within a year"} {
		got := olivia.Post(path+"/follow-up", url.Values{"followUp.on": {typed}, "followUp.note": {"call back"}})
		if got.Status != http.StatusUnprocessableEntity ||
			got.Find(`#form-follow-up [name="followUp.note"]`).AttrOr("value", "") != "call back" {
			t.Errorf("%q: got %d", typed, got.Status)
		}
		got.WantText(want)
	}
	denver, _ := time.LoadLocation("America/Denver")
	soon := time.Now().In(denver).AddDate(0, 0, 2)
	olivia.Post(path+"/follow-up", url.Values{"followUp.on": {soon.Format(time.DateOnly)},
		"followUp.note": {"ask for the statement"}})
	want := time.Date(soon.Year(), soon.Month(), soon.Day(), 9, 0, 0, 0, denver)
	if row := h.LeadRow(app); row.FollowUpAt != want.UnixMilli() || row.Lane != heloc.LaneOffers {
		t.Errorf("only a day: got %v in %s, want %v", time.UnixMilli(row.FollowUpAt).In(denver), row.Lane, want)
	}
	if panel, at := olivia.Get(path).Find("#notes").Text(),
		soon.Format("Mon, Jan 2")+", 9:00 AM"; strings.Count(panel, at) != 1 {
		t.Errorf("got %q, want %q once", panel, at)
	}
	due := time.Now().In(denver).Add(-time.Minute)
	olivia.Post(path+"/follow-up", url.Values{"followUp.on": {due.Format("2006-01-02T15:04")}})
	if row := h.LeadRow(app); row.FollowUpAt > time.Now().UnixMilli() || row.DueAt() != row.FollowUpAt {
		t.Errorf("due now: got %+v", row)
	}
	page = olivia.Get(path)
	page.WantText("ask for the statement", "set by you", "Reminder due")
	page.WantNoText([]string{"Follow-up"})
	olivia.Get("/leads?view=offers").WantText("reminder due")
	ics := olivia.Get("/leads.ics")
	if ct := ics.Header.Get("Content-Type"); !strings.HasPrefix(ct, "text/calendar") ||
		!strings.Contains(ics.Body, "SUMMARY:Reminder ") || !strings.Contains(ics.Body, "\r\nEND:VCALENDAR\r\n") {
		t.Errorf("the calendar: got %s %s", ct, ics.Body)
	}
	for _, leak := range []string{"Rivera", "Elena", string(app), "statement"} {
		if strings.Contains(ics.Body, leak) {
			t.Errorf("the calendar contains %q", leak)
		}
	}
	page.Find(`[name="followUp.done"]`).Each(func(_ int, s *goquery.Selection) {
		olivia.Post(path+"/follow-up", url.Values{"followUp.done": {s.AttrOr("value", "")}})
	})
	if row := h.LeadRow(app); row.FollowUpAt != 0 {
		t.Errorf("all done: got a follow-up at %d", row.FollowUpAt)
	}
	if n := olivia.Get(path).Find(`[name="followUp.done"]`).Length(); n != 0 {
		t.Errorf("all done: %d are shown", n)
	}
}

func TestComingDates_ShownToOriginatorOnly(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true})
	olivia, marcus := h.SignInAs("olivia"), h.SignInAs("marcus")
	app := h.AddFrozenLead()
	day := func(n int) heloc.Date { return heloc.DateOf(time.Now().UTC().AddDate(0, 0, n)) }
	h.EditLead(app, func(l *lead.Row) {
		l.ShortID, l.ExpirationDate, l.NotaryDate, l.PricingDate, l.CreditDate = "7-1", day(5), day(40), day(-30), day(-3)
	})
	if fetched, _ := olivia.Get("/leads").Find("#upcoming").Attr("hx-get"); fetched != "/leads/dates" {
		t.Errorf("the list fetches %q after its rows", fetched)
	}
	text := strings.Join(strings.Fields(olivia.Get("/leads/dates").Find("#dates").Text()), " ")
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
	if ics := olivia.Get("/leads.ics").Body; !strings.Contains(ics, "SUMMARY:Notary appointment 7-1") ||
		!strings.Contains(ics, "DTSTART;VALUE=DATE:"+strings.ReplaceAll(string(day(5)), "-", "")) {
		t.Errorf("the calendar: got %s", ics)
	}
	if got := marcus.Get("/leads/dates"); got.Find("#dates").Length() != 0 ||
		strings.Contains(marcus.Get("/leads.ics").Body, "7-1") {
		t.Error("a colleague sees the dates")
	}
	h.EditLead(app, func(l *lead.Row) { l.CanceledDate = day(0) })
	if got := olivia.Get("/leads/dates"); got.Find("#dates").Length() != 0 {
		t.Errorf("ended: got %q, want no dates", got.Find("#dates").Text())
	}
}

// TestFollowUp_TypedAsPeopleDo_AcceptedAndRedisplayed: dates with a two-digit year and times with AM or PM are
// accepted. What is rejected is shown again as it was typed, in a control that can show it.
func TestFollowUp_TypedAsPeopleDo_AcceptedAndRedisplayed(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	denver, _ := time.LoadLocation("America/Denver")
	soon := h.Now().In(denver).AddDate(0, 0, 5)
	want := time.Date(soon.Year(), soon.Month(), soon.Day(), 14, 30, 0, 0, denver)
	olivia.Post(path+"/follow-up", url.Values{"followUp.on": {soon.Format("1/2/06")}, "followUp.time": {"2:30 pm"}})
	if row := h.LeadRow(app); row.FollowUpAt != want.UnixMilli() {
		t.Errorf("got %v, want %v", time.UnixMilli(row.FollowUpAt).In(denver), want)
	}
	for _, tt := range [][3]string{{"1/2/20", "", "This day has passed"},
		{"5 days", "2:30 pm", "Enter the date as mm/dd/yyyy"}, {"2/30/27", "", "There is no February 30"},
		{soon.Format("1/2/06"), "noonish", "Enter a time of day"}} {
		got := olivia.Post(path+"/follow-up", url.Values{"followUp.on": {tt[0]}, "followUp.time": {tt[1]}})
		got.WantText(tt[2])
		on, clock := got.Find(`[name="followUp.on"]`), got.Find(`[name="followUp.time"]`)
		if got.Status != http.StatusUnprocessableEntity || on.AttrOr("value", "") != tt[0] ||
			on.AttrOr("type", "text") != "text" || clock.AttrOr("value", "") != tt[1] {
			t.Errorf("%v: got %d with %q (%s) and %q", tt, got.Status, on.AttrOr("value", ""), on.AttrOr("type", "text"),
				clock.AttrOr("value", ""))
		}
	}
}

// TestFollowUp_TimeThatClocksSkip_Refused asks for 2:30 AM on the day when clocks go forward from 2 AM to 3 AM.
func TestFollowUp_TimeThatClocksSkip_Refused(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	path, app := olivia.StartLeadAt("Rivera", heloc.StepOffersAvailable)
	denver, _ := time.LoadLocation("America/Denver")
	day := h.Now().In(denver)
	for time.Date(day.Year(), day.Month(), day.Day(), 2, 30, 0, 0, denver).Hour() == 2 {
		day = day.AddDate(0, 0, 1)
	}
	for _, values := range []url.Values{
		{"followUp.on": {day.Format("1/2/2006")}, "followUp.time": {"2:30 AM"}},
		{"followUp.on": {day.Format("2006-01-02") + "T02:30"}},
	} {
		got := olivia.Post(path+"/follow-up", values)
		got.WantText("This time is skipped because clocks go forward on this day")
		if row := h.LeadRow(app); got.Status != http.StatusUnprocessableEntity || row.FollowUpAt != 0 {
			t.Errorf("%v: got %d and a reminder at %v", values, got.Status, time.UnixMilli(row.FollowUpAt).In(denver))
		}
	}
	want := time.Date(day.Year(), day.Month(), day.Day(), 3, 30, 0, 0, denver)
	olivia.Post(path+"/follow-up", url.Values{"followUp.on": {day.Format("1/2/2006")}, "followUp.time": {"3:30\u202fAM"}})
	if row := h.LeadRow(app); row.FollowUpAt != want.UnixMilli() {
		t.Errorf("got %v, want %v", time.UnixMilli(row.FollowUpAt).In(denver), want)
	}
}

func TestNote_WithSSN_RejectedAndMasked(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	olivia := h.SignInAs("olivia")
	lead := olivia.StartLead("Rivera")
	got := olivia.Send(olivia.Get(lead).Form(`form[action$="/note"]`).With("note", "She read 123-45-6789 to me"))
	if got.Status != http.StatusUnprocessableEntity || strings.Contains(got.Body, "123-45-6789") {
		t.Errorf("got %d, with the SSN: %v", got.Status, strings.Contains(got.Body, "123-45-6789"))
	}
	got.WantText("An SSN can’t be kept here")
	if text := got.Find(`[name="note"]`).Text(); text != "She read XXX-XX-XXXX to me" {
		t.Errorf("the note is shown as %q", text)
	}
	for _, hidden := range []string{"123\u201345\u20136789", "123-\u200b45-6789", "123\u00a045\u00a06789"} {
		if got := olivia.Send(olivia.Get(lead).Form(`form[action$="/note"]`).With("note",
			"SSN "+hidden)); got.Status != http.StatusUnprocessableEntity || webtest.HasDigits(got.Body, "6789") {
			t.Errorf("%+q: got %d, with the SSN: %v", hidden, got.Status, webtest.HasDigits(got.Body, "6789"))
		}
	}
}
