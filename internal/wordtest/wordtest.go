// Package wordtest finds words on screen that a US loan officer would not use: phrases that the product has retired,
// and British spellings. It reads plain text, so it applies to pages, emails, command-line help, scripts and the string
// literals of the source alike.
//
//	wordtest.go  Find and Check
//	retired.go   the retired phrases, each with what to write instead
//	literals.go  texts without which a pattern matches nothing
//	page.go      the text of an HTML page, with its labels
//
// Only tests import it.
package wordtest

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Finding is a retired phrase in a text.
type Finding struct {
	Phrase  string // as it is in the text
	Instead string
	Around  string // the words before and after it
}

// around is how many bytes before and after a phrase a finding contains.
const around = 40

// identifiers are UUIDs. The second part of one in 65,536 is a retired word.
var identifiers = regexp.MustCompile(`(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// Find returns every retired phrase and British spelling in a text. TextOf separates the pieces of a page, and no
// phrase is in two of them.
func Find(text string) []Finding {
	text = identifiers.ReplaceAllString(text, "#")
	text = strings.Join(strings.Fields(strings.NewReplacer("’", "'", "‘", "'").Replace(text)), " ")
	var found []Finding
	for piece := range strings.SplitSeq(text, separator) {
		known, ok := findings.Load(piece)
		if !ok {
			known, _ = findings.LoadOrStore(piece, findIn(piece))
		}
		found = append(found, known.([]Finding)...)
	}
	return found
}

// findings are those of every piece that was read, because pages share most of theirs: []Finding by the piece.
var findings sync.Map

func findIn(piece string) (found []Finding) {
	lower := strings.ToLower(piece)
	for _, r := range retired() {
		if !containsAny(lower, r.literals) {
			continue
		}
		for _, at := range r.pattern.FindAllStringIndex(piece, -1) {
			near := piece[max(0, at[0]-around):min(len(piece), at[1]+around)]
			if r.unless != nil && r.unless.MatchString(near) {
				continue
			}
			found = append(found, Finding{piece[at[0]:at[1]], r.instead, strings.ToValidUTF8(near, "")})
		}
	}
	return found
}

// Check fails the test for every finding in a text.
func Check(t *testing.T, where, text string) {
	t.Helper()
	for _, f := range Find(text) {
		t.Errorf("%s: “%s” is retired, write “%s”: …%s…", where, f.Phrase, f.Instead, f.Around)
	}
}

// rule is a retired phrase and what to write instead.
type rule struct {
	pattern  *regexp.Regexp
	literals []string // in lowercase: a text without any of them does not match, and this is known much sooner
	instead  string
	unless   *regexp.Regexp // the words around it that allow it; may be nil
}

func newRule(pattern, instead string) rule {
	return rule{pattern: regexp.MustCompile(pattern), literals: requiredLiterals(pattern), instead: instead}
}
