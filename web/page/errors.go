package page

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	view "hearthline/views/page"
	"hearthline/views/text"
	"hearthline/views/to"
	"hearthline/views/ui"
)

// statusClientClosed is logged when the client disconnects before the response; no client receives
// it.
const statusClientClosed = 499

// StatusError is an HTTP error that has no fault.Kind.
type StatusError struct {
	Status  int
	Message string
}

// Error returns the status and the message.
func (e *StatusError) Error() string { return strconv.Itoa(e.Status) + ": " + e.Message }

// ErrNoSuchLead returns the error for a lead that does not exist for this user.
func ErrNoSuchLead() error {
	return fault.New(fault.NotFound, "Lead not found, or you don’t have access.")
}

// ErrSignedOut is the error for a session that has ended.
func ErrSignedOut() error {
	return &StatusError{http.StatusUnauthorized, "Please sign in."}
}

func (rs *Responder) methodNotAllowed(http.ResponseWriter, *http.Request) error {
	return &StatusError{http.StatusMethodNotAllowed, "That link can’t be opened directly."}
}

// respondError writes the response of a request that failed.
func (rs *Responder) respondError(w http.ResponseWriter, r *http.Request, err error) {
	t := RequestLogOf(r)
	t.Err = err
	if t.status != 0 {
		// A part of the response is already sent. Only a broken connection can show the client that
		// the rest will not come.
		panic(http.ErrAbortHandler)
	}
	if r.Context().Err() != nil && errors.Is(err, context.Canceled) {
		t.status = statusClientClosed
		return
	}
	status, message := StatusAndMessage(err)
	for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", "Content-Disposition"} {
		w.Header().Del(name)
	}
	SetRetryAfter(w, err)
	if isMachinePath(r.URL.Path) {
		_ = WriteJSON(w, status, jsonError{message, t.Reference}) // two strings always encode
		return
	}
	screen, shown := view.Error, rs.errorView(r, status, message)
	switch {
	case fault.Is(err, fault.Unsaved): // this page is the receipt
		shown.Title, shown.Icon, shown.Text = "Sent, and not saved yet", "hourglass", ""
	case fault.Is(err, fault.Unavailable):
		shown.Resend = resendForm(r)
	}
	if IsFragment(r) {
		// The target of the request expects content, so an error goes to the toasts instead.
		w.Header().Set("HX-Retarget", "#toasts")
		w.Header().Set("HX-Reswap", "innerHTML")
		screen = view.ErrorPart
	}
	if renderErr := rs.Render(w, r, status, screen(shown)); renderErr != nil {
		t.Err = errors.Join(err, renderErr)
		http.Error(w, message+" Reference: "+t.Reference, status)
	}
}

// errorView describes an error to the user: what happened, what they can do, and the reference
// under which the log has the cause.
func (rs *Responder) errorView(r *http.Request, status int, message string) view.ErrorView {
	// An embed has no links to the rest of the portal, because a user can enter it only through a
	// CRM.
	embedded := CRMClientInPath(r.URL.Path) != "" && VisitOf(r) == nil
	connecting := strings.HasPrefix(r.URL.Path, "/connect/")
	texts := text.FailureOf(status)
	if embedded || connecting {
		texts = text.EmbedFailureOf(status)
	}
	message, texts.Text = withoutRepetition(status, message, texts, embedded)
	v := view.ErrorView{
		Page: rs.BasicLayout(r, texts.Title), Icon: texts.Icon, Title: texts.Title, PublicMessage: message, Text: texts.Text,
		Reference: RequestLogOf(r).Reference,
	}
	switch visit := VisitOf(r); {
	case embedded:
		v.Page.Embedded, v.Page.HostOrigin = true, rs.CRMOrigins(r)
	case status == http.StatusUnauthorized:
		v.Actions = []ui.Action{{Label: "Sign in", Kind: "pri", Href: to.SignIn("")}}
	case connecting && status == http.StatusForbidden: // such as an administrator trying out a CRM
		v.SwitchNext = r.URL.Path
	case visit != nil && visit.Lead != nil:
		v.Actions = []ui.Action{{Label: "Back to lead", Kind: "pri", Href: BaseOf(r).Lead(string(visit.Lead.App()))}}
	default:
		v.Actions = []ui.Action{{Label: homeLabel(visit), Href: BaseOf(r).Home()}}
	}
	return v
}

