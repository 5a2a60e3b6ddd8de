package vault

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"hearthline/internal/heloc"
)

// A nameList is a distribution of names. Its terms are those by which a lead is found.
type nameList struct {
	names  []string
	shares []float64
	terms  [][]heloc.Term
}

// readNames reads the 1,500 most frequent first names and 5,000 surnames of the 1990 US census.
func readNames(t *testing.T) (first, last nameList) {
	t.Helper()
	file, err := os.Open("testdata/us_names.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	list := &first
	for lines := bufio.NewScanner(text); lines.Scan(); {
		var name string
		var share float64
		if _, err := fmt.Sscan(lines.Text(), &name, &share); err != nil {
			list = &last // after the empty line
			continue
		}
		list.names, list.shares = append(list.names, name), append(list.shares, share)
		list.terms = append(list.terms, heloc.SearchTerms(heloc.Name{Last: name}, "", "", ""))
	}
	for _, list := range []*nameList{&first, &last} {
		all := 0.0
		for _, share := range list.shares {
			all += share
		}
		for i := range list.shares {
			list.shares[i] /= all
		}
	}
	return first, last
}

// draw returns the index of a random name.
func (l nameList) draw(random *rand.Rand) int {
	x := random.Float64()
	for i, share := range l.shares {
		if x -= share; x < 0 {
			return i
		}
	}
	return 0
}

// TestSearchTokens_FrequencyAttack guesses the names of 10,000 leads from their search tokens alone. The attacker knows
// the program and the exact distribution of names, but not the keys, and is told more than co-occurrence reveals: which
// token comes from a first name, which from a surname, and in which order.
func TestSearchTokens_FrequencyAttack(t *testing.T) {
	if os.Getenv("PORTAL_TEST_WEEKLY") == "" {
		t.Skip("PORTAL_TEST_WEEKLY is not set")
	}
	const keys = 10
	first, last := readNames(t)
	recovered, vain := 0, 0
	for n := range keys { // some keys give the most frequent names different tokens, others do not
		names, decrypted := attack(t, first, last, uint64(n))
		t.Logf("of %d names, %d are recovered; a search for a surname at 20,000 leads decrypts %d names in vain",
			leads, names, decrypted)
		recovered, vain = recovered+names, vain+decrypted
	}
	t.Logf("on average: %d recovered, %d decrypted in vain", recovered/keys, vain/keys)
	if recovered/keys > leads/100 {
		t.Errorf("%d of %d names are recovered, want at most 1 %%", recovered/keys, leads)
	}
}

// leads is how many leads are attacked.
const leads = 10_000

// attack returns how many names it recovers under new keys, and how many names a search decrypts needlessly.
func attack(t *testing.T, first, last nameList, seed uint64) (recovered, vain int) {
	t.Helper()
	v := inMemory(t)
	random := rand.New(rand.NewPCG(1990, seed))
	tokensOf := func(terms []heloc.Term) []int64 {
		tokens := make([]int64, len(terms))
		for i, term := range terms {
			tokens[i] = v.Token("summit", term.Field, term.Text)
		}
		return tokens
	}
	var drawn [2][leads]int         // the names of the leads, by role
	var tokens [2][leads][]int64    // their tokens
	var counts [2]map[int64]int     // how many leads have a token
	var known [2]map[string]float64 // the share of names with a term
	for role, list := range []nameList{first, last} {
		counts[role], known[role] = map[int64]int{}, map[string]float64{}
		for i := range leads {
			drawn[role][i] = list.draw(random)
			tokens[role][i] = tokensOf(list.terms[drawn[role][i]])
			for _, token := range slices.Compact(slices.Sorted(slices.Values(tokens[role][i]))) {
				counts[role][token]++
			}
		}
		for i, terms := range list.terms {
			for _, term := range terms {
				known[role][term.Text] += list.shares[i]
			}
		}
	}
	background := 0.0 // of the other words with a token
	if values := len(counts[0]); values <= 256 {
		background = 1.0 / 256
	}
	// fit is the log likelihood that this many leads have a token of a term.
	fit := func(count int, share float64) float64 {
		share = min(max(share+background, 1e-6), 0.999)
		return float64(count)*math.Log(share) + float64(leads-count)*math.Log1p(-share)
	}
	guess := func(list nameList, seen []int64) (best int) {
		most := math.Inf(-1)
		for i, terms := range list.terms {
			if len(terms) != len(seen) {
				continue
			}
			score := math.Log(list.shares[i])
			for n, term := range terms {
				for role := range counts {
					score += fit(counts[role][seen[n]], known[role][term.Text])
				}
			}
			if score > most {
				best, most = i, score
			}
		}
		return best
	}
	guessed := map[string]int{}
	for i := range leads {
		found := 0
		for role, list := range []nameList{first, last} {
			key := fmt.Sprint(role, tokens[role][i])
			if _, ok := guessed[key]; !ok {
				guessed[key] = guess(list, tokens[role][i])
			}
			if guessed[key] == drawn[role][i] {
				found++
			}
		}
		if found == 2 {
			recovered++
		}
	}
	const searches = 500
	for range searches {
		typed := last.names[last.draw(random)]
		wanted := tokensOf(heloc.QueryTerms(typed))
		for i := range leads {
			if (slices.Contains(tokens[0][i], wanted[0]) || slices.Contains(tokens[1][i], wanted[0])) &&
				!strings.HasPrefix(first.names[drawn[0][i]], typed) && !strings.HasPrefix(last.names[drawn[1][i]], typed) {
				vain++
			}
		}
	}
	return recovered, vain * 20_000 / leads / searches
}
