package migrations

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"
)

// zoneByRule returns a zone whose data has no list of changes, only the rule of Eastern Time, as that of many systems and
// the data within the program have it for years from 2007.
func zoneByRule(t *testing.T) *time.Location {
	t.Helper()
	header := func(types, letters byte) string {
		return "TZif2" + string(make([]byte, 15)) + string([]byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, types, 0, 0, 0, letters})
	}
	const standard = "\xff\xff\xb9\xb0\x00\x00EST\x00" // five hours behind UTC, not daylight saving time, the name at index 0
	data := header(1, 4) + standard + header(1, 4) + standard + "\nEST5EDT,M3.2.0,M11.1.0\n"
	zone, err := time.LoadLocationFromTZData("Eastern", []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// periods records the periods that statements are about.
type periods struct {
	all [][2]int64
}

var errTooMany = errors.New("more statements than there can be periods")

func (p *periods) ExecContext(_ context.Context, _ string, args ...any) (sql.Result, error) {
	if len(args) == 4 {
		p.all = append(p.all, [2]int64{args[2].(int64), args[3].(int64)})
	}
	if len(p.all) > 10_000 {
		return nil, errTooMany
	}
	return nil, nil
}

// TestSetStartDays_AnyZoneData_EveryInstantOnceWithItsOffset: on the last day of a leap year, Go's standard library says that
// a zone with a rule has no later period.
func TestSetStartDays_AnyZoneData_EveryInstantOnceWithItsOffset(t *testing.T) {
	t.Parallel()
	system, err := time.LoadLocation(DefaultZone)
	if err != nil {
		t.Fatal(err)
	}
	for name, zone := range map[string]*time.Location{"by rule": zoneByRule(t), "of the system": system, "UTC": time.UTC} {
		var got periods
		if err := SetStartDays(t.Context(), &got, SQLite, "", zone); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		next := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
		for _, p := range got.all {
			if p[0] != next || p[1] <= p[0] {
				t.Fatalf("%s: got the period %v, want one from %d", name, p, next)
			}
			next = p[1]
			_, first := time.UnixMilli(p[0]).In(system).Zone()
			_, last := time.UnixMilli(p[1] - 1).In(system).Zone()
			if name != "UTC" && first != last {
				t.Errorf("%s: the period %v has two offsets, %d and %d", name, p, first, last)
			}
		}
		if time.UnixMilli(next).Before(time.Now()) {
			t.Errorf("%s: the periods end at %v", name, time.UnixMilli(next))
		}
	}
}
