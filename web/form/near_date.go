package form

import (
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
)

// ParseNearDate parses a date of the next or the last few years as people type it, such as "12/5/26" or "Dec 5, 2026".
// A two-digit year is in this century. The second result is false if the text is not a date.
func ParseNearDate(typed string) (heloc.Date, bool) {
	typed = strings.Join(strings.Fields(input.Plain(typed)), " ")
	month, day, year, numeric := splitDate(typed)
	if !numeric {
		t, ok := namedMonth(typed)
		return heloc.DateOf(t), ok
	}
	if len(year) == 2 {
		year = "20" + year
	}
	t, err := time.Parse("1/2/2006", month+"/"+day+"/"+year)
	return heloc.DateOf(t), err == nil
}

// ParseClock parses a time of day as people type it, such as "14:30", "2:30 pm" or "2p", as the time since midnight.
// The second result is false if the text is not a time of day.
func ParseClock(typed string) (time.Duration, bool) {
	typed = strings.NewReplacer(" ", "", ".", "").Replace(strings.ToUpper(strings.TrimSpace(input.Plain(typed))))
	if strings.HasSuffix(typed, "A") || strings.HasSuffix(typed, "P") {
		typed += "M"
	}
	for _, layout := range []string{"15:04", "15:04:05", "3:04PM", "3PM"} {
		if t, err := time.Parse(layout, typed); err == nil {
			return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute, true
		}
	}
	return 0, false
}
