package lead

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// totalSplitCost is the cost of a complete assignment, computed without the solver's steps.
func totalSplitCost(people []SplitPerson, fits [][]LicenseFit, to []int) splitCost {
	var c splitCost
	gets := make([]int, len(people))
	for i, p := range to {
		if p < 0 {
			continue
		}
		gets[p]++
		c[4] += people[p].Open
		if fits[i][p] == FitUnknown {
			c[0]++
		}
		if people[p].NoAccount {
			c[2]++
		}
		if people[p].Absent {
			c[3]++
		}
	}
	for p, n := range gets {
		c[1] += (people[p].Load+n)*(people[p].Load+n) - people[p].Load*people[p].Load
	}
	return c
}

// cheapestSplit tries every assignment in which each lead that somebody can get has somebody.
func cheapestSplit(people []SplitPerson, fits [][]LicenseFit) splitCost {
	var best splitCost
	found := false
	to := make([]int, len(fits))
	var try func(i int)
	try = func(i int) {
		if i == len(fits) {
			if c := totalSplitCost(people, fits, to); !found || c.less(best) {
				best, found = c, true
			}
			return
		}
		to[i] = -1
		for p := range people {
			if fits[i][p] != FitNever {
				to[i] = p
				try(i + 1)
			}
		}
		if to[i] < 0 {
			try(i + 1)
		}
	}
	try(0)
	return best
}

func randomSplit(random *rand.Rand, leads, people int) ([]SplitPerson, [][]LicenseFit) {
	all := make([]SplitPerson, people)
	for p := range all {
		all[p] = SplitPerson{
			Load: random.IntN(4), NoAccount: random.IntN(4) == 0, Absent: random.IntN(4) == 0, Open: random.IntN(5),
		}
	}
	fits := make([][]LicenseFit, leads)
	for i := range fits {
		fits[i] = make([]LicenseFit, people)
		for p := range fits[i] {
			fits[i][p] = LicenseFit(random.IntN(3))
		}
	}
	return all, fits
}

func TestSplitLeads_RandomInstances_AsGoodAsBruteForce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(14, 33))
	for n := range 2000 {
		people, fits := randomSplit(random, random.IntN(7), 1+random.IntN(4))
		to := SplitLeads(people, fits)
		for i, p := range to {
			if p >= 0 && fits[i][p] == FitNever {
				t.Fatalf("instance %d: lead %d goes to somebody who cannot get it", n, i)
			}
			if p < 0 && slices.ContainsFunc(fits[i], func(f LicenseFit) bool { return f != FitNever }) {
				t.Fatalf("instance %d: nobody gets lead %d, although somebody can", n, i)
			}
		}
		if got, want := totalSplitCost(people, fits, to), cheapestSplit(people, fits); got != want {
			t.Fatalf("instance %d: got the cost %v, want %v; people %+v, fits %v, to %v", n, got, want, people, fits, to)
		}
	}
}

// TestSplitLeads_Caps_PlacesAllThatFit compares splits with caps to the most leads that any split can place.
func TestSplitLeads_Caps_PlacesAllThatFit(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 25))
	for n := range 2000 {
		people, fits := randomSplit(random, random.IntN(7), 1+random.IntN(3))
		for p := range people {
			people[p].Most = random.IntN(4)
		}
		to, gets := SplitLeads(people, fits), make([]int, len(people))
		placed := 0
		for i, p := range to {
			if p < 0 {
				continue
			}
			placed++
			gets[p]++
			if fits[i][p] == FitNever || people[p].Most > 0 && gets[p] > people[p].Most {
				t.Fatalf("instance %d: lead %d goes to somebody who cannot get it; people %+v, to %v", n, i, people, to)
			}
		}
		if want := mostPlaced(people, fits, 0, make([]int, len(people))); placed != want {
			t.Fatalf("instance %d: got %d leads placed, want %d; people %+v, fits %v", n, placed, want, people, fits)
		}
	}
}

// mostPlaced tries every assignment of the leads from one on.
func mostPlaced(people []SplitPerson, fits [][]LicenseFit, from int, gets []int) int {
	if from == len(fits) {
		return 0
	}
	best := mostPlaced(people, fits, from+1, gets)
	for p := range people {
		if fits[from][p] == FitNever || people[p].Most > 0 && gets[p] >= people[p].Most {
			continue
		}
		gets[p]++
		best = max(best, 1+mostPlaced(people, fits, from+1, gets))
		gets[p]--
	}
	return best
}

func BenchmarkSplitLeads(b *testing.B) {
	people, fits := randomSplit(rand.New(rand.NewPCG(1, 2)), 200, 20)
	for b.Loop() {
		SplitLeads(people, fits)
	}
}
