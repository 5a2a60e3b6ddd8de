package web

import (
	"net/http"
	"time"

	"hearthline/internal/access"
	"hearthline/views/to"
)

// Handler answers one route, or returns why it cannot: the adapter turns the
// error into a page or a fragment. Nothing may have been written by then.
type Handler func(w http.ResponseWriter, r *http.Request) error

// atDesk is a handler that works at the person's desk.
func atDesk(h func(w http.ResponseWriter, r *http.Request, d Desk) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h(w, r, visitOf(r).desk) }
}

// onLead is a handler that works on the lead in the address. The guard opened
// it: a handler that runs may use its handle.
func onLead(h func(w http.ResponseWriter, r *http.Request, l Lead) error) Handler {
	return func(w http.ResponseWriter, r *http.Request) error { return h(w, r, visitOf(r).lead) }
}

// plain wraps a handler that answers for itself.
func plain(h http.Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		h.ServeHTTP(w, r)
		return nil
	}
}

// answer is the adapter: it bounds the body, runs the handler and shows its error.
func (s *Server) answer(route *Route, h Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if route != nil {
			trailOf(r).route = route
		}
		r.Body = http.MaxBytesReader(w, r.Body, bodyLimit(route))
		if err := h(w, r); err != nil {
			s.fail(w, r, err)
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

// visit is one request of a signed-in person, with the handles opened for it.
type visit struct {
	found
	base to.Base // before every address of the pages it is shown
	desk Desk
	lead Lead

	framed *framed // how the person came out of a CRM; nil in the full desk
}

// provedUntil tells the person's desk, with every handle opened at it, how long they count
// as having proved who they are.
func (v *visit) provedUntil(until time.Time) {
	if v.desk != nil {
		v.desk.Actor.ProvedUntil = until
	}
}

func (v *visit) proved(now time.Time) bool { return v.desk != nil && v.desk.Actor.Proved(now) }

// visitOf returns the visit that the guard made. Handlers of public routes have none.
func visitOf(r *http.Request) *visit { return trailOf(r).visit }

// baseOf is what stands before the addresses of the visit's pages.
func baseOf(r *http.Request) to.Base {
	if v := visitOf(r); v != nil {
		return v.base
	}
	return to.Full
}

// actorOf returns who is signed in; the zero Actor, who may do nothing, for nobody.
func actorOf(r *http.Request) access.Actor {
	if v := visitOf(r); v != nil {
		return v.user.Actor
	}
	return access.Actor{}
}
