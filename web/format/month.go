package format

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

// StayText formats a duration in the largest unit of which it is a multiple or a multiple of a half: "30 sec", "15 min",
// "8 hr", "1.5 days".
func StayText(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + " sec"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + " min"
	case d < day:
		return strconv.Itoa(int(d/time.Hour)) + " hr"
	case d == day:
		return "1 day"
	default:
		return strconv.FormatFloat(float64(d)/float64(day), 'f', -1, 64) + " days"
	}
}

// Share formats n of all in whole percent, rounded half up; a dash without any.
func Share(n, all int) string {
	if all == 0 {
		return "—"
	}
	return strconv.Itoa((200*n+all)/(2*all)) + "%"
}
