package store

// Leads are counted by the days and by the hours in which they are due.
const (
	millisPerHour = 60 * 60 * 1000
	millisPerDay  = 24 * millisPerHour
)

// dueSpan is the time between two instants, in one of the units in which leads are counted. The leads that are due in it are
// added to those that are due before it (sign 1), or subtracted from those that are due before its end (sign -1).
type dueSpan struct{ sign, from, to int64 }

func spanBetween(counted, wanted int64) dueSpan {
	if counted <= wanted {
		return dueSpan{1, counted, wanted}
	}
	return dueSpan{-1, wanted, counted}
}

// dueBefore says how to count the leads that are due before an instant: those due before day, which begins at the nearest
// midnight; the hours between that and the nearest full hour; and one by one the leads due between that and the instant.
func dueBefore(at int64) (day int64, hours, leads dueSpan) {
	midnight, fullHour := nearest(at, millisPerDay), nearest(at, millisPerHour)
	return midnight / millisPerDay, spanBetween(midnight/millisPerHour, fullHour/millisPerHour), spanBetween(fullHour, at)
}

// nearest returns the multiple of a unit that is nearest to an instant.
func nearest(at, unit int64) int64 { return (at + unit/2) / unit * unit }
