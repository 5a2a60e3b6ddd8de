package lead

import (
	"math/rand/v2"
	"slices"
	"testing"

	"hearthline/internal/heloc"
)

func TestAssignmentRule_Fits_Table(t *testing.T) {
	t.Parallel()
	known := Row{State: "TX", Source: SourceCRM, RequestedAmount: 5000}
	offered := Row{State: "TX", Amount: 9000, RequestedAmount: 5000}
	for name, tt := range map[string]struct {
		rule AssignmentRule
		lead Row
		want bool
	}{
		"no condition fits a lead of which nothing is known": {want: true},
		"state":                             {AssignmentRule{States: []string{"CO", "TX"}}, known, true},
		"another state":                     {AssignmentRule{States: []string{"CO"}}, known, false},
		"unknown state":                     {AssignmentRule{States: []string{"CO"}}, Row{}, false},
		"source":                            {AssignmentRule{Source: SourceCRM}, known, true},
		"another source":                    {AssignmentRule{Source: SourcePortal}, known, false},
		"unknown source":                    {AssignmentRule{Source: SourcePortal}, Row{}, false},
		"from the lowest amount":            {AssignmentRule{From: 5000}, known, true},
		"below the lowest amount":           {AssignmentRule{From: 5001}, known, false},
		"up to the highest amount":          {AssignmentRule{To: 5000}, known, true},
		"above the highest amount":          {AssignmentRule{To: 4999}, known, false},
		"an offer goes before the request":  {AssignmentRule{From: 6000, To: 9000}, offered, true},
		"unknown amount and a lowest one":   {AssignmentRule{From: 1}, Row{}, false},
		"unknown amount and a highest one":  {AssignmentRule{To: heloc.Dollars(1)}, Row{}, false},
		"every condition, one does not fit": {AssignmentRule{States: []string{"TX"}, Source: SourceCRM, To: 1}, known, false},
	} {
		if got := tt.rule.Fits(tt.lead); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

// TestNextTurn_RandomWeights_SharesWithinOne gives leads by turn: nobody is ahead of their share or behind it by a
// whole lead after any number of leads, and every round is exact.
func TestNextTurn_RandomWeights_SharesWithinOne(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(38, 2))
	for range 300 {
		weights := make([]int, 1+random.IntN(8))
		round := 0
		for i := range weights {
			weights[i] = 1 + random.IntN(MaxRuleWeight)
			round += weights[i]
		}
		var latest []int
		got := make([]int, len(weights))
		for n := 1; n <= 3*round; n++ {
			at := NextTurn(weights, latest)
			latest, got[at] = append([]int{at}, latest...), got[at]+1
			for i, w := range weights {
				if off := got[i]*round - n*w; off <= -round || off >= round {
					t.Fatalf("weights %v: after %d leads, %d got %d", weights, n, i, got[i])
				}
				if n%round == 0 && got[i] != n/round*w {
					t.Fatalf("weights %v: after %d rounds, %d got %d", weights, n/round, i, got[i])
				}
			}
		}
	}
}

// TestNextTurn_AnyPast_ExactAfterTwoRounds begins after turns that were not by weight, such as those during an absence.
func TestNextTurn_AnyPast_ExactAfterTwoRounds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(38, 3))
	for range 300 {
		weights, latest := []int{1 + random.IntN(5), 1 + random.IntN(5), 1 + random.IntN(5)}, []int(nil)
		for range random.IntN(40) {
			latest = append(latest, random.IntN(2)) // the third was absent
		}
		round := weights[0] + weights[1] + weights[2]
		for range 2 * round {
			latest = append([]int{NextTurn(weights, latest)}, latest...)
		}
		for i, w := range weights {
			n := len(slices.DeleteFunc(slices.Clone(latest[:round]), func(at int) bool { return at != i }))
			if n != w {
				t.Fatalf("weights %v: %d of the last round's leads are of %d", weights, n, i)
			}
		}
	}
}
