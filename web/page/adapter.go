package page

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/go-chi/chi/v5"

	"hearthline/internal/desk"
	"hearthline/internal/fault"
	"hearthline/web/form"
)

// Handler answers one route, or returns an error that says why it cannot. The adapter turns the
// error into a page or a fragment, so a handler that returns an error must not have written
// anything.
type Handler func(w http.ResponseWriter, r *http.Request) error

// WithDesk adapts a handler that works with the signed-in user's desk.
func WithDesk(h func(w http.ResponseWriter, r *http.Request, d Desk) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h(w, r, VisitOf(r).Desk) }
}

// WithHandle adapts a handler that works with one handle of the user's desk, such as (*desk.Desk).Drafts.
func WithHandle[H any](open func(Desk) (H, error),
	h func(w http.ResponseWriter, r *http.Request, handle H) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		handle, err := open(VisitOf(r).Desk)
		if err != nil {
			return err
		}
		return h(w, r, handle)
	}
}

// WithNewForm adapts a function that renders a page with a form to the page with an empty form.
func WithNewForm[H any](open func(Desk) (H, error),
	render func(w http.ResponseWriter, r *http.Request, handle H, f *form.Form) error) Handler {
	return WithHandle(open, func(w http.ResponseWriter, r *http.Request, handle H) error {
		return render(w, r, handle, NewForm(r, url.Values{}))
	})
}

// WithAction adapts a change that needs no form; next is the page after it, by its URL in the full desk.
func WithAction[H any](open func(Desk) (H, error),
	change func(handle H, ctx context.Context) error, next string) Handler {
	return WithHandle(open, func(w http.ResponseWriter, r *http.Request, handle H) error {
		return NavigateAfter(w, r, change(handle, r.Context()), string(BaseOf(r))+next)
	})
}

// WithActionOn is WithAction for a change of what the URL names by its id.
func WithActionOn[H any](open func(Desk) (H, error),
	change func(handle H, ctx context.Context, id string) error, next string) Handler {
	return WithHandle(open, func(w http.ResponseWriter, r *http.Request, handle H) error {
		return NavigateAfter(w, r, change(handle, r.Context(), chi.URLParam(r, "id")), string(BaseOf(r))+next)
	})
}

// WithForm adapts a handler that works with one handle of the user's desk and the posted form.
func WithForm[H any](open func(Desk) (H, error),
	h func(w http.ResponseWriter, r *http.Request, handle H, f *form.Form) error) Handler {
	return WithHandle(open, func(w http.ResponseWriter, r *http.Request, handle H) error {
		f, err := ReadForm(r)
		if err != nil {
			return err
		}
		return h(w, r, handle, f)
	})
}

// FormPage is a page with forms. Each form requests a change; if the change is rejected, the page is shown again.
type FormPage[H any] struct {
	Open   func(Desk) (H, error)
	Render func(w http.ResponseWriter, r *http.Request, handle H, f *form.Form) error
	Next   func(r *http.Request) string // the URL of the page after a change
	Kinds  []fault.Kind                 // as in Change

	IsSetting bool // as in Change
}

// To returns a Next that is the same for every request.
func To(url string) func(*http.Request) string { return func(*http.Request) string { return url } }

// Page shows the page.
func (p FormPage[H]) Page() Handler { return WithNewForm(p.Open, p.Render) }

// Change answers one of the forms.
func (p FormPage[H]) Change(change func(r *http.Request, handle H, f *form.Form) error) Handler {
	return WithForm(p.Open, func(w http.ResponseWriter, r *http.Request, handle H, f *form.Form) error {
		return Apply(w, r, Change{
			Form: f, Run: func() error { return change(r, handle, f) }, Next: p.Next(r), Kinds: p.Kinds,
			IsSetting: p.IsSetting, Redisplay: func() error { return p.Render(w, r, handle, f) },
		})
	})
}

// WithDeskForm adapts a handler that works with the user's desk and the posted form.
func WithDeskForm(h func(w http.ResponseWriter, r *http.Request, d Desk, f *form.Form) error) Handler {
	return WithForm(func(d Desk) (Desk, error) { return d, nil }, h)
}

// WithLead adapts a handler that works on the lead in the URL. The guard has already opened the
// lead, so the handler may use the handle without another check.
func WithLead(h func(w http.ResponseWriter, r *http.Request, l Lead) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h(w, r, VisitOf(r).Lead) }
}

// auditTimeout limits how long an opened lead waits to be audited.
const auditTimeout = 10 * time.Second

// AuditOpening audits, once a day, that the user was shown a lead: on one of its pages, on a page of a form about it,
// or on either of them again with errors. An error is only logged, and a browser that has closed the connection makes
// no difference.
func AuditOpening(r *http.Request, l Lead) {
	if r.Method == http.MethodHead {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), auditTimeout)
	defer cancel()
	if err := l.AuditOpening(ctx); err != nil {
		RequestLogOf(r).AddAttr("audit", "the view could not be recorded")
	}
}

// WithLeadForm adapts a handler that works on the lead in the URL and the posted form.
func WithLeadForm(h func(w http.ResponseWriter, r *http.Request, l Lead, f *form.Form) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		f, err := ReadForm(r)
		if err != nil {
			return err
		}
		return h(w, r, VisitOf(r).Lead, f)
	}
}

// WithReceipt adapts a handler that works on the receipt of the operation in the URL and the posted form.
func WithReceipt(h func(w http.ResponseWriter, r *http.Request, receipt *desk.Receipt, f *form.Form) error) Handler {
	return WithDeskForm(func(w http.ResponseWriter, r *http.Request, d Desk, f *form.Form) error {
		receipt, err := d.Receipt(r.Context(), chi.URLParam(r, "id"))
		if err != nil {
			return err
		}
		return h(w, r, receipt, f)
	})
}

// WrapHandler adapts an http.Handler, which writes its own errors.
func WrapHandler(h http.Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		h.ServeHTTP(w, r)
		return nil
	}
}

// Adapt limits the request body, runs the handler and renders its error. The route is nil for what answers requests
// outside of the route table.
func (rs *Responder) Adapt(route *Route, h Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if route != nil {
			RequestLogOf(r).Route = route
		}
		r.Body = http.MaxBytesReader(w, r.Body, bodyLimit(route))
		if err := h(w, r); err != nil {
			rs.respondError(w, r, err)
		}
	}
}

// bodyLimit returns the maximum size of a request body in bytes. The largest form, with its liens
// and accounts, is far below one mebibyte.
func bodyLimit(route *Route) int64 {
	switch {
	case route != nil && route.Class == Hook:
		return 64 << 10
	case route != nil && route.MaxFile > 0:
		// so that a file that is too large is refused beside the form
		return min(8*route.MaxFile, route.MaxFile+32<<20)
	default:
		return 1 << 20
	}
}
