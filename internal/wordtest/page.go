package wordtest

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
)

// separator is between two pieces of a page's text.
const separator = " ¶ "

// TextOf returns what a page shows and what a screen reader says: its text, and the attributes that hold text. A line
// for each piece, so that no phrase is read across two of them.
func TextOf(page *goquery.Selection) string {
	page = page.Clone()
	page.Find("script, style, code, pre").Remove() // not sentences: routes, names, samples of programs
	var pieces []string
	page.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, attribute := range []string{"aria-label", "title", "placeholder", "alt"} {
			if v, ok := s.Attr(attribute); ok {
				pieces = append(pieces, v)
			}
		}
		if s.Children().Length() == 0 || s.Is("p, li, dd, dt, label, button, a, h1, h2, h3, td, th, summary, legend, span") {
			pieces = append(pieces, strings.Join(strings.Fields(s.Text()), " "))
		}
	})
	return strings.Join(pieces, separator)
}
