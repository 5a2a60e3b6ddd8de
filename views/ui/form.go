package ui

import "hearthline/views/text"

// errorCountText says how many fields have an error.
func errorCountText(n int) string {
	return text.Pluralize(n, "field needs attention:", "fields need attention:")
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
