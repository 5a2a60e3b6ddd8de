package wordtest

import (
	"regexp/syntax"
	"slices"
	"strings"
)

// requiredLiterals returns texts in lowercase, one of which is in the lowercase of everything that a pattern matches
// (except with letters such as ſ, which no page has). It returns the empty text for a pattern that has none.
func requiredLiterals(pattern string) []string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	return literalsOf(tree.Simplify())
}

// none is in every text.
var none = []string{""}

func literalsOf(tree *syntax.Regexp) []string {
	switch tree.Op {
	case syntax.OpLiteral:
		return []string{strings.ToLower(string(tree.Rune))}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(tree.Sub[0])
	case syntax.OpConcat:
		best := none
		for _, part := range tree.Sub {
			if literals := literalsOf(part); shortest(literals) > shortest(best) {
				best = literals
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, one := range tree.Sub {
			all = append(all, literalsOf(one)...)
		}
		return all
	default:
		return none
	}
}

func shortest(literals []string) int {
	n := len(literals[0])
	for _, l := range literals {
		n = min(n, len(l))
	}
	return n
}

func containsAny(text string, literals []string) bool {
	return slices.ContainsFunc(literals, func(l string) bool { return strings.Contains(text, l) })
}
