package lead

import (
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
)

// TestDates_NotaryInPerson_ListedUntilSigned checks an application whose signing is scheduled for the day of the
// appointment, as the lender reports it for a notary in person.
func TestDates_NotaryInPerson_ListedUntilSigned(t *testing.T) {
	t.Parallel()
	changed := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC).UnixMilli()
	for _, tt := range []struct {
		name    string
		signing heloc.Date
		want    bool
	}{
		{"no signing date", "", true}, {"signing ahead", "2026-11-24", true}, {"signed today", "2026-11-20", false},
		{"signed earlier", "2026-11-18", false},
	} {
		row := Row{App: "a", Step: heloc.StepComplete, Converted: true, NotaryDate: "2026-11-24", SigningDate: tt.signing,
			ChangedAt: changed}
		if got := slices.ContainsFunc(row.Dates(),
			func(d Date) bool { return d.Kind == DateNotary && d.Day == "2026-11-24" }); got != tt.want {
			t.Errorf("%s: got listed %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestDates_Converted_NoExpiration: the offers of an application no longer expire.
func TestDates_Converted_NoExpiration(t *testing.T) {
	t.Parallel()
	for _, converted := range []bool{false, true} {
		row := Row{App: "a", Step: heloc.StepComplete, Converted: converted, ExpirationDate: "2026-12-20"}
		if got := slices.ContainsFunc(row.Dates(),
			func(d Date) bool { return d.Kind == DateExpiration }); got == converted {
			t.Errorf("converted %v: got listed %v", converted, got)
		}
	}
}
