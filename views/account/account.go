// Package account contains the screens of the user's own account: sign-in methods, sessions, alerts and email address.
package account

import (
	"hearthline/views/text"
	"hearthline/views/ui"
)

// zoneField is the time zone select, with the user's zone selected.
func (v AccountView) zoneField() ui.Field {
	f := v.Form
	if f.Value("zone") == "" && v.Zone != "" {
		f.Values = append(f.Values[:len(f.Values):len(f.Values)], ui.SubmittedValue{Name: "zone", Value: v.Zone})
	}
	pairs := text.Zones()
	if v.Zone == "" {
		pairs = append([][2]string{{"", "Choose…"}}, pairs...)
	}
	return f.SelectField(ui.Field{Name: "zone", Label: "Time zone", Span: "c6", Required: true}, pairs)
}

// zoneField is the time zone select, with the user's zone selected.
func (v NotificationsView) zoneField() ui.Field {
	pairs := text.Zones()
	if v.Zone == "" {
		pairs = append([][2]string{{"", "Choose…"}}, pairs...)
	}
	return v.Form.SelectField(ui.Field{Name: "zone", Label: "Time zone", Span: "c4", Value: v.Zone,
		Hint: "Now " + v.Now + ". Used for every time you see."}, pairs)
}
