package pipeline

import (
	"strings"
	"testing"
	"time"

	deskpipeline "hearthline/internal/desk/pipeline"
	"hearthline/internal/heloc"
)

// TestICSCalendar_FollowsRFC5545 checks line ends, folding, and the two kinds of times.
func TestICSCalendar_FollowsRFC5545(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 9, 30, 0, 0, time.FixedZone("MST", -7*3600))
	got := icsCalendar([]deskpipeline.CalendarEntry{
		{Key: "k1", ShortID: "HL-1042", Kind: "notary", On: heloc.Date("2026-12-31")},
		{Key: "k2", ShortID: strings.Repeat("é,", 40), Kind: deskpipeline.KindFollowUp, At: now},
	}, now)
	if strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\n") || !strings.HasSuffix(got, "END:VCALENDAR\r\n") {
		t.Errorf("not every line ends with CRLF: %q", got)
	}
	for line := range strings.SplitSeq(got, "\r\n") {
		if len(line) > maxICSLine {
			t.Errorf("a line of %d bytes: %q", len(line), line)
		}
	}
	unfolded := strings.ReplaceAll(got, "\r\n ", "")
	for _, want := range []string{
		"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:", "UID:k1@hearthline\r\nDTSTAMP:20261121T163000Z\r\n",
		"SUMMARY:Notary appointment HL-1042\r\n", "DTSTART;VALUE=DATE:20261231\r\nDTEND;VALUE=DATE:20270101\r\n",
		"DTSTART:20261121T163000Z\r\nDURATION:PT15M\r\n", `é\,é\,`,
	} {
		if !strings.Contains(unfolded, want) {
			t.Errorf("the calendar lacks %q: %q", want, got)
		}
	}
}
