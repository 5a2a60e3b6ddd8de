package page

import (
	"maps"
	"net/http"

	"hearthline/web/form"
)

// ReadForm takes the posted controls, and nothing of the address. The form has its own map
// of them, because pressing "add row" changes it.
func ReadForm(r *http.Request) (*form.Form, error) {
	f := FormOf(r)
	if f.Err != nil {
		return nil, f.Err
	}
	return &form.Form{Values: maps.Clone(f.Values), OperationID: f.Values.Get("operation"), Corrections: map[string]string{}}, nil
}
