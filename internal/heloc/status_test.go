package heloc

import (
	"testing"
	"time"
)

var testNow = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestStatusAt_EveryStep_HasLaneAndMover(t *testing.T) {
	since := testNow.Add(-time.Minute)
	for _, c := range []struct {
		name  string
		facts StatusFacts
		key   StatusKey
		lane  Lane
		mover Mover
	}{
		{"null", StatusFacts{}, StatusInProgress, LaneLender, MoverLender},
		{"unknown", StatusFacts{Step: StepUnknown}, StatusInProgress, LaneLender, MoverLender},
		{"in progress", StatusFacts{Step: StepLienMatching, OperationPendingUntil: testNow.Add(time.Second)},
			StatusInProgress, LaneLender, MoverLender},
		{"no longer in progress", StatusFacts{Step: StepLienMatching, OperationPendingUntil: testNow}, StatusVerifyLiens,
			LaneBlocked, MoverYou},
		{"offers", StatusFacts{Step: StepOffersAvailable}, StatusOffers, LaneOffers, MoverYou},
		{"property", StatusFacts{Step: StepSelectProperty}, StatusChooseProperty, LaneBlocked, MoverYou},
		{"ssn", StatusFacts{Step: StepCreditMatch}, StatusSSNNeeded, LaneBlocked, MoverYou},
		{"frozen, borrower not told", StatusFacts{Step: StepUnfreezeCredit}, StatusCreditFrozen, LaneBlocked, MoverYou},
		{"frozen, borrower told before", StatusFacts{Step: StepUnfreezeCredit, LastContact: since.Add(-time.Hour)},
			StatusCreditFrozen, LaneBlocked, MoverYou},
		{"frozen, borrower told", StatusFacts{Step: StepUnfreezeCredit, LastContact: testNow}, StatusCreditFrozen,
			LaneBorrower, MoverBorrower},
		{"still frozen, borrower not told", StatusFacts{Step: StepUnfreezeCredit, AskedAgain: true,
			LastContact: since.Add(-time.Hour)}, StatusStillFrozen, LaneBlocked, MoverYou},
		{"still frozen, borrower told", StatusFacts{Step: StepUnfreezeCredit, AskedAgain: true, LastContact: testNow},
			StatusStillFrozen, LaneBorrower, MoverBorrower},
		{"still frozen, next lift", StatusFacts{Step: StepUnfreezeCredit, AskedAgain: true, RepullAt: testNow.Add(time.Hour)},
			StatusStillFrozen, LaneBlocked, MoverNobody},
		{"another step again", StatusFacts{Step: StepLienMatching, AskedAgain: true}, StatusVerifyLiens,
			LaneBlocked, MoverYou},
		{"lift confirmed", StatusFacts{Step: StepUnfreezeCredit, RepullAt: testNow.Add(time.Hour)}, StatusCreditFrozen,
			LaneBlocked, MoverNobody},
		{"re-pull due", StatusFacts{Step: StepUnfreezeCredit, RepullAt: testNow}, StatusRepullDue, LaneBlocked, MoverYou},
		{"liens", StatusFacts{Step: StepLienMatching}, StatusVerifyLiens, LaneBlocked, MoverYou},
		{"assets", StatusFacts{Step: StepMoreAssets}, StatusMoreAssets, LaneBlocked, MoverYou},
		{"payoff", StatusFacts{Step: StepPayoff}, StatusPayoff, LaneBlocked, MoverYou},
		{"value", StatusFacts{Step: StepPropertyValue}, StatusPropertyValue, LaneBlocked, MoverYou},
		{"no offers", StatusFacts{Step: StepNoOffers}, StatusNoOffers, LaneBlocked, MoverYou},
		{"set aside", StatusFacts{Step: StepNoOffers, SetAside: true}, StatusNoOffers, LaneEnded, MoverNobody},
		{"blocked, set aside", StatusFacts{Step: StepUnfreezeCredit, SetAside: true}, StatusNoOffers, LaneEnded, MoverNobody},
		{"property is never set aside", StatusFacts{Step: StepSelectProperty, SetAside: true}, StatusChooseProperty,
			LaneBlocked, MoverYou},
		{"sign-in", StatusFacts{Step: StepBorrowerAuth}, StatusBorrowerSignIn, LaneBorrower, MoverBorrower},
		{"documents", StatusFacts{Step: StepBrokerDocSigning}, StatusBrokerDocs, LaneBorrower, MoverBorrower},
		{"complete", StatusFacts{Step: StepComplete}, StatusComplete, LaneClosing, MoverLender},
		{"complete with a condition", StatusFacts{Step: StepComplete, OpenCondition: true}, StatusComplete, LaneClosing,
			MoverBorrower},
		{"converted", StatusFacts{Step: StepComplete, Converted: true}, StatusApplication, LaneClosing, MoverLender},
		{"converted with a condition", StatusFacts{Step: StepComplete, Converted: true, OpenCondition: true},
			StatusApplication, LaneClosing, MoverBorrower},
		{"disclosures", StatusFacts{Step: StepComplete, Dates: KeyDates{SummaryDisclosure: "2026-11-10"}}, StatusDisclosures,
			LaneClosing, MoverLender},
		{"disclosures ahead", StatusFacts{Step: StepComplete, Dates: KeyDates{SummaryDisclosure: "2026-11-21"}},
			StatusComplete, LaneClosing, MoverLender},
		{"signing", StatusFacts{Step: StepComplete, NotaryDate: "2026-11-23"}, StatusSigning, LaneClosing, MoverLender},
		{"signing date ahead", StatusFacts{Step: StepComplete, Dates: KeyDates{Signing: "2026-11-23"}}, StatusSigning,
			LaneClosing, MoverLender},
		{"signing date past", StatusFacts{Step: StepComplete, Dates: KeyDates{Signing: "2026-11-18"}}, StatusSigned,
			LaneClosing, MoverLender},
		{"rescission", StatusFacts{Step: StepComplete, Dates: KeyDates{Signing: "2026-11-20", RescissionEnd: "2026-11-24"}},
			StatusRescission, LaneClosing, MoverLender},
		{"signing ahead with its rescission", StatusFacts{Step: StepComplete,
			Dates: KeyDates{Signing: "2026-11-23", RescissionEnd: "2026-11-27"}}, StatusSigning, LaneClosing, MoverLender},
		{"e-signed before the signing date",
			StatusFacts{Step: StepComplete, Dates: KeyDates{Signing: "2026-11-23", AgreementESigned: "2026-11-20",
				RescissionEnd: "2026-11-24"}}, StatusRescission, LaneClosing, MoverLender},
		{"rescission over", StatusFacts{Step: StepComplete,
			Dates: KeyDates{Signing: "2026-11-13", RescissionEnd: "2026-11-17"}}, StatusFunding, LaneClosing, MoverLender},
		{"funded", StatusFacts{Step: StepComplete, Funded: true}, StatusFunded, LaneEnded, MoverNobody},
		{"canceled", StatusFacts{Step: StepClosed, Dates: KeyDates{Canceled: "2026-11-20"}}, StatusCanceled, LaneEnded,
			MoverNobody},
		{"declined", StatusFacts{Step: StepWithdrawn, Dates: KeyDates{Declined: "2026-11-20"}}, StatusDeclined, LaneEnded,
			MoverNobody},
		{"expired", StatusFacts{Step: StepWithdrawn, Dates: KeyDates{Expiration: "2026-11-20"}}, StatusExpired, LaneEnded,
			MoverNobody},
		{"withdrawn", StatusFacts{Step: StepWithdrawn, Dates: KeyDates{Expiration: "2026-12-20"}}, StatusWithdrawn, LaneEnded,
			MoverNobody},
		{"refinance", StatusFacts{Step: StepRefinanceOffer}, StatusRefinance, LaneBlocked, MoverYou},
		{"future step", StatusFacts{Step: "REVIEW_TITLE_TERMS"}, StatusOther, LaneBlocked, MoverYou},
	} {
		c.facts.StepSince = since
		got := StatusAt(c.facts, testNow)
		if got.Key != c.key || got.Lane != c.lane || got.Mover != c.mover {
			t.Errorf("%s: got %s in %s by %q, want %s in %s by %q", c.name, got.Key, got.Lane, got.Mover, c.key, c.lane, c.mover)
		}
	}
}

