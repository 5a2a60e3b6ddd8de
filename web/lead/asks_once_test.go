package lead_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestOverview_DueReminder_InStepCard sets two reminders, one of them due: it is part of the next step, and on the
// activity tab both are with the notes.
func TestOverview_DueReminder_InStepCard(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	olivia := h.SignInAs("olivia")
	path, _ := olivia.StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	for _, note := range []string{"call back", "ask for the statement"} {
		olivia.Post(path+"/follow-up", url.Values{"followUp.on": {h.Now().AddDate(0, 0, 3).Format(time.DateOnly)},
			"followUp.note": {note}})
	}
	h.ExecSQL(`UPDATE follow_ups SET due_at = ? WHERE id = (SELECT min(id) FROM follow_ups)`,
		store.Millis(h.Now().Add(-time.Hour)))
	check := func(where string, page *webtest.Response, card, notes bool) {
		t.Helper()
		if got := page.Find("#step .notes li.yours").Length() == 1; got != card {
			t.Errorf("%s: the reminder is in the card: %v, want %v", where, got, card)
		}
		if got := page.Find("#notes li.yours").Length() == 1; got != notes {
			t.Errorf("%s: the due reminder is with the notes: %v, want %v", where, got, notes)
		}
		if page.Find(`#notes form[id^="form-done-"]`).Length() == 0 {
			t.Errorf("%s: the later reminder is missing", where)
		}
	}
	overview := olivia.Get(path)
	check("overview", overview, true, false)
	check("activity", olivia.Get(path+"/activity"), false, true)
	if done := olivia.Send(overview.Form("#step form.row")); done.Find("#step .notes li").Length() != 0 {
		t.Error("a reminder that is done is still in the card")
	}
}

// TestOverview_Overdue_Said reads the card before and after the move is due, as its originator and as others. It is
// afternoon where they live, so an hour ago was today.
func TestOverview_Overdue_Said(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoJobs: true})
	h.ExecSQL(`UPDATE users SET time_zone = ?`, zoneAtThree())
	path, app := h.SignInAs("olivia").StartLeadAt("Rivera-Match", heloc.StepCreditMatch)
	for _, tt := range []struct {
		who  string
		late time.Duration
		want string
	}{
		{"olivia", -30 * time.Minute, "Your move · due in"},
		{"olivia", time.Hour, "Your move, overdue · due 60 min ago"},
		{"maya", time.Hour, "With Olivia Bennett, overdue · due 60 min ago"},
		{"ada", 26 * time.Hour, "With Olivia Bennett, overdue · due yesterday"},
	} {
		h.EditLead(app, func(l *lead.Row) { l.StepSince = store.Millis(h.Now().Add(-time.Hour - tt.late)) })
		got := strings.Join(strings.Fields(h.SignInAs(tt.who).Get(path).Find("#step .clock").Text()), " ")
		if !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s, %v late: got %q, want %q", tt.who, tt.late, got, tt.want)
		}
	}
}

// zoneAtThree returns a time zone in which it is between 3 and 4 PM. In "Etc/GMT+5", "+" means west of Greenwich.
func zoneAtThree() string {
	west := (time.Now().UTC().Hour() - 15 + 24) % 24
	if west > 12 {
		west -= 24
	}
	return fmt.Sprintf("Etc/GMT%+d", west)
}
