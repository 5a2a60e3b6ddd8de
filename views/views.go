// Package views holds the screens: one .templ each, with its view model on
// top, made of the parts of views/ui. A screen is a pure function of its
// model; models are strings, bools and slices, already in the words and
// formats that stand on the page. web fills them in; nothing here asks who is
// looking or reaches for data.
//
// A screen that is live has two components: the page, and the part that is
// fetched again when a lead changes. The page calls the part, so both always
// look the same.
package views

// listSeparator stands between the items of a sentence, a full stop at its end.
func listSeparator(i, of int) string {
	if i == of-1 {
		return "."
	}
	return ", "
}
