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
	termWord  = "word"
	termPhone = "phone"
	termEmail = "email"
)

// Words can be found by prefixes from three letters on; eight are specific enough.
const (
	minPrefixLen = 3
	maxPrefixLen = 8
)

// A search is a few words; more add nothing, and each costs an index lookup.
const (
	maxQueryLen   = 100 // characters
	maxQueryTerms = 6
)

// SearchTerms lists the terms by which a lead can be found: prefixes of each word of the name,
// the phone number and its last four digits, the email, and the street number.
func SearchTerms(n Name, phone, email, street string) []Term {
	words := strings.Fields(FoldForSearch(n.First + " " + n.Middle + " " + n.Last))
	var terms []Term
	for _, word := range words {
		letters := []rune(word)
		if len(letters) < minPrefixLen {
			terms = append(terms, Term{termWord, word})
		}
		for n := minPrefixLen; n <= min(maxPrefixLen, len(letters)); n++ {
			terms = append(terms, Term{termWord, string(letters[:n])})
		}
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

// QueryTerms converts a typed query into the terms that a lead must all have.
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
		letters := []rune(word)
		t := Term{termWord, string(letters[:min(maxPrefixLen, len(letters))])}
		if len(terms) < maxQueryTerms && !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	return terms
}
