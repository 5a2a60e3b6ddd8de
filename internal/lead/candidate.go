package lead

import (
	"cmp"
	"slices"
	"strings"
)

// Candidate is a colleague who can be chosen for work, with what decides between colleagues.
type Candidate struct {
	Originator
	Availability
	Load                   bool     // Open, SeenAt and Absence are known to the user who chooses
	Open                   int      // open leads
	Held, Unknown, Missing []string // what is known about their licenses in the states of the work
}

// DisplayName is the candidate's name on one line.
func (c Candidate) DisplayName() string { return strings.TrimSpace(c.Name()) }

// CanWork reports whether the candidate may be offered: nobody whose only account is disabled, or has a role that does
// not work on leads.
func (c Candidate) CanWork() bool { return !c.Disabled && !c.NoLeads }

// LicenseGroup is how well the licenses of a candidate fit the work; lower is better.
type LicenseGroup int

// The groups.
const (
	LicensedInAll LicenseGroup = iota
	LicensedInSome
	LicensesUnknown // none on file
	LicensedNowhere // somebody has recorded for every state that they may not
)

// Licenses returns the group of a candidate.
func (c Candidate) Licenses() LicenseGroup {
	switch {
	case len(c.Held) > 0 && len(c.Unknown)+len(c.Missing) == 0:
		return LicensedInAll
	case len(c.Held) > 0:
		return LicensedInSome
	case len(c.Missing) > 0 && len(c.Unknown) == 0:
		return LicensedNowhere
	default:
		return LicensesUnknown
	}
}

// CompareCandidates orders candidates as every list offers them: those with an account first, then by licenses, those
// who are not absent, and the fewest open leads. Those who may not act in any of the states come last.
func CompareCandidates(a, b Candidate) int {
	rank := func(is bool) int { return map[bool]int{true: 1}[is] }
	return cmp.Or(cmp.Compare(rank(a.Licenses() == LicensedNowhere), rank(b.Licenses() == LicensedNowhere)),
		cmp.Compare(rank(!a.HasAccount), rank(!b.HasAccount)), cmp.Compare(a.Licenses(), b.Licenses()),
		cmp.Compare(rank(a.Absence != nil), rank(b.Absence != nil)), cmp.Compare(a.Open, b.Open),
		cmp.Compare(a.DisplayName(), b.DisplayName()), cmp.Compare(a.NMLS, b.NMLS))
}

// SortCandidates sorts candidates for a list.
func SortCandidates(all []Candidate) []Candidate {
	slices.SortStableFunc(all, CompareCandidates)
	return all
}