func TestStatusAt_SilentBorrower_FollowUpAfter1And3And7Days(t *testing.T) {
	since := testNow.Add(-4 * day)
	facts := StatusFacts{Step: StepBorrowerAuth, StepSince: since}
	if got := StatusAt(facts, testNow); got.Key != StatusFollowUpSignIn || !got.Due.Equal(since.Add(3*day)) ||
		got.Lane != LaneBorrower || got.Mover != MoverYou {
		t.Errorf("silent for four days: %+v", got)
	}
	facts.LastContact = testNow.Add(-time.Hour)
	if got := StatusAt(facts, testNow); got.Key != StatusBorrowerSignIn || !got.ChangesAt.Equal(since.Add(7*day)) {
		t.Errorf("after a call: %+v", got)
	}
	if got := StatusAt(facts, since.Add(15*day)); got.Key != StatusFollowUpSignIn || !got.Due.Equal(since.Add(14*day)) {
		t.Errorf("after two weeks: %+v", got)
	}
}

func TestStatusAt_FollowUpDue_IsYourMove(t *testing.T) {
	since := testNow.Add(-time.Minute)
	past, soon := testNow.Add(-time.Hour), testNow.Add(time.Hour)
	for _, c := range []struct {
		name  string
		facts StatusFacts
		want  Status
	}{
		{"no follow-up", StatusFacts{Step: StepBorrowerAuth},
			Status{StatusBorrowerSignIn, LaneBorrower, MoverBorrower, since.Add(day), since.Add(day)}},
		{"not due yet", StatusFacts{Step: StepBorrowerAuth, FollowUpAt: soon},
			Status{StatusBorrowerSignIn, LaneBorrower, MoverBorrower, since.Add(day), soon}},
		{"after the next reminder", StatusFacts{Step: StepBorrowerAuth, FollowUpAt: testNow.Add(9 * day)},
			Status{StatusBorrowerSignIn, LaneBorrower, MoverBorrower, since.Add(day), since.Add(day)}},
		{"due, with the borrower", StatusFacts{Step: StepBorrowerAuth, FollowUpAt: past},
			Status{StatusBorrowerSignIn, LaneBorrower, MoverYou, past, since.Add(day)}},
		{"due right now", StatusFacts{Step: StepComplete, FollowUpAt: testNow},
			Status{StatusComplete, LaneClosing, MoverYou, testNow, time.Time{}}},
		{"due, with the lender", StatusFacts{Step: StepUnknown, FollowUpAt: past},
			Status{StatusInProgress, LaneLender, MoverYou, past, time.Time{}}},
		{"due, earlier than the move", StatusFacts{Step: StepLienMatching, FollowUpAt: past},
			Status{StatusVerifyLiens, LaneBlocked, MoverYou, past, time.Time{}}},
		{"due, later than the move", StatusFacts{Step: StepSelectProperty, FollowUpAt: testNow.Add(-time.Second),
			StepSince: testNow.Add(-time.Hour)}, Status{StatusChooseProperty, LaneBlocked, MoverYou,
			testNow.Add(-45 * time.Minute), time.Time{}}},
		{"due, in the offers lane", StatusFacts{Step: StepOffersAvailable, FollowUpAt: past},
			Status{StatusOffers, LaneOffers, MoverYou, past, time.Time{}}},
		{"not due yet, ended", StatusFacts{Step: StepClosed, FollowUpAt: soon},
			Status{StatusCanceled, LaneEnded, MoverNobody, time.Time{}, soon}},
		{"due, ended", StatusFacts{Step: StepClosed, FollowUpAt: past},
			Status{StatusCanceled, LaneEnded, MoverYou, past, time.Time{}}},
	} {
		if c.facts.StepSince.IsZero() {
			c.facts.StepSince = since
		}
		if got := StatusAt(c.facts, testNow); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestIsFunded_MoneyNotSent_False(t *testing.T) {
	for _, c := range []struct {
		statuses []FundingStatus
		want     bool
	}{
		{nil, false},
		{[]FundingStatus{"PENDING"}, false},
		{[]FundingStatus{FundingSent}, true},
		{[]FundingStatus{FundingComplete, FundingCanceled}, true},
		{[]FundingStatus{FundingComplete, FundingReturned}, false},
		{[]FundingStatus{FundingComplete, "HELD_FOR_REVIEW"}, false},
		{[]FundingStatus{FundingCanceled}, false},
	} {
		r := &FundingReport{}
		for _, s := range c.statuses {
			r.Transactions = append(r.Transactions, Transaction{Status: s})
		}
		if got := IsFunded(r); got != c.want {
			t.Errorf("%v: got %v, want %v", c.statuses, got, c.want)
		}
	}
	if IsFunded(nil) {
		t.Error("IsFunded(nil): got true, want false")
	}
}

// Rescission lasts until midnight where the borrower is, which is hours after midnight UTC.
func TestStatusAt_RescissionEndDay_LastsUntilMidnightInHawaii(t *testing.T) {
	facts := StatusFacts{Step: StepComplete, Converted: true,
		Dates: KeyDates{Signing: "2026-11-20", RescissionEnd: "2026-11-24"}}
	honolulu := time.FixedZone("HST", -10*60*60)
	midnight := time.Date(2026, 11, 25, 0, 0, 0, 0, honolulu)
	for _, c := range []struct {
		at   time.Time
		want StatusKey
	}{
		{time.Date(2026, 11, 24, 19, 30, 0, 0, time.FixedZone("EST", -5*60*60)), StatusRescission}, // after midnight UTC
		{midnight.Add(-time.Second), StatusRescission},
		{midnight, StatusFunding},
	} {
		got := StatusAt(facts, c.at)
		if got.Key != c.want {
			t.Errorf("%s: got %s, want %s", c.at, got.Key, c.want)
		}
		if c.want == StatusRescission && !got.ChangesAt.Equal(midnight) {
			t.Errorf("%s: it changes at %s, want %s", c.at, got.ChangesAt, midnight)
		}
	}
}

// A day for the disclosures is a plan until it begins, first of all in Puerto Rico.
func TestStatusAt_DisclosureDay_ApplicationUntilItBegins(t *testing.T) {
	t.Parallel()
	facts := StatusFacts{Step: StepComplete, Converted: true, Dates: KeyDates{SummaryDisclosure: "2026-11-23"}}
	midnight := time.Date(2026, 11, 23, 0, 0, 0, 0, time.FixedZone("AST", -4*60*60))
	for _, c := range []struct {
		at, changes time.Time
		want        StatusKey
	}{
		{testNow, midnight, StatusApplication}, {midnight.Add(-time.Second), midnight, StatusApplication},
		{midnight, time.Time{}, StatusDisclosures},
	} {
		if got := StatusAt(facts, c.at); got.Key != c.want || !got.ChangesAt.Equal(c.changes) {
			t.Errorf("at %s: got %s until %s, want %s until %s", c.at, got.Key, got.ChangesAt, c.want, c.changes)
		}
	}
}

// TestTransaction_FailureText_NamesTheRail: a rail that the lender leaves open is not a wire.
func TestTransaction_FailureText_NamesTheRail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		transfer Transaction
		want     string
	}{
		{Transaction{Status: FundingReturned, Rail: "WIRE"}, "RETURNED"},
		{Transaction{Status: FundingReturned, Rail: "ACH"}, "RETURNED ACH"},
		{Transaction{Status: FundingReturned}, "RETURNED -"},
		{Transaction{Status: FundingSent}, ""},
	} {
		if got := c.transfer.FailureText(); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.transfer, got, c.want)
		}
	}
}

