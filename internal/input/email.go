package input

import "strings"

// quotes are the marks that come along when an address is copied from a sentence.
const quotes = "\"'“”„‟«»‹›‘’‚‛`´"

// Email cleans an email address: it also removes "mailto:" with what a link has after the address, and the quotation
// marks and angle brackets around it.
func Email(typed string) Cleaned {
	c := Line(typed)
	c.Text = Plain(c.Text) // also of what may be around the address
	mailto, quoted := "", ""
	for before := ""; before != c.Text; {
		before = c.Text
		if c.Text = strings.TrimSpace(strings.Trim(c.Text, quotes)); c.Text != before {
			quoted = "Removed the quotation marks"
		}
		if strings.HasPrefix(c.Text, "<") && strings.HasSuffix(c.Text, ">") {
			c.Text, quoted = strings.TrimSpace(c.Text[1:max(1, len(c.Text)-1)]), "Removed the angle brackets"
		}
		if begin := len("mailto:"); len(c.Text) >= begin && strings.EqualFold(c.Text[:begin], "mailto:") {
			c.Text, _, _ = strings.Cut(c.Text[begin:], "?")
			c.Text, mailto = strings.TrimSpace(c.Text), "Removed “mailto:”"
		}
	}
	c.Changed = Join(c.Changed, mailto, quoted)
	return c
}
