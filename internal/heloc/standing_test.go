package heloc

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestEveryStepStandsSomewhere(t *testing.T) {
	since := noon.Add(-time.Minute)
	for _, c := range []struct {
		name  string
		facts Facts
		stand Stand
		lane  Lane
		mover Mover
	}{
		{"null", Facts{}, StandInProgress, LaneLender, LenderMoves},
		{"unknown", Facts{Step: StepUnknown}, StandInProgress, LaneLender, LenderMoves},
		{"under way", Facts{Step: StepLienMatching, UnderWayUntil: noon.Add(time.Second)}, StandInProgress, LaneLender, LenderMoves},
		{"under way no more", Facts{Step: StepLienMatching, UnderWayUntil: noon}, StandLiens, LaneToday, YouMove},
		{"offers", Facts{Step: StepOffersAvailable}, StandOffers, LaneOffers, YouMove},
		{"property", Facts{Step: StepSelectProperty}, StandChooseProperty, LaneToday, YouMove},
		{"ssn", Facts{Step: StepCreditMatch}, StandSSN, LaneToday, YouMove},
		{"frozen", Facts{Step: StepUnfreezeCredit}, StandFrozen, LaneBorrower, BorrowerMove},
		{"lift confirmed", Facts{Step: StepUnfreezeCredit, RepullAt: noon.Add(time.Hour)}, StandFrozen, LaneToday, YouMove},
		{"re-pull due", Facts{Step: StepUnfreezeCredit, RepullAt: noon}, StandRepull, LaneToday, YouMove},
		{"liens", Facts{Step: StepLienMatching}, StandLiens, LaneToday, YouMove},
		{"assets", Facts{Step: StepMoreAssets}, StandAssets, LaneToday, YouMove},
		{"payoff", Facts{Step: StepPayoff}, StandPayoff, LaneToday, YouMove},
		{"value", Facts{Step: StepPropertyValue}, StandValue, LaneToday, YouMove},
		{"no offers", Facts{Step: StepNoOffers}, StandNoOffers, LaneToday, YouMove},
		{"set aside", Facts{Step: StepNoOffers, SetAside: true}, StandNoOffers, LaneEnded, NobodyMoves},
		{"blocked, set aside", Facts{Step: StepUnfreezeCredit, SetAside: true}, StandNoOffers, LaneEnded, NobodyMoves},
		{"property is never set aside", Facts{Step: StepSelectProperty, SetAside: true}, StandChooseProperty, LaneToday, YouMove},
		{"sign-in", Facts{Step: StepBorrowerAuth}, StandSignIn, LaneBorrower, BorrowerMove},
		{"documents", Facts{Step: StepBrokerDocSigning}, StandBrokerDocs, LaneBorrower, BorrowerMove},
		{"complete", Facts{Step: StepComplete}, StandApplication, LaneClosing, LenderMoves},
		{"converted with a condition", Facts{Step: StepComplete, Converted: true, OpenCondition: true}, StandApplication, LaneClosing, BorrowerMove},
		{"disclosures", Facts{Step: StepComplete, Dates: KeyDates{SummaryDisclosure: "2026-11-10"}}, StandDisclosures, LaneClosing, LenderMoves},
		{"signing", Facts{Step: StepComplete, NotaryDate: "2026-11-23"}, StandSigning, LaneClosing, LenderMoves},
		{"rescission", Facts{Step: StepComplete, Dates: KeyDates{Signing: "2026-11-20", RescissionEnd: "2026-11-24"}}, StandRescission, LaneClosing, LenderMoves},
		{"rescission over", Facts{Step: StepComplete, Dates: KeyDates{Signing: "2026-11-13", RescissionEnd: "2026-11-17"}}, StandApplication, LaneClosing, LenderMoves},
		{"funded", Facts{Step: StepComplete, Funded: true}, StandFunded, LaneEnded, NobodyMoves},
		{"cancelled", Facts{Step: StepClosed, Dates: KeyDates{Canceled: "2026-11-20"}}, StandCancelled, LaneEnded, NobodyMoves},
		{"declined", Facts{Step: StepWithdrawn, Dates: KeyDates{Declined: "2026-11-20"}}, StandDeclined, LaneEnded, NobodyMoves},
		{"expired", Facts{Step: StepWithdrawn, Dates: KeyDates{Expiration: "2026-11-20"}}, StandExpired, LaneEnded, NobodyMoves},
		{"withdrawn", Facts{Step: StepWithdrawn, Dates: KeyDates{Expiration: "2026-12-20"}}, StandWithdrawn, LaneEnded, NobodyMoves},
		{"refinance", Facts{Step: StepRefinanceOffer}, StandRefinance, LaneToday, YouMove},
		{"a step of tomorrow", Facts{Step: "REVIEW_TITLE_TERMS"}, StandOther, LaneToday, YouMove},
	} {
		c.facts.Since = since
		got := StandingAt(c.facts, noon)
		if got.Stand != c.stand || got.Lane != c.lane || got.Mover != c.mover {
			t.Errorf("%s: got %s in %s by %q, want %s in %s by %q", c.name, got.Stand, got.Lane, got.Mover, c.stand, c.lane, c.mover)
		}
	}
}

