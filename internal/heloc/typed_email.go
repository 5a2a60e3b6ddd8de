package heloc

import (
	"regexp"
	"strings"
	"unicode"

	"hearthline/internal/input"
)

// emailPattern is an address without quoted parts. The lender does not publish a pattern for it.
var emailPattern = regexp.MustCompile(`^` + emailLocal + `(?:\.` + emailLocal + `)*@` + emailLabel + `(?:\.` +
	emailLabel + `)+$`)

const (
	emailLocal = "[\\pL\\pM\\pN!#$%&'*+/=?^_{|}~-]+"
	emailLabel = `[\pL\pN](?:[\pL\pM\pN-]*[\pL\pM\pN])?`
)

// NormalizeEmail cleans an email address and lower-cases its host.
func NormalizeEmail(typed string) Normalized {
	c := input.Email(typed)
	n := Normalized{Sent: c.Text, Changed: c.Changed, Problem: c.Refused}
	if at := strings.LastIndexByte(n.Sent, '@'); at >= 0 {
		n.Sent = n.Sent[:at] + strings.ToLower(n.Sent[at:])
	}
	n.OK = n.Problem == "" && len(n.Sent) <= 254 && emailPattern.MatchString(n.Sent)
	if !n.OK && n.Problem == "" {
		n.Problem = emailProblem(n.Sent)
	}
	return n
}

// emailProblem names what is wrong in an address; "" if it is not a character.
func emailProblem(address string) string {
	local, _, _ := strings.Cut(address, "@")
	problem := input.Unusable(address, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.M, unicode.N) || strings.ContainsRune("!#$%&'*+/=?^_{|}~-.@", r)
	})
	switch {
	case problem != "":
		return problem
	case strings.Count(address, "@") > 1:
		return "Use “@” only once"
	case strings.Contains(address, ".."):
		return "An email can’t have two periods in a row"
	case strings.HasPrefix(local, ".") || strings.HasSuffix(local, "."):
		return "An email can’t begin with a period or have one next to “@”"
	case strings.HasSuffix(address, "."):
		return "Remove the period at the end"
	default:
		return ""
	}
}
