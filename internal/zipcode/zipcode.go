// Package zipcode finds the city and state of a US ZIP code in an embedded table, without asking
// anybody. LICENSE.md says where the table comes from.
package zipcode

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed" // the table
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Place is the city and the two-letter state that the table gives for a ZIP code. A ZIP code may
// cover other cities too, so it is a suggestion.
type Place struct{ City, State string }

// PlaceOf finds the place of a ZIP code with five or nine digits; false if the table does not have it.
func PlaceOf(zip string) (Place, bool) {
	five, four, hasFour := strings.Cut(zip, "-")
	if len(five) != 5 || hasFour && (len(four) != 4 || !allDigits(four)) || !allDigits(five) {
		return Place{}, false
	}
	code, _ := strconv.Atoi(five)
	t := load()
	at, found := slices.BinarySearch(t.codes, code)
	if !found {
		return Place{}, false
	}
	return t.places[t.placeOf[at]], true
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

//go:embed places.tsv.gz
var compressed []byte

// table has the codes in ascending order, and for each the index of its place.
type table struct {
	codes   []int
	placeOf []int32
	places  []Place
}

// load decompresses the table on first use, in a few hundredths of a second.
var load = sync.OnceValue(func() table {
	t, err := decode(compressed)
	if err != nil {
		panic(err) // the table is part of the program, and a test reads it
	}
	return t
})

// decode reads the table. A line has the distance to the previous code, empty for one, and the city
// and state unless they are the previous ones.
func decode(packed []byte) (table, error) {
	var t table
	text, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return t, fmt.Errorf("the ZIP codes: %w", err)
	}
	code := 0
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		distance, place, named := strings.Cut(lines.Text(), "\t")
		step := 1
		if distance != "" {
			if step, err = strconv.Atoi(distance); err != nil {
				return t, fmt.Errorf("the ZIP codes, after %05d: %w", code, err)
			}
		}
		if named {
			city, state, _ := strings.Cut(place, "\t")
			t.places = append(t.places, Place{strings.Clone(city), strings.Clone(state)})
		}
		code += step
		t.codes, t.placeOf = append(t.codes, code), append(t.placeOf, int32(len(t.places)-1))
	}
	return t, lines.Err()
}
