package page

import (
	"net/http"
	"time"

	"hearthline/internal/access"
	"hearthline/views/to"
)

// Handler answers one route, or returns an error that says why it cannot. The adapter turns the
// error into a page or a fragment, so a handler that returns an error must not have written
// anything.
type Handler func(w http.ResponseWriter, r *http.Request) error

// WithDesk adapts a handler that works with the signed-in user's desk.
func WithDesk(h func(w http.ResponseWriter, r *http.Request, d Desk) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h(w, r, VisitOf(r).Desk) }
}

// WithLead adapts a handler that works on the lead in the URL. The guard has already opened the
// lead, so the handler may use the handle without another check.
func WithLead(h func(w http.ResponseWriter, r *http.Request, l Lead) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h(w, r, VisitOf(r).lead) }
}

// WrapHandler adapts an http.Handler, which writes its own errors.
func WrapHandler(h http.Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		h.ServeHTTP(w, r)
		return nil
	}
}

// adapt limits the request body, runs the handler and renders its error.
func (s *Server) adapt(route *Route, h Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if route != nil {
			RequestLogOf(r).route = route
		}
		r.Body = http.MaxBytesReader(w, r.Body, bodyLimit(route))
		if err := h(w, r); err != nil {
			s.respondError(w, r, err)
		}
	}
}

// bodyLimit returns the maximum size of a request body in bytes. The largest form, with its liens
// and accounts, is far below one mebibyte.
func bodyLimit(route *Route) int64 {
	if route != nil && route.Class == Hook {
		return 64 << 10
	}
	return 1 << 20
}

// Visit is one request of a signed-in user, with the handles opened for it.
type Visit struct {
	SessionState
	Base to.Base // prefix of every URL on the pages that this request renders
	Desk Desk
	lead Lead

	Embed *EmbedVisit // the embedded session; nil in the full desk
}

// setElevatedUntil sets how long the user counts as stepped up, for the desk and every handle
// opened from it.
func (v *Visit) setElevatedUntil(until time.Time) {
	if v.Desk != nil {
		v.Desk.Actor.ElevatedUntil = until
	}
}

func (v *Visit) elevated(now time.Time) bool { return v.Desk != nil && v.Desk.Actor.Elevated(now) }

// VisitOf returns the visit that the guard created. Public routes have none.
func VisitOf(r *http.Request) *Visit { return RequestLogOf(r).Visit }

// BaseOf returns the prefix of the URLs on the pages of this request.
func BaseOf(r *http.Request) to.Base {
	if v := VisitOf(r); v != nil {
		return v.Base
	}
	return to.Full
}

// ActorOf returns the signed-in user. If nobody is signed in, it returns the zero Actor, which has
// no permissions.
func ActorOf(r *http.Request) access.Actor {
	if v := VisitOf(r); v != nil {
		return v.User.Actor
	}
	return access.Actor{}
}
