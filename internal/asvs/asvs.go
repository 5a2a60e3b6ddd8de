// Package asvs is our answer to OWASP ASVS 5.0.0: every requirement of levels 1 and 2 that
// applies to a portal like this, and the chosen ones of level 3, each with the tests that
// show it, the reason that it holds, the operator's duty, a deviation with its reason, or
// what is still open.
//
//	asvs.txt  the table, in our own words; a test holds its tests against the sources
package asvs

import (
	_ "embed"
	"strings"
)

//go:embed asvs.txt
var table string

// Kind says what an answer is.
type Kind string

// The kinds.
const (
	Tested       Kind = "test"      // the named tests show it
	ByDesign     Kind = "why"       // it holds by how the portal is made
	OperatorDuty Kind = "duty"      // the operator's
	Deviation    Kind = "deviation" // it is done otherwise, for the reason noted, within what the named tests hold
	NotMet       Kind = "open"      // it does not hold yet
)

// Requirement is one line of the table.
type Requirement struct {
	Number string // "3.4.3"
	Level  string // "1", "2", "3"
	Text   string
	Kind   Kind
	Answer string // test names with spaces between, or a sentence
	Note   string
}

// Tests are the names of the tests that show it.
func (r Requirement) Tests() []string {
	if r.Kind != Tested && r.Kind != Deviation {
		return nil
	}
	return strings.Fields(r.Answer)
}

// Requirements reads the table. It panics on a line that is none: the table is part of
// the program.
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

// Chapter is the title of a requirement's chapter.
func (r Requirement) Chapter() string {
	number, _, _ := strings.Cut(r.Number, ".")
	return "V" + number + " " + map[string]string{
		"1": "Encoding", "2": "Validation and business logic", "3": "Web frontend", "4": "Web service", "5": "Files", "6": "Authentication",
		"7": "Sessions", "8": "Authorization", "9": "Tokens", "10": "OpenID Connect", "11": "Cryptography", "12": "Communication", "13": "Configuration",
		"14": "Data protection", "15": "Secure coding", "16": "Logging and errors",
	}[number]
}
