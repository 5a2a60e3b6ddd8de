package offers

import (
	"errors"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"

	"hearthline/internal/fault"
)

// OpensPerMinute is how many shared quotes one address may request. The tokens cannot be guessed; the limit protects
// the one writer, which counts openings.
const OpensPerMinute = 60

func newOpenLimit() *httprate.RateLimiter {
	return httprate.NewRateLimiter(OpensPerMinute, time.Minute, httprate.WithResponseHeaders(httprate.ResponseHeaders{}))
}

// limitOpens returns an error if the client's address has requested too many shared quotes.
func (s *Handlers) limitOpens(w http.ResponseWriter, r *http.Request) error {
	if s.opens.OnLimit(w, r, httprate.CanonicalizeIP(middleware.GetClientIP(r.Context()))) {
		return fault.Wrap(fault.Unavailable, "Too many requests. Try again in a minute.", errors.New("shared quotes"))
	}
	return nil
}
