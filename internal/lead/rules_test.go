package lead_test

import (
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

func TestLicenseTable_Status(t *testing.T) {
	t.Parallel()
	table := lead.LicenseTableOf([]lead.License{{Holder: "a", State: "TX", Allowed: true}, {Holder: "b", State: "TX"},
		{Holder: "b", State: "CO", Allowed: true}})
	for _, tt := range []struct {
		holder heloc.OriginatorID
		state  string
		want   lead.LicenseStatus
	}{
		{"a", "TX", lead.LicenseHeld}, {"b", "TX", lead.LicenseMissing}, {"b", "CO", lead.LicenseHeld},
		{"a", "CO", lead.LicenseUnknown}, {"nobody", "TX", lead.LicenseUnknown}, {"b", "", lead.LicenseHeld},
	} {
		if got := table.Status(lead.Originator{UUID: tt.holder}, tt.state); got != tt.want {
			t.Errorf("%s in %q: got %s, want %s", tt.holder, tt.state, got, tt.want)
		}
	}
}

func TestAssigneeProblem_WhoMayReceiveALead(t *testing.T) {
	t.Parallel()
	row := lead.Row{Originator: "olivia", Company: "B1", Organization: "Evergreen"}
	for name, tt := range map[string]struct {
		o    lead.Originator
		want string
	}{
		"a colleague": {lead.Originator{UUID: "marcus", BrokerID: "B1", Organization: "Evergreen"}, ""},
		"the current originator": {lead.Originator{UUID: "olivia", BrokerID: "B1", Organization: "Evergreen"},
			"This originator already has the lead"},
		"another broker company": {lead.Originator{UUID: "piotr", BrokerID: "B2", Organization: "Evergreen"},
			"Choose an originator at the same broker company"},
		"another organization": {lead.Originator{UUID: "nora", BrokerID: "B1", Organization: "Other"},
			"Choose an originator at the same broker company"},
		"no longer in the directory": {lead.Originator{UUID: "marcus", BrokerID: "B1", Organization: "Evergreen",
			RemovedAt: 1}, "This originator is no longer in the lender’s directory"},
	} {
		if got := lead.AssigneeProblem(row, tt.o); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func TestAssigneeOf_Accounts(t *testing.T) {
	t.Parallel()
	user := func(id string, role access.Role, disabled bool) access.User {
		return access.User{Actor: access.Actor{UserID: id, Role: role, OriginatorUUID: "olivia"}, Disabled: disabled}
	}
	for name, tt := range map[string]struct {
		users []access.User
		id    string
		can   bool
	}{
		"no account":           {nil, "", true},
		"an active account":    {[]access.User{user("1", access.Originator, false)}, "1", true},
		"a disabled account":   {[]access.User{user("1", access.Originator, true)}, "", false},
		"a role without leads": {[]access.User{user("1", access.Assistant, false)}, "", false},
		"a disabled and a second": {[]access.User{user("1", access.Originator, true), user("2", access.Manager, false)},
			"2", true},
	} {
		if got, can := lead.AssigneeOf(lead.Originator{UUID: "olivia"}, tt.users); got.UserID != tt.id || can != tt.can {
			t.Errorf("%s: got %q, %v, want %q, %v", name, got.UserID, can, tt.id, tt.can)
		}
	}
}

func TestUsualStayOf_MedianOrDueTime(t *testing.T) {
	t.Parallel()
	due, _ := heloc.StepCreditMatch.MoveWithin()
	hours := func(n ...int64) (stays []int64) {
		for _, one := range n {
			stays = append(stays, one*time.Hour.Milliseconds())
		}
		return stays
	}
	for name, tt := range map[string]struct {
		step  heloc.Step
		stays []int64
		want  lead.UsualStay
	}{
		"none":    {heloc.StepCreditMatch, nil, lead.UsualStay{Usual: due}},
		"too few": {heloc.StepCreditMatch, hours(1, 2, 3, 4, 5, 6, 7), lead.UsualStay{Usual: due}},
		"the median, in any order": {heloc.StepCreditMatch, hours(9, 1, 2, 3, 4, 5, 6, 7, 8),
			lead.UsualStay{Usual: 5 * time.Hour, Records: 9}},
		"the lower of two": {heloc.StepCreditMatch, hours(1, 2, 3, 4, 5, 6, 7, 8),
			lead.UsualStay{Usual: 4 * time.Hour, Records: 8}},
	} {
		if got := lead.UsualStayOf(tt.step, tt.stays); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestStuckStepOf_AfterHowLong(t *testing.T) {
	t.Parallel()
	due, _ := heloc.StepCreditMatch.MoveWithin()
	for name, tt := range map[string]struct {
		step  heloc.Step
		usual time.Duration
		want  time.Duration // 0 for a step at which leads cannot be stuck
	}{
		"three times the usual stay":     {heloc.StepCreditMatch, due, 3 * due},
		"not before the move is due":     {heloc.StepCreditMatch, due / 10, due},
		"not before fifteen minutes":     {heloc.StepUnknown, time.Second, 15 * time.Minute},
		"without records and a due time": {heloc.StepUnknown, 0, 0},
		"an inquiry that is complete":    {heloc.StepComplete, time.Hour, 0},
	} {
		got, can := lead.StuckStepOf(tt.step, lead.UsualStay{Usual: tt.usual})
		if got.After != tt.want || can != (tt.want > 0) {
			t.Errorf("%s: got %v, %v, want %v", name, got.After, can, tt.want)
		}
	}
}

func TestNudgeOf_OnlyOfTheCurrentStay(t *testing.T) {
	t.Parallel()
	row := lead.Row{Step: heloc.StepPayoff, StepSince: 100}
	for name, tt := range map[string]struct {
		event lead.Event
		want  lead.Nudge
	}{
		"none": {lead.Event{}, lead.Nudge{}},
		"of this stay": {lead.Event{At: 100, StepBefore: heloc.StepPayoff, ActorName: "Maya"},
			lead.Nudge{At: 100, By: "Maya"}},
		"before the stay": {lead.Event{At: 99, StepBefore: heloc.StepPayoff, ActorName: "Maya"}, lead.Nudge{}},
		"another step":    {lead.Event{At: 100, StepBefore: heloc.StepUnknown, ActorName: "Maya"}, lead.Nudge{}},
	} {
		if got := lead.NudgeOf(row, tt.event); got != tt.want {
			t.Errorf("%s: got %+v, want %+v", name, got, tt.want)
		}
	}
}

func TestJobRow_ResultFor(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		row                lead.JobRow
		want               lead.RowResult
		pending, retryable bool
	}{
		"waiting": {lead.JobRow{State: lead.JobRowWaiting}, lead.RowWaiting, true, false},
		"stopped": {lead.JobRow{State: lead.JobRowStopped}, lead.RowStopped, false, true},
		"accepted": {lead.JobRow{State: lead.JobRowSent, Verdict: lead.OpSucceeded, Originator: "former"},
			lead.RowConfirming, true, false},
		"accepted and read": {lead.JobRow{State: lead.JobRowSent, Verdict: lead.OpSucceeded, Originator: "to"},
			lead.RowMoved, false, false},
		"confirmed later": {lead.JobRow{State: lead.JobRowSent, Verdict: lead.OpConfirmed, Originator: "to"},
			lead.RowMoved, false, false},
		"refused by the lender": {lead.JobRow{State: lead.JobRowSent, Verdict: lead.OpRejected}, lead.RowRejected,
			false, true},
		"not sent":           {lead.JobRow{State: lead.JobRowSent, Verdict: lead.OpNotSent}, lead.RowNotSent, false, true},
		"did not arrive":     {lead.JobRow{State: lead.JobRowSent, Verdict: lead.OpAbsent}, lead.RowNotSent, false, true},
		"given up":           {lead.JobRow{State: lead.JobRowSent, Verdict: lead.OpAbandoned}, lead.RowNotSent, false, true},
		"of unknown outcome": {lead.JobRow{State: lead.JobRowSent, Verdict: lead.OpUnknown}, lead.RowUnknown, true, false},
		"stopped after a verdict": {lead.JobRow{State: lead.JobRowStopped, Verdict: lead.OpRejected}, lead.RowRejected,
			false, true},
	} {
		got := tt.row.ResultFor("to")
		if got != tt.want || got.Pending() != tt.pending || got.Retryable() != tt.retryable {
			t.Errorf("%s: got %s, pending %v, retryable %v, want %s, %v, %v",
				name, got, got.Pending(), got.Retryable(), tt.want, tt.pending, tt.retryable)
		}
	}
}

func TestRow_CanCancel(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		row  lead.Row
		want bool
	}{
		"open": {lead.Row{Step: heloc.StepPayoff}, true}, "converted": {lead.Row{Converted: true}, false},
		"closed": {lead.Row{Step: heloc.StepClosed}, false}, "withdrawn": {lead.Row{Step: heloc.StepWithdrawn}, false},
		"canceled": {lead.Row{CanceledDate: "2026-11-01"}, false}, "declined": {lead.Row{DeclinedDate: "2026-11-01"}, false},
	} {
		if got := tt.row.CanCancel(); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func TestNameMatcher_StartsOfWords(t *testing.T) {
	t.Parallel()
	name := heloc.Name{First: "Elena", Middle: "Sol", Last: "Rivera-Núñez"}
	for typed, want := range map[string]bool{
		"riv": true, "elena rivera": true, "RIVERA ele": true, "rivera el": false, "nunez": true, "sol": true, "ivera": false,
		"elena smith": false, "rivera 418": true, "919 555": true, "x@borrower.test": true, "": true,
	} {
		if got := lead.NameMatcher(typed)(name); got != want {
			t.Errorf("%q: got %v, want %v", typed, got, want)
		}
	}
}

func TestOriginator_Matches(t *testing.T) {
	t.Parallel()
	o := lead.Originator{FirstName: "Olivia", LastName: "Bennett", Email: "olivia@summit.test", NMLS: "1234567"}
	for typed, want := range map[string]struct{ matches, named bool }{
		"": {true, true}, "oli": {true, true}, "bennett olivia": {true, true}, "summit": {true, false}, "123": {true, true},
		"234": {false, false}, "olivia@summit.test": {true, true}, "livia": {true, false}, "marcus": {false, false},
	} {
		if got := o.Matches(typed); got != want.matches {
			t.Errorf("%q: matches is %v, want %v", typed, got, want.matches)
		}
		if got := o.IsNamed(typed); got != want.named {
			t.Errorf("%q: named is %v, want %v", typed, got, want.named)
		}
	}
}
