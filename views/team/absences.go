package team

import (
	"time"

	"hearthline/views/ui"
)

// asTypedDate shows a date that a browser's date control cannot show, as it was typed.
func asTypedDate(f ui.Field) ui.Field {
	if _, err := time.Parse(time.DateOnly, f.Value); f.Value != "" && err != nil {
		f.Type = ""
	}
	return f
}