// resendForm returns a form that resends the user's entries with the same operation id; nil if the request
// had no operation id. The form has no SSN, password, code or confirmation, so its page asks for them again.
func resendForm(r *http.Request) *view.ResendForm {
	kept := lead.FormValues(Posted(r)).Storable()
	maps.DeleteFunc(kept, func(name string, _ []string) bool {
		return slices.ContainsFunc([]string{"password", "code", "token", "secret"}, func(part string) bool {
			return strings.Contains(strings.ToLower(name), part)
		})
	})
	if len(kept) == 0 {
		return nil
	}
	form := &view.ResendForm{Action: r.URL.Path}
	for _, name := range []string{"operation", "draft", "draft.originator"} { // no draft stores these
		if posted := Posted(r)[name]; len(posted) > 0 {
			kept[name] = posted
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		for _, value := range kept[name] {
			form.Values = append(form.Values, ui.Fact{Label: name, Value: value})
		}
	}
	return form
}

// homeLabel names the page that the user's home is.
func homeLabel(visit *Visit) string {
	switch {
	case visit == nil:
		return "Go to sign-in"
	case visit.Embed != nil:
		return "Back to record"
	case visit.User.Can(access.SeePipeline):
		return "Go to leads"
	default:
		return "Go to home page"
	}
}

// specificMessages are the statuses whose message already says what to do.
var specificMessages = []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict,
	http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusServiceUnavailable}

// withoutRepetition drops the message if the title or the text already contains it, and the general text if
// the message is more specific: a refused request is not always a matter of roles.
func withoutRepetition(status int, message string, texts text.Failure, embedded bool) (public, words string) {
	switch {
	case strings.HasPrefix(message, texts.Title) || strings.HasPrefix(texts.Text, message):
		return "", texts.Text
	case !embedded && slices.Contains(specificMessages, status):
		return message, ""
	default:
		return message, texts.Text
	}
}

// tooSoon is an error that says how long to wait; account.TooSoon is one.
type tooSoon interface {
	error
	RetryAfter() time.Duration
}

// SetRetryAfter sets the Retry-After header if the error says how long to wait.
func SetRetryAfter(w http.ResponseWriter, err error) {
	if soon, ok := errors.AsType[tooSoon](err); ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(soon.RetryAfter().Seconds()))))
	}
}

// StatusAndMessage maps an error to an HTTP status and a public message.
func StatusAndMessage(err error) (status int, message string) {
	if e, ok := errors.AsType[*StatusError](err); ok {
		return e.Status, e.Message
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return http.StatusRequestEntityTooLarge, "The form is too large."
	}
	if _, ok := errors.AsType[tooSoon](err); ok {
		return http.StatusTooManyRequests, fault.Public(err)
	}
	return httpStatus(fault.KindOf(err)), fault.Public(err)
}

var httpStatuses = map[fault.Kind]int{
	fault.Invalid:        http.StatusUnprocessableEntity,
	fault.Denied:         http.StatusForbidden,
	fault.StepUpRequired: http.StatusForbidden,
	fault.NotFound:       http.StatusNotFound,
	fault.Conflict:       http.StatusConflict,
	fault.Upstream:       http.StatusBadGateway,
	fault.Unavailable:    http.StatusServiceUnavailable,
	fault.Unsaved:        http.StatusServiceUnavailable,
}

func httpStatus(kind fault.Kind) int {
	return cmp.Or(httpStatuses[kind], http.StatusInternalServerError)
}
