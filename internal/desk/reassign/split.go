package reassign

import (
	"slices"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// Split is how leads are divided among several originators.
type Split string

// The splits. An unknown one is SplitEven. In all of them, a license on file goes before the balance.
const (
	SplitEven    Split = "even"     // the same number of new leads each, as far as licenses allow
	SplitLoad    Split = "capacity" // the same number of open leads each after the split, as far as licenses allow
	SplitLicense Split = "license"  // like SplitEven, but only with a license on file
)

// Splits lists the splits.
func Splits() []Split { return []Split{SplitEven, SplitLoad, SplitLicense} }

const problemCap = "This originator is at the cap"

// splitPerson is one of the originators among whom leads are divided.
type splitPerson struct {
	lead.Originator
	open      int // open leads before the run
	noAccount bool
	closed    bool // they have an account, but it is disabled or cannot work on leads
	absent    bool
	full      bool // already at the cap
	most      int  // how many leads they can get under the cap; 0 for any number
}

// splitter divides leads among people.
type splitter struct {
	how      Split
	people   []splitPerson
	licenses lead.LicenseTable
}

// status returns what is known about the right of a person to act in the state of a lead.
func (s *splitter) status(at int, l lead.Row) lead.LicenseStatus {
	return s.licenses.Status(s.people[at].Originator, l.State)
}

// problem explains why a person cannot get a lead under this split; empty when they can.
func (s *splitter) problem(at int, l lead.Row) string {
	if why := lead.AssigneeProblem(l, s.people[at].Originator); why != "" {
		return why
	}
	if s.people[at].closed {
		return lead.ProblemClosedAccount
	}
	if s.people[at].full {
		return problemCap
	}
	switch status := s.status(at, l); {
	case status == lead.LicenseMissing:
		return lead.ProblemUnlicensed
	case status == lead.LicenseUnknown && s.how == SplitLicense && len(s.people) > 1:
		return lead.ProblemNoLicense
	default:
		return ""
	}
}

// divide returns who gets each lead, as an index of people; -1 for nobody. Leads for which chosen already has an index
// keep it, and count toward the balance.
func (s *splitter) divide(leads []lead.Row, chosen []int) []int {
	people := make([]lead.SplitPerson, len(s.people))
	for at, p := range s.people {
		people[at] = lead.SplitPerson{NoAccount: p.noAccount, Absent: p.absent, Open: p.open, Most: p.most}
		if s.how == SplitLoad {
			people[at].Load = p.open
		}
	}
	to := slices.Clone(chosen)
	var rest []int
	for i, at := range to {
		if at < 0 {
			rest = append(rest, i)
			continue
		}
		people[at].Load++
		if p := &s.people[at]; p.most > 0 {
			people[at].Most--
			p.full = people[at].Most == 0
		}
	}
	fits := make([][]lead.LicenseFit, len(rest))
	for n, i := range rest {
		fits[n] = s.fits(leads[i])
	}
	for n, at := range lead.SplitLeads(people, fits) {
		to[rest[n]] = at
	}
	return to
}

// fits returns how the license of each person fits a lead.
func (s *splitter) fits(l lead.Row) []lead.LicenseFit {
	all := make([]lead.LicenseFit, len(s.people))
	for at := range s.people {
		switch {
		case s.problem(at, l) != "":
			all[at] = lead.FitNever
		case s.status(at, l) != lead.LicenseHeld:
			all[at] = lead.FitUnknown
		}
	}
	return all
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
	case slices.Contains(reasons, "") || slices.Contains(reasons, problemCap):
		return "No one who can take it is under the cap"
	case len(reasons) == 1:
		return reasons[0]
	case owner != "" && len(others) > 1:
		who = owner + " already has this lead. None of the others"
	case owner != "":
		who = owner + " already has this lead. " + other
	}
	unknown, missing := slices.Contains(others, lead.ProblemNoLicense), slices.Contains(others, lead.ProblemUnlicensed)
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
