package page

import (
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"

	"hearthline/internal/account"
	"hearthline/internal/fault"
)

// What comes out of CRMs is bounded once its signature has been looked at, which costs less
// than refusing it would: all customers of HubSpot call from the same addresses, and one
// who forges there must not shut the others out. What was not verified is counted by the
// address that sent it; launches that were, in the database by the log-in that they name
// (embed.Service); cards, of which a page may show many, here by whoever asks for them.
//
// The two counts that are made here lie in memory, each process's own, because nothing rests
// on them: the first turns one refusal into another, the second spares us the reading of
// cards. In the database either would cost a write for what costs none, and whoever forges
// without end would keep the one writer busy. What must hold for all processes and beyond a
// restart lies there: the codes, what was launched before, and why a client was refused.
const (
	embedLimitPeriod  = time.Minute
	RejectedPerMinute = 60
	CardsPerMinute    = 600
)

func newEmbedLimit(most int) *httprate.RateLimiter {
	return httprate.NewRateLimiter(most, embedLimitPeriod, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// LimitUnverified bounds what an address may send that is refused; each door counts for itself.
func (s *Server) LimitUnverified(door string, h Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		if err == nil {
			return nil
		}
		switch fault.KindOf(err) {
		case fault.Denied, fault.NotFound, fault.Conflict:
		default:
			return err
		}
		if s.unverifiedLimit.OnLimit(w, r, door+" "+httprate.CanonicalizeIP(middleware.GetClientIP(r.Context()))) {
			return ErrTooManyLaunches(err)
		}
		return err
	}
}

func ErrTooManyLaunches(why error) error {
	return fault.Wrap(fault.Unavailable, "Too many records were opened at once. Wait a minute, then try again.", errors.Join(&account.TooSoon{Wait: embedLimitPeriod}, why))
}
