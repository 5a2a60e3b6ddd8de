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
// wrong with it, all by the names of the controls. Labels, hints and kinds are
// the view's; so a handler hands back what was posted without knowing how it
// is drawn. An SSN is never shown again, whatever Typed holds.
type Form struct {
	Operation string  // the ticket of a write; hidden
	Typed     []Typed // what stands in the controls; a name may repeat
	Wrong     []Wrong // what is wrong, in the order of the page
	Refused   string  // of the form as a whole: the lender's words, or ours
}

// Typed is the value of one control.
type Typed struct {
	Name  string
	Value string
	Sent  string // what a safe correction sends instead; "" for none
}

// Wrong is a complaint about one control.
type Wrong struct {
	Name  string
	Text  string
	ID    string // of the control, where two forms of the page have its name
	Label string // where it is the page's own
}

// Value is the first value of a control, "" when there is none.
func (f Form) Value(name string) string {
	for i := range f.Typed {
		if f.Typed[i].Name == name {
			return f.Typed[i].Value
		}
	}
	return ""
}

// Has tells whether a control that may repeat holds the value.
func (f Form) Has(name, value string) bool {
	for i := range f.Typed {
		if f.Typed[i].Name == name && f.Typed[i].Value == value {
			return true
		}
	}
	return false
}

// Of is what is wrong with a control; "" for nothing.
func (f Form) Of(name string) string { return f.wrong(name) }

// invalid marks a control that a view draws itself, and names its complaint.
func (f Form) invalid(name string) templ.OrderedAttributes {
	if f.wrong(name) == "" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-invalid", Value: "true"}, {Key: "aria-describedby", Value: name + "-e"}}
}

func (f Form) wrong(name string) string {
	for _, w := range f.Wrong {
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
	of.Error = f.wrong(of.Name)
	for i := range f.Typed {
		if f.Typed[i].Name == of.Name {
			of.Value, of.Sent = f.Typed[i].Value, f.Typed[i].Sent
			break
		}
	}
	return of
}

// choice is a field of a list: the options of a table in words, the one that
// was chosen selected. A value that the table does not know is kept as one
// more option, so that nothing is lost when the form is sent again.
func (f Form) choice(of ui.Field, pairs [][2]string) ui.Field {
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

// complaints are the links on top of the form; prefix stands before the ids of
// a form whose names another form of the page has too.
func (f Form) complaints(prefix string) []ui.Complaint {
	all := make([]ui.Complaint, len(f.Wrong))
	for i, w := range f.Wrong {
		all[i] = ui.Complaint{ID: cmp.Or(w.ID, prefix+w.Name), Label: w.Label}
		if w.Label == "" {
			all[i].Label = labelOf(w.Name)
		}
	}
	return all
}

// rows are the indexes under a name, by number: "liens" has a row 2 when
// something stands in liens.2.lenderName. Gaps stay gaps.
func (f Form) rows(group string) []string {
	var numbers []int
	add := func(name string) {
		rest, _ := strings.CutPrefix(name, group+".")
		index, _, ok := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(index); ok && err == nil && len(rest) < len(name) {
			numbers = append(numbers, n)
		}
	}
	for i := range f.Typed {
		add(f.Typed[i].Name)
	}
	for i := range f.Wrong {
		add(f.Wrong[i].Name)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	out := make([]string, len(numbers))
	for i, n := range numbers {
		out[i] = strconv.Itoa(n)
	}
	return out
}
