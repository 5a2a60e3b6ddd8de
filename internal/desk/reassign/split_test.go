package reassign

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// splitCase is who is chosen, as "name open AZ FL- !account !absent", and the states of the leads. A state with a
// minus is one where the originator may not act.
type splitCase struct {
	how    Split
	people []string
	states string
	chosen map[int]string
	want   string
}

func (c splitCase) run() string {
	s := splitter{how: c.how, licenses: lead.LicenseTable{}}
	for _, p := range c.people {
		fields := strings.Fields(p)
		one := splitPerson{Originator: lead.Originator{UUID: heloc.OriginatorID(fields[0]), BrokerID: "B1"}}
		_, _ = fmt.Sscan(fields[1], &one.open)
		for _, state := range fields[2:] {
			one.noAccount, one.absent = one.noAccount || state == "!account", one.absent || state == "!absent"
			s.licenses[fields[0]] = append(s.licenses[fields[0]],
				lead.License{State: strings.TrimSuffix(state, "-"), Allowed: !strings.HasSuffix(state, "-")})
		}
		s.people = append(s.people, one)
	}
	var leads []lead.Row
	var chosen []int
	for i, state := range strings.Fields(c.states) {
		owner, state, owned := strings.Cut(state, ":")
		if !owned {
			owner, state = "marcus", owner
		}
		leads = append(leads, lead.Row{Originator: heloc.OriginatorID(owner), Company: "B1", State: strings.Trim(state, "?")})
		chosen = append(chosen, s.index(heloc.OriginatorID(c.chosen[i])))
	}
	var got []string
	for _, at := range s.divide(leads, chosen) {
		if at < 0 {
			got = append(got, "-")
		} else {
			got = append(got, string(s.people[at].UUID))
		}
	}
	return strings.Join(got, " ")
}

