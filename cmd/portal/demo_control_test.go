package main

import (
	"testing"

	"hearthline/internal/heloc"
)

// TestDemoSamples_EveryMission_HasOne expects one sample for each step that a mission is about, and for a lead to
// reassign.
func TestDemoSamples_EveryMission_HasOne(t *testing.T) {
	t.Parallel()
	n := map[heloc.Step]int{}
	for _, s := range (&demoControl{}).Samples() {
		n[s.Step]++
	}
	want := []heloc.Step{heloc.StepOffersAvailable}
	for _, b := range heloc.BlockedSteps() {
		want = append(want, b.Step)
	}
	for _, step := range want {
		if n[step] != 1 {
			t.Errorf("%s: got %d samples, want one", step, n[step])
		}
	}
}
