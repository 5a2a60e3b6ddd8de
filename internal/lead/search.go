package lead

import (
	"slices"
	"strings"

	"hearthline/internal/heloc"
	"hearthline/internal/input"
)

// NameMatcher returns a function that compares what was typed with a name: each word begins a word of the name or, if
// it is shorter than heloc.MinPrefix, equals one. Names contain no numbers or emails: for those, only the keyed
// token decides.
func NameMatcher(typed string) func(heloc.Name) bool {
	if strings.Contains(typed, "@") {
		return func(heloc.Name) bool { return true }
	}
	asked := slices.DeleteFunc(strings.Fields(heloc.FoldForSearch(typed)), func(t string) bool {
		return strings.Trim(t, "0123456789") == ""
	})
	return func(n heloc.Name) bool {
		if len(asked) == 0 {
			return true
		}
		words := strings.Fields(heloc.FoldForSearch(n.First + " " + n.Middle + " " + n.Last))
		return !slices.ContainsFunc(asked, func(t string) bool {
			return !slices.ContainsFunc(words, func(w string) bool {
				return w == t || len([]rune(t)) >= heloc.MinPrefix && strings.HasPrefix(w, t)
			})
		})
	}
}

// FilterOriginators returns the originators that match what was typed or, if none does, another spelling of it.
func FilterOriginators(all []Originator, typed string) []Originator {
	for _, spelling := range []string{typed, heloc.OtherSpelling(typed)} {
		var originators []Originator
		for _, o := range all {
			if o.Matches(spelling) {
				originators = append(originators, o)
			}
		}
		if len(originators) > 0 || heloc.OtherSpelling(typed) == "" {
			return originators
		}
	}
	return nil
}

// Matches reports whether every word of the query starts a name of the originator, is part of their email
// or starts their NMLS number.
func (o Originator) Matches(typed string) bool {
	names := strings.Fields(heloc.FoldForSearch(o.FirstName + " " + o.MiddleName + " " + o.LastName))
	email := strings.ToLower(o.Email)
next:
	for _, word := range strings.Fields(strings.ToLower(input.Plain(typed))) {
		if strings.Contains(email, word) || strings.HasPrefix(o.NMLS, word) {
			continue
		}
		for _, part := range strings.Fields(heloc.FoldForSearch(word)) {
			for _, name := range names {
				if strings.HasPrefix(name, part) {
					continue next
				}
			}
		}
		return false
	}
	return true
}

// IsNamed reports whether the first typed word starts a name of the originator, or their NMLS number. The originator is
// already known to match.
func (o Originator) IsNamed(typed string) bool {
	words := strings.Fields(heloc.FoldForSearch(typed))
	return len(words) == 0 || slices.ContainsFunc(strings.Fields(heloc.FoldForSearch(o.Name()+" "+o.NMLS)),
		func(name string) bool {
			return strings.HasPrefix(name, words[0])
		})
}
