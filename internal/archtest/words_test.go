package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// retiredInNames lists words that no identifier contains: metaphors of an earlier vocabulary, and
// British spellings.
var retiredInNames = []string{
	"anew", "belongings", "canary", "cancelled", "careful", "careless", "cradle", "crier", "deed", "deeds", "dressed",
	"fares", "floors", "furnished", "grave", "guestbook", "house", "levers", "licence", "licences", "newborn", "newborns",
	"openings", "programme", "pulse", "rooms", "stranger", "strangers", "thereby",
	"trail", "twin", "unproved", "wish", "wishes",
}

// retiredInComments matches words and phrases that no comment uses: the same words, and phrases of translated
// English.
var retiredInComments = regexp.MustCompile(`(?i)\b(?:anew|belongings|cancelled|cradle|crier|deeds?|fares|guestbook|` +
	`hand(?:s|ed|ing)? over|handing[- ]over|hand-overs?|hands? on|handed on|houses?|licences?|log-ins?|newborns?|` +
	`programmes?|rooms?|stands|strangers?|thereby|` +
	`twins?|wish(?:es|ed)?|by itself|of its own|asks nothing of|e-mails?)\b`)

// exempt matches lines that use such a word for a reason: in the interface, in a route or in stored data.
var exempt = regexp.MustCompile(`(?i)/drafts/\{id\}/hand|warehouse|in-house`)

// words splits an identifier at capitals and underscores: ReassignRun becomes reassign, run.
func words(name string) (all []string) {
	start := 0
	runes := []rune(name)
	for i := 1; i <= len(runes); i++ {
		if i == len(runes) || runes[i] == '_' || unicode.IsUpper(runes[i]) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			all = append(all, strings.ToLower(strings.Trim(string(runes[start:i]), "_")))
			start = i
		}
	}
	return all
}

// retiredWords returns where a Go file uses a retired word.
func retiredWords(path string, content []byte) (found []string, err error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, content, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			for _, word := range words(id.Name) {
				// a co-deed is a recorded instrument
				if slices.Contains(retiredInNames, word) && !strings.Contains(strings.ToLower(id.Name), "codeed") {
					found = append(found, set.Position(id.Pos()).String()+": "+id.Name)
				}
			}
		}
		return true
	})
	for _, group := range file.Comments {
		for _, c := range group.List {
			for line := range strings.Lines(c.Text) {
				if word := retiredInComments.FindString(strings.ReplaceAll(line, "co-deed", "")); word != "" &&
					!exempt.MatchString(line) {
					found = append(found, set.Position(c.Pos()).String()+": "+word)
				}
			}
		}
	}
	return found, nil
}

func TestNames_RetiredWords_NotUsed(t *testing.T) {
	forEachSource(t, func(path string, content []byte) {
		if strings.HasSuffix(path, "_templ.go") || strings.HasPrefix(path, "internal/archtest/words") {
			return
		}
		found, err := retiredWords(path, content)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range found {
			t.Errorf("%s is retired", at)
		}
	}, ".go")
}

func TestNames_RetiredWords_Found(t *testing.T) {
	for source, want := range map[string]int{
		"func handDeedOver() {}":                            1,
		"type StateLicence int":                             1,
		"// A deed is never sent twice.\nvar x int":         1,
		"// Leads that are handed over anew.\nvar x int":    1,
		"// The indeed short warehouse.\nvar treehouse int": 0,
		"func licenseOf(r reassignment) {}":                 0,
	} {
		found, err := retiredWords("x.go", []byte("package x\n"+source))
		if err != nil || len(found) != want {
			t.Errorf("%q: got %v, %v, want %d", source, found, err, want)
		}
	}
}
