package lead

import (
	"cmp"
	"slices"
	"time"

	"hearthline/internal/heloc"
)

// Today is every lead whose move is the originator's, and every other open lead that they should know about. It is
// ordered by what waiting would cost, in the same order on the page, in emails and in browser notifications:
//
//  1. TodayLost: something expires within three days, and that part would have to start over. Ordered by when it
//     expires.
//  2. TodayWaiting: the lender or the borrower cannot go on without the originator. Overdue moves first, longest
//     overdue first; then writes that the lender has not confirmed, oldest first; then shared quotes that were opened,
//     latest first; then the other moves by due time.
//  3. TodayFollowUp: nobody is blocked, but the lead needs the originator's attention: a quiet borrower, a reminder,
//     an open condition, a lead that has just been assigned, no offers. Ordered by due time or, where nothing is due,
//     by when it began.
//
// Ties are broken by application id. A lead is listed once, in the first section for which it has a reason.

// TodaySection is a section of Today.
type TodaySection int

// The sections, in their order.
const (
	TodayLost TodaySection = iota + 1
	TodayWaiting
	TodayFollowUp
)

// TodayReason is why a lead is in Today.
type TodayReason string

// The reasons. All but TodayMove come from a TodayFact.
const (
	TodayLift        TodayReason = "lift"     // the lift of a credit freeze ends
	TodayExpires     TodayReason = "inquiry"  // the inquiry expires
	TodayLink        TodayReason = "link"     // the link to a shared quote expires
	TodayUnconfirmed TodayReason = "unknown"  // the outcome of a write is unknown
	TodayOpened      TodayReason = "opened"   // a shared quote was opened
	TodayReturned    TodayReason = "returned" // the lead came back to the user, who has not opened it since
	TodayReceived    TodayReason = "taken"    // the lead was assigned to the user, who has not opened it since
	TodayCondition   TodayReason = "condition"
	TodayMove        TodayReason = "move" // the status says what to do, or a reminder is due
)

// LostWithin is how long before something expires Today lists it.
const LostWithin = 3 * 24 * time.Hour

// TodayOpenedFor is how long Today lists an opened shared quote, unless the borrower was contacted since.
const TodayOpenedFor = 24 * time.Hour

// TodayFact is one thing to know about a lead besides whose move it is. At is when it began or, if it expires, when it
// ends; Day replaces At if the lender gives only a day.
type TodayFact struct {
	Reason TodayReason
	At     int64
	Day    heloc.Date
}

// at returns when it began or ends. A day ends when it has ended in every US time zone.
func (f TodayFact) at() int64 {
	if t, ok := f.Day.Time(); ok {
		return Millis(t.Add(34 * time.Hour))
	}
	return f.At
}

// TodayEntry is the place of a lead in Today. The zero value is no place.
type TodayEntry struct {
	Section TodaySection
	Reason  TodayReason
	Fact    TodayFact // of Reason, unless that is TodayMove
	rank    int       // within the section
	key     int64     // within the rank
	app     heloc.AppID
}

// TodayOf returns the place of a lead in Today, from what is known about it besides whose move it is; false if it is
// not there.
func TodayOf(row *Row, facts []TodayFact, now int64) (TodayEntry, bool) {
	e := TodayEntry{app: row.App}
	if first, ok := firstFact(facts, TodayLift, TodayExpires, TodayLink); ok {
		e.Section, e.Reason, e.Fact, e.key = TodayLost, first.Reason, first, first.at()
		return e, true
	}
	waits := row.YourMove() && (row.Lane == heloc.LaneBlocked || row.Lane == heloc.LaneOffers) &&
		row.StatusKey != heloc.StatusNoOffers
	unconfirmed, isUnconfirmed := firstFact(facts, TodayUnconfirmed)
	opened, isOpened := firstFact(facts, TodayOpened)
	news, isNews := firstFact(facts, TodayReturned, TodayReceived, TodayCondition)
	switch {
	case isUnconfirmed: // even if the move is overdue: what was sent must not be sent again
		e.Section, e.Reason, e.Fact, e.rank, e.key = TodayWaiting, TodayUnconfirmed, unconfirmed, 1, unconfirmed.at()
	case waits && row.Overdue(now):
		e.Section, e.Reason, e.key = TodayWaiting, TodayMove, row.DueSort
	case isOpened:
		e.Section, e.Reason, e.Fact, e.rank, e.key = TodayWaiting, TodayOpened, opened, 2, -opened.at()
	case waits:
		e.Section, e.Reason, e.rank, e.key = TodayWaiting, TodayMove, 3, row.DueSort
	case isNews:
		e.Section, e.Reason, e.Fact, e.key = TodayFollowUp, news.Reason, news, news.at()
	case row.YourMove():
		e.Section, e.Reason, e.key = TodayFollowUp, TodayMove, row.DueSort
	default:
		return TodayEntry{}, false
	}
	return e, true
}

// firstFact returns the fact with one of the reasons that ends or began first.
func firstFact(facts []TodayFact, reasons ...TodayReason) (first TodayFact, found bool) {
	for _, f := range facts {
		for _, reason := range reasons {
			if f.Reason == reason && (!found || f.at() < first.at()) {
				first, found = f, true
			}
		}
	}
	return first, found
}

// CompareToday orders places in Today by its rule. Leads without a place come last.
func CompareToday(a, b TodayEntry) int {
	last := func(e TodayEntry) int {
		if e.Section == 0 {
			return int(TodayFollowUp) + 1
		}
		return int(e.Section)
	}
	return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key),
		cmp.Compare(a.app, b.app))
}

// TodayRow is one lead in Today.
type TodayRow struct {
	Row
	Facts []TodayFact
	TodayEntry
}

// Has reports whether the lead has a fact with the given reason.
func (r TodayRow) Has(reason TodayReason) bool {
	_, found := firstFact(r.Facts, reason)
	return found
}

// SortToday sets the places of leads in Today, orders them, and drops those that have none.
func SortToday(rows []TodayRow, now int64) []TodayRow {
	rows = slices.DeleteFunc(rows, func(r TodayRow) bool {
		_, ok := TodayOf(&r.Row, r.Facts, now)
		return !ok
	})
	for i := range rows {
		rows[i].TodayEntry, _ = TodayOf(&rows[i].Row, rows[i].Facts, now)
	}
	slices.SortFunc(rows, func(a, b TodayRow) int { return CompareToday(a.TodayEntry, b.TodayEntry) })
	return rows
}
