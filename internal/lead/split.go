package lead

import "slices"

// LicenseFit is how the license of a person fits a lead, best first.
type LicenseFit int

// The fits.
const (
	FitLicensed LicenseFit = iota
	FitUnknown             // no license on file
	FitNever               // they cannot get the lead, for example because they are not licensed
)

// SplitPerson is one of the people among whom leads are split.
type SplitPerson struct {
	Load      int  // leads that count toward the balance before the split
	NoAccount bool // they would not see what they get
	Absent    bool
	Open      int // open leads; decides between people who are otherwise equal
	Most      int // how many leads they can get; 0 for any number
}

// splitCost is the cost of a split, the most important part first: leads without a license on file, imbalance, leads of
// people without an account, leads of absent people, and existing open leads of the people who get the new ones.
type splitCost [5]int

// plus adds another cost n times; -1 subtracts it.
func (c splitCost) plus(times int, d splitCost) splitCost {
	for i := range c {
		c[i] += times * d[i]
	}
	return c
}

func (c splitCost) less(d splitCost) bool { return slices.Compare(c[:], d[:]) < 0 }

// splitting is an assignment of leads to people that grows by one lead at a time.
type splitting struct {
	people []SplitPerson
	fits   [][]LicenseFit // by lead and person
	to     []int          // who gets each lead; -1 for nobody
	gets   []int          // how many leads each person gets
}

// SplitLeads divides leads among people and returns who gets each lead, as an index of people; -1 if nobody can. fits
// has a fit for each lead and person. As many leads as possible go to people with a license on file. Among those
// splits, it returns one that is as even as possible, where the squares of the people's loads have the lowest sum; then
// one with the fewest leads for people without an account, and then for absent people.
//
// This is a minimum cost flow from the leads through the people to a sink. It is found by successive shortest paths:
// each lead is added with the cheapest chain of moves that it needs, which keeps the cost minimal.
func SplitLeads(people []SplitPerson, fits [][]LicenseFit) []int {
	s := splitting{people: people, fits: fits, to: make([]int, len(fits)), gets: make([]int, len(people))}
	for i := range s.to {
		s.to[i] = -1
	}
	for i := range fits {
		s.add(i)
	}
	return s.to
}

// cost is what it costs to give a lead to a person, apart from the balance.
func (s *splitting) cost(i, person int) splitCost {
	p, c := s.people[person], splitCost{4: s.people[person].Open}
	if s.fits[i][person] == FitUnknown {
		c[0] = 1
	}
	if p.NoAccount {
		c[2] = 1
	}
	if p.Absent {
		c[3] = 1
	}
	return c
}

// oneMore returns how much one more lead for a person adds to the imbalance: the difference of two squares.
func (s *splitting) oneMore(person int) splitCost {
	return splitCost{1: 2*(s.people[person].Load+s.gets[person]) + 1}
}

// splitMove gives a lead from one person to another.
type splitMove struct {
	lead int // -1 if no lead of the first person can move to the second
	cost splitCost
}

// moves returns the cheapest move between each two people.
func (s *splitting) moves() [][]splitMove {
	all := make([][]splitMove, len(s.people))
	for p := range all {
		all[p] = slices.Repeat([]splitMove{{lead: -1}}, len(s.people))
	}
	for i, from := range s.to {
		if from < 0 {
			continue
		}
		now := s.cost(i, from)
		for to := range s.people {
			if to == from || s.fits[i][to] == FitNever {
				continue
			}
			best, c := &all[from][to], s.cost(i, to).plus(-1, now)
			if best.lead < 0 || c.less(best.cost) {
				*best = splitMove{i, c}
			}
		}
	}
	return all
}

// splitStep is the end of the cheapest chain that ends with one more lead for a person.
type splitStep struct {
	from  int // who gives them a lead; -1 if they get the new one
	lead  int // which; -1 if there is no chain
	total splitCost
}

// add gives a lead to somebody, and moves others along the cheapest chain. Nothing happens if nobody can get it.
func (s *splitting) add(i int) {
	chain := s.chains(i)
	last := -1
	var best splitCost
	for p := range s.people {
		if most := s.people[p].Most; most > 0 && s.gets[p] >= most {
			continue
		}
		if total := chain[p].total.plus(1, s.oneMore(p)); chain[p].lead >= 0 && (last < 0 || total.less(best)) {
			last, best = p, total
		}
	}
	if last < 0 {
		return
	}
	s.gets[last]++
	for p := last; p >= 0; p = chain[p].from {
		s.to[chain[p].lead] = p
	}
}

// chains finds the cheapest chain of moves to each person that begins with a new lead. Moves can have a negative
// cost, but no cycle of moves has a negative cost, because the assignment so far has the lowest cost. The search
// therefore ends.
func (s *splitting) chains(i int) []splitStep {
	chain := make([]splitStep, len(s.people))
	for p := range chain {
		if chain[p] = (splitStep{from: -1, lead: -1}); s.fits[i][p] != FitNever {
			chain[p].lead, chain[p].total = i, s.cost(i, p)
		}
	}
	moves := s.moves()
	for changed := true; changed; {
		changed = false
		for from := range chain {
			for to, m := range moves[from] {
				if chain[from].lead < 0 || m.lead < 0 {
					continue
				}
				if total := chain[from].total.plus(1, m.cost); chain[to].lead < 0 || total.less(chain[to].total) {
					chain[to], changed = splitStep{from, m.lead, total}, true
				}
			}
		}
	}
	return chain
}
