package access

import (
	"slices"
	"testing"
	"time"

	"hearthline/internal/fault"
)

func TestActor_May(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
	const notLinked, notIncluded = "This is done in a loan originator’s name, and your account isn’t linked to one.",
		"Your role doesn’t include this. If you need it, ask an administrator."
	for name, tt := range map[string]struct {
		actor Actor
		p     Permission
		kind  fault.Kind
		why   string // "" if they may
	}{
		"may":               {Actor{Role: Originator, OriginatorUUID: "o"}, ActOnLead, fault.Internal, ""},
		"the role does not": {Actor{Role: Originator, OriginatorUUID: "o"}, SeeTeam, fault.Denied, notIncluded},
		"no originator":     {Actor{Role: Manager}, StartInquiry, fault.Denied, notLinked},
		"no role":           {Actor{}, SeePipeline, fault.Denied, notIncluded},
		"not stepped up": {Actor{Role: Admin}, ManagePeople, fault.StepUpRequired,
			"Confirm your identity first. Nothing was done."},
		"the step-up has just ended": {Actor{Role: Admin, ElevatedUntil: now}, ManagePeople, fault.StepUpRequired,
			"Confirm your identity first. Nothing was done."},
		"stepped up": {Actor{Role: Admin, ElevatedUntil: now.Add(time.Second)}, ManagePeople, fault.Internal, ""},
		"vouched for only by a CRM": {Actor{Role: Originator, OriginatorUUID: "o", VouchedByCRM: true}, SeeLead, fault.Denied,
			notIncluded},
	} {
		err := tt.actor.May(tt.p, now)
		if err == nil && tt.why == "" {
			continue
		}
		if !fault.Is(err, tt.kind) || fault.Public(err) != tt.why {
			t.Errorf("%s: got %v, want %q", name, err, tt.why)
		}
	}
}

func TestActor_Topics(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		actor Actor
		want  []string
	}{
		"originator": {Actor{UserID: "u", Role: Originator, OriginatorUUID: "o", BrokerID: "b"},
			[]string{"person:u", "everyone", "originator:o"}},
		"deputy": {Actor{UserID: "u", Role: Originator, OriginatorUUID: "o", BrokerID: "b", Covering: CoversOf("p")},
			[]string{"person:u", "everyone", "originator:o", "originator:p"}},
		"manager": {Actor{UserID: "u", Role: Manager, OriginatorUUID: "o", BrokerID: "b"},
			[]string{"person:u", "everyone", "company:b"}},
		"organization": {Actor{UserID: "u", Role: Manager, Organization: "Evergreen"},
			[]string{"person:u", "everyone", "company:org:Evergreen"}},
		"admin": {Actor{UserID: "u", Role: Admin}, []string{"person:u", "everyone"}},
	} {
		if got := tt.actor.Topics(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

func TestUser_WorksAt(t *testing.T) {
	t.Parallel()
	olivia := User{Actor: Actor{Role: Originator, OriginatorUUID: "o", BrokerID: "b"}}
	change := func(f func(u *User)) User {
		u := olivia
		f(&u)
		return u
	}
	for name, tt := range map[string]struct {
		user          User
		works, starts bool
	}{
		"originator":      {olivia, true, true},
		"disabled":        {change(func(u *User) { u.Disabled = true }), false, false},
		"another company": {change(func(u *User) { u.BrokerID = "c" }), false, false},
		"no originator":   {change(func(u *User) { u.Role, u.OriginatorUUID = Manager, "" }), false, false},
		"assistant":       {change(func(u *User) { u.Role = Assistant }), false, false},
	} {
		if got := tt.user.WorksAt("b"); got != tt.works {
			t.Errorf("%s: works is %v, want %v", name, got, tt.works)
		}
		if got := tt.user.StartsInquiriesAt("b"); got != tt.starts {
			t.Errorf("%s: starts inquiries is %v, want %v", name, got, tt.starts)
		}
	}
}

func TestRole_Raises(t *testing.T) {
	t.Parallel()
	raises := map[Role][]Role{
		Originator: {Assistant, Manager, Admin}, Assistant: {Manager, Admin}, Manager: {Admin},
		Admin: {Originator, Assistant, Manager},
	}
	for _, from := range Roles() {
		for _, to := range Roles() {
			if got, want := from.Raises(to), slices.Contains(raises[from], to); got != want {
				t.Errorf("from %s to %s: got %v, want %v", from, to, got, want)
			}
		}
	}
}
