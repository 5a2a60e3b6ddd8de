package lead

import (
	"slices"
	"testing"

	"hearthline/internal/heloc"
)

// TestToday_Rule has one case per reason, in the order of the rule: each lead must come before the next one.
func TestToday_Rule(t *testing.T) {
	t.Parallel()
	const now, hour, day = int64(1_764_000_000_000), int64(3_600_000), int64(24 * 3_600_000)
	at := func(reason TodayReason, ms int64) TodayFact { return TodayFact{Reason: reason, At: ms} }
	row := func(lane heloc.Lane, mover heloc.Mover, due int64) Row {
		return Row{Lane: lane, WhoseMove: mover, DueSort: due}
	}
	noOffers := row(heloc.LaneBlocked, heloc.MoverYou, now+2*day)
	noOffers.StatusKey = heloc.StatusNoOffers
	today := heloc.DateOf(Instant(now))
	ordered := []struct {
		name    string
		row     Row
		facts   []TodayFact
		section TodaySection
		reason  TodayReason
	}{
		{"lift ends in an hour", row(heloc.LaneBlocked, heloc.MoverYou, now+day), []TodayFact{at(TodayLift, now+hour)},
			TodayLost, TodayLift},
		{"overdue, and the inquiry expires today", row(heloc.LaneBlocked, heloc.MoverYou, now-day),
			[]TodayFact{at(TodayOpened, now-hour), {Reason: TodayExpires, Day: today}}, TodayLost, TodayExpires},
		{"with the borrower, expires in two days", row(heloc.LaneBorrower, heloc.MoverBorrower, never),
			[]TodayFact{at(TodayLink, now+2*day+12*hour), at(TodayExpires, now+2*day)}, TodayLost, TodayExpires},
		{"link expires", row(heloc.LaneOffers, heloc.MoverYou, now-day), []TodayFact{at(TodayLink, now+2*day+13*hour)},
			TodayLost, TodayLink},
		{"overdue since yesterday", row(heloc.LaneOffers, heloc.MoverYou, now-day), nil, TodayWaiting, TodayMove},
		{"overdue, and its quote was opened", row(heloc.LaneOffers, heloc.MoverYou, now-hour),
			[]TodayFact{at(TodayOpened, now)}, TodayWaiting, TodayMove},
		{"unconfirmed, its move overdue", row(heloc.LaneBlocked, heloc.MoverYou, now-2*day),
			[]TodayFact{at(TodayUnconfirmed, now-2*hour)}, TodayWaiting, TodayUnconfirmed},
		{"unconfirmed since later", row(heloc.LaneLender, heloc.MoverLender, never),
			[]TodayFact{at(TodayUnconfirmed, now-hour)}, TodayWaiting, TodayUnconfirmed},
		{"quote opened just now", row(heloc.LaneOffers, heloc.MoverYou, now+hour), []TodayFact{at(TodayOpened, now)},
			TodayWaiting, TodayOpened},
		{"quote opened earlier, with the borrower", row(heloc.LaneBorrower, heloc.MoverBorrower, never),
			[]TodayFact{at(TodayOpened, now-hour)}, TodayWaiting, TodayOpened},
		{"returned and due in a minute", row(heloc.LaneBlocked, heloc.MoverYou, now+60_000),
			[]TodayFact{at(TodayReturned, now-hour)}, TodayWaiting, TodayMove},
		{"due in an hour", row(heloc.LaneBlocked, heloc.MoverYou, now+hour), nil, TodayWaiting, TodayMove},
		{"follow-up overdue", row(heloc.LaneBorrower, heloc.MoverYou, now-2*day), nil, TodayFollowUp, TodayMove},
		{"condition since yesterday", row(heloc.LaneClosing, heloc.MoverBorrower, never),
			[]TodayFact{at(TodayCondition, now-day)}, TodayFollowUp, TodayCondition},
		{"returned an hour ago", row(heloc.LaneLender, heloc.MoverLender, never), []TodayFact{at(TodayReturned, now-hour)},
			TodayFollowUp, TodayReturned},
		{"reminder of an ended lead, now", row(heloc.LaneEnded, heloc.MoverYou, now), nil, TodayFollowUp, TodayMove},
		{"no offers", noOffers, nil, TodayFollowUp, TodayMove},
	}
	var sorted []TodayEntry
	for i, one := range ordered {
		one.row.App = heloc.AppID(one.name)
		e, ok := TodayOf(&one.row, one.facts, now)
		if !ok || e.Section != one.section || e.Reason != one.reason {
			t.Errorf("%s: got section %d because of %q (%t), want %d because of %q", one.name, e.Section, e.Reason, ok,
				one.section, one.reason)
		}
		if i > 0 && CompareToday(sorted[i-1], e) >= 0 {
			t.Errorf("%q does not come after %q", one.name, ordered[i-1].name)
		}
		sorted = append(sorted, e)
	}
	if !slices.IsSortedFunc(append(sorted, TodayEntry{}), CompareToday) {
		t.Error("a lead without a place does not come last")
	}
	for _, mover := range []heloc.Mover{heloc.MoverBorrower, heloc.MoverLender, heloc.MoverNobody} {
		other := row(heloc.LaneBorrower, mover, now-day)
		if e, ok := TodayOf(&other, nil, now); ok {
			t.Errorf("the move of %q: got %+v, want no place", mover, e)
		}
	}
}
