package to

import (
	"net/url"
	"strings"
)

// These URLs open the user's own apps. They contain a borrower's data, so only the response that reveals the
// data contains them.

// Tel opens the phone app. Characters that are not part of the number are dropped.
func Tel(phone string) string { return "tel:" + phoneDigits(phone) }

// Sms opens a prefilled text message for the user to send.
func Sms(phone, body string) string {
	return "sms:" + phoneDigits(phone) + "?&body=" + mailEscape(body)
}

// Mailto opens a prefilled email for the user to send.
func Mailto(address, subject, body string) string {
	return "mailto:" + url.PathEscape(address) + "?subject=" + mailEscape(subject) + "&body=" + mailEscape(body)
}

// phoneDigits keeps the digits and a leading plus. A ten-digit number is a US number.
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

// mailEscape writes spaces as %20: mail programs display a plus literally.
func mailEscape(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }
