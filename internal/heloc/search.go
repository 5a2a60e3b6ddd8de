package heloc

import (
	"slices"
	"strings"

	"hearthline/internal/input"
)

// Term is one search term of a lead: a field and a normalized text.
type Term struct {
	Field string
	Text  string
}

// The fields of a term.
const (
	// TermName is the beginning of a word of the name. Many names share a term, which is intended: the token of a whole
	// name would reveal the name by its frequency.
	TermName  = "name"
	termWord  = "word" // a number
	termPhone = "phone"
	termEmail = "email"
)

// MinPrefix is how many letters of a word of the name make its term, and the fewest that can find a longer word.
const MinPrefix = 3

// A search is a few words; more add nothing, and each costs an index lookup.
const (
	maxQueryLen   = 100 // characters
	maxQueryTerms = 6
)

// SearchTerms lists the terms by which a lead can be found: the beginning of each word of the name, the phone number
// and its last four digits, the email, and the street number.
func SearchTerms(n Name, phone, email, street string) []Term {
	var terms []Term
	for _, word := range strings.Fields(FoldForSearch(n.First + " " + n.Middle + " " + n.Last)) {
		terms = append(terms, wordTerm(word))
	}
	if d := NormalizePhone(phone); d.OK {
		terms = append(terms, Term{termPhone, d.Sent}, Term{termWord, d.Sent[6:]})
	}
	if e := strings.ToLower(input.Email(email).Text); e != "" {
		terms = append(terms, Term{termEmail, e})
	}
	if number, _, _ := strings.Cut(strings.TrimSpace(street), " "); digitsOf(number) == number && number != "" {
		terms = append(terms, Term{termWord, number})
	}
	return terms
}

// wordTerm returns the term of a word that is stored or typed.
func wordTerm(word string) Term {
	if digitsOf(word) == word {
		return Term{termWord, word}
	}
	letters := []rune(word)
	return Term{TermName, string(letters[:min(MinPrefix, len(letters))])}
}

// OtherSpelling returns another way to write the typed name, in the form of FoldForSearch: "o neil" for "O'Neil" is
// "oneil", "saint john" is "st john" and the reverse. It returns "" if there is none.
func OtherSpelling(typed string) string {
	if strings.Contains(typed, "@") {
		return ""
	}
	words := strings.Fields(FoldForSearch(typed))
	var other []string
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "saint":
			other = append(other, "st")
		case word == "st":
			other = append(other, "saint")
		case i+1 < len(words) && strings.Contains(" o d l mc ", " "+word+" "):
			i++
			other = append(other, word+words[i])
		default:
			other = append(other, word)
		}
	}
	if slices.Equal(other, words) {
		return ""
	}
	return strings.Join(other, " ")
}

// QueryTerms converts a typed query into terms, all of which a lead must have. The name of a lead that has them may
// still differ from what was typed.
func QueryTerms(typed string) []Term {
	typed = input.Line(typed).Text
	if runes := []rune(typed); len(runes) > maxQueryLen {
		typed = string(runes[:maxQueryLen])
	}
	if strings.Contains(typed, "@") {
		return []Term{{termEmail, strings.ToLower(input.Email(typed).Text)}}
	}
	if d := NormalizePhone(typed); d.OK {
		return []Term{{termPhone, d.Sent}}
	}
	var terms []Term
	for _, word := range strings.Fields(FoldForSearch(typed)) {
		t := wordTerm(word)
		if len(terms) < maxQueryTerms && !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	return terms
}
