package main

import (
	"slices"
	"testing"
	"time"

	"hearthline/internal/heloc"
)

func TestOnBankDay_Weekend_Monday(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 11, 23, 23, 30, 0, 0, demoZone()) // already Tuesday in UTC
	for days, want := range []int{0, 1, 2, 3, 4, 7, 7} {
		if got := onBankDay(monday.AddDate(0, 0, days)); !got.Equal(monday.AddDate(0, 0, want)) {
			t.Errorf("%s becomes %s", monday.AddDate(0, 0, days), got)
		}
	}
}

// TestLeadPlan_LooksReal expects a contact on every funded lead, and jointly owned homes among each originator's
// applications, whose borrowers have an additional signer.
func TestLeadPlan_LooksReal(t *testing.T) {
	t.Parallel()
	joint := map[string]int{}
	for _, s := range leadPlan(time.Date(2026, 11, 28, 17, 0, 0, 0, time.UTC)) {
		actions := s.scenario.actions
		if slices.Contains(actions, "fund") && !slices.Contains(actions, "call") {
			t.Errorf("lead %d is funded without a call: %v", s.number, actions)
		}
		if s.borrower().Property.OwnershipType == heloc.OwnershipJoint && slices.Contains(actions, "convert") {
			joint[s.owner]++
		}
	}
	for _, owner := range []string{"olivia@summit.test", "marcus@summit.test", "piotr@lakeside.test"} {
		if joint[owner] == 0 {
			t.Errorf("%s has no application with a jointly owned home", owner)
		}
	}
}
