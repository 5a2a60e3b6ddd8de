package sandbox

import "time"

// businessDays adds days that count for rescission: every day except Sundays and federal
// holidays, including Saturdays.
func businessDays(from time.Time, count int) time.Time {
	t := day(from)
	for count > 0 {
		t = t.AddDate(0, 0, 1)
		if t.Weekday() != time.Sunday && !holiday(t) {
			count--
		}
	}
	return t
}

// holiday reports whether a day is the calendar date of a federal holiday. If the holiday is
// observed on another day, that day still counts as a business day for rescission.
func holiday(t time.Time) bool {
	type date struct {
		month time.Month
		day   int
	}
	switch (date{t.Month(), t.Day()}) {
	case date{time.January, 1}, date{time.June, 19}, date{time.July, 4}, date{time.November, 11}, date{time.December, 25}:
		return true
	}
	week := (t.Day()-1)/7 + 1 // the first, second, … of its weekday in the month
	switch t.Weekday() {
	case time.Monday:
		lastMonday := t.AddDate(0, 0, 7).Month() != t.Month()
		return t.Month() == time.January && week == 3 || t.Month() == time.February && week == 3 ||
			t.Month() == time.May && lastMonday || t.Month() == time.September && week == 1 ||
			t.Month() == time.October && week == 2
	case time.Thursday:
		return t.Month() == time.November && week == 4
	default:
		return false
	}
}
