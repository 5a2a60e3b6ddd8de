package page

import (
	"maps"
	"net/http"

	"hearthline/web/form"
)

// ReadForm returns the posted form without the query of the URL. The form has its own copy of the
// values, because the "add row" button changes them.
func ReadForm(r *http.Request) (*form.Form, error) {
	f := FormOf(r)
	if f.Err != nil {
		return nil, f.Err
	}
	return &form.Form{Values: maps.Clone(f.Values), OperationID: f.Values.Get("operation"), Corrections: map[string]string{}}, nil
}