func TestSplit_WhoGetsEachLead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]splitCase{
		"one person gets all":      {SplitLicense, []string{"a 3"}, "AZ FL", nil, "a a"},
		"one person, not licensed": {SplitEven, []string{"a 3 AZ-"}, "AZ FL", nil, "- a"},
		"evenly": {SplitEven, []string{"a 0", "b 9", "c 3"}, "AZ AZ AZ AZ AZ AZ", nil,
			"a c b a c b"},
		"evenly, licensed first":           {SplitEven, []string{"a 0", "b 9 AZ"}, "FL AZ FL AZ", nil, "a b a b"},
		"evenly, license before balance":   {SplitEven, []string{"a 0", "b 9 AZ"}, "AZ AZ AZ AZ", nil, "b b b b"},
		"evenly, licensed nowhere":         {SplitEven, []string{"a 0", "b 9 AZ"}, "AZ FL FL FL", nil, "b a a b"},
		"by open leads, license first":     {SplitLoad, []string{"a 0", "b 9 AZ"}, "AZ AZ FL", nil, "b b a"},
		"evenly, never where not licensed": {SplitEven, []string{"a 0 AZ-", "b 9"}, "AZ AZ FL", nil, "b b a"},
		"an unknown split is even":         {"x", []string{"a 0", "b 9"}, "AZ AZ", nil, "a b"},
		"by open leads":                    {SplitLoad, []string{"a 5", "b 2", "c 4"}, "AZ AZ AZ AZ AZ", nil, "b b b c b"},
		"by license":                       {SplitLicense, []string{"a 0 AZ", "b 9 AZ FL"}, "AZ FL AZ FL", nil, "a b a b"},
		"by license, rare states first":    {SplitLicense, []string{"a 0 AZ NH", "b 9 AZ"}, "AZ AZ NH NH", nil, "b b a a"},
		"by license, nobody":               {SplitLicense, []string{"a 0 AZ", "b 9 FL"}, "NH AZ", nil, "- a"},
		"by license, no state known":       {SplitLicense, []string{"a 0 AZ", "b 9 FL"}, "? ?", nil, "a b"},
		"not back to its owner":            {SplitEven, []string{"a 0", "b 9"}, "a:AZ a:AZ AZ", nil, "b b a"},
		"chosen by hand": {SplitEven, []string{"a 0", "b 9"}, "AZ AZ AZ AZ",
			map[int]string{0: "b", 3: "b"}, "b a a b"},
	} {
		if got := c.run(); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestSplit_TwelveLeadsInSevenStates_Balanced: three people with overlapping licenses get four leads each, all with a
// license on file.
func TestSplit_TwelveLeadsInSevenStates_Balanced(t *testing.T) {
	t.Parallel()
	c := splitCase{
		how:    SplitLicense,
		people: []string{"olivia 11 AZ FL GA ID NH NY WA", "uma 6 AZ FL GA ID WA", "grace 19 AZ FL ID WA"},
		states: "NH AZ NY GA WA AZ ID FL FL WA NY GA",
	}
	got := strings.Fields(c.run())
	for _, name := range []string{"olivia", "uma", "grace"} {
		if n := len(slices.DeleteFunc(slices.Clone(got), func(to string) bool { return to != name })); n != 4 {
			t.Errorf("%s gets %d of %v, want 4", name, n, got)
		}
	}
}

// TestSplit_EverybodyCanBeLicensed_Everybody: twelve leads can all go to somebody with a license on file, but not if
// the first ones go to the person with the fewest leads.
func TestSplit_EverybodyCanBeLicensed_Everybody(t *testing.T) {
	t.Parallel()
	for _, how := range Splits() {
		c := splitCase{
			how:    how,
			people: []string{"olivia 11 AZ FL", "uma 0 AZ NH", "grace 2 AZ"},
			states: "AZ AZ AZ AZ AZ AZ NH NH NH NH FL NH",
		}
		licensed := map[string]string{"olivia": "AZ FL", "uma": "AZ NH", "grace": "AZ"}
		got := strings.Fields(c.run())
		for i, state := range strings.Fields(c.states) {
			if !strings.Contains(licensed[got[i]], state) {
				t.Errorf("%s: the lead in %s goes to %s, who has no license on file there: %q", how, state, got[i], got)
			}
		}
	}
}

// TestSplit_NoAccountOrAbsent_Last: between splits that are equally even, fewer leads go to people who would not see
// them.
func TestSplit_NoAccountOrAbsent_Last(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]splitCase{
		"one lead":               {SplitEven, []string{"a 0 !account", "b 0 !absent", "c 9"}, "AZ", nil, "c"},
		"account before absence": {SplitEven, []string{"a 0 !account", "b 9 !absent"}, "AZ", nil, "b"},
		"balance before account": {SplitEven, []string{"a 0 !account", "b 9"}, "AZ AZ AZ", nil, "b a b"},
		"license before account": {SplitEven, []string{"a 0 !account AZ", "b 9"}, "AZ", nil, "a"},
	} {
		if got := c.run(); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestWhyNobody_ManyReasons_EachPersonsOwn: the originator who has the lead is not called unlicensed.
func TestWhyNobody_ManyReasons_EachPersonsOwn(t *testing.T) {
	t.Parallel()
	person := func(id string) splitPerson {
		return splitPerson{Originator: lead.Originator{UUID: heloc.OriginatorID(id), FirstName: id, LastName: "Lee",
			BrokerID: "B1"}}
	}
	for name, c := range map[string]struct {
		how    Split
		people []string
		want   string
	}{
		"the owner and one without a license": {SplitLicense, []string{"Olivia", "Uma"},
			"Olivia Lee already has this lead. Uma Lee has no license on file in the property’s state"},
		"the owner and one who is not licensed": {SplitEven, []string{"Olivia", "Nora"},
			"Olivia Lee already has this lead. Nora Lee isn’t licensed in the property’s state"},
		"the owner and two without a license": {SplitLicense, []string{"Uma", "Olivia", "Nora"},
			"Olivia Lee already has this lead. None of the others has a license on file in the property’s state"},
		"two who are not licensed": {SplitEven, []string{"Nora", "Nina"},
			"None of the originators you chose is licensed in the property’s state"},
		"two without a license, of whom one knows": {SplitLicense, []string{"Uma", "Nora"},
			"None of the originators you chose has a license on file in the property’s state"},
		"only the owner": {SplitEven, []string{"Olivia"}, "This originator already has the lead"},
	} {
		s := splitter{how: c.how, licenses: lead.LicenseTable{"Olivia": {{State: "NY", Allowed: true}},
			"Nora": {{State: "NY"}}, "Nina": {{State: "NY"}}}}
		for _, id := range c.people {
			s.people = append(s.people, person(id))
		}
		if got := s.whyNobody(lead.Row{Originator: "Olivia", Company: "B1", State: "NY"}); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
