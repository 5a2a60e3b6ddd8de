package ui

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"hearthline/views/words"
)

// Text is a text of a page. Templates write { text }, which formats each value as if it might be a number. Where a page has
// hundreds of texts, in the rows of lists and tables and the options of filters, they use @Text.
type Text string

// Render writes the text, escaped for HTML.
func (t Text) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, templ.EscapeString(t))
	return err
}

// FactOrDash is one fact; an empty value becomes a dash.
func FactOrDash(label, value string) Fact { return Fact{Label: label, Value: words.OrDash(value)} }

// ListSeparator returns the separator after an item of a sentence; after the last item, a period.
func ListSeparator(i, of int) string {
	if i == of-1 {
		return "."
	}
	return ", "
}

// CopyAttrs makes a button copy the text; it is hidden without JavaScript.
func CopyAttrs(text string) templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "data-copy", Value: text}, {Key: "data-needs-script", Value: true}, {Key: "hidden", Value: true}}
}
