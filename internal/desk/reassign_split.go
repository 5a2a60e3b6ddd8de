package desk

import (
	"cmp"
	"slices"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Split is how leads are divided among several originators.
type Split string

// The splits. An unknown one is SplitEven.
const (
	SplitEven    Split = "even"     // the same number each, with a license on file where possible
	SplitLoad    Split = "capacity" // whoever has the fewest open leads gets the next one
	SplitLicense Split = "license"  // only with a license on file, otherwise the same number each
)

// Splits lists the splits.
func Splits() []Split { return []Split{SplitEven, SplitLoad, SplitLicense} }

// splitPerson is one of the originators among whom leads are divided.
type splitPerson struct {
	lead.Originator
	open int // open leads before the run
	gets int // leads that the run gives them
}

// splitter divides leads among people.
type splitter struct {
	how      Split
	people   []splitPerson
	licenses licenseTable
}

// status returns what is known about the right of a person to act in the state of a lead.
func (s *splitter) status(at int, l lead.Row) LicenseStatus {
	if l.State == "" {
		return LicenseHeld // nothing to compare yet
	}
	return s.licenses.status(s.people[at].Originator, l.State)
}

// problem explains why a person cannot get a lead under this split; empty when they can.
func (s *splitter) problem(at int, l lead.Row) string {
	if why := assigneeProblem(l, s.people[at].Originator); why != "" {
		return why
	}
	switch status := s.status(at, l); {
	case status == LicenseMissing:
		return unlicensedMessage
	case status == LicenseUnknown && s.how == SplitLicense && len(s.people) > 1:
		return noLicenseMessage
	default:
		return ""
	}
}

// noLicenseMessage explains why nobody gets a lead when leads are divided by license.
const noLicenseMessage = "No license on file in the property’s state"

// divide returns who gets each lead, as an index of people; -1 for nobody. Leads for which chosen already has an index
// keep it. Leads that few people are licensed for come first, so that others do not take their place.
func (s *splitter) divide(leads []lead.Row, chosen []int) []int {
	to := slices.Clone(chosen)
	var order []int
	for i, at := range to {
		if at >= 0 {
			s.people[at].gets++
		} else {
			order = append(order, i)
		}
	}
	licensed := make([]int, len(leads))
	for _, i := range order {
		for at := range s.people {
			if s.problem(at, leads[i]) == "" && s.status(at, leads[i]) == LicenseHeld {
				licensed[i]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rarity(licensed[a]), rarity(licensed[b])) })
	share := (len(leads) + len(s.people) - 1) / max(1, len(s.people))
	for _, i := range order {
		to[i] = s.next(leads[i], share)
	}
	return to
}

// rarity orders leads by how many people are licensed for them. A lead that nobody is licensed for comes last.
func rarity(licensed int) int {
	if licensed == 0 {
		return int(^uint(0) >> 1)
	}
	return licensed
}

// next returns who gets a lead, and counts it; -1 for nobody.
func (s *splitter) next(l lead.Row, share int) int {
	best := -1
	for at := range s.people {
		if s.problem(at, l) == "" && (best < 0 || slices.Compare(s.rank(at, l, share), s.rank(best, l, share)) < 0) {
			best = at
		}
	}
	if best >= 0 {
		s.people[best].gets++
	}
	return best
}

// rank orders people for the next lead, lowest first; equal people keep their order.
func (s *splitter) rank(at int, l lead.Row, share int) []int {
	p, unlicensed, full := s.people[at], 0, 0
	if s.status(at, l) != LicenseHeld {
		unlicensed = 1
	}
	if s.how == SplitLoad {
		return []int{p.open + p.gets, unlicensed}
	}
	if p.gets >= share {
		full = 1
	}
	return []int{full, unlicensed, p.gets, p.open}
}

// whyNobody explains why none of the people gets a lead.
func (s *splitter) whyNobody(l lead.Row) string {
	var reasons, others []string
	owner, other := "", ""
	for at, p := range s.people {
		why := s.problem(at, l)
		reasons = append(reasons, why)
		if p.UUID == l.Originator {
			owner = p.Name()
			continue
		}
		others, other = append(others, why), p.Name()
	}
	who := "None of the originators you chose"
	switch {
	case len(reasons) == 1:
		return reasons[0]
	case owner != "" && len(others) > 1:
		who = owner + " already has this lead. None of the others"
	case owner != "":
		who = owner + " already has this lead. " + other
	}
	unknown, missing := slices.Contains(others, noLicenseMessage), slices.Contains(others, unlicensedMessage)
	switch {
	case len(others) == 1 && unknown:
		return who + " has no license on file in the property’s state"
	case len(others) == 1 && missing:
		return who + " isn’t licensed in the property’s state"
	case unknown:
		return who + " has a license on file in the property’s state"
	case missing:
		return who + " is licensed in the property’s state"
	default:
		return reasons[0]
	}
}

// index returns which person has an id; -1 for nobody.
func (s *splitter) index(id heloc.OriginatorID) int {
	return slices.IndexFunc(s.people, func(p splitPerson) bool { return p.UUID == id })
}
