package views

import (
	"hearthline/views/ui"
	"hearthline/views/words"
)

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
