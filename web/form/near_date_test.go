package form_test

import (
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/form"
)

func TestParseNearDate_AsPeopleType(t *testing.T) {
	t.Parallel()
	const notADate = "Enter the date as mm/dd/yyyy"
	for typed, want := range map[string]struct {
		date    heloc.Date
		problem string
	}{
		"12/5/26": {"2026-12-05", ""}, "12/05/2026": {"2026-12-05", ""}, "12-5-26": {"2026-12-05", ""},
		"2026-12-05": {"2026-12-05", ""}, "12052026": {"2026-12-05", ""}, "Dec 5, 2026": {"2026-12-05", ""},
		" 1/2/27 ": {"2027-01-02", ""}, "5 december 2026": {"2026-12-05", ""},
		"13/5/26": {"", "There is no month 13"}, "2/30/26": {"", "There is no February 30"},
		"2/29/26": {"", "There is no February 29 in that year"}, "Dec 32, 2026": {"", "There is no 32nd of December"},
		"soon": {"", notADate}, "": {"", notADate}, "101112": {"", notADate}, "Dez 5, 2026": {"", notADate},
	} {
		if got, problem := form.ParseNearDate(typed); got != want.date || problem != want.problem {
			t.Errorf("%q: got %q, %q, want %q, %q", typed, got, problem, want.date, want.problem)
		}
	}
}

func TestParseClock_AsPeopleType(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"14:30": "14h30m", "2:30 pm": "14h30m", "2:30PM": "14h30m", "2:30 p.m.": "14h30m", "2p": "14h", "9 AM": "9h",
		"9a": "9h", "12 am": "0s", "09:05": "9h5m", "25:00": "", "13 pm": "", "noon": "", "": "", "9": "",
	} {
		got, ok := form.ParseClock(typed)
		at, _ := time.ParseDuration(want)
		if ok != (want != "") || ok && got != at {
			t.Errorf("%q: got %v, %v, want %q", typed, got, ok, want)
		}
	}
}
