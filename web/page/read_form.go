package page

import (
	"maps"
	"net/http"
	"net/url"

	"hearthline/web/form"
)

// ReadForm returns the posted form without the query of the URL. The form has its own copy of the
// values, because the "add row" button changes them.
func ReadForm(r *http.Request) (*form.Form, error) {
	f := FormOf(r)
	if f.Err != nil {
		return nil, f.Err
	}
	read := NewForm(r, maps.Clone(f.Values))
	read.OperationID = f.Values.Get("operation")
	return read, nil
}

// NewForm returns a form with these values, to be parsed for the lender of this request.
func NewForm(r *http.Request, values url.Values) *form.Form {
	f := &form.Form{Values: values, Corrections: map[string]string{}}
	if v := VisitOf(r); v != nil && v.Desk != nil {
		f.LiveDialect = v.Desk.LiveDialect()
	}
	return f
}
