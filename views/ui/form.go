package ui

import "strconv"

// errorCountText says how many fields have an error.
func errorCountText(n int) string {
	if n == 1 {
		return "1 field needs attention:"
	}
	return strconv.Itoa(n) + " fields need attention:"
}

// suffix is the text after the link: the error, and the comma before the next one.
func (e ErrorLink) suffix(last bool) string {
	t := ""
	if e.Text != "" {
		t = " (" + e.Text + ")"
	}
	if !last {
		t += ", "
	}
	return t
}
