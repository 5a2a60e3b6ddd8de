package sandbox

import (
	"testing"
	"time"
)

// TestRescission counts three business days, without Sundays and federal holidays.
func TestRescission(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"2026-11-16": "2026-11-19", // Monday to Thursday
		"2026-11-20": "2026-11-24", // Friday: Saturday counts, Sunday does not
		"2026-11-24": "2026-11-28", // over Thanksgiving
		"2026-12-23": "2026-12-28", // over Christmas and a Sunday
		"2026-05-22": "2026-05-27", // over Memorial Day
		"2026-09-04": "2026-09-09", // over Labor Day
	} {
		start, _ := time.Parse(time.DateOnly, from)
		if got := businessDays(start, 3).Format(time.DateOnly); got != want {
			t.Errorf("from %s: got %s, want %s", from, got, want)
		}
	}
}

// TestConversionDates: a primary residence can be rescinded; other homes have a manual notary.
func TestConversionDates(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)
	g := newHarness(t, Config{Now: func() time.Time { return at }})
	for kind, want := range map[string][3]any{
		"PRIMARY":    {"2026-11-20", "2026-11-24", "ELECTRONIC"},
		"INVESTMENT": {"2026-11-23", nil, "MANUAL"},
	} {
		payload := g.payload("Rivera")
		withField("property", "propertyType", kind)(payload)
		id := g.start(payload)
		g.submitAnswer(id, "offer")
		g.playEvent(id, "complete")
		app := g.appData(id)
		dates := app["keyDates"].(object)
		got := [3]any{dates["signingDate"], dates["recissionEndDate"], app["notary"].(object)["type"]}
		if got != want || dates["summaryDisclosureDate"] != "2026-11-20" {
			t.Errorf("%s: got signing, rescission and notary %v, want %v", kind, got, want)
		}
	}
}
