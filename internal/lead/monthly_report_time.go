package lead

import "time"

// summaryHour is the hour, in the company's time zone, from which the summary of the last month is sent on the first
// working day of a month.
const summaryHour = 8

// summaryTime returns when the summary is sent in the month of now: on the first day that is neither on a weekend nor
// a federal holiday. Only New Year’s Day, also when it is observed on a Monday, and Labor Day can be among the first
// days.
func summaryTime(now time.Time) time.Time {
	day := time.Date(now.Year(), now.Month(), 1, summaryHour, 0, 0, 0, now.Location())
	for {
		holiday := now.Month() == time.January && (day.Day() == 1 || day.Day() == 2 && day.Weekday() == time.Monday) ||
			now.Month() == time.September && day.Weekday() == time.Monday
		if !holiday && day.Weekday() != time.Saturday && day.Weekday() != time.Sunday {
			return day
		}
		day = day.AddDate(0, 0, 1)
	}
}

// LastSummary returns the latest month whose summary was due by now.
func LastSummary(now time.Time) string {
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location()).AddDate(0, -1, 0)
	if now.Before(summaryTime(now)) {
		month = month.AddDate(0, -1, 0)
	}
	return month.Format(MonthLayout)
}

// MonthLayout is how a month is written: "2026-09".
const MonthLayout = "2006-01"
