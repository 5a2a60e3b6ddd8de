package reports

import (
	"testing"
	"time"
)

func TestPeriodOf_QuartersAroundNewYear_CalendarQuarters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		now                  string
		this, before         Period
		previous, lastBefore Period // the periods before these
	}{
		{"2026-12-31", Period{"2026-10-01", "2026-12-31"}, Period{"2026-07-01", "2026-09-30"},
			Period{"2026-07-01", "2026-09-30"}, Period{"2026-04-01", "2026-06-30"}},
		{"2027-01-01", Period{"2027-01-01", "2027-01-01"}, Period{"2026-10-01", "2026-12-31"},
			Period{"2026-12-31", "2026-12-31"}, Period{"2026-07-01", "2026-09-30"}},
		{"2027-02-28", Period{"2027-01-01", "2027-02-28"}, Period{"2026-10-01", "2026-12-31"},
			Period{"2026-11-01", "2026-12-31"}, Period{"2026-07-01", "2026-09-30"}},
		{"2027-05-31", Period{"2027-04-01", "2027-05-31"}, Period{"2027-01-01", "2027-03-31"},
			Period{"2027-02-01", "2027-03-31"}, Period{"2026-10-01", "2026-12-31"}},
	} {
		now, err := time.Parse(time.DateOnly, tt.now)
		if err != nil {
			t.Fatal(err)
		}
		this, before := PeriodOf(ThisQuarter, now), PeriodOf(LastQuarter, now)
		if this != tt.this || before != tt.before || this.Previous() != tt.previous || before.Previous() != tt.lastBefore {
			t.Errorf("%s: got %v and %v, before them %v and %v, want %v", tt.now, this, before, this.Previous(),
				before.Previous(), tt)
		}
	}
}
