package wordtest

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// TestRequiredLiterals_EveryRule_InEveryMatch makes texts that each rule matches.
func TestRequiredLiterals_EveryRule_InEveryMatch(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range retired() {
		tree, err := syntax.Parse(r.pattern.String(), syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		matches := 0
		for range 200 {
			text := match(tree.Simplify(), random)
			if !r.pattern.MatchString(text) {
				continue // a word may begin or end elsewhere
			}
			matches++
			if !containsAny(strings.ToLower(text), r.literals) {
				t.Errorf("%s matches %q, which has none of %q", r.pattern, text, r.literals)
			}
		}
		if matches == 0 {
			t.Errorf("%s: no text was made that it matches", r.pattern)
		}
		if shortest(r.literals) < 2 {
			t.Errorf("%s needs only %q, which most texts have", r.pattern, r.literals)
		}
	}
}

// match returns a random text that a pattern matches, apart from where its words must begin and end.
func match(tree *syntax.Regexp, random *rand.Rand) string {
	switch tree.Op {
	case syntax.OpLiteral:
		return string(tree.Rune)
	case syntax.OpCharClass:
		at := random.IntN(len(tree.Rune)/2) * 2
		return string(tree.Rune[at] + random.Int32N(tree.Rune[at+1]-tree.Rune[at]+1))
	case syntax.OpCapture, syntax.OpPlus:
		return match(tree.Sub[0], random)
	case syntax.OpStar, syntax.OpQuest:
		return strings.Repeat(match(tree.Sub[0], random), random.IntN(2))
	case syntax.OpConcat:
		var all strings.Builder
		for _, part := range tree.Sub {
			all.WriteString(match(part, random))
		}
		return all.String()
	case syntax.OpAlternate:
		return match(tree.Sub[random.IntN(len(tree.Sub))], random)
	case syntax.OpAnyCharNotNL:
		return "x"
	default:
		return ""
	}
}
