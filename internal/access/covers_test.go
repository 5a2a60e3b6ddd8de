package access

import "testing"

func TestScope_Deputy_CoversOnlyCoveredOriginators(t *testing.T) {
	marcus := Actor{Role: Originator, OriginatorUUID: "marcus", BrokerID: "summit", Covering: CoversOf("olivia", "grace")}
	olivia, tom, unassigned := Owner{OriginatorUUID: "olivia", BrokerID: "summit"},
		Owner{OriginatorUUID: "tom", BrokerID: "summit"}, Owner{BrokerID: "summit"}
	own := Owner{OriginatorUUID: "marcus", BrokerID: "summit"}
	s := marcus.Scope()
	if !s.Covers(olivia) || !s.Covers(own) || s.Covers(tom) || s.Covers(unassigned) {
		t.Errorf("covers olivia %v, own %v, tom %v, unassigned %v; want the first two",
			s.Covers(olivia), s.Covers(own), s.Covers(tom), s.Covers(unassigned))
	}
	if !s.AsDeputy(olivia) || s.AsDeputy(own) || s.AsDeputy(tom) {
		t.Error("a deputy is one for the leads of other originators that they cover, and for no others")
	}
	if s.Own().Covers(olivia) || !s.Own().Covers(own) {
		t.Error("the own scope contains exactly the own leads")
	}
	if got, ok := s.Covered("olivia"); !ok || got != (Scope{OriginatorUUID: "olivia"}) {
		t.Errorf("the scope of a covered originator: got %+v, %v", got, ok)
	}
	for _, other := range []string{"tom", "", "marcus"} {
		if _, ok := s.Covered(other); ok {
			t.Errorf("%q counts as covered", other)
		}
	}
}

func TestScope_Covering_OtherRolesAndVouchedByCRM_Ignored(t *testing.T) {
	olivia := Owner{OriginatorUUID: "olivia", BrokerID: "summit"}
	vouched := Actor{Role: Originator, OriginatorUUID: "marcus", BrokerID: "summit", Covering: CoversOf("olivia"),
		VouchedByCRM: true}
	other := Actor{Role: Manager, OriginatorUUID: "piotr", BrokerID: "lakeside", Covering: CoversOf("olivia")}
	for _, a := range []Actor{vouched, other, {Role: Admin, Covering: CoversOf("olivia")},
		{Role: Originator, Covering: CoversOf("olivia")}} {
		if a.Scope().Covers(olivia) || a.Scope().AsDeputy(olivia) {
			t.Errorf("%s %s sees a covered lead", a.Role, a.OriginatorUUID)
		}
	}
}

func TestCovers_SameOriginators_Equal(t *testing.T) {
	if CoversOf("b", "a", "b") != CoversOf("a", "b") || CoversOf() != "" {
		t.Errorf("got %q and %q", CoversOf("b", "a", "b"), CoversOf())
	}
	if Covers("ab").Has("a") || Covers("").Has("") {
		t.Error("the set has an originator that is not in it")
	}
}
