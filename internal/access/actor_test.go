package access

import "testing"

func TestActorCan_ManagerWithoutOriginator_False(t *testing.T) {
	without := Actor{Role: Manager, BrokerID: "summit"}
	with := without
	with.OriginatorUUID = "maya"
	for _, p := range []Permission{StartInquiry, ActOnLead, SelectOffer, CancelInquiry, Prequalify} {
		if without.Can(p) {
			t.Errorf("a manager without an originator may %s", p)
		}
		if !with.Can(p) {
			t.Errorf("a manager with an originator may not %s", p)
		}
	}
	for _, p := range []Permission{SeePipeline, ReassignLead, SeeTeam, PrepareDraft} {
		if !without.Can(p) {
			t.Errorf("a manager without an originator may not %s", p)
		}
	}
}

func TestActorCan_OriginatorUUID_AddsNothing(t *testing.T) {
	for _, role := range []Role{Assistant, Admin} {
		a := Actor{Role: role, OriginatorUUID: "olivia"}
		if a.Can(SelectOffer) || a.Can(StartInquiry) {
			t.Errorf("an %s may act because they have an originator", role)
		}
	}
}

func TestScopeCovers_OwnLeadsOnly(t *testing.T) {
	lead := Owner{OriginatorUUID: "olivia", BrokerID: "summit", Organization: "north"}
	retail := Owner{OriginatorUUID: "rhea", Organization: "north"}
	tests := []struct {
		who          string
		scope        Scope
		lead, retail bool
	}{
		{"its originator", ScopeOf(Originator, "olivia", "summit", "north"), true, false},
		{"a colleague", ScopeOf(Originator, "marcus", "summit", "north"), false, false},
		{"an originator without an originator UUID", ScopeOf(Originator, "", "summit", "north"), false, false},
		{"the manager", ScopeOf(Manager, "maya", "summit", "north"), true, false},
		{"the assistant", ScopeOf(Assistant, "", "summit", "north"), true, false},
		{"another company's manager", ScopeOf(Manager, "", "lakeside", "north"), false, false},
		{"a manager outside broker companies", ScopeOf(Manager, "", "", "north"), false, true},
		{"a manager without company and organization", ScopeOf(Manager, "", "", ""), false, false},
		{"an administrator", ScopeOf(Admin, "olivia", "summit", "north"), false, false},
		{"an unknown role", ScopeOf("root", "olivia", "summit", "north"), false, false},
	}
	for _, tt := range tests {
		if got := tt.scope.Covers(lead); got != tt.lead {
			t.Errorf("%s: the company's lead: got %v, want %v", tt.who, got, tt.lead)
		}
		if got := tt.scope.Covers(retail); got != tt.retail {
			t.Errorf("%s: the lead outside companies: got %v, want %v", tt.who, got, tt.retail)
		}
	}
}

func TestScopeCovers_ZeroScope_False(t *testing.T) {
	if !(Scope{}).Empty() || (Scope{}).Covers(Owner{}) {
		t.Error("the zero scope covers a lead without an owner")
	}
}

func TestActorCan_VouchedByCRM(t *testing.T) {
	a := Actor{Role: Manager, OriginatorUUID: "maya", BrokerID: "summit", VouchedByCRM: true}
	for _, p := range Permissions() {
		if got, want := a.Can(p), p == SeePipeline || p == UseAccount; got != want {
			t.Errorf("%s: got %v, want %v", p, got, want)
		}
	}
	if (Actor{Role: Admin, VouchedByCRM: true}).Can(SeePipeline) {
		t.Error("an administrator vouched for only by a CRM sees leads")
	}
}
