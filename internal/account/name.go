package account

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"hearthline/internal/mail"
)

// maxName bounds a person's name, in characters. It greets them in mails, which go out in
// the portal's own name: a name is no place for a message of somebody else's.
const maxName = 100

// linkLike finds what a mail program makes a link of: a word with a dot between two letters
// of it, or any sign that stands in addresses and in nobody's name.
var linkLike = regexp.MustCompile(`[/\\:@<>]|\pL\.\pL{2}`)

func isSpace(r rune) bool { return r == ' ' }

// nameProblem says what keeps a text from being a person's name; empty for nothing.
func nameProblem(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "Give the person's name."
	case utf8.RuneCountInString(name) > maxName:
		return "Use at most 100 characters."
	case !utf8.ValidString(name) || mail.OneLine(name) != strings.Join(strings.FieldsFunc(name, isSpace), " ") || linkLike.MatchString(name):
		return "Write the name alone, in one line: no addresses, and a space after a full stop."
	default:
		return ""
	}
}
