package to

import (
	"net/url"
	"strings"
)

// The addresses of the person's own apps. What is put into them is a borrower's, so they
// stand on the one answer that shows it and nowhere else.

// Tel opens the telephone. Whatever is no digit of the number is left out.
func Tel(phone string) string { return "tel:" + phoneDigits(phone) }

// Sms opens a text message with its words in it, for the person to send.
func Sms(phone, body string) string {
	return "sms:" + phoneDigits(phone) + "?&body=" + mailEscape(body)
}

// Mailto opens an e-mail with subject and words in it, for the person to send.
func Mailto(address, subject, body string) string {
	return "mailto:" + url.PathEscape(address) + "?subject=" + mailEscape(subject) + "&body=" + mailEscape(body)
}

// phoneDigits keeps digits and a plus in front. A number of ten digits is of this country.
func phoneDigits(phone string) string {
	var b strings.Builder
	for _, r := range phone {
		if r >= '0' && r <= '9' || r == '+' && b.Len() == 0 {
			b.WriteRune(r)
		}
	}
	if s := b.String(); len(s) == 10 {
		return "+1" + s
	}
	return b.String()
}

// mailEscape writes blanks as %20: mail programs show a plus as it stands.
func mailEscape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
