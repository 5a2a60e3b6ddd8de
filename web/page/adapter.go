package page

import (
	"net/http"
	"time"

	"hearthline/internal/access"
	"hearthline/views/to"
)

// Handler answers one route, or returns why it cannot: the adapter turns the
// error into a page or a fragment. Nothing may have been written by then.
type Handler func(w http.ResponseWriter, r *http.Request) error

// WithDesk is a handler that works at the person's desk.
func WithDesk(h func(w http.ResponseWriter, r *http.Request, d Desk) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h(w, r, VisitOf(r).Desk) }
}

// WithLead is a handler that works on the lead in the address. The guard opened
// it: a handler that runs may use its handle.
func WithLead(h func(w http.ResponseWriter, r *http.Request, l Lead) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h(w, r, VisitOf(r).lead) }
}

// WrapHandler wraps a handler that answers for itself.
func WrapHandler(h http.Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		h.ServeHTTP(w, r)
		return nil
	}
}

// adapt is the adapter: it bounds the body, runs the handler and shows its error.
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

// bodyLimit bounds what a request may carry: the largest form, with its liens
// and accounts, is far below a mebibyte.
func bodyLimit(route *Route) int64 {
	if route != nil && route.Class == Hook {
		return 64 << 10
	}
	return 1 << 20
}

// Visit is one request of a signed-in person, with the handles opened for it.
type Visit struct {
	SessionState
	Base to.Base // before every address of the pages it is shown
	Desk Desk
	lead Lead

	Embed *EmbedVisit // how the person came out of a CRM; nil in the full desk
}

// setElevatedUntil tells the person's desk, with every handle opened at it, how long they count
// as having proved who they are.
func (v *Visit) setElevatedUntil(until time.Time) {
	if v.Desk != nil {
		v.Desk.Actor.ElevatedUntil = until
	}
}

func (v *Visit) elevated(now time.Time) bool { return v.Desk != nil && v.Desk.Actor.Elevated(now) }

// VisitOf returns the visit that the guard made. Handlers of public routes have none.
func VisitOf(r *http.Request) *Visit { return RequestLogOf(r).Visit }

// BaseOf is what stands before the addresses of the visit's pages.
func BaseOf(r *http.Request) to.Base {
	if v := VisitOf(r); v != nil {
		return v.Base
	}
	return to.Full
}

// ActorOf returns who is signed in; the zero Actor, who may do nothing, for nobody.
func ActorOf(r *http.Request) access.Actor {
	if v := VisitOf(r); v != nil {
		return v.User.Actor
	}
	return access.Actor{}
}
