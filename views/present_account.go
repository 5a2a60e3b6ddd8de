package views

import (
	"strings"

	"hearthline/views/ui"
	"hearthline/views/words"
)

// isUserInput reports whether a control holds user input, as opposed to a value that the page itself added.
func (t SubmittedValue) isUserInput() bool {
	return t.Value != "" && t.Name != "operation" && t.Name != "draft" && !strings.HasSuffix(t.Name, "version") && !strings.HasSuffix(t.Name, "Uuid")
}

// zoneField is the time zone select, with the user's zone selected.
func (v AccountView) zoneField() ui.Field {
	f := v.Form
	if f.Value("zone") == "" && v.Zone != "" {
		f.Values = append(f.Values[:len(f.Values):len(f.Values)], SubmittedValue{Name: "zone", Value: v.Zone})
	}
	pairs := words.Zones()
	if v.Zone == "" {
		pairs = append([][2]string{{"", "Choose…"}}, pairs...)
	}
	return f.selectField(ui.Field{Name: "zone", Label: "Time zone", Span: "c6", Required: true}, pairs)
}
