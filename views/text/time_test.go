package text

import (
	"math/rand/v2"
	"testing"
	"time"

	"hearthline/internal/lead"
)

func TestExactTime_InsideSentence_KeepsNamesOfDays(t *testing.T) {
	t.Parallel()
	v := Viewer{Now: time.Date(2026, 11, 22, 14, 30, 0, 0, time.UTC), Zone: time.UTC}
	for at, want := range map[time.Time]string{
		v.Now:                   "today 2:30:00 PM",
		v.Now.AddDate(0, 0, -1): "yesterday 2:30:00 PM",
		time.Date(2026, 11, 20, 9, 5, 7, 0, time.UTC): "Fri, Nov 20 9:05:07 AM",
	} {
		if got := v.ExactTime(at.UnixMilli()); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestDaysAhead_AnyZone_CalendarDays compares with the calendar, also where clocks change at midnight, where a zone
// has skipped a day, and before 1970.
func TestDaysAhead_AnyZone_CalendarDays(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for _, name := range []string{"UTC", "America/Denver", "Asia/Kolkata", "America/Havana", "Pacific/Apia",
		"Pacific/Kiritimati"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		day := func(at time.Time) time.Time {
			y, m, d := at.In(zone).Date()
			return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
		}
		for range 2000 {
			now := time.Unix(random.Int64N(3_000_000_000)-900_000_000, 0)
			at := now.Add(time.Duration(random.Int64N(10*24*3600)-5*24*3600) * time.Second)
			want := int64(day(at).Sub(day(now)) / (24 * time.Hour))
			if got := (Viewer{Now: now, Zone: zone}).DaysAhead(at); got != want {
				t.Fatalf("%s: from %s to %s: got %d days, want %d", name, now.In(zone), at.In(zone), got, want)
			}
		}
	}
}

func TestMoments_NearAndFar_AsShortAsUnambiguous(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	v := Viewer{Now: time.Date(2026, 11, 22, 14, 30, 0, 0, zone), Zone: zone}
	for _, tt := range []struct {
		at             time.Time
		short, started string
	}{
		{time.Time{}, "", ""},
		{v.Now.Add(-time.Hour), "1:30 PM", "Started today"},
		{v.Now.Add(-20 * time.Hour), "Nov 21", "Started yesterday"},
		{time.Date(2026, 11, 13, 9, 0, 0, 0, zone), "Nov 13", "Started Nov 13, 2026"},
		{time.Date(2025, 12, 30, 9, 0, 0, 0, zone), "Dec 30, 2025", "Started Dec 30, 2025"},
		{time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC), "Nov 21", "Started yesterday"}, // the user's day, not UTC's
	} {
		if got := v.ShortMoment(tt.at); got != tt.short {
			t.Errorf("ShortMoment(%s): got %q, want %q", tt.at, got, tt.short)
		}
		l := lead.Row{Source: lead.SourcePortal, StartedOn: "2026-10-01"}
		if !tt.at.IsZero() {
			l.CreatedAt = tt.at.UnixMilli()
		}
		if got := v.StartedText(&l); got != tt.started {
			t.Errorf("StartedText(%s): got %q, want %q", tt.at, got, tt.started)
		}
	}
	added := lead.Row{Source: lead.SourceAdopted, StartedOn: "2026-10-01", CreatedAt: v.Now.UnixMilli()}
	if got, want := v.StartedText(&added), "Started Oct 1, 2026"; got != want {
		t.Errorf("a lead added today: got %q, want %q", got, want)
	}
}

func TestStayText_TwoLargestUnits(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		time.Millisecond: "under 1 sec", 40 * time.Second: "40 sec", 59*time.Second + 700*time.Millisecond: "1 min",
		725 * time.Second: "12 min 5 sec", time.Hour - time.Second: "59 min 59 sec", 8 * time.Hour: "8 hr",
		24*time.Hour - 10*time.Second: "1 day", 26 * time.Hour: "1 day 2 hr",
		72*time.Hour + 54*time.Minute: "3 days 1 hr", 6 * 24 * time.Hour: "6 days",
	} {
		if got := StayText(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
