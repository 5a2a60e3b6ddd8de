package account

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"hearthline/internal/mail"
)

// maxName bounds a user's name, in characters. Emails from the portal contain the name in their greeting, so
// it must be too short for a message from somebody else.
const maxName = 100

// linkLike finds what a mail program would turn into a link: a dot between letters, or characters that appear
// in addresses but not in names.
var linkLike = regexp.MustCompile(`[/\\:@<>]|\pL\.\pL{2}`)

func isSpace(r rune) bool { return r == ' ' }

// nameProblem returns why a text cannot be a user's name; empty when it can.
func nameProblem(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "Enter the person’s name"
	case utf8.RuneCountInString(name) > maxName:
		return "Use at most 100 characters"
	case !utf8.ValidString(name) || mail.OneLine(name) != strings.Join(strings.FieldsFunc(name, isSpace), " ") ||
		linkLike.MatchString(name):
		return "Enter only the name, on one line, without web addresses. Put a space after a period"
	default:
		return ""
	}
}
