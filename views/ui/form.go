package ui

import "strconv"

// errorCountText says how many fields have an error.
func errorCountText(n int) string {
	if n == 1 {
		return "1 field needs attention:"
	}
	return strconv.Itoa(n) + " fields need attention:"
}

// Ordinal is "1st", "2nd" for the number of a row, counted from one.
func Ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

// suffix is the text after the link: the error, and the comma before the next one.
func (c ErrorLink) suffix(last bool) string {
	t := ""
	if c.Text != "" {
		t = " (" + c.Text + ")"
	}
	if !last {
		t += ", "
	}
	return t
}
