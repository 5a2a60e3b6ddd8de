package text

import (
	"strings"
	"testing"

	"hearthline/internal/wordtest"
)

func TestGlossary_EachConceptOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, term := range Glossary() {
		for _, name := range []string{strings.ToLower(term.Name), strings.ToLower(term.Spanish)} {
			if name != "" && seen[name] {
				t.Errorf("%q is in the glossary twice", name)
			}
			seen[name] = true
		}
		wordtest.Check(t, term.Name, term.Name+" ¶ "+term.Spanish+" ¶ "+term.Meaning)
	}
}

// TestGlossary_StatusesUseItsWords checks that the chips of ended leads are the terms, which mean four different
// things.
func TestGlossary_StatusesUseItsWords(t *testing.T) {
	t.Parallel()
	for key, term := range map[string]Term{"cancelled": TermCanceled, "withdrawn": TermWithdrawn, "declined": TermDeclined,
		"expired": TermExpired, "no-offers": TermNoOffers} {
		if got := StatusOf(key, "").Chip; got != term.Name {
			t.Errorf("%s: got %q, want %q", key, got, term.Name)
		}
	}
}
