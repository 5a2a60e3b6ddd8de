package page

import (
	"time"

	"hearthline/internal/heloc"
	"hearthline/views/text"
	"hearthline/web/form"
)

// Period returns the time from the start of the day in the control "from" to the end of the day in "to", in the
// viewer's time zone. An end whose control is empty, or wrong, is the zero time.
func Period(v text.Viewer, f *form.Form) (from, to time.Time) {
	midnight := func(name string, parse func(name string, today heloc.Date) heloc.Date, plus int) time.Time {
		day, ok := parse(name, heloc.DateOf(v.Now.In(v.Zone))).Time()
		if !ok {
			return time.Time{}
		}
		return time.Date(day.Year(), day.Month(), day.Day()+plus, 0, 0, 0, 0, v.Zone)
	}
	return midnight("from", f.PastDate, 0), midnight("to", f.LastDay, 1)
}
