package ui

import (
	"slices"

	"github.com/a-h/templ"
)

func (f Field) id() string {
	if f.ID != "" {
		return f.ID
	}
	return f.Name
}

func (f Field) class() string {
	if f.Span == "" {
		return "f"
	}
	return "f " + f.Span
}

func (f Field) kind() string {
	if f.Type != "" {
		return f.Type
	}
	return "text"
}

// value never returns a secret, even if a handler set one.
func (f Field) value() string {
	if f.Secret {
		return ""
	}
	return f.Value
}

// describedBy names the lines below the control, the error first.
func (f Field) describedBy() string {
	ids := ""
	for _, n := range [...]struct{ text, suffix string }{{f.Error, "-e"}, {f.correction(), "-s"}, {f.Hint, "-h"}} {
		if n.text == "" {
			continue
		}
		if ids != "" {
			ids += " "
		}
		ids += f.id() + n.suffix
	}
	return ids
}

// selectAttrs are the attributes of a select. It is required only if its first option is empty: otherwise something is
// always selected, and HTML forbids the attribute.
func (f Field) selectAttrs() templ.OrderedAttributes {
	f.Required = f.Required && len(f.Options) > 0 && f.Options[0].Value == ""
	return f.attrs()
}

// fileAttrs are the attributes of a file's input, for which HTML forbids autocomplete.
func (f Field) fileAttrs() templ.OrderedAttributes {
	return slices.DeleteFunc(f.attrs(), func(a templ.KeyValue[string, any]) bool { return a.Key == "autocomplete" })
}

// attrs are the attributes of every control; templ's "?=" cannot write them, because ARIA requires the value
// "true".
func (f Field) attrs() templ.OrderedAttributes {
	a := templ.OrderedAttributes{{Key: "id", Value: f.id()}, {Key: "name", Value: f.Name}}
	put := func(name string, value any) { a = append(a, templ.KeyValue[string, any]{Key: name, Value: value}) }
	for _, p := range [...][2]string{
		{"inputmode", f.Mode}, {"placeholder", f.Placeholder}, {"data-key", f.Key}, {"maxlength", f.Max},
		{"aria-describedby", f.describedBy()},
	} {
		if p[1] != "" {
			put(p[0], p[1])
		}
	}
	switch {
	case f.Secret:
		put("autocomplete", "off")
		put("data-secret", true)
	case f.Autocomplete != "":
		put("autocomplete", f.Autocomplete)
	}
	if f.Error != "" {
		put("aria-invalid", "true")
	}
	for _, p := range [...]struct {
		name string
		on   bool
	}{{"required", f.Required}, {"disabled", f.Disabled}, {"readonly", f.ReadOnly}, {"autofocus", f.Autofocus}} {
		if p.on {
			put(p.name, true)
		}
	}
	return a
}

// groupAttrs are the attributes of a fieldset. The error summary's link focuses it, so it has a tabindex if
// it has an error.
func (f Field) groupAttrs() templ.OrderedAttributes {
	var a templ.OrderedAttributes
	if d := f.describedBy(); d != "" {
		a = append(a, templ.KeyValue[string, any]{Key: "aria-describedby", Value: d})
	}
	if f.Error != "" {
		a = append(a,
			templ.KeyValue[string, any]{Key: "aria-invalid", Value: "true"},
			templ.KeyValue[string, any]{Key: "tabindex", Value: "-1"})
	}
	if f.Autofocus {
		a = append(a, templ.KeyValue[string, any]{Key: "autofocus", Value: true})
	}
	return a
}

// Choices makes options from values and their text, with the current one selected. An empty first value
// prompts the user to choose.
func Choices(current string, pairs ...[2]string) []Option {
	out := make([]Option, len(pairs))
	for i, p := range pairs {
		out[i] = Option{Value: p[0], Label: p[1], Selected: p[0] == current}
	}
	return out
}

// correction is the line below the control about a changed value; a secret has none, because it is not shown.
func (f Field) correction() string {
	if f.Secret {
		return ""
	}
	return CorrectionText(f.Changed, f.Corrected)
}

// CorrectionText is the line below a control whose text was changed, or whose value is sent differently, or both.
// Each is empty for none.
func CorrectionText(changed, sent string) string {
	switch {
	case sent == "":
		return changed
	case changed == "":
		return "Sent as “" + sent + "”"
	default:
		return changed + ". Sent as “" + sent + "”"
	}
}
