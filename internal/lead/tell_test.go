package lead

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTellChoices_Due checks when a user is told. Nov 27, 2026 is a Friday; on Mar 8 and Nov 1, 2026, the clocks
// change.
func TestTellChoices_Due(t *testing.T) {
	t.Parallel()
	denver, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	day := DefaultTellChoices()
	day.Email[TellFunded] = TellHourly
	always := DefaultTellChoices()
	always.QuietFrom, always.QuietTo, always.Weekends = 0, 0, false
	always.Email[TellFunded] = TellHourly
	noon := DefaultTellChoices()
	noon.QuietFrom, noon.QuietTo = 12*60, 13*60
	late := DefaultTellChoices()
	late.DailyAt = 6 * 60
	for name, tt := range map[string]struct {
		c        TellChoices
		e        TellEvent
		by       TellChannel
		at, want string
	}{
		"an email at once waits a minute":     {day, TellOffers, TellByEmail, "2026-11-25 10:00", "2026-11-25 10:01"},
		"a browser is told at once":           {day, TellOffers, TellByPush, "2026-11-25 10:00", "2026-11-25 10:00"},
		"hourly is the next full hour":        {day, TellFunded, TellByEmail, "2026-11-25 10:00", "2026-11-25 11:00"},
		"daily is the next morning":           {day, TellEnded, TellByEmail, "2026-11-25 10:00", "2026-11-26 07:30"},
		"daily is this morning":               {day, TellEnded, TellByEmail, "2026-11-25 07:29", "2026-11-25 07:30"},
		"daily skips the weekend":             {day, TellEnded, TellByEmail, "2026-11-27 10:00", "2026-11-30 07:30"},
		"daily skips the weekend always":      {always, TellEnded, TellByEmail, "2026-11-28 10:00", "2026-11-30 07:30"},
		"never":                               {day, TellEnded, TellByPush, "2026-11-25 10:00", ""},
		"quiet in the evening":                {day, TellOffers, TellByPush, "2026-11-25 20:00", "2026-11-26 07:00"},
		"quiet before the morning":            {day, TellOffers, TellByPush, "2026-11-26 06:59", "2026-11-26 07:00"},
		"not quiet at its end":                {day, TellOffers, TellByPush, "2026-11-26 07:00", "2026-11-26 07:00"},
		"the pause reaches into quiet hours":  {day, TellOffers, TellByEmail, "2026-11-25 19:59", "2026-11-26 07:00"},
		"hourly moves to the end":             {day, TellFunded, TellByEmail, "2026-11-25 19:30", "2026-11-26 07:00"},
		"a daily time in quiet hours":         {late, TellEnded, TellByEmail, "2026-11-25 10:00", "2026-11-26 07:00"},
		"Friday evening to Monday":            {day, TellOffers, TellByPush, "2026-11-27 21:00", "2026-11-30 07:00"},
		"a weekend before the morning":        {day, TellOffers, TellByPush, "2026-11-28 05:00", "2026-11-30 07:00"},
		"no quiet hours":                      {always, TellOffers, TellByPush, "2026-11-28 03:00", "2026-11-28 03:00"},
		"quiet within a day":                  {noon, TellOffers, TellByPush, "2026-11-25 12:30", "2026-11-25 13:00"},
		"a night of 23 hours":                 {day, TellOffers, TellByPush, "2026-03-07 23:00", "2026-03-09 07:00"},
		"daily across the change to summer":   {day, TellEnded, TellByEmail, "2026-03-06 10:00", "2026-03-09 07:30"},
		"the night of the change to winter":   {always, TellFunded, TellByEmail, "2026-11-01 00:30", "2026-11-01 01:00"},
		"quiet across the change to winter":   {day, TellOffers, TellByEmail, "2026-10-30 22:00", "2026-11-02 07:00"},
		"a kind without an event, by email":   {day, NoticeDirectory.Event(), TellByEmail, "2026-11-25 10:00", ""},
		"a kind without an event, in browser": {day, NoticeCovered.Event(), TellByPush, "2026-11-25 10:00", ""},
	} {
		at, err := time.ParseInLocation("2006-01-02 15:04", tt.at, denver)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if due, ok := tt.c.Due(tt.e, tt.by, at.UTC(), denver); ok {
			got = due.In(denver).Format("2006-01-02 15:04")
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

// TestTellChoices_Text_OnlyDifferences: what the user did not choose follows the defaults.
func TestTellChoices_Text_OnlyDifferences(t *testing.T) {
	t.Parallel()
	c := DefaultTellChoices()
	if got := c.Text(); got != "" {
		t.Errorf("the defaults: got %q, want nothing", got)
	}
	c.Push[TellOpened], c.Email[TellOffers], c.QuietTo, c.Weekends = TellNow, TellNever, 6*60, false
	const want = `{"email":{"offers":"never"},"push":{"opened":"now"},"quietTo":360,"weekends":false}`
	if got := c.Text(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	got, err := ParseTellChoices(want)
	if diff := cmp.Diff(c, got); err != nil || diff != "" {
		t.Errorf("parsed: %v\n%s", err, diff)
	}
}
