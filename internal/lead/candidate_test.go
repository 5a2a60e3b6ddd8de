package lead_test

import (
	"slices"
	"testing"

	"hearthline/internal/lead"
)

func TestSortCandidates_AccountLicenseAbsenceLoadName(t *testing.T) {
	t.Parallel()
	one := func(name, nmls string, change func(c *lead.Candidate)) lead.Candidate {
		c := lead.Candidate{Originator: lead.Originator{FirstName: name, NMLS: nmls}, Unknown: []string{"UT"},
			Availability: lead.Availability{HasAccount: true}}
		change(&c)
		return c
	}
	held := func(c *lead.Candidate) { c.Held, c.Unknown = []string{"UT"}, nil }
	all := []lead.Candidate{
		one("barred", "1", func(c *lead.Candidate) { c.Missing, c.Unknown = []string{"UT"}, nil }),
		one("licensed, no account", "2", func(c *lead.Candidate) {
			held(c)
			c.HasAccount = false
		}),
		one("absent", "3", func(c *lead.Candidate) { c.Absence = &lead.Absence{} }),
		one("busy", "4", func(c *lead.Candidate) { c.Open = 9 }),
		one("same name", "6", func(*lead.Candidate) {}),
		one("same name", "5", func(*lead.Candidate) {}),
		one("licensed, busy", "7", func(c *lead.Candidate) { held(c); c.Open = 50 }),
	}
	want := []string{"7", "5", "6", "4", "3", "2", "1"}
	var got []string
	for _, c := range lead.SortCandidates(all) {
		got = append(got, c.NMLS)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
