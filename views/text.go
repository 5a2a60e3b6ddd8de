package views

import (
	"github.com/a-h/templ"

	"hearthline/views/ui"
	"hearthline/views/words"
)

// fact is one fact; an empty value becomes a dash.
func fact(label, value string) ui.Fact { return ui.Fact{Label: label, Value: words.OrDash(value)} }

// listSeparator returns the separator after an item of a sentence; after the last item, a period.
func listSeparator(i, of int) string {
	if i == of-1 {
		return "."
	}
	return ", "
}

func copyAttrs(text string) templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "data-copy", Value: text}, {Key: "data-needs-script", Value: true}, {Key: "hidden", Value: true}}
}
