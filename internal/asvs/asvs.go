// Package asvs is our answer to OWASP ASVS 5.0.0. It covers every requirement of levels 1 and 2 that applies to such
// a portal, and selected ones of level 3. Each has the tests that verify it, the reason why it is met, the operator's
// duty, a deviation with its reason, or what is still missing.
//
//	asvs.txt     the table, in our own words; a test checks that the tests that it names exist
//	mutants/     for each control that such tests verify, a patch that removes it
//	mutate/      the command that applies the mutants and expects the tests to fail
//	results.txt  what the command found; a test checks that neither mutants nor tests have changed since
package asvs

import (
	_ "embed"
	"iter"
	"strings"
)

//go:embed asvs.txt
var table string

//go:embed results.txt
var results string

// Kind is the kind of an answer.
type Kind string

// The kinds.
const (
	Tested       Kind = "test"      // the named tests verify it
	ByDesign     Kind = "why"       // the design ensures it
	OperatorDuty Kind = "duty"      // the operator ensures it
	Deviation    Kind = "deviation" // met in another way, for the reason given, within what the named tests verify
	NotMet       Kind = "open"      // not met yet
)

// Requirement is one line of the table.
type Requirement struct {
	Number string // "3.4.3"
	Level  string // "1", "2" or "3"
	Text   string
	Kind   Kind
	Answer string // test names separated by spaces, or a sentence
	Note   string
}

// Tests returns the names of the tests that verify the requirement.
func (r Requirement) Tests() []string {
	if r.Kind != Tested && r.Kind != Deviation {
		return nil
	}
	return strings.Fields(r.Answer)
}

// Requirements reads the table. It panics on a malformed line, because the table is part of the program.
func Requirements() []Requirement {
	var all []Requirement
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "|")
		if len(f) < 5 || len(f) > 6 {
			panic("asvs: not a requirement: " + line)
		}
		r := Requirement{Number: f[0], Level: f[1], Text: f[2], Kind: Kind(f[3]), Answer: f[4]}
		if len(f) == 6 {
			r.Note = f[5]
		}
		all = append(all, r)
	}
	return all
}

// Chapter returns the title of a requirement's chapter.
func (r Requirement) Chapter() string {
	number, _, _ := strings.Cut(r.Number, ".")
	return "V" + number + " " + map[string]string{
		"1": "Encoding", "2": "Validation and business logic", "3": "Web frontend", "4": "Web service", "5": "Files",
		"6": "Authentication", "7": "Sessions", "8": "Authorization", "9": "Tokens", "10": "OpenID Connect",
		"11": "Cryptography", "12": "Communication", "13": "Configuration",
		"14": "Data protection", "15": "Secure coding", "16": "Logging and errors",
	}[number]
}

// Result is what removing one control showed.
type Result struct {
	Rows   []string // the numbers of the requirements that rely on the control
	Date   string   // day when the named tests failed without it; "" if they did not
	Digest string   // of the mutant and its tests at that time
}

// Results returns the results embedded in the program, by mutant name.
func Results() map[string]Result { return ParseResults(results) }

// ParseResults reads the text of results.txt.
func ParseResults(text string) map[string]Result {
	all := map[string]Result{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "|")
		all[f[0]] = Result{strings.Fields(f[1]), f[2], f[3]}
	}
	return all
}

// Proofs returns the requirements whose tests failed without each of their controls, with the day of the oldest proof.
func Proofs(results iter.Seq[Result]) map[string]string {
	days := map[string]string{}
	for r := range results {
		for _, number := range r.Rows {
			if day, ok := days[number]; !ok || r.Date < day { // "" sorts before every day
				days[number] = r.Date
			}
		}
	}
	return days
}
