package ui

import (
	"cmp"
	"slices"
	"strings"

	"hearthline/views/text"

	"github.com/a-h/templ"
)

func (f Field) id() string { return cmp.Or(f.ID, f.Name) }

func (f Field) class() string { return text.JoinNonEmpty(" ", "f", f.Span) }

func (f Field) kind() string { return cmp.Or(f.Type, "text") }

// value never returns a secret, even if a handler set one.
func (f Field) value() string {
	if f.Secret {
		return ""
	}
	return f.Value
}

// describedBy names the lines below the control, the error first.
func (f Field) describedBy() string {
	var ids []string
	for _, n := range [...]struct{ text, suffix string }{{f.Error, "-e"}, {f.correction(), "-s"}, {f.Hint, "-h"}} {
		if n.text != "" {
			ids = append(ids, f.id()+n.suffix)
		}
	}
	return strings.Join(ids, " ")
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
	a := attributes{{Key: "id", Value: f.id()}, {Key: "name", Value: f.Name}}
	a.put("inputmode", f.Mode)
	a.put("placeholder", f.Placeholder)
	a.put("data-key", f.Key)
	a.put("maxlength", f.Max)
	a.put("aria-describedby", f.describedBy())
	if f.Secret {
		f.Autocomplete = "off"
	}
	a.put("autocomplete", f.Autocomplete)
	a.set("data-secret", f.Secret)
	if f.Error != "" {
		a.put("aria-invalid", "true")
	}
	a.set("required", f.Required)
	a.set("disabled", f.Disabled)
	a.set("readonly", f.ReadOnly)
	a.set("autofocus", f.Autofocus)
	return templ.OrderedAttributes(a)
}

// groupAttrs are the attributes of a fieldset. The error summary's link focuses it, so it has a tabindex if
// it has an error.
func (f Field) groupAttrs() templ.OrderedAttributes {
	var a attributes
	a.put("aria-describedby", f.describedBy())
	if f.Error != "" {
		a.put("aria-invalid", "true")
		a.put("tabindex", "-1")
	}
	a.set("autofocus", f.Autofocus)
	return templ.OrderedAttributes(a)
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
