package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/ui"
	"hearthline/views/words"
)

// Form is a form as it stands: its ticket, what is in its controls and what is
// fieldError with it, all by the names of the controls. Labels, hints and kinds are
// the view's; so a handler hands back what was posted without knowing how it
// is drawn. An SSN is never shown again, whatever Typed holds.
type Form struct {
	OperationID string           // the ticket of a write; hidden
	Values      []SubmittedValue // what stands in the controls; a name may repeat
	FieldErrors []FieldError     // what is wrong, in the order of the page
	FormError   string           // of the form as a whole: the lender's words, or ours
}

// Values is the value of one control.
type SubmittedValue struct {
	Name      string
	Value     string
	Corrected string // what a safe correction sends instead; "" for none
}

// FieldError is a complaint about one control.
type FieldError struct {
	Name  string
	Text  string
	ID    string // of the control, where two forms of the page have its name
	Label string // where it is the page's own
}

// Value is the first value of a control, "" when there is none.
func (f Form) Value(name string) string {
	for i := range f.Values {
		if f.Values[i].Name == name {
			return f.Values[i].Value
		}
	}
	return ""
}

// Has tells whether a control that may repeat holds the value.
func (f Form) Has(name, value string) bool {
	for i := range f.Values {
		if f.Values[i].Name == name && f.Values[i].Value == value {
			return true
		}
	}
	return false
}

// ErrorOf is what is wrong with a control; "" for nothing.
func (f Form) ErrorOf(name string) string { return f.fieldError(name) }

// invalidAttrs marks a control that a view draws itself, and names its complaint.
func (f Form) invalidAttrs(name string) templ.OrderedAttributes {
	if f.fieldError(name) == "" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-invalid", Value: "true"}, {Key: "aria-describedby", Value: name + "-e"}}
}

func (f Form) fieldError(name string) string {
	for _, w := range f.FieldErrors {
		if w.Name == name {
			return w.Text
		}
	}
	return ""
}

// field fills what the form knows into a field that the view describes.
func (f Form) field(of ui.Field) ui.Field {
	if of.Label == "" {
		of.Label = labelOf(of.Name)
	}
	of.Error = f.fieldError(of.Name)
	for i := range f.Values {
		if f.Values[i].Name == of.Name {
			of.Value, of.Corrected = f.Values[i].Value, f.Values[i].Corrected
			break
		}
	}
	return of
}

// selectField is a field of a list: the options of a table in words, the one that
// was chosen selected. A value that the table does not know is kept as one
// more option, so that nothing is lost when the form is sent again.
func (f Form) selectField(of ui.Field, pairs [][2]string) ui.Field {
	of = f.field(of)
	of.Options = ui.Choices(of.Value, pairs...)
	for _, p := range pairs {
		if p[0] == of.Value {
			return of
		}
	}
	if of.Value != "" {
		of.Options = append(of.Options, ui.Option{Value: of.Value, Label: words.Name(of.Value), Selected: true})
	}
	return of
}

// errorLinks are the links on top of the form; prefix stands before the ids of
// a form whose names another form of the page has too.
func (f Form) errorLinks(prefix string) []ui.ErrorLink {
	all := make([]ui.ErrorLink, len(f.FieldErrors))
	for i, w := range f.FieldErrors {
		all[i] = ui.ErrorLink{ID: cmp.Or(w.ID, prefix+w.Name), Label: w.Label}
		if w.Label == "" {
			all[i].Label = labelOf(w.Name)
		}
	}
	return all
}

// rowIndexes are the indexes under a name, by number: "liens" has a row 2 when
// something stands in liens.2.lenderName. Gaps stay gaps.
func (f Form) rowIndexes(group string) []string {
	var numbers []int
	add := func(name string) {
		rest, _ := strings.CutPrefix(name, group+".")
		index, _, ok := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(index); ok && err == nil && len(rest) < len(name) {
			numbers = append(numbers, n)
		}
	}
	for i := range f.Values {
		add(f.Values[i].Name)
	}
	for i := range f.FieldErrors {
		add(f.FieldErrors[i].Name)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = strconv.Itoa(n)
	}
	return out
}
