package page

import (
	"net/http"

	"hearthline/internal/fault"
	"hearthline/web/form"
)

// Change is what a posted form asks for.
type Change struct {
	Form *form.Form
	// Run makes the change. It is skipped if the form already has errors.
	Run func() error
	// Redisplay shows the page of the form again, with the errors in it.
	Redisplay func() error
	// Next is where the user goes after the change.
	Next string
	// Kinds are the kinds of error, apart from fault.Invalid, that the form explains.
	Kinds []fault.Kind
}

// Apply makes a change and goes on to the next page, or shows the form again if it was rejected.
func Apply(w http.ResponseWriter, r *http.Request, c Change) error {
	if c.Form.HasErrors() {
		return c.Redisplay()
	}
	err := c.Run()
	if Rejected(c.Form, err, c.Kinds...) {
		return c.Redisplay()
	}
	if err != nil {
		return err
	}
	return NavigateTo(w, r, c.Next)
}

// Rejected reports whether an error rejects what was typed, and adds it to the form: beside its controls, or otherwise
// above the form. Only fault.Invalid and the given kinds do; other errors belong on the error page.
func Rejected(f *form.Form, err error, kinds ...fault.Kind) bool {
	if !fault.Is(err, fault.Invalid) && !fault.Is(err, kinds...) {
		return false
	}
	f.FieldErrors = append(f.FieldErrors, fault.FieldsOf(err)...)
	if !f.HasErrors() {
		f.FormError = fault.Public(err)
	}
	return true
}

// FormStatus returns the status of a page with a form: 422 if the form was rejected.
func FormStatus(f *form.Form) int {
	if f.HasErrors() || f.FormError != "" {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}
