package text

import (
	"strconv"
	"time"
)

// MonthText formats a month, "2026-09", as "September 2026"; text that is not a month stays as it is.
func MonthText(month string) string { return monthAs(month, "January 2006") }

// ShortMonthText formats a month, "2026-09", as "Sep 2026".
func ShortMonthText(month string) string { return monthAs(month, "Jan 2006") }

func monthAs(month, layout string) string {
	t, err := time.Parse("2006-01", month)
	if err != nil {
		return month
	}
	return t.Format(layout)
}

// MonthsText formats a range of months within a sentence: "in September 2026", "Sep to Nov 2026", "Nov 2025 to Jan
// 2026".
func MonthsText(from, to string) string {
	first, err := time.Parse("2006-01", from)
	last, err2 := time.Parse("2006-01", to)
	switch {
	case err != nil || err2 != nil:
		return from
	case from == to:
		return "in " + MonthText(from)
	case first.Year() == last.Year():
		return first.Format("Jan") + " to " + last.Format("Jan 2006")
	default:
		return first.Format("Jan 2006") + " to " + last.Format("Jan 2006")
	}
}

// StayText formats a duration in its largest unit and the next one, rounded to the nearest: "40 sec", "12 min 5 sec",
// "8 hr", "3 days 1 hr".
func StayText(d time.Duration) string {
	units := []struct {
		length    time.Duration
		one, many string
	}{{24 * time.Hour, "day", "days"}, {time.Hour, "hr", "hr"}, {time.Minute, "min", "min"}, {time.Second, "sec", "sec"}}
	for i, u := range units[:len(units)-1] {
		if finest := units[min(i+2, len(units)-1)]; d.Round(finest.length) < u.length {
			continue
		}
		next := units[i+1]
		rounded := d.Round(next.length)
		text := Pluralize(int(rounded/u.length), u.one, u.many)
		if rest := int(rounded % u.length / next.length); rest > 0 {
			text += " " + strconv.Itoa(rest) + " " + next.many
		}
		return text
	}
	if d < time.Second {
		return "under 1 sec"
	}
	return strconv.Itoa(int(d.Round(time.Second)/time.Second)) + " sec"
}

// Share formats n of all in whole percent, rounded half up; a dash without any.
func Share(n, all int) string {
	if all == 0 {
		return "—"
	}
	return strconv.Itoa((200*n+all)/(2*all)) + "%"
}
