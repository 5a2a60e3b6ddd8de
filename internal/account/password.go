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

	"golang.org/x/text/unicode/norm"

	"hearthline/internal/fault"
)

// The rules: minimum length, and not among the first guesses of an attacker. There are no composition rules,
// and the portal hashes a password as it is, in the normal form NFC (NIST SP 800-63B): the same characters typed on
// another system are the same password.
const (
	minCharacters = 12
	maxCharacters = 128
	maxBytes      = 12 * maxCharacters // as typed: a character can be typed as three of four bytes
	maxEmail      = 254
)

// minOwnCharacters is how many characters must remain after every common word, sequence and word about the
// user is removed from a password.
const minOwnCharacters = 8

// commonWords lists the words and sequences from which attackers build guesses, one per line, in lower case.
//
//go:embed common.txt
var commonWords string

// packedTopPasswords contains the 4,000 most frequent leaked passwords of at least twelve characters, in
// lower case, sorted: from the lists of SecLists and zxcvbn-ts, both MIT. It is compressed, which halves its
// size and keeps its words out of the source.
//
//go:embed top.txt.gz
var packedTopPasswords []byte

// topPasswords is the decompressed list; it is decompressed when it is first needed.
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

// isLeaked reports whether a password is on the list, as it is or with a few of the characters that users
// append to a word.
func isLeaked(password string) bool {
	lower := strings.ToLower(password)
	for _, text := range []string{lower, strings.TrimRight(lower, "0123456789!?.*#$ ")} {
		if _, found := slices.BinarySearch(topPasswords(), text); found {
			return true
		}
	}
	return false
}

// CheckPassword returns an error for a password that is too short, too long or easy to guess. about contains
// words that an attacker would know: name, email, companies.
func CheckPassword(password string, about ...string) error {
	password = norm.NFC.String(password)
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return passwordError("This password couldn’t be read. Enter it again.")
	case n < minCharacters:
		return passwordError("Use at least 12 characters")
	case n > maxCharacters:
		return passwordError("Use at most 128 characters.")
	}
	folded := foldPassword(password)
	if isLeaked(password) || isRepetition(folded) || ownCharacters(folded, about) < minOwnCharacters {
		return passwordError("This password is easy to guess. Use several unrelated words.")
	}
	return nil
}

func passwordError(message string) error {
	return fault.InvalidFields(fault.Field{Name: "password", Message: message})
}

// foldPassword reverses the usual substitutions that disguise a common word.
func foldPassword(s string) string {
	undo := strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")
	return undo.Replace(strings.ToLower(s))
}

// ownCharacters counts the characters that remain without any guessable word. A password without such a word
// keeps all of its characters.
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

// guessableWords returns the common words and those about the user, folded like the password, longest first:
// "password" is removed before "pass".
func guessableWords(about []string) []string {
	words := strings.Fields(commonWords)
	for _, phrase := range about {
		words = append(words, strings.FieldsFunc(strings.ToLower(phrase), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})...)
	}
	folded := words[:0]
	for _, w := range words {
		if utf8.RuneCountInString(w) >= 3 { // shorter ones occur in too many good passwords
			folded = append(folded, foldPassword(w))
		}
	}
	slices.SortFunc(folded, func(a, b string) int { return len(b) - len(a) })
	return folded
}

// isRepetition reports whether the password is a repetition of one short piece.
func isRepetition(s string) bool {
	for size := 1; size <= 6; size++ {
		if len(s) >= 2*size && strings.Repeat(s[:size], len(s)/size+1)[:len(s)] == s {
			return true
		}
	}
	return false
}
