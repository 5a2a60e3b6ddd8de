package page

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"

	"hearthline/internal/fault"
	"hearthline/web/form"
)

// RequestForm is the form of one request, parsed once. Nothing else in the portal parses a
// form: http.Request reports a malformed one once and afterwards offers the part that it could
// read, so a check that asked first would leave that part to the handler. Here a form is read
// whole or not at all.
type RequestForm struct {
	Values url.Values // of the body; empty when err is set
	Err    error      // what to answer
}

// FormOf returns the form of a request. The body is read when this is first called, which for
// a signed-in person is after the lead was opened and the action allowed.
func FormOf(r *http.Request) *RequestForm {
	t, ok := r.Context().Value(requestLogKey{}).(*RequestLog)
	if !ok { // only a request that did not come through the server
		return &RequestForm{Values: url.Values{}, Err: fault.New(fault.Internal, "")}
	}
	if t.form == nil {
		f := &RequestForm{}
		if f.Values, f.Err = parseForm(r); f.Err != nil {
			f.Values = url.Values{}
		}
		t.form = f
	}
	return t.form
}

// Posted returns the values of a request's body, and none of one that cannot be read whole.
func Posted(r *http.Request) url.Values { return FormOf(r).Values }

// parseForm reads the body of a form. A body of any other type is refused rather than
// ignored: a multipart form would else be empty to a check and full to whatever parses it later.
func parseForm(r *http.Request) (url.Values, error) {
	if r.Method != http.MethodPost {
		return url.Values{}, nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return url.Values{}, unlessEmpty(r.Body)
	}
	if err := r.ParseForm(); err != nil {
		return nil, ErrUnreadableForm(err)
	}
	if len(r.PostForm) > form.MaxControls {
		return nil, ErrUnreadableForm(errors.New("more controls than any form has"))
	}
	form.DropExcessRows(r.PostForm)
	return r.PostForm, nil
}

// unlessEmpty refuses a body that is no form. Scripts post without a body and without a type.
func unlessEmpty(body io.Reader) error {
	switch n, err := io.ReadFull(body, make([]byte, 1)); {
	case n > 0:
		return &StatusError{http.StatusUnsupportedMediaType, "Send this form as application/x-www-form-urlencoded. Nothing was done."}
	case errors.Is(err, io.EOF):
		return nil
	default:
		return ErrUnreadableForm(err)
	}
}

// readable refuses a request whose address or form cannot be read whole, before anything
// depends on what they say. Webhooks and the calls of CRMs have bodies and addresses of their
// own formats, which their handlers read.
func (route Route) readable(r *http.Request) error {
	if route.Class == Hook {
		return nil
	}
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
		return &StatusError{http.StatusBadRequest, "This address is not complete. Check the link and try again."}
	}
	return FormOf(r).Err
}

// ErrUnreadableForm is a form that cannot be parsed. The cause may quote what was typed,
// so only a breach of the size limit goes on.
func ErrUnreadableForm(err error) error {
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge
	}
	return &StatusError{http.StatusBadRequest, "This form could not be read, and nothing was done. Go back and send it again."}
}
