package lead_test

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TestBorrowerFollowUps_AgreeWithStatus: what is due is due for the status too, whatever was logged before.
func TestBorrowerFollowUps_AgreeWithStatus(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	began := time.Date(2026, 11, 30, 16, 21, 0, 0, time.UTC)
	tests := map[string]struct {
		after    time.Duration
		contacts []time.Duration // after the step began, oldest first
		want     string          // the states
		days     [3]int
	}{
		"just selected":           {time.Minute, nil, "ahead ahead ahead", [3]int{1, 3, 7}},
		"sent at once":            {time.Hour, []time.Duration{time.Minute}, "ahead ahead ahead", [3]int{1, 3, 7}},
		"a day later":             {day, []time.Duration{time.Minute}, "due ahead ahead", [3]int{1, 3, 7}},
		"followed up":             {day + time.Hour, []time.Duration{day}, "contacted ahead ahead", [3]int{1, 3, 7}},
		"third day":               {3 * day, []time.Duration{day + 1}, "contacted due ahead", [3]int{1, 3, 7}},
		"third day, first missed": {3 * day, []time.Duration{time.Minute}, "passed due ahead", [3]int{1, 3, 7}},
		"seventh day": {7 * day, []time.Duration{day, 3 * day},
			"contacted due ahead", [3]int{3, 7, 14}},
		"two weeks": {14*day + time.Hour, []time.Duration{14 * day},
			"passed contacted ahead", [3]int{7, 14, 21}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			now := began.Add(tt.after)
			row := lead.Row{Step: heloc.StepBorrowerAuth, StepSince: lead.Millis(began)}
			var events []lead.Event
			for _, c := range tt.contacts {
				at := lead.Millis(began.Add(c))
				row.LastContactAt = at
				events = append([]lead.Event{{Kind: lead.EventContact, Detail: "text", At: at}}, events...)
			}
			row.UpdateStatus(now)
			got := row.BorrowerFollowUps(events, now)
			due, want := false, strings.Fields(tt.want)
			for i, f := range got {
				if string(f.State) != want[i] || f.Days != tt.days[i] {
					t.Errorf("%d: got day %d %s, want day %d %s", i, f.Days, f.State, tt.days[i], want[i])
				}
				if (f.Contact.At != 0) != (f.State == lead.FollowUpContacted) {
					t.Errorf("%d: %s with the contact %+v", i, f.State, f.Contact)
				}
				if f.State == lead.FollowUpDue {
					due = true
					if lead.Millis(f.At) != row.DueAt() {
						t.Errorf("due %s, and for the status %s", f.At, lead.Instant(row.DueAt()))
					}
				}
			}
			if due != (row.StatusKey == heloc.StatusFollowUpSignIn) {
				t.Errorf("due: %v, with the status %s", due, row.StatusKey)
			}
		})
	}
	for _, row := range []lead.Row{{Step: heloc.StepComplete}, {Step: heloc.StepUnfreezeCredit},
		{Step: heloc.StepBrokerDocSigning, Converted: true}} {
		if got := row.BorrowerFollowUps(nil, began); len(got) != 0 {
			t.Errorf("%s: got %d follow-ups, want none", row.Step, len(got))
		}
	}
}
