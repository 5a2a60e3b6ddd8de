package format

import (
	"testing"
	"time"
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
		if got := v.StartedText(tt.at); got != tt.started {
			t.Errorf("StartedText(%s): got %q, want %q", tt.at, got, tt.started)
		}
	}
}
