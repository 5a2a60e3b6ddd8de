package heloc

import (
	"slices"
	"strings"
	"testing"
)

func TestSearchTerms_MatchTypedQueries(t *testing.T) {
	terms := SearchTerms(Name{First: "Ruth Ann", Last: "Núñez-O’Hara"}, "(303) 555-0147", "Ruth@Example.com",
		"2216 Larkspur Ave")
	for _, typed := range []string{"ruth", "nunez", "o'hara", "Núñez", "0147", "2216", "3035550147", "+1 303 555 0147",
		"ruth@example.com", "ruth ohara"} {
		for _, want := range QueryTerms(typed) {
			if !slices.Contains(terms, want) {
				t.Errorf("%q: QueryTerms returned %v, which SearchTerms lacks", typed, want)
			}
		}
	}
}

func TestOtherSpelling(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"o neil smith": "oneil smith", "O’ Neil": "oneil", "Mc Donald": "mcdonald",
		"Saint John": "st john", "St. John": "saint john", "Saint": "st",
		"O'Neil-Smith": "", "rivera o": "", "2216 larkspur": "", "4 rivera": "", "o@neil.test": "", "": "",
	} {
		if got := OtherSpelling(typed); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}

func TestQueryTerms_Bounded(t *testing.T) {
	if got := len(QueryTerms(strings.Repeat("ab cd ef gh ij kl mn op ", 5000))); got > maxQueryTerms {
		t.Errorf("got %d terms", got)
	}
	if got := QueryTerms("ann ann ann"); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}
