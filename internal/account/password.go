package account

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"hearthline/internal/fault"
)

// The rules: length, and not among what guessers try first. There are no rules of
// composition, and a password is never changed before it is hashed.
const (
	minCharacters = 12
	maxCharacters = 128
	maxBytes      = 4 * maxCharacters
	maxEmail      = 254
)

// minOwnCharacters is how many characters must remain when every common word, sequence
// and word about the person is taken out of a password.
const minOwnCharacters = 8

// commonWords lists the words and sequences that guessers build passwords from, one
// to a line, in lower case.
//
//go:embed common.txt
var commonWords string

// packedTopPasswords is the 4,000 passwords of twelve characters and more that occur most in what
// was stolen elsewhere, in lower case, sorted: from the lists of SecLists and zxcvbn-ts,
// both MIT. Packed, it weighs half and spares readers its words.
//
//go:embed top.txt.gz
var packedTopPasswords []byte

// topPasswords is the list, unpacked when the first password is chosen.
var topPasswords = sync.OnceValue(func() []string {
	r, err := gzip.NewReader(bytes.NewReader(packedTopPasswords))
	if err != nil {
		panic(err) // embedded at build time
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
})

// isLeaked says whether a password is among them, as it is or with a few characters that
// people put behind a word.
func isLeaked(password string) bool {
	lower := strings.ToLower(password)
	for _, text := range []string{lower, strings.TrimRight(lower, "0123456789!?.*#$ ")} {
		if _, found := slices.BinarySearch(topPasswords(), text); found {
			return true
		}
	}
	return false
}

// CheckPassword refuses a password that is too short, too long or easily
// guessed. about holds words a guesser would know: name, e-mail, companies.
func CheckPassword(password string, about ...string) error {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return passwordError("This password cannot be read. Type it once more.")
	case n < minCharacters:
		return passwordError("Use at least 12 characters. A few unrelated words make a good password.")
	case n > maxCharacters:
		return passwordError("Use at most 128 characters.")
	}
	folded := foldPassword(password)
	if isLeaked(password) || isRepetition(folded) || ownCharacters(folded, about) < minOwnCharacters {
		return passwordError("This password is among the first that are guessed. Use a few unrelated words.")
	}
	return nil
}

func passwordError(message string) error {
	return fault.InvalidFields(fault.Field{Name: "password", Message: message})
}

// foldPassword undoes what people do to a common word to make it look like another.
func foldPassword(s string) string {
	undo := strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")
	return undo.Replace(strings.ToLower(s))
}

// ownCharacters counts the characters that remain without any guessable word. A password
// that holds no such word keeps all of them.
func ownCharacters(folded string, about []string) int {
	rest := folded
	for _, word := range guessableWords(about) {
		rest = strings.ReplaceAll(rest, word, " ")
	}
	n := 0
	for _, r := range rest {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// guessableWords returns the common words and those about the person, folded as the
// password is, the longest first: "password" goes before "pass".
func guessableWords(about []string) []string {
	words := strings.Fields(commonWords)
	for _, phrase := range about {
		words = append(words, strings.FieldsFunc(strings.ToLower(phrase), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})...)
	}
	folded := words[:0]
	for _, w := range words {
		if utf8.RuneCountInString(w) >= 3 { // shorter ones stand in too many good passwords
			folded = append(folded, foldPassword(w))
		}
	}
	slices.SortFunc(folded, func(a, b string) int { return len(b) - len(a) })
	return folded
}

// isRepetition says whether the password is one short piece over and over.
func isRepetition(s string) bool {
	for size := 1; size <= 6; size++ {
		if len(s) >= 2*size && strings.Repeat(s[:size], len(s)/size+1)[:len(s)] == s {
			return true
		}
	}
	return false
}