func TestASilentBorrowerIsChasedAfterOneThreeAndSevenDays(t *testing.T) {
	since := noon.Add(-4 * day)
	facts := Facts{Step: StepBorrowerAuth, Since: since}
	if got := StandingAt(facts, noon); got.Stand != StandChaseSignIn || !got.Due.Equal(since.Add(3*day)) || got.Lane != LaneToday {
		t.Errorf("silent for four days: %+v", got)
	}
	facts.LastContact = noon.Add(-time.Hour)
	if got := StandingAt(facts, noon); got.Stand != StandSignIn || !got.Turns.Equal(since.Add(7*day)) {
		t.Errorf("after a call: %+v", got)
	}
	if got := StandingAt(facts, since.Add(15*day)); got.Stand != StandChaseSignIn || !got.Due.Equal(since.Add(14*day)) {
		t.Errorf("after two weeks: %+v", got)
	}
}

func TestAFollowUpThatHasComeIsYourMove(t *testing.T) {
	since := noon.Add(-time.Minute)
	past, soon := noon.Add(-time.Hour), noon.Add(time.Hour)
	for _, c := range []struct {
		name  string
		facts Facts
		want  Standing
	}{
		{"none", Facts{Step: StepBorrowerAuth}, Standing{StandSignIn, LaneBorrower, BorrowerMove, since.Add(day), since.Add(day)}},
		{"still to come", Facts{Step: StepBorrowerAuth, FollowUpAt: soon}, Standing{StandSignIn, LaneBorrower, BorrowerMove, since.Add(day), soon}},
		{"after the next chase", Facts{Step: StepBorrowerAuth, FollowUpAt: noon.Add(9 * day)}, Standing{StandSignIn, LaneBorrower, BorrowerMove, since.Add(day), since.Add(day)}},
		{"come, with the borrower", Facts{Step: StepBorrowerAuth, FollowUpAt: past}, Standing{StandSignIn, LaneToday, YouMove, past, since.Add(day)}},
		{"come this instant", Facts{Step: StepComplete, FollowUpAt: noon}, Standing{StandApplication, LaneToday, YouMove, noon, time.Time{}}},
		{"come, with the lender", Facts{Step: StepUnknown, FollowUpAt: past}, Standing{StandInProgress, LaneToday, YouMove, past, time.Time{}}},
		{"come, earlier than the move", Facts{Step: StepLienMatching, FollowUpAt: past}, Standing{StandLiens, LaneToday, YouMove, past, time.Time{}}},
		{"come, later than the move", Facts{Step: StepSelectProperty, FollowUpAt: noon.Add(-time.Second), Since: noon.Add(-time.Hour)}, Standing{StandChooseProperty, LaneToday, YouMove, noon.Add(-45 * time.Minute), time.Time{}}},
		{"come, among the offers", Facts{Step: StepOffersAvailable, FollowUpAt: past}, Standing{StandOffers, LaneOffers, YouMove, past, time.Time{}}},
		{"still to come, ended", Facts{Step: StepClosed, FollowUpAt: soon}, Standing{StandCancelled, LaneEnded, NobodyMoves, time.Time{}, soon}},
		{"come, ended", Facts{Step: StepClosed, FollowUpAt: past}, Standing{StandCancelled, LaneToday, YouMove, past, time.Time{}}},
	} {
		if c.facts.Since.IsZero() {
			c.facts.Since = since
		}
		if got := StandingAt(c.facts, noon); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestMoneyThatIsNotSentIsNotFunded(t *testing.T) {
	for _, c := range []struct {
		statuses []FundingStatus
		want     bool
	}{
		{nil, false},
		{[]FundingStatus{FundingPending}, false},
		{[]FundingStatus{FundingSent}, true},
		{[]FundingStatus{FundingComplete, FundingCancelled}, true},
		{[]FundingStatus{FundingComplete, FundingReturned}, false},
		{[]FundingStatus{FundingComplete, "HELD_FOR_REVIEW"}, false},
		{[]FundingStatus{FundingCancelled}, false},
	} {
		r := &FundingReport{}
		for _, s := range c.statuses {
			r.Transactions = append(r.Transactions, Transaction{Status: s})
		}
		if got := FundedBy(r); got != c.want {
			t.Errorf("%v: got %v, want %v", c.statuses, got, c.want)
		}
	}
	if FundedBy(nil) {
		t.Error("no report is no money")
	}
}
