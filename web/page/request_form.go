package page

import (
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"

	deskintake "hearthline/internal/desk/intake"
	"hearthline/internal/fault"
	"hearthline/web/form"
)

// RequestForm is the form of one request, parsed once. Nothing else in the portal parses a form:
// http.Request reports a malformed form only once and afterwards offers the part that it could
// parse, so a check that parsed first would leave that part to the handler. Here a form is parsed
// completely or not at all.
type RequestForm struct {
	Values url.Values // from the body; empty when Err is set
	File   []byte     // the uploaded file, on routes that take one; nil for none
	Name   string     // of the file, as the browser sends it
	Err    error      // the error for the response
}

// FormOf returns the form of a request. The first call reads the body; for a signed-in user, that
// is after the lead was opened and the action permitted.
func FormOf(r *http.Request) *RequestForm {
	t, ok := r.Context().Value(requestLogKey{}).(*RequestLog)
	if !ok { // only for a request that did not come through the server
		return &RequestForm{Values: url.Values{}, Err: fault.New(fault.Internal, "")}
	}
	if t.form == nil {
		f := &RequestForm{}
		if t.Route != nil && t.Route.Upload && isUpload(r) {
			f.Err = f.parseUpload(r, t.Route.MaxFile)
		} else {
			f.Values, f.Err = parseForm(r)
		}
		if f.Err != nil {
			f.Values, f.File = url.Values{}, nil
		}
		t.form = f
	}
	return t.form
}

// UploadedFile returns the file of a form on a route that takes one; nil if none was chosen.
func UploadedFile(r *http.Request) []byte { return FormOf(r).File }

// Posted returns the values in a request's body. It returns none if the body cannot be parsed
// completely.
func Posted(r *http.Request) url.Values { return FormOf(r).Values }

// parseForm parses the body of a form. It rejects a body of any other type instead of ignoring it:
// a check would otherwise see an empty multipart form, while later code could parse its content.
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
	r.PostForm.Del(deskintake.ImportField) // a chosen file's name, which the form sends where it does not send the file
	return r.PostForm, nil
}

// isUpload reports whether the body is a form with a file.
func isUpload(r *http.Request) bool {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return r.Method == http.MethodPost && err == nil && kind == "multipart/form-data"
}

// maxUploadValue limits a value in a form with a file, unless the route takes larger files: their content may be pasted
// instead, up to maxPasted. The whole body is limited too (bodyLimit).
const (
	maxUploadValue = 4 << 10
	maxPasted      = 1 << 20
)

// parseUpload parses the body of a form with one file, in memory. The type that the browser sends is ignored.
func (f *RequestForm) parseUpload(r *http.Request, maxFile int64) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return ErrUnreadableForm(err)
	}
	f.Values = url.Values{}
	maxValue := max(maxUploadValue, min(maxFile+1, maxPasted))
	for range form.MaxControls {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			form.DropExcessRows(f.Values)
			return nil
		}
		if err != nil {
			return ErrUnreadableForm(err)
		}
		if part.FileName() != "" {
			if f.File != nil {
				return ErrUnreadableForm(errors.New("more than one file"))
			}
			if f.File, err = readFile(part, maxFile); err != nil {
				return ErrUnreadableForm(err)
			}
			f.Name = part.FileName()
			continue
		}
		value, err := io.ReadAll(io.LimitReader(part, maxValue+1))
		if err != nil || int64(len(value)) > maxValue {
			return ErrUnreadableForm(err)
		}
		f.Values.Add(part.FormName(), string(value))
	}
	return ErrUnreadableForm(errors.New("more parts than any form has"))
}

// readFile reads a file. Where a route sets the limit, a larger file is cut just above it, for the handler to
// refuse: the rest is read and dropped, because a browser shows an answer only after it has sent everything.
func readFile(part io.Reader, limit int64) ([]byte, error) {
	if limit == 0 {
		return io.ReadAll(part)
	}
	file, err := io.ReadAll(io.LimitReader(part, limit+1))
	if err == nil {
		_, err = io.Copy(io.Discard, part)
	}
	return file, err
}

// unlessEmpty rejects a body that is not a form. Scripts post without a body and without a content
// type.
func unlessEmpty(body io.Reader) error {
	switch n, err := io.ReadFull(body, make([]byte, 1)); {
	case n > 0:
		return &StatusError{http.StatusUnsupportedMediaType,
			"Send this form as application/x-www-form-urlencoded. Nothing was changed."}
	case errors.Is(err, io.EOF):
		return nil
	default:
		return ErrUnreadableForm(err)
	}
}

// CheckReadable rejects a request whose query or form cannot be parsed completely, before anything
// depends on their values. Webhooks and calls from CRMs have their own formats, which their
// handlers parse.
func (route Route) CheckReadable(r *http.Request) error {
	if route.Class == Hook {
		return nil
	}
	if _, err := url.ParseQuery(r.URL.RawQuery); err != nil {
		return &StatusError{http.StatusBadRequest, "The link or form was incomplete."}
	}
	return FormOf(r).Err
}

// ErrUnreadableForm is the error for a form that cannot be parsed. The cause may quote what was
// typed, so only a violation of the size limit is wrapped.
func ErrUnreadableForm(err error) error {
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge
	}
	return &StatusError{http.StatusBadRequest, "The form couldn’t be read, and nothing was changed."}
}

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
