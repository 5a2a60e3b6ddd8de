package lead

import (
	"slices"
	"strconv"
)

// Scenario is one way to take the line that a user has worked out, with the offers and figures as the user left them.
type Scenario struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Query   string `json:"query"`           // the controls of the offers, as the query of their URL
	SavedAt int64  `json:"savedAt"`         // in milliseconds
	Share   string `json:"share,omitempty"` // the last link that shows it to the borrower
}

// Scenarios are those of one user for one lead. Nobody else sees them.
type Scenarios struct {
	Current string     `json:"current"`
	All     []Scenario `json:"all"`
	// Before is the scenarios before the last change; nil if there is nothing to undo.
	Before *Scenarios `json:"before,omitempty"`
	// Revision counts the changes that can be undone, so that a page undoes only the one that it displays.
	Revision int `json:"revision,omitempty"`
}

// MaxScenarios is how many scenarios a user can keep for a lead, and MaxScenarioName the length of a name in
// characters.
const (
	MaxScenarios    = 10
	MaxScenarioName = 40
)

// ScenariosPart is the part of a lead with the scenarios of one user.
func ScenariosPart(userID string) Part { return "scenarios/" + Part(userID) }

// Find returns a scenario, or the current one for an id that no longer exists; nil without any.
func (s *Scenarios) Find(id string) *Scenario {
	for _, wanted := range []string{id, s.Current} {
		if at := slices.IndexFunc(s.All, func(one Scenario) bool { return one.ID == wanted }); at >= 0 {
			return &s.All[at]
		}
	}
	return nil
}

// Add adds a scenario with the first free number as its name, and makes it the current one.
func (s *Scenarios) Add(one Scenario) *Scenario {
	for n := 1; one.Name == ""; n++ {
		name := "Scenario " + strconv.Itoa(n)
		if !slices.ContainsFunc(s.All, func(other Scenario) bool { return other.Name == name }) {
			one.Name = name
		}
	}
	s.All, s.Current = append(s.All, one), one.ID
	return &s.All[len(s.All)-1]
}

// Duplicate adds a copy of a scenario under another name, and makes it the current one.
func (s *Scenarios) Duplicate(one Scenario, id string, now int64) {
	one.ID, one.SavedAt, one.Share = id, now, ""
	base, name := []rune(one.Name), ""
	for n := 1; name == "" || slices.ContainsFunc(s.All, func(other Scenario) bool { return other.Name == name }); n++ {
		suffix := " copy"
		if n > 1 {
			suffix += " " + strconv.Itoa(n)
		}
		name = string(base[:min(len(base), MaxScenarioName-len(suffix))]) + suffix
	}
	one.Name = name
	s.Add(one)
}

// Remember keeps the scenarios as they are before a change, so that Undo can restore them.
func (s *Scenarios) Remember(before Scenarios) {
	s.Revision = before.Revision + 1
	before.Before = nil
	s.Before = &before
}

// Undo undoes the last change, or the last Undo. Links shared since then are kept.
func (s *Scenarios) Undo() {
	if s.Before == nil {
		return
	}
	now := *s
	*s = *s.Before
	for i, one := range s.All {
		if at := slices.IndexFunc(now.All, func(n Scenario) bool { return n.ID == one.ID }); at >= 0 {
			s.All[i].Share = now.All[at].Share
		}
	}
	s.Remember(now)
}

// Delete removes a scenario. The one before it becomes the current one.
func (s *Scenarios) Delete(id string) {
	at := slices.IndexFunc(s.All, func(one Scenario) bool { return one.ID == id })
	if at < 0 {
		return
	}
	s.All = slices.Delete(s.All, at, at+1)
	if s.Current == id && len(s.All) > 0 {
		s.Current = s.All[max(0, at-1)].ID
	}
}
