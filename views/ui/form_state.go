package ui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"hearthline/views/text"
)

// Form is the state of a form: its operation id, the values of its controls and their errors, by control
// name. The view decides labels, hints and types, so a handler redisplays a form without knowing its layout.
// An SSN is never displayed again, whatever Values contains.
type Form struct {
	OperationID string           // operation id of a write; hidden
	Values      []SubmittedValue // values of the controls; a name may repeat
	FieldErrors []FieldError     // errors, in page order
	FormError   string           // error of the whole form: the lender's message, or ours
	ErrorTitle  string           // what FormError means, "Not accepted."; "" is NotSent
	Blocked     bool             // an earlier request may have arrived, so this one cannot be sent yet
	RepeatRisk  string           // what sending may repeat, which the user must confirm; "" if nothing
	FocusOn     string           // control that has the focus when the page opens; "" is the first with an error
}

// NotSent is the title above the error of a form of which the lender received nothing.
const NotSent = "Not sent."

// SubmittedValue is the value of one control.
type SubmittedValue struct {
	Name      string
	Value     string
	Corrected string // the corrected value that is sent instead; "" for none
	Changed   string // what was removed or changed in the text: "Removed an invisible character"
}

// FieldError is an error of one control.
type FieldError struct {
	Name  string
	Text  string
	ID    string // id of the control, if two forms of the page use its name
	Label string // the label, if the page has its own
}

// Value returns the first value of a control, or "".
func (f Form) Value(name string) string {
	for i := range f.Values {
		if f.Values[i].Name == name {
			return f.Values[i].Value
		}
	}
	return ""
}

// Has reports whether a control that may repeat has the value.
func (f Form) Has(name, value string) bool {
	return slices.ContainsFunc(f.Values, func(v SubmittedValue) bool { return v.Name == name && v.Value == value })
}

// ErrorOf returns the error of a control, or "".
func (f Form) ErrorOf(name string) string {
	for _, w := range f.FieldErrors {
		if w.Name == name {
			return w.Text
		}
	}
	return ""
}

// InvalidAttrs marks a control that a view renders itself as invalid, and refers to its error.
func (f Form) InvalidAttrs(name string) templ.OrderedAttributes {
	if f.ErrorOf(name) == "" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-invalid", Value: "true"}, {Key: "aria-describedby", Value: name + "-e"}}
}

// InvalidGroupAttrs make an element around several controls of one name a group that the error summary can
// link to. Without an error there are none.
func (f Form) InvalidGroupAttrs(name string) templ.OrderedAttributes {
	attrs := f.InvalidAttrs(name)
	if attrs == nil {
		return nil
	}
	return append(templ.OrderedAttributes{
		{Key: "id", Value: name}, {Key: "role", Value: "group"}, {Key: "aria-label", Value: LabelOf(name)},
		{Key: "tabindex", Value: "-1"},
	}, attrs...)
}

// Field adds the form's value and error to a field that the view describes.
func (f Form) Field(of Field) Field {
	of.Label = cmp.Or(of.Label, LabelOf(of.Name))
	of.Error, of.Autofocus = f.ErrorOf(of.Name), of.Name != "" && of.Name == f.focusOn()
	for i := range f.Values {
		if f.Values[i].Name == of.Name {
			of.Value, of.Corrected, of.Changed = f.Values[i].Value, f.Values[i].Corrected, f.Values[i].Changed
			break
		}
	}
	return of
}

// focusOn is the control that has the focus when the page opens: the one that the page names, or the first with an
// error.
func (f Form) focusOn() string {
	if f.FocusOn == "" && len(f.FieldErrors) > 0 {
		return f.FieldErrors[0].Name
	}
	return f.FocusOn
}

// SelectField is a select field: the options of a table with the chosen one selected. A value that is not in
// the table is added as an option, so that it is not lost when the form is sent again.
func (f Form) SelectField(of Field, pairs [][2]string) Field {
	of = f.Field(of)
	of.Options = Choices(of.Value, pairs...)
	for _, p := range pairs {
		if p[0] == of.Value {
			return of
		}
	}
	if of.Value != "" {
		of.Options = append(of.Options, Option{Value: of.Value, Label: text.Name(of.Value), Selected: true})
	}
	return of
}

// Labeled returns the form with a control named in the error summary as this page labels it, where another page has
// another label for the same name.
func (f Form) Labeled(name, label string) Form {
	f.FieldErrors = slices.Clone(f.FieldErrors)
	for i := range f.FieldErrors {
		if f.FieldErrors[i].Name == name {
			f.FieldErrors[i].Label = label
		}
	}
	return f
}

// ErrorLinks returns the links of the error summary; prefix is added to the ids of a form if another form of
// the page uses the same names.
func (f Form) ErrorLinks(prefix string) []ErrorLink {
	all := make([]ErrorLink, len(f.FieldErrors))
	for i, w := range f.FieldErrors {
		all[i] = ErrorLink{ID: cmp.Or(w.ID, prefix+w.Name), Label: w.Label}
		if w.Label == "" {
			all[i].Label = LabelOf(w.Name)
		}
	}
	return all
}

// RowIndexes returns the indexes of a group in numeric order: "liens" has a row 2 if liens.2.lenderName has a
// value. Gaps remain.
func (f Form) RowIndexes(group string) []string {
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

// IsUserInput reports whether a control holds user input, as opposed to a value that the page itself added.
func (s SubmittedValue) IsUserInput() bool {
	return s.Value != "" && s.Name != "operation" && s.Name != "draft" && !strings.HasSuffix(s.Name, "version") &&
		!strings.HasSuffix(s.Name, "Uuid")
}

// HasErrors reports whether there are errors to display above the grid.
func (f Form) HasErrors() bool { return f.FormError != "" || len(f.FieldErrors) > 0 }

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

// Checked is the value with which Check is rendered checked or not.
func Checked(on bool) string {
	if on {
		return "true"
	}
	return ""
}