// TestBlockedSteps_AgreeWithTheTable checks that every blocked step is listed once, with the status that a lead has
// there and with the operation that this status calls for.
func TestBlockedSteps_AgreeWithTheTable(t *testing.T) {
	t.Parallel()
	listed := map[Step]bool{}
	for _, b := range BlockedSteps() {
		if !b.Step.Blocked() || listed[b.Step] {
			t.Errorf("%s is listed twice or is no blocked step", b.Step)
		}
		listed[b.Step] = true
		if got := StatusAt(StatusFacts{Step: b.Step, StepSince: testNow}, testNow).Key; got != b.Status {
			t.Errorf("%s: got the status %q, want %q", b.Step, b.Status, got)
		}
		if len(b.Operations) == 0 || b.Operations[0] != b.Status.NextOperation() {
			t.Errorf("%s: got %v, want %q first", b.Step, b.Operations, b.Status.NextOperation())
		}
	}
	for _, step := range Steps() {
		if step.Blocked() && !listed[step] {
			t.Errorf("%s is missing", step)
		}
	}
}

// A day at the lender begins before it begins for a user in the west.
func TestDayBegun_EasternMidnight_Begun(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]bool{"2026-11-22T23:00:00Z": false, "2026-11-23T03:59:59Z": false,
		"2026-11-23T05:30:00Z": true, "2026-12-01T00:00:00Z": true} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := DayBegun("2026-11-23", now); got != want {
			t.Errorf("at %s: got %v, want %v", at, got, want)
		}
		if DayBegun("", now) || DayBegun("soon", now) {
			t.Errorf("at %s: no date has begun", at)
		}
	}
}
