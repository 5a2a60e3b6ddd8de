package ui

import (
	"github.com/a-h/templ"

	"hearthline/views/text"
)

// Links adds the link to the first page, unless after is empty because this is it, and to the next page if there is
// one. The URL of a page is that of what it follows.
func (p *PagerView) Links(after, next string, url func(after string) string) {
	if after != "" {
		p.First = url("")
	}
	if next != "" {
		p.Next = url(next)
	}
}

// FactOrDash is one fact; an empty value becomes a dash.
func FactOrDash(label, value string) Fact { return Fact{Label: label, Value: text.OrDash(value)} }

// FactsOrDash pairs labels with values, in order; an empty value becomes a dash.
func FactsOrDash(pairs ...string) []Fact {
	out := make([]Fact, 0, len(pairs)/2)
	for i := 0; i+1 < len(pairs); i += 2 {
		out = append(out, FactOrDash(pairs[i], pairs[i+1]))
	}
	return out
}

// KnownFacts is FactsOrDash without those whose value is empty.
func KnownFacts(pairs ...string) []Fact {
	var known []Fact
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			known = append(known, Fact{Label: pairs[i], Value: pairs[i+1]})
		}
	}
	return known
}

// ListSeparator returns the separator after an item of a sentence; after the last item, a period.
func ListSeparator(i, of int) string {
	if i == of-1 {
		return "."
	}
	return ", "
}

// CopyAttrs makes a button copy the text; it is hidden without JavaScript.
func CopyAttrs(words string) templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "data-copy", Value: words}, {Key: "data-needs-script", Value: true},
		{Key: "hidden", Value: true}}
}
