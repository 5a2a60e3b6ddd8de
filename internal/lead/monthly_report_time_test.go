package lead

import (
	"testing"
	"time"
)

func TestSummaryTime_WeekendsAndHolidays_Skipped(t *testing.T) {
	zone, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	for month, want := range map[string]int{
		"2026-12": 1, // a Tuesday
		"2027-01": 4, // New Year's Day is a Friday
		"2023-01": 3, // a Sunday, observed on Monday
		"2026-08": 3, // a Saturday
		"2025-09": 2, // Labor Day
		"2026-09": 1, // Labor Day is later
	} {
		first, err := time.ParseInLocation("2006-01", month, zone)
		if err != nil {
			t.Fatal(err)
		}
		got := summaryTime(first.AddDate(0, 0, 20))
		if got != time.Date(first.Year(), first.Month(), want, 8, 0, 0, 0, zone) {
			t.Errorf("%s: got %v, want day %d at 8 AM", month, got, want)
		}
		before := first.AddDate(0, -1, 0).Format("2006-01")
		if due := LastSummary(got); due != before {
			t.Errorf("%s: at the time: got %s, want %s", month, due, before)
		}
		if due := LastSummary(got.Add(-time.Second)); due != first.AddDate(0, -2, 0).Format("2006-01") {
			t.Errorf("%s: before the time: got %s", month, due)
		}
	}
}
