package page

import (
	"cmp"
	"net/http"
	"strings"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/ui"
	"hearthline/web/form"
)

// SubmittedForm is a lead's form that was not accepted. It is shown again on its page, with the
// values and the errors.
type SubmittedForm struct {
	Action string // the interface's name or ours: the last segment of the URL
	Form   *form.Form
	// NeedsNewID is true if nothing can have reached the lender and the journal has closed the
	// operation. The form then needs a new operation id.
	NeedsNewID bool
	Status     int
	// FromEmbed is true if the form was filled in inside an embed and not submitted there.
	FromEmbed bool
}

// Redisplay shows a lead's form again, on the page that it belongs to.
type Redisplay func(w http.ResponseWriter, r *http.Request, l Lead, a SubmittedForm) error

// Write is one write to the lender that a posted form asks for.
type Write struct {
	SubmittedForm
	Writer    http.ResponseWriter
	Run       func() (lead.Operation, error)
	Redisplay func(a SubmittedForm) error
	Next      func(op lead.Operation) error // responds after the write
}

// Submit runs a write, unless its form has errors, and responds with the outcome.
func Submit(r *http.Request, w Write) error {
	a := w.SubmittedForm
	if a.Form.HasErrors() {
		a.Status = http.StatusUnprocessableEntity
		return w.Redisplay(a)
	}
	op, err := w.Run()
	reqLog := RequestLogOf(r)
	reqLog.AddAttr("operation", op.ID)
	if err == nil {
		return w.Next(op)
	}
	if !a.Explain(op, err) {
		return err
	}
	if a.Status >= http.StatusInternalServerError {
		reqLog.Err = err
		SetRetryAfter(w.Writer, err)
	}
	if a.Status == http.StatusInternalServerError {
		a.Form.FormError += " Reference: " + reqLog.Reference
	}
	if IsFragment(r) {
		a.Status = http.StatusUnprocessableEntity // the only error status that htmx renders
	}
	return w.Redisplay(a)
}

// Explain turns an error into a message on the form, if nothing can have reached the lender because of it. It returns
// false for errors that belong on the error page: the user may not do this, or something may have been sent.
func (s *SubmittedForm) Explain(op lead.Operation, err error) bool {
	status, message := StatusAndMessage(err)
	switch kind := fault.KindOf(err); {
	case kind == fault.Invalid:
		s.Status = http.StatusUnprocessableEntity
		s.Form.FieldErrors = append(s.Form.FieldErrors, fault.FieldsOf(err)...)
		if !s.Form.HasErrors() {
			s.Form.FormError, s.NeedsNewID = message, true
		}
		return true
	case kind == fault.Denied || kind == fault.StepUpRequired || kind == fault.NotFound:
		return false
	case op.State == lead.OpRejected:
		s.Status, s.NeedsNewID = http.StatusUnprocessableEntity, true
	case op.State == lead.OpNotSent || kind == fault.Conflict:
		s.Status, s.NeedsNewID = status, true
	case op.ID != "":
		return false
	case kind == fault.Internal:
		s.Status, message = status, "Something went wrong on our side. Nothing was sent."
	default: // the journal has not recorded it, so its id can still be used
		s.Status = status
	}
	s.Form.ErrorTitle = errorTitle(op, err)
	if s.Form.ErrorTitle == "" { // then its title says this
		message = strings.Replace(message, " Nothing was sent.", "", 1)
	}
	s.Form.FormError = message
	return true
}

// errorTitle says what the error of a write means, where it is not that nothing was sent.
func errorTitle(op lead.Operation, err error) string {
	switch kind := fault.KindOf(err); {
	case kind == fault.Upstream && op.State == lead.OpRejected:
		return "Not accepted."
	case kind == fault.Conflict && op.SentAt != 0:
		return "Already sent."
	default:
		return ""
	}
}

// OperationID returns the operation id for the form that is shown again: its own if nothing was
// sent under it, otherwise a new one.
func (s SubmittedForm) OperationID(newID func(heloc.Operation) string, kind heloc.Operation) string {
	if s.NeedsNewID || s.Form.OperationID == "" {
		return newID(kind)
	}
	return s.Form.OperationID
}

// FromEmbedNotice is the notice above a form that came from an embed.
func FromEmbedNotice() ui.Notice {
	return ui.Notice{
		Kind: "yours", Icon: "arrow-right", Title: "Continued from your CRM.",
		Text: "Nothing has been sent yet. Review it, confirm, and submit it here. " +
			"The page in your CRM updates automatically.",
	}
}

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
	// IsSetting says that the form saves settings: the next page confirms it.
	IsSetting bool
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
	if c.IsSetting {
		setSavedCookie(w, 10)
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
		f.ErrorStatus, f.FormError = StatusAndMessage(err)
	}
	return true
}

// FormStatus returns the status of a page with a form: if the form was rejected, 422 or the status of its error.
func FormStatus(f *form.Form) int {
	switch {
	case f.HasErrors():
		return http.StatusUnprocessableEntity
	case f.FormError != "":
		return cmp.Or(f.ErrorStatus, http.StatusUnprocessableEntity)
	default:
		return http.StatusOK
	}
}
