package pipeline

import (
	"strings"
	"time"
	"unicode/utf8"

	deskpipeline "hearthline/internal/desk/pipeline"

	"hearthline/views/text"
)

const (
	icsDateLayout = "20060102"
	icsTimeLayout = "20060102T150405Z"
)

// maxICSLine is the length of a line in bytes, without its end.
const maxICSLine = 75

// icsCalendar writes a calendar in the format of RFC 5545.
func icsCalendar(entries []deskpipeline.CalendarEntry, now time.Time) string {
	lines := []string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Hearthline//Leads//EN", "CALSCALE:GREGORIAN",
		"METHOD:PUBLISH", "X-WR-CALNAME:Hearthline", "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"}
	for _, e := range entries {
		event := []string{
			"BEGIN:VEVENT", "UID:" + e.Key + "@hearthline", "DTSTAMP:" + now.UTC().Format(icsTimeLayout),
			"SUMMARY:" + icsEscape(text.DateKind(e.Kind)+" "+e.ShortID), "CLASS:PRIVATE", "TRANSP:TRANSPARENT",
		}
		if day, ok := e.On.Time(); ok {
			event = append(event, "DTSTART;VALUE=DATE:"+day.Format(icsDateLayout),
				"DTEND;VALUE=DATE:"+day.AddDate(0, 0, 1).Format(icsDateLayout))
		} else {
			event = append(event, "DTSTART:"+e.At.UTC().Format(icsTimeLayout), "DURATION:PT15M")
		}
		lines = append(lines, append(event, "END:VEVENT")...)
	}
	var calendar strings.Builder
	for _, line := range append(lines, "END:VCALENDAR") {
		icsFold(&calendar, line)
	}
	return calendar.String()
}

// icsFold writes a line, and continues one that is too long on further lines, which begin with a space. It
// never splits a character.
func icsFold(to *strings.Builder, line string) {
	left := maxICSLine
	for _, char := range line {
		size := utf8.RuneLen(char)
		if size > left {
			to.WriteString("\r\n ")
			left = maxICSLine - 1
		}
		to.WriteRune(char)
		left -= size
	}
	to.WriteString("\r\n")
}

// icsEscape escapes the special characters of a calendar, and limits the length of text from the
// lender.
func icsEscape(words string) string {
	words = strings.Join(strings.Fields(words), " ")
	if len(words) > 60 {
		words = strings.ToValidUTF8(words[:60], "")
	}
	return strings.NewReplacer(`\`, `\\`, ",", `\,`, ";", `\;`).Replace(words)
}
