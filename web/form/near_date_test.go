package form_test

import (
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/web/form"
)

func TestParseNearDate_AsPeopleType(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]heloc.Date{
		"12/5/26": "2026-12-05", "12/05/2026": "2026-12-05", "12-5-26": "2026-12-05", "2026-12-05": "2026-12-05",
		"12052026": "2026-12-05", "Dec 5, 2026": "2026-12-05", " 1/2/27 ": "2027-01-02", "13/5/26": "", "soon": "", "": "",
		"2/30/26": "", "101112": "",
	} {
		got, ok := form.ParseNearDate(typed)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q, %v, want %q", typed, got, ok, want)
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
